"""One listing for several vaults of a folder, in whatever process."""

from __future__ import annotations

from obsirag.vault.vault import Vault
from obsirag.vault.walk import Listing

__all__ = ["listing_of", "use_listing"]


def listing_of(vault: Vault) -> Listing:
    """Return the vault's files as they were last listed; it can be sent."""
    return vault._listing


def use_listing(vault: Vault, listing: Listing) -> None:
    """Let a vault go by a listing that another one of its folder made, so that links mean the same to both."""
    vault._forget()
    vault._listing = listing
