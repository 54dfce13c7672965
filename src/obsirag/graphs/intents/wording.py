"""A question's own words: what it only quotes, and code, is spoken of and asks for nothing."""

from __future__ import annotations

import re
import unicodedata

from obsirag.graphs.visible_text import without_invisible

__all__ = ["asks", "own_words", "sentences"]

_FENCED = re.compile(r"^[ \t]*(?P<fence>```+|~~~+).*?(?:^[ \t]*(?P=fence)|\Z)", re.DOTALL | re.MULTILINE)
_QUOTED = re.compile(
    r"``[^`]*+``|`[^`]*+`|\"[^\"\n]*+\"|“[^“”\n]*+”|「[^「」\n]*+」|『[^『』\n]*+』|《[^《》\n]*+》|"
    r"\[\[[^\[\]\n]*+\]\]|(?<![^\s(])'[^'\n]*+'(?![^\s.,;:!?)])"
)
# With an underscore, two colons or brackets right behind it, it is a name in code, whatever words it is made of.
_NAME = re.compile(r"\b[A-Za-z]\w*(?:::\w+|\(\))|\b\w*[A-Za-z0-9]_\w+")
_LETTER = re.compile(r"[^\W_]")
_END = re.compile(r"[.!?。！？；;]+(?=\s|\Z|[^\x00-\x7f])|[。！？；\n]+")
_ASKS = re.compile(
    r"\b(?:how(?! about you)|what(?:'s)?|which|who|whom|whose|where|when|why(?! don'?t you)|am i|may i|may we|"
    r"is it|is there|are there|do i|do we|does|should (?:i|we)|can i|can we|procedure|explain)\b|怎么|怎样|如何|"
    r"为什么|为何|为啥|什么|啥|谁|哪|多少|多久|几[个种条点层次]|是否|是不是|能否|能不能(?!帮|给我)|可不可以(?!帮|"
    r"给我)|有没有|流程|步骤|区别|请问",
    re.IGNORECASE,
)


def own_words(question: str) -> str:
    """Return a question in one form of each letter, without what it quotes and without code.

    A question that is nothing but a quote is taken at its word.
    """
    text = unicodedata.normalize("NFKC", without_invisible(question))
    own = _NAME.sub(" · ", _QUOTED.sub(" · ", _FENCED.sub(" · ", text)))
    return own if _LETTER.search(own) else text


def sentences(text: str) -> list[str]:
    """Return the sentences of a question, roughly: at ends of lines and at marks that end one."""
    return [each.strip() for each in _END.split(text) if each.strip()]


def asks(sentence: str) -> bool:
    """Say whether a sentence asks for information: how, who, where, why."""
    return bool(_ASKS.search(sentence))
