"""Which of a chat model's suspicions are taken: those that can be right, of words that stand there as prose."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from obsirag.checking.report import Typo
from obsirag.checking.sentences import Sentence
from obsirag.checking.spelling import is_misspelling

__all__ = ["accept"]

AROUND = 60
"""Characters of the sentence that are shown on each side of a word."""
_LETTER = re.compile(r"[A-Za-z\u00c0-\u024f]")


def accept(sentence: Sentence, word: str, suggestion: str, names: Collection[str]) -> Iterator[Typo]:
    """Yield the places of a sentence in which a word is misspelt, as a model says; none if that cannot be.

    A word counts where it stands as such in the sentence, outside code, maths, links' targets, tags, identifiers and
    known names, and where what is suggested differs from it as a misspelling does.

    Args:
        sentence: The sentence that the model named.
        word: The word that it took from there.
        suggestion: What it would write.
        names: Known names: terms, titles and aliases, in small letters.
    """
    word, suggestion = word.strip(), suggestion.strip()
    if not is_misspelling(word, suggestion) or word.casefold() in names:
        return
    note, text = sentence.note, sentence.note.text
    around = [name for name in names if word.casefold() in name]
    at = text.find(word, sentence.start, sentence.end)
    while at >= 0:
        end = at + len(word)
        if (
            _stands_alone(text, at, end)
            and not note.untouchable.holds(at, end)
            and not any(_within(text, name, at, end) for name in around)
        ):
            line, column = note.place(at)
            before, after = text[max(sentence.start, at - AROUND) : at], text[end : min(sentence.end, end + AROUND)]
            yield Typo(note.path, line, column, word, suggestion, _on_one_line(before), _on_one_line(after))
        at = text.find(word, end, sentence.end)


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Say whether a word isn't a part of a longer one; Chinese words have no borders."""
    return not (
        (_LETTER.match(text[start]) and _LETTER.match(text[start - 1 : start]))
        or (_LETTER.match(text[end - 1]) and _LETTER.match(text[end : end + 1]))
    )


def _within(text: str, name: str, start: int, end: int) -> bool:
    """Say whether ``text[start:end]`` is a part of a known name there."""
    begin = max(0, start - len(name))
    return any(
        begin + found.start() <= start and end <= begin + found.end()
        for found in re.finditer(re.escape(name), text[begin : end + len(name)].lower())
    )


def _on_one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text)
