"""Which words of a text are denied, by rule, Chinese and English."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from obsirag.text.characters import CJK

__all__ = ["Clause", "clauses_of"]

_NEGATOR = re.compile(
    r"""
    # Not where it is a part of another word: 不同, 无论, 特别.
    不(?![同但仅断管论少久妨如过然满]) | 并非 | (?<![是除无莫若])非(?![常凡洲得要])
    | 没有? | 无(?![论线人机]) | 未(?!来) | 勿 | 禁止 | 避免 | 切忌
    | (?<![特级区差性类识辨分告])别(?![的人名处称])
    | \bfail(?:s|ed|ing)?\ to\b
    | \b(?:(?<!\bor\ )not(?!\ only\b)|no|never|none|neither|nor|without|cannot|nothing|nobody|avoid)\b | n't\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
# A full stop ends a clause only before a blank: names and numbers hold full stops.
_CLAUSE_END = re.compile(
    rf"[，。；：！？、\n→›—|;!?]|[,.:](?=[\s{CJK}]|$)|(?<=[{CJK}])[,:]|但是?|而是|而(?!且)|因为|所以|"
    r"\b(?:but|because|however|although|unless|instead|when|if|while|since)\b",
    re.IGNORECASE,
)
_EITHER_WAY = re.compile(r"(.)[不没]\1")
_ASIDE = re.compile(r"[(（]([^()（）\n]*)[)）]")
_CODE = re.compile(r"`([^`\n]+)`")


class Clause(NamedTuple):
    """A part of a sentence, cut where it begins to deny.

    Args:
        stated: What stands before the first word that denies; all of it if none does.
        denied: What stands after it.
    """

    stated: str
    denied: str

    @property
    def denies(self) -> bool:
        """Whether there is a word that denies."""
        return bool(self.denied)

    @property
    def text(self) -> str:
        """The whole clause without the word that denies."""
        return f"{self.stated} {self.denied}"


def clauses_of(text: str) -> Iterator[Clause]:
    """Yield the clauses of a text; what a word denies is taken to reach to the end of its clause.

    Args:
        text: The text, in Unicode form NFKC or near to it.
    """
    text = _EITHER_WAY.sub(r"\1", text)  # 是不是 asks
    # Words of code deny nothing: a filter may be called `not done`.
    text = _CODE.sub(lambda code: "_" + code[1].replace(" ", "_"), text)
    for part in (_ASIDE.sub(" ", text), *_ASIDE.findall(text)):
        start = 0
        for match in [*_CLAUSE_END.finditer(part), None]:
            piece = part[start : match.start() if match else len(part)]
            start = match.end() if match else start
            if piece.strip():
                yield _cut(piece)


def _cut(piece: str) -> Clause:
    negator = _NEGATOR.search(piece)
    if negator is None:
        return Clause(piece, "")
    return Clause(piece[: negator.start()], piece[negator.end() :] or " ")
