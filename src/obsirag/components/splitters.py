"""The built-in splitter, as the configuration describes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from obsirag.config import SplitterOptions
from obsirag.errors import ConfigError

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

    from obsirag.splitters import ObsidianSplitter, RuleSplitter

__all__ = ["built_in_splitter"]


def built_in_splitter(options: SplitterOptions, embeddings: Embeddings | None) -> ObsidianSplitter | RuleSplitter:
    """Return the splitter: a single one, or one for each rule.

    Args:
        options: Its options.
        embeddings: What makes the vectors: no chunk is longer than what it reads.

    Raises:
        ConfigError: If sizes are in ``model_tokens`` and the embeddings count none.
    """
    from obsirag.splitters import RuleSplitter, SplitterRule

    default = _single(options, embeddings)
    rules = [
        SplitterRule(
            splitter=_single(options.for_rule(rule), embeddings),
            paths=rule.paths,
            tags=rule.tags,
            fields=rule.fields,
        )
        for rule in options.rules
    ]
    return RuleSplitter(default, rules) if rules else default


def _single(options: SplitterOptions, embeddings: Embeddings | None) -> ObsidianSplitter:
    from obsirag.splitters import ObsidianSplitter

    counted: Any = getattr(embeddings, "input_length", None)
    return ObsidianSplitter(
        **options.model_dump(exclude={"unit", "rules"}),
        length_function=_length(options.unit, counted),
        # No chunk is longer than what the model reads: it would cut the rest off without a word.
        input_limit=getattr(embeddings, "input_limit", None),
        input_length=counted,
    )


def _length(unit: str, counted: Callable[[str], int] | None) -> Callable[[str], int]:
    from obsirag.text import estimate_tokens, word_count

    if unit == "model_tokens":
        if counted is None:
            raise ConfigError(
                "`splitter.unit` is model_tokens, but the embeddings in use don't tell how long a text is (they have "
                "no `input_length`): use tokens, which are estimated, or other embeddings"
            )
        return counted
    lengths: dict[str, Callable[[str], int]] = {"characters": len, "words": word_count, "tokens": estimate_tokens}
    return lengths[unit]
