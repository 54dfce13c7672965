"""Reading Obsidian vaults and rendering their notes to plain Markdown, with the source of every character."""

from obsirag.vault.codes import DIAGNOSTIC_CODES, HINT_CODES, UNREADABLE_NOTE_CODES
from obsirag.vault.graph import LinkGraph
from obsirag.vault.properties import UNREADABLE_PERMISSIONS
from obsirag.vault.vault import Vault

__all__ = ["DIAGNOSTIC_CODES", "HINT_CODES", "UNREADABLE_NOTE_CODES", "UNREADABLE_PERMISSIONS", "LinkGraph", "Vault"]
