"""Answers that become notes, after a person said yes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import count
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from obsirag.components.answer_notes import answer_text, file_name, one_permission
from obsirag.components.index import index_vault
from obsirag.components.parts import Components
from obsirag.config import RagConfig
from obsirag.errors import ConfigError, VaultError
from obsirag.records import Citation, IndexReport, Permissions, is_derived, labels_of, may_read, merge_permissions

if TYPE_CHECKING:
    from obsirag.vault import Vault

__all__ = ["AnswerNote", "draft_answer_note", "save_answer_note"]

_WEB = ("http://", "https://")


@dataclass(frozen=True, slots=True)
class AnswerNote:
    """A note that is to be made of an answer, for a person to look at.

    Args:
        path: Its vault-relative path.
        text: All that its file is to hold.
        labels: Who may read it; everybody if empty.
    """

    path: str
    text: str
    labels: tuple[str, ...] = ()


def draft_answer_note(
    config: RagConfig,
    *,
    question: str,
    answer: str,
    citations: Sequence[Citation],
    permissions: Permissions,
    labels: Collection[str] | None = (),
    day: date | None = None,
) -> AnswerNote:
    """Return the note that would become of an answer; nothing is written.

    It is guarded at least as strictly as the answer and each of the notes that this cites.

    Args:
        config: The configuration, which names the folder.
        question: What was asked, so that it can be understood alone.
        answer: What was answered.
        citations: Where that stands.
        permissions: Who may read the answer (``last_answer`` tells).
        labels: The caller's labels.
        day: The date that it bears; today's if None.

    Raises:
        ConfigError: If no folder is configured, the answer cites nothing, cites what is no note of the vault and the
            index that the caller may read, or leans on notes that no single label may read.
        VaultError: If the vault cannot be read.
        CatalogueError: If the index cannot be opened.
    """
    from obsirag.catalogue import Catalogue, known_notes

    folder = _folder(config)
    if not citations or not question.strip() or not answer.strip():
        raise ConfigError("Only a question with an answer that cites its sources becomes a note.")
    vault = _open_vault(config)
    paths = sorted({each["source"] for each in citations if not each["source"].startswith(_WEB)})
    with Catalogue.open(config.index, create=False) as catalogue, catalogue.reading() as connection:
        hashes = {path: note.file_hash for path, note in known_notes(connection, paths).items()}
    known = set(vault.paths())
    guards = [permissions]
    for path in paths:
        note = vault.note(path) if path in known and path in hashes else None
        if note is None or not may_read(note.permissions, labels_of(labels)):
            raise ConfigError(f"The answer cites {path!r}, which is no note of the vault and the index any more.")
        if is_derived(note.metadata):
            raise ConfigError(f"The answer cites {path!r}, which was made from an answer itself.")
        guards.append(note.permissions)
    merged = merge_permissions(*guards)
    if not may_read(merged, labels_of(labels)):
        raise ConfigError("The answer leans on notes that these labels may not read any more.")
    held = one_permission(merged)
    when = day or date.today()
    text = answer_text(question.strip(), answer, citations, day=when, hashes=hashes, labels=held)
    return AnswerNote(_free_path(vault, folder, file_name(question, when)), text, held)


def save_answer_note(config: RagConfig, note: AnswerNote, *, components: Components | None = None) -> IndexReport:
    """Write a note that a person approved, and index it.

    No file is ever overwritten, and none is made outside the configured folder.

    Args:
        config: The configuration.
        note: What ``draft_answer_note`` gave.
        components: Ready parts for the index, instead of those that the configuration describes.

    Raises:
        ConfigError: If the note doesn't lie in the configured folder, something has its name by now, or the vault
            leaves the folder out.
        VaultError: If it cannot be written.
        CatalogueError: If the index cannot be brought up to date; the note is there then.
    """
    folder = _folder(config)
    vault = _open_vault(config)
    name = PurePosixPath(note.path)
    if name.parent != PurePosixPath(folder) or name.name.startswith(".") or name.suffix != ".md" or "\\" in note.path:
        raise ConfigError(f"{note.path!r} is no note in the folder {folder!r} that `growth.folder` names.")
    file = vault.root / folder / name.name
    _write(file, note.text, vault.root)
    if note.path not in vault.paths():
        file.unlink()
        raise ConfigError(f"The vault leaves out {note.path!r} (`vault_options.ignore`): name another `growth.folder`.")
    return index_vault(config, components=components)


def _folder(config: RagConfig) -> str:
    if config.growth.folder is None:
        raise ConfigError("No answer becomes a note unless `growth: {folder: …}` names a folder in the vault for them.")
    return config.growth.folder


def _open_vault(config: RagConfig) -> Vault:
    from obsirag.vault import Vault

    return Vault(config.vault, **config.vault_options.model_dump())


def _free_path(vault: Vault, folder: str, name: str) -> str:
    """Return a path in the folder that nothing has, and whose name no other note has: links by name keep their aim."""
    taken = {PurePosixPath(path).stem.casefold() for path in (*vault.paths(), *vault.attachments())}
    numbered = (name if number == 1 else f"{name} {number}" for number in count(1))
    return f"{folder}/{next(each for each in numbered if each.casefold() not in taken)}.md"


def _write(file: Path, text: str, root: Path) -> None:
    try:
        # Where a link in the vault leads out of it, nothing is made either.
        existing = next(each for each in (file.parent, *file.parent.parents) if each.exists())
        if not existing.resolve().is_relative_to(root):
            raise ConfigError(f"{file.parent} leads out of the vault: name another `growth.folder`.")
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("x", encoding="utf-8", errors="replace", newline="\n") as opened:
            opened.write(text)
    except FileExistsError as error:
        raise ConfigError(f"There is something at {file} by now; draft the note again.") from error
    except OSError as error:
        raise VaultError(f"{file} cannot be written: {error.strerror}.") from error
