"""The built-in splitter, as the configuration describes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from obsirag.config import SplitterOptions
from obsirag.errors import ConfigError

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

    from obsirag.splitters import FindTopics, ObsidianSplitter, RuleSplitter

__all__ = ["built_in_splitter"]


def built_in_splitter(
    options: SplitterOptions, embeddings: Embeddings | None, find_topics: FindTopics | None = None
) -> ObsidianSplitter | RuleSplitter:
    """Return the splitter: a single one, or one for each rule.

    Args:
        options: Its options.
        embeddings: What makes the vectors: no chunk is longer than what it reads.
        find_topics: Says where topics begin; needed where the options want that to be asked.

    Raises:
        ConfigError: If sizes are in ``model_tokens`` and the embeddings count none.
    """
    from obsirag.splitters import RuleSplitter, SplitterRule

    default = _single(options, embeddings, find_topics)
    rules = [
        SplitterRule(
            splitter=_single(options.for_rule(rule), embeddings, find_topics),
            paths=rule.paths,
            tags=rule.tags,
            fields=rule.fields,
        )
        for rule in options.rules
    ]
    return RuleSplitter(default, rules) if rules else default


def _single(
    options: SplitterOptions, embeddings: Embeddings | None, find_topics: FindTopics | None
) -> ObsidianSplitter:
    from obsirag.splitters import ObsidianSplitter, TopicSplitter

    counted: Any = getattr(embeddings, "input_length", None)
    sizes: dict[str, Any] = {
        **options.model_dump(exclude={"unit", "rules", "ask_model", "model_calls"}),
        "length_function": _length(options.unit, counted),
        # No chunk is longer than what the model reads: it would cut the rest off without a word.
        "input_limit": getattr(embeddings, "input_limit", None),
        "input_length": counted,
    }
    if options.ask_model == "never" or find_topics is None:
        return ObsidianSplitter(**sizes)
    return TopicSplitter(find_topics, always=options.ask_model == "always", calls_per_note=options.model_calls, **sizes)


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
