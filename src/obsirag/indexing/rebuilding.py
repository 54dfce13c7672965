"""New vectors for a whole index, which goes on with the old ones until all are there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from obsirag.catalogue import (
    Catalogue,
    disown_missing_vectors,
    next_index_version,
    take_over_staged,
    write_meta,
)
from obsirag.errors import ServiceError
from obsirag.indexing.embedding import Embedder
from obsirag.indexing.examining import Finding

__all__ = ["contents_of", "embed_anew", "take_over"]


def embed_anew(
    paths: Sequence[str],
    findings: Iterable[Finding],
    embedder: Embedder,
    group_size: int,
    progress: Callable[[int, int, str], None],
) -> None:
    """Embed the contents of all notes ahead, as they will come out; nothing of it is visible yet.

    What a run that dies has embedded so far is not embedded again by the next one.

    Args:
        paths: The notes.
        findings: What came of making each anew, in their order.
        embedder: Keeps their vectors apart.
        group_size: Number of contents to embed at a time.
        progress: Called with the number of notes embedded, their total, and the last one's path.

    Raises:
        ServiceError: If the model is out of reach.
    """
    contents: dict[str, str] = {}
    for done, (path, finding) in enumerate(zip(paths, findings, strict=True), start=1):
        contents |= contents_of(finding)
        if len(contents) >= group_size or done == len(paths):
            failures = embedder.embed(contents)
            if embedder.is_down:
                cause = next(iter(failures.values()), "")
                raise ServiceError(f"{cause} The index was left as it is; rebuild again when the model can be reached.")
            contents = {}
        progress(done, len(paths), path)


def take_over(catalogue: Catalogue, model_id: str) -> None:
    """Let the vectors that were embedded ahead take the place of the old ones, in one moment.

    The store is to be filled with them after that. Notes whose contents could not be embedded are made anew by the run.
    """
    with catalogue.writing() as connection:
        dimensions = take_over_staged(connection, model_id)
        disown_missing_vectors(connection, model_id)
        write_meta(connection, "model_id", model_id if dimensions else None)
        write_meta(connection, "dimensions", str(dimensions) if dimensions else None)
        write_meta(connection, "reset_store", "1")
        next_index_version(connection)


def contents_of(finding: Finding) -> dict[str, str]:
    """Return what is to be embedded of a note, by content hash; nothing if it has a fault, which the run reports."""
    chunks = finding.record.chunks if finding.record else ()
    return {chunk.content_hash: chunk.content for chunk in chunks}
