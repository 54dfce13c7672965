"""What a Ray worker does: read, make and embed notes, with parts that it builds from the configuration itself."""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from obsirag._version import installed_version
from obsirag.components.loaders import open_vault
from obsirag.components.parts import Components
from obsirag.config import RagConfig
from obsirag.errors import reason_of

if TYPE_CHECKING:
    from obsirag.indexing.changes import Look
    from obsirag.indexing.examining import Finding
    from obsirag.vault import Vault
    from obsirag.vault.walk import Listing

__all__ = ["Found", "Job", "Reply", "Worker", "describe_making"]


class Found(NamedTuple):
    """What a run has found before any note is looked at.

    Args:
        listing: The vault's files as they were listed, so that links mean the same to every worker.
        settings: The name of the settings, for the records of notes.
    """

    listing: Listing
    settings: str


class Job(NamedTuple):
    """What a worker needs to know to make the notes as the indexing process would.

    Args:
        config: The configuration; ``{env: NAME}`` stands in it unread.
        made_with: What the indexing process makes them with, by subject.
    """

    config: RagConfig
    made_with: Mapping[str, str]


class Reply(NamedTuple):
    """What a worker answers: errors as text, since nobody knows whether an error can be sent.

    Args:
        value: What was asked for.
        cause: Why it cannot be had; empty if it can.
        is_unfit: Whether this worker cannot do anything, as it is set up.
    """

    value: Any = None
    cause: str = ""
    is_unfit: bool = False


class Worker:
    """Lives in a process of its own; it writes nothing.

    Args:
        job: What it needs to know.
    """

    def __init__(self, job: Job) -> None:
        self._job = job
        self._found: tuple[str, Vault, str] | None = None
        self._parts = Components()
        self._unfit = ""
        try:
            self._parts = _build_parts(job.config)
            self._unfit = _differences(job.made_with, describe_making(job.config, self._parts))
        except Exception as error:  # noqa: BLE001 - parts are somebody else's code; the other process is to tell
            self._unfit = reason_of(error)

    def start(self) -> Reply:
        """Say whether it is ready."""
        return self._reply(lambda: None)

    def examine(self, name: str, found: list[Any], looks: Sequence[Look]) -> Reply:
        """Return what each of some notes needs.

        Args:
            name: Another one for each run, so that what was found is fetched once.
            found: The reference to it, in a list so that Ray leaves it alone.
            looks: The notes.
        """
        return self._reply(lambda: self._examine(name, found, looks))

    def embed(self, texts: list[str]) -> Reply:
        """Return the vectors of some texts."""
        return self._reply(lambda: self._parts.embeddings.embed_documents(texts))  # type: ignore[union-attr]

    def _reply(self, work: Callable[[], Any]) -> Reply:
        if self._unfit:
            return Reply(cause=f"A worker on {platform.node()} cannot index: {self._unfit}", is_unfit=True)
        try:
            return Reply(work())
        except Exception as error:  # noqa: BLE001 - the same
            return Reply(cause=reason_of(error))

    def _examine(self, name: str, found: list[Any], looks: Sequence[Look]) -> list[Finding]:
        import ray

        from obsirag.components.cleaning import cleaner_of
        from obsirag.indexing.examining import Examiner
        from obsirag.indexing.preparing import Preparer
        from obsirag.vault.sharing import use_listing

        if self._found is None or self._found[0] != name:
            listing, settings = ray.get(found[0])
            vault = open_vault(self._job.config, self._parts)
            use_listing(vault, listing)
            self._found = name, vault, settings
        (_, vault, settings), parts = self._found, self._parts
        assert parts.splitter is not None and parts.embeddings is not None  # noqa: S101, PT018 - both were asked for
        preparer = Preparer(vault, cleaner_of(self._job.config, parts), parts.splitter, settings)
        return [*map(Examiner(vault, preparer, parts.embeddings).examine, looks)]


def describe_making(config: RagConfig, parts: Components) -> dict[str, str]:
    """Return, by subject, what notes and vectors depend on, so that two processes can be compared.

    Args:
        config: The configuration.
        parts: The parts that are in use.
    """
    from obsirag.catalogue import embedding_model_id
    from obsirag.components.settings import describe_settings

    assert parts.embeddings is not None  # noqa: S101 - it was asked for
    told = describe_settings(config, parts)
    return {
        "obsirag": installed_version(),
        "vault": told["vault"],
        "cleaning": told["cleaning"],
        "splitter": told["splitter"],
        "embeddings": embedding_model_id(parts.embeddings),
    }


def _build_parts(config: RagConfig) -> Components:
    from obsirag.components.build import build_components
    from obsirag.plugins import Kind

    loading: tuple[Kind, ...] = ("loader",)
    parts = build_components(config, kinds=loading)
    open_vault(config, parts)  # where it isn't mounted, nothing else is worth the while
    making: tuple[Kind, ...] = ("embeddings", "splitter", "cleaner")
    return build_components(config, parts, kinds=making)


def _differences(wanted: Mapping[str, str], found: Mapping[str, str]) -> str:
    others = [name for name, value in wanted.items() if found.get(name) != value]
    if not others:
        return ""
    return (
        f"its {' and '.join(others)} would come out otherwise than in the process that indexes. Workers build "
        "their parts from the configuration: they need the same versions of obsirag and its plugins, and parts that "
        "are given ready in Python cannot be sent to them (name a plugin instead, or set `indexing.engine: local`)."
    )
