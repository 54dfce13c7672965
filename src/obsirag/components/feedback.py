"""From an index to the marks on its answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from obsirag.components.build import build_components
from obsirag.components.parts import Components
from obsirag.config import RagConfig

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

    from obsirag.catalogue import Catalogue
    from obsirag.feedback import Feedback
    from obsirag.plugins import Kind

__all__ = ["feedback_over", "open_feedback"]


def open_feedback(config: RagConfig, *, components: Components | None = None) -> Feedback:
    """Return people's marks on the answers from an index: to make, to see and to revoke them.

    They lie in a file of their own, ``feedback.sqlite``, in the index folder. It is made with the first mark, and stays
    when the index is rebuilt or dropped.

    Args:
        config: The configuration.
        components: Ready parts, instead of those that the configuration describes.

    Raises:
        CatalogueError: If there is no index, or it cannot be opened.
    """
    from obsirag.catalogue import Catalogue

    return feedback_over(config, Catalogue.open(config.index, create=False), components)


def feedback_over(config: RagConfig, catalogue: Catalogue, components: Components | None) -> Feedback:
    """Return the marks of an index whose catalogue is open; an embedding model is opened when one is first needed."""
    from obsirag.feedback import FILE_NAME, Feedback, MarksFile, QuestionVectors

    options = config.retrieval.preferences

    def open_model() -> Embeddings:
        kinds: tuple[Kind, ...] = ("embeddings",)
        embeddings = build_components(config, components, kinds=kinds).embeddings
        assert embeddings is not None  # noqa: S101 - it was asked for
        return embeddings

    return Feedback(
        MarksFile(config.index / FILE_NAME),
        catalogue,
        half_life=options.half_life,
        min_likeness=options.likeness,
        vectors=QuestionVectors(open_model, options.similarity) if options.similarity is not None else None,
    )
