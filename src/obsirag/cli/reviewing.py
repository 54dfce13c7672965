"""A question that waits for a person, at the terminal: what is shown of it, and the commands that decide on it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from obsirag.cli.printing import one_line, print_lines, show_place

if TYPE_CHECKING:
    from obsirag.graphs import WaitingReview

__all__ = [
    "HELP",
    "HOW",
    "MARKS",
    "Command",
    "Reviewing",
    "WrongCommandError",
    "command_in",
    "print_kept",
    "print_passage",
    "print_review",
]

MARKS = ("/good", "/bad", "/better", "/correct")
COMMANDS = ("/approve", "/reject", "/keep", "/drop", "/show", "/help", "/save", *MARKS)
HOW = (
    "/approve answers it from these; /reject [words] doesn't answer it. First, /keep 2 1 keeps those in that order, "
    "/drop 2 leaves one out, /show 2 shows one in full, /show shows all."
)
HELP = (
    "Ask a question, a line each; /exit ends the conversation. Of the last answer, /good and /bad judge all sources, "
    "/good 1 and /bad 2 one of them; /better Folder/Note.md names a better one, and /correct says in words what is "
    "right. /save shows the note that would become of it. Where a question waits for a person, more is told."
)
NONE = "There is no passage to answer from."
SHORT = 240
"""Characters that are shown of a line in the list."""
SHOWN_LINES = 4
"""Lines that are shown of a passage there."""

_NUMBERS = re.compile(r"[0-9]{1,4}")
_ONLY_NUMBERS = re.compile(r"[0-9]{1,4}(?:[\s,，、]+[0-9]{1,4})*")


class WrongCommandError(ValueError):
    """A command that cannot be obeyed; says why."""


class Command(NamedTuple):
    """What a person typed.

    Args:
        name: One of ``COMMANDS``.
        words: What stands behind it.
    """

    name: str
    words: str


@dataclass(frozen=True, slots=True)
class Reviewing:
    """A waiting question, and what a person has chosen so far.

    Args:
        waiting: What they are asked.
        kept: Numbers of the passages that it is to be answered from, in order; they begin at 1 and never change.
    """

    waiting: WaitingReview
    kept: tuple[int, ...]

    @classmethod
    def begin(cls, waiting: WaitingReview) -> Reviewing:
        """Return the review with all passages kept."""
        return cls(waiting, tuple(range(1, len(waiting.evidence) + 1)))

    @property
    def question(self) -> str:
        """What was asked."""
        return str(self.waiting.action["args"]["question"])

    def keep(self, words: str) -> Reviewing:
        """Return the review with just these passages, in this order; also such as were left out before."""
        return replace(self, kept=tuple(dict.fromkeys(self.numbers(words))))

    def drop(self, words: str) -> Reviewing:
        """Return the review without these passages."""
        dropped = self.numbers(words)
        return replace(self, kept=tuple(each for each in self.kept if each not in dropped))

    def approval(self) -> dict[str, Any]:
        """Return the decision to answer from what is kept."""
        evidence = self.waiting.evidence
        if self.kept == tuple(range(1, len(evidence) + 1)):
            return {"decisions": [{"type": "approve"}]}
        args = {"evidence": [{"id": evidence[number - 1]["id"]} for number in self.kept]}
        return {"decisions": [{"type": "edit", "edited_action": {"name": self.waiting.action["name"], "args": args}}]}

    def rejection(self, words: str) -> dict[str, Any]:
        """Return the decision not to answer."""
        return {"decisions": [{"type": "reject", **({"message": words} if words else {})}]}

    def numbers(self, words: str) -> list[int]:
        """Return the numbers of passages in a command.

        Raises:
            WrongCommandError: If there are none, or no such passages.
        """
        if not _ONLY_NUMBERS.fullmatch(words):
            raise WrongCommandError("Say which passages, by their numbers, such as 1 3.")
        numbers = [int(each) for each in _NUMBERS.findall(words)]
        if wrong := [each for each in numbers if not 1 <= each <= len(self.waiting.evidence)]:
            raise WrongCommandError(f"There is no passage {wrong[0]}; there are {len(self.waiting.evidence)}.")
        return numbers


def command_in(line: str) -> Command | None:
    """Return the command in a line; None if it is a question, as one that begins with a path is.

    Raises:
        WrongCommandError: If it looks like a command and is none.
    """
    name, _, words = line.partition(" ")
    if name.casefold() in COMMANDS:
        return Command(name.casefold(), words.strip())
    if re.fullmatch(r"/[A-Za-z]+", name):
        raise WrongCommandError(f"There is no command {name}.")
    return None


def print_review(reviewing: Reviewing) -> None:
    """Print the question, and the passages that are kept, each with what of it is nearest to the question."""
    evidence = reviewing.waiting.evidence
    print_lines([
        ("", ""),
        (one_line(reviewing.question), "bold"),
        (one_line(reviewing.waiting.action["description"]), ""),
        *(line for number in reviewing.kept for line in _passage(number, evidence[number - 1], reviewing.question)),
        ("", ""),
        *([] if reviewing.kept else [(NONE, "")]),
        (HOW, "dim"),
    ])  # fmt: skip


def print_kept(reviewing: Reviewing) -> None:
    """Print where the passages that are kept stand."""
    heads = [(_head(number, reviewing.waiting.evidence[number - 1]), "bold") for number in reviewing.kept]
    print_lines(heads or [(NONE, "")])


def print_passage(reviewing: Reviewing, number: int) -> None:
    """Print a passage in full."""
    evidence = reviewing.waiting.evidence[number - 1]
    # Set in, so that no line of it looks like one of the list.
    print_lines([(_head(number, evidence), "bold"), *((f"    {line}", "") for line in evidence["text"].split("\n"))])


def _passage(number: int, evidence: dict[str, Any], question: str) -> Iterator[tuple[str, str]]:
    yield "", ""
    yield _head(number, evidence), "bold"
    for line in excerpt(evidence["text"], question):
        yield f"    {one_line(line)}", ""


def excerpt(text: str, question: str) -> list[str]:
    """Return the lines of a passage that stand nearest to a question, with a sign for what is left out.

    Args:
        text: The passage.
        question: The question.
    """
    from obsirag.graphs.terms import content_terms, credit, words_of

    lines = [line for line in text.splitlines() if line.strip()]
    terms = content_terms(question)
    scores = [sum(credit(term, words) for term in terms) for words in map(words_of, lines)]
    best = scores.index(max(scores)) if scores else 0
    # A heading tells less than what stands below it.
    start = max(0, min(best, len(lines) - SHOWN_LINES))
    chosen = [each if len(each) <= SHORT else each[:SHORT] + "…" for each in lines[start : start + SHOWN_LINES]]
    return [*(["…"] if start else []), *chosen, *(["…"] if start + SHOWN_LINES < len(lines) else [])]


def _head(number: int, evidence: dict[str, Any]) -> str:
    place = show_place(
        evidence["title"] or evidence["source"],
        evidence["headings"],
        evidence["source"],
        evidence["start_line"],
        evidence["end_line"],
    )
    return f"[{number}] {one_line(place)}"
