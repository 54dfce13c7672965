"""How sure a chat model is of a yes, by the probabilities of its first token."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, fsum
from typing import Any

__all__ = ["first_choices", "yes_share"]

_YES = frozenset({"yes", "是"})
_NO = frozenset({"no", "否", "不"})
_AROUND = " \t\r\n\u0120\u2581\"'`*.,!。！"
"""Blanks, the marks that tokenizers write for them, and what a model may put around a word."""


def first_choices(response_metadata: Mapping[str, Any]) -> Sequence[Mapping[str, Any]] | None:
    """Return the choices that a model had for its first token, as OpenAI's protocol gives them.

    Args:
        response_metadata: What LangChain keeps of an answer.

    Returns:
        Mappings with ``token`` and ``logprob``; None if the model gave none.
    """
    try:
        choices = response_metadata["logprobs"]["content"][0]["top_logprobs"]
    except (KeyError, IndexError, TypeError):
        return None
    if not isinstance(choices, Sequence) or not choices:
        return None
    return choices if all(_is_choice(each) for each in choices) else None


def yes_share(choices: Sequence[Mapping[str, Any]]) -> float | None:
    """Return the probability of a yes among that of yes and no, 0 to 1; None if neither is among the choices."""
    yes = fsum(exp(each["logprob"]) for each in choices if _word(each["token"]) in _YES)
    no = fsum(exp(each["logprob"]) for each in choices if _word(each["token"]) in _NO)
    return yes / (yes + no) if yes + no else None


def _is_choice(value: Any) -> bool:
    return (
        isinstance(value, Mapping)
        and isinstance(value.get("token"), str)
        and isinstance(value.get("logprob"), int | float)
        and value["logprob"] <= 0.001  # the logarithm of a probability, as exactly as servers round
    )


def _word(token: str) -> str:
    return token.strip(_AROUND).casefold()
