"""The questions that failed, to be opened one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from obsirag.cli.eval_page.found import gold_list
from obsirag.cli.eval_page.overview import FAILINGS
from obsirag.cli.eval_page.shape import Failure
from obsirag.cli.eval_page.tables import letters
from obsirag.cli.eval_page.told import came
from obsirag.cli.eval_page.traces import trace
from obsirag.cli.page.escaping import as_text
from obsirag.cli.run_page.showing import bdi
from obsirag.cli.run_page.words import Words
from obsirag.evaluation.questions import Question

__all__ = ["failures"]

_BODIES = 3_000_000
"""So many bytes of the page may be of what came of questions: a browser is to open it fast."""
_TRACES = 1_500_000
"""So many of these may be of how they went."""


def failures(kept: Sequence[Mapping[str, Failure]], words: Words) -> str:
    """Return the questions that failed with any of the configurations, the worst first.

    Args:
        kept: What was kept for each configuration, by the question's id.
        words: The words of the page.
    """
    names = sorted({name: None for each in kept for name in each}, key=lambda name: _badness(name, kept))
    if not names:
        return f"<p>{words('no_failures')}</p>"
    told = [_Told(words, [each.get(name) for each in kept]) for name in names]
    bodies, traces = _Room(_BODIES), _Room(_TRACES)
    return _choices(told, words) + "".join(each.as_html(bodies, traces) for each in told)


class _Room:
    """How much still has room on the page."""

    def __init__(self, size: int) -> None:
        self._left = size

    def put(self, write: Callable[[], str]) -> str | None:
        """Return what is written; None if there is no room for it, or was none before."""
        if self._left < 0:
            return None
        html = write()
        self._left -= len(html.encode("utf-8", "replace"))
        return html if self._left >= 0 else None


class _Told:
    """A question that failed, with what came of it for each configuration.

    Args:
        words: The words of the page.
        sides: What came of it; None for a configuration with which it didn't fail.
    """

    def __init__(self, words: Words, sides: Sequence[Failure | None]) -> None:
        self._words = words
        self._sides = [*zip(letters(len(sides)), sides, strict=True)]
        self._first = next(each for each in sides if each is not None)

    @property
    def kinds(self) -> list[str]:
        """By what it can be chosen."""
        failings = {name for _, each in self._sides if each is not None for name in each.failings}
        failed = [letter.lower() for letter, each in self._sides if each is not None]
        alone = [f"only_{failed[0]}"] if len(self._sides) > 1 and len(failed) == 1 else []
        return [*(name for name in FAILINGS if name in failings), *alone]

    def as_html(self, bodies: _Room, traces: _Room) -> str:
        """Return it, with as much as there is room for."""
        kinds = " ".join(self.kinds)
        summary = self._summary()
        inside = bodies.put(partial(self._inside, traces))
        if inside is None:
            return f'<div class="failure {kinds}">{summary} <p class="faint">{self._words("no_room")}</p></div>'
        return f'<details class="failure {kinds}"><summary>{summary}</summary>{inside}</details>'

    def _inside(self, traces: _Room) -> str:
        gold = gold_list(self._first.gold, self._first.question.needs, self._words)
        sides = "".join(self._side(letter, each, traces) for letter, each in self._sides)
        return f"{_asked(self._first.question, self._words)}{gold}{sides}"

    def _summary(self) -> str:
        question = self._first.question
        names = " · ".join(bdi(each) for each in (question.id, question.kind, question.lang) if each)
        why = " ".join(
            f'<span class="why">{f"<b>{letter}</b> " if len(self._sides) > 1 else ""}{self._why(each)}</span>'
            for letter, each in self._sides
        )
        return (
            f'<span class="asked" dir="auto">{bdi(question.question)}</span> <span class="faint">{names}</span> {why}'
        )

    def _why(self, failure: Failure | None) -> str:
        if failure is None:
            return f'<span class="good">{self._words("none_failed")}</span>'
        return f'<span class="bad">{", ".join(self._words(name) for name in failure.failings)}</span>'

    def _side(self, letter: str, failure: Failure | None, traces: _Room) -> str:
        if failure is None:
            return ""
        head = f'<h4 class="which"><b class="key {letter.lower()}">{letter}</b></h4>' if len(self._sides) > 1 else ""
        # Of retrieval, the ranks are told with what came back.
        spans = len(failure.gold) if failure.found is None else 0
        went = traces.put(partial(trace, failure.trace, spans, self._words))
        if went is None:
            went = f'<p class="faint">{self._words("no_room_for_trace")}</p>'
        return f'<section class="came">{head}{came(failure, self._words)}{went}</section>'


def _badness(name: str, kept: Sequence[Mapping[str, Failure]]) -> int:
    return min(FAILINGS.index(each[name].failings[0]) for each in kept if name in each)


def _choices(told: Sequence[_Told], words: Words) -> str:
    """Return what chooses the questions that are shown: a browser does that without a script."""
    counts = {name: sum(name in each.kinds for each in told) for name in (*FAILINGS, "only_a", "only_b")}
    known = {"all": len(told)} | {name: count for name, count in counts.items() if count}
    if len(known) <= 2:
        return ""
    entries = "".join(
        f'<label><input type="radio" name="show" id="show-{name}"{" checked" if name == "all" else ""}> '
        f'{words("show_all") if name == "all" else words(name)} <span class="faint">{count}</span></label>'
        for name, count in known.items()
    )
    return f'<fieldset class="choices"><legend>{words("show")}</legend>{entries}</fieldset>'


def _asked(question: Question, words: Words) -> str:
    history = "".join(f"<dt>{bdi(turn.role)}</dt><dd>{as_text(turn.text)}</dd>" for turn in question.history)
    turns = f"<h4>{words('history')}</h4><dl>{history}</dl>" if history else ""
    labels = f"<p>{words('labels', names=', '.join(question.labels))}</p>" if question.labels else ""
    notes = f'<p class="faint">{words("remark")} {bdi(question.notes)}</p>' if question.notes else ""
    return f"{turns}{labels}{notes}"
