"""The arguments of a splitter: which are taken, which change nothing, and which are refused, with the reason."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Literal, TypedDict

__all__ = ["LangChainArguments", "check_length", "check_others", "check_size", "overlap_of"]


class LangChainArguments(TypedDict, total=False):
    """Arguments of LangChain's own splitters that ``ObsidianSplitter`` accepts and that change nothing.

    ``keep_separator`` and ``is_separator_regex``: there are no separators, and all text between two cuts is kept.
    ``add_start_index``: ``start_index`` is always there. ``strip_whitespace``: chunks never begin or end with blanks,
    so only True is accepted.
    """

    keep_separator: bool | Literal["start", "end"]
    add_start_index: bool
    strip_whitespace: bool
    is_separator_regex: bool


_NO_SEPARATORS = "it cuts along headings, blocks and sentences, wherever they are"
_REASONS = {
    "separator": _NO_SEPARATORS,
    "separators": _NO_SEPARATORS,
    "headers_to_split_on": "it cuts along all headings, and tells them in the metadata `headings`",
    "strip_headers": "a heading stays in the chunk of its text",
    "encoding_name": "tokens are counted by a splitter made with `from_tiktoken_encoder(encoding_name=…)`",
    "model_name": "tokens are counted by a splitter made with `from_tiktoken_encoder(model_name=…)`",
    "tokenizer": "tokens are counted by a splitter made with `from_huggingface_tokenizer(tokenizer)`",
    "language": "it is for Markdown alone",
}


def check_others(others: Mapping[str, object], splitter: type) -> None:
    """Refuse all arguments but those of ``LangChainArguments``.

    Args:
        others: What was given beside the splitter's own arguments.
        splitter: The class, whose own arguments can be suggested.

    Raises:
        TypeError: If one is refused, with the reason, or is unknown, with the nearest name.
    """
    for name, value in others.items():
        if name == "strip_whitespace" and not value:
            raise TypeError(
                "ObsidianSplitter takes no strip_whitespace=False: chunks never begin or end with blanks; where each "
                "stands in the text is told by its metadata `start_index` and `end_index`"
            )
        if name in LangChainArguments.__annotations__:
            continue
        if name in _REASONS:
            raise TypeError(f"ObsidianSplitter takes no `{name}`: {_REASONS[name]}; leave it out")
        from obsirag.config import nearest_names

        near = nearest_names(name, [*inspect.signature(splitter).parameters, *LangChainArguments.__annotations__])
        hint = f"; did you mean `{near[0]}`?" if near else ""
        raise TypeError(f"ObsidianSplitter got an unexpected argument `{name}`{hint}")


def check_size(name: str, size: object, *, least: int) -> None:
    """Raise ValueError unless ``size`` is an integer of at least ``least``."""
    if not isinstance(size, int) or isinstance(size, bool) or size < least:
        raise ValueError(f"{name} must be an integer of at least {least}, not {size!r}")


def check_length(name: str, length: object) -> None:
    """Raise TypeError unless ``length`` can be called."""
    if not callable(length):
        raise TypeError(f"{name} must be a function that returns a text's length, such as len, not {length!r}")


def overlap_of(chunk_overlap: object, chunk_size: int) -> int:
    """Return an overlap in units of length, less than half of a chunk.

    Args:
        chunk_overlap: A length, or, if it is no integer, a share of ``chunk_size`` below one half.
        chunk_size: The size of a chunk.

    Raises:
        ValueError: If it is neither.
    """
    if isinstance(chunk_overlap, float) and 0 <= chunk_overlap < 0.5:
        length = round(chunk_size * chunk_overlap)
    elif isinstance(chunk_overlap, int) and not isinstance(chunk_overlap, bool) and chunk_overlap >= 0:
        length = chunk_overlap
    else:
        raise ValueError(
            f"chunk_overlap must be an integer of at least 0, or a share of chunk_size below 0.5, not {chunk_overlap!r}"
        )
    return min(length, (chunk_size - 1) // 2)
