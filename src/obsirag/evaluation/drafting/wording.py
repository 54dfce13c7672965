"""Questions in words, by rule, in Chinese and English."""

from __future__ import annotations

import re

from obsirag.evaluation.drafting.facts import Fact
from obsirag.graphs.language import language_of

__all__ = ["ask", "ask_to_compare", "language_of_fact"]

_ZH_DENIED = (
    ("不能", "能不能"), ("不可以", "可以不可以"), ("不要", "要不要"), ("不许", "允不允许"), ("不准", "准不准"),
    ("禁止", "允许不允许"), ("不得", "可不可以"), ("不可", "可不可以"), ("切勿", "可不可以"),
)  # fmt: skip
# A short subject, so that what stands before the verb is one; what else begins a sentence makes no question.
_EN_DENIED = re.compile(
    r"(?P<subject>(?!(?:if|because|when|while|since|as|although|though|unless|there|so|and|but|"
    r"note|it|this|that|they|these|wondering)\b)"
    r"[\w`'./+#]+(?:\s(?!that\b|which\b|do\b|don't\b)[\w`'./+#]+){0,4}?)\s+"
    r"(?P<verb>must not|mustn't|may not|cannot|can not|can't|should not|shouldn't|do not|don't|does not|doesn't|"
    r"is not|isn't|are not|aren't)\s+(?P<rest>(?:(?!,\s(?:so|and|but|nor)\b|\s-\s|\sso\s|[;:?]).)+)",
    re.IGNORECASE,
)
_EN_ORDER = re.compile(r"(?:please\s+)?(?:never|do not|don't)\s+(?P<rest>.+)", re.IGNORECASE)
_EN_VERBS = {
    "mus": "May", "may": "May", "can": "Can", "sho": "Should", "do ": "Do", "don": "Do", "doe": "Does", "is ": "Is",
    "isn": "Is", "are": "Are",
}  # fmt: skip
_FIRST_WORDS = frozenset(
    [
        "A",
        "All",
        "An",
        "Each",
        "Every",
        "It",
        "No",
        "One",
        "Some",
        "That",
        "The",
        "These",
        "They",
        "This",
        "Those",
        "We",
        "You",
    ]
)
_END = re.compile(r"[\s。．.;；!！,，:：]+\Z")
_CLAUSE_ZH = re.compile(r"[。；;：:]")
_ASKS_ALREADY = re.compile(r"能不能|要不要|可不可以|会不会|是否|不仅能|[?？]")


def language_of_fact(fact: Fact) -> str:
    """Return the language that a fact is to be asked about in."""
    return language_of(f"{fact.subject} {fact.aspect} {fact.text}")


def ask(fact: Fact, title: str = "") -> str:
    """Return a question whose answer a fact is; empty if there is no way to ask.

    Args:
        fact: The fact.
        title: What the note is called in the question; its title if empty.
    """
    name = title or fact.note.title
    zh = language_of_fact(fact) == "zh"
    match fact.kind:
        case "table":
            if zh:
                return f"《{name}》的表里，“{fact.subject}”的“{fact.aspect}”是什么？"
            return f"In “{name}”, what stands under “{fact.aspect}” for “{fact.subject}”?"
        case "section":
            if zh:
                return f"《{name}》里，关于“{fact.subject}”是怎么说的？"
            return f"What does “{name}” say about “{fact.subject}”?"
        case "negation":
            return _ask_whether_zh(fact.text) if zh else _ask_whether_en(fact.text)


def ask_to_compare(first: Fact, second: Fact) -> str:
    """Return a question that needs two facts of two notes."""
    names = first.note.title, second.note.title
    if language_of_fact(first) == "zh":
        return f"关于“{first.subject}”，《{names[0]}》和《{names[1]}》分别是怎么说的？"
    return f"What do “{names[0]}” and “{names[1]}” each say about “{first.subject}”?"


def _ask_whether_zh(text: str) -> str:
    if _ASKS_ALREADY.search(text):
        return ""
    clause = next((each for each in _CLAUSE_ZH.split(text) if any(word in each for word, _ in _ZH_DENIED)), "")
    word, asking = next((pair for pair in _ZH_DENIED if pair[0] in clause), ("", ""))
    return f"{_END.sub('', clause.replace(word, asking, 1))}？" if word else ""


def _ask_whether_en(text: str) -> str:
    bare = _END.sub("", text)
    if found := _EN_ORDER.fullmatch(bare):
        return f"Should one {_lowered(found['rest'])}?"
    if found := _EN_DENIED.match(bare):
        return f"{_EN_VERBS[found['verb'][:3].lower()]} {_lowered(found['subject'])} {found['rest']}?"
    return ""


def _lowered(text: str) -> str:
    """Return a text without the capital that it has only for standing first."""
    return text[0].lower() + text[1:] if text.partition(" ")[0] in _FIRST_WORDS else text
