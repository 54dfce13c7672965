"""Places of notes as a failure shows them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from langchain_core.documents import Document

from obsirag.cli.eval_page.shape import Gold, Hit
from obsirag.evaluation import GoldSpan, Question, is_hit
from obsirag.evaluation.leaks import is_leak
from obsirag.evaluation.note_files import NoteFiles
from obsirag.graphs.links import link_to
from obsirag.records import may_read
from obsirag.vault import Vault

__all__ = ["Places", "shortened"]

_LINES = ("start_line", "end_line")
_EXCERPT = 160
_GOLD = 600


class Places:
    """Says where gold and hits stand in a vault.

    Args:
        vault: The vault.
    """

    def __init__(self, vault: Vault) -> None:
        self._notes = NoteFiles(vault)
        self._name = Path(vault.root).name

    def gold(self, question: Question) -> tuple[Gold, ...]:
        """Return the gold of a question with its text, where its labels admit that."""
        return tuple(self._gold(span, question.labels) for span in question.gold)

    def hit(
        self, found: Mapping[str, Any], rank: int, question: Question, *, text: str = "", has_fate: bool = False
    ) -> Hit:
        """Return a chunk that was found for a question.

        Args:
            found: Its metadata, or what a record tells of it.
            rank: Its rank.
            question: The question.
            text: Its text.
            has_fate: Whether it is known what became of it; metadata may hold anything by these names.
        """
        document = Document("", metadata=dict(found))
        source = str(found.get("source") or "")
        leaks = is_leak(document, question.labels, self._notes.permissions)
        place = {"source": source} if leaks else _place(found, source)
        score = found.get("score", (found.get("scores") or {}).get("score"))
        return Hit(
            rank=rank,
            place=place,
            link=link_to(source, vault=self._name, headings=place.get("headings", ())) if source else "",
            score=float(score) if isinstance(score, int | float) else None,
            text="" if leaks else shortened(text, _EXCERPT),
            is_gold=holds_gold(document, question.gold),
            is_leak=leaks,
            dropped_by=found.get("dropped_by") if has_fate else None,
            duplicate_of=found.get("duplicate_of") if has_fate else None,
        )

    def _gold(self, span: GoldSpan, labels: Collection[str]) -> Gold:
        place = {
            "source": span.path,
            "title": PurePosixPath(span.path).stem,
            "start_line": span.start_line,
            "end_line": span.end_line,
        }
        lines = self._notes.lines(span.path, span.start_line, span.end_line)
        if lines is None:
            return Gold(place=place, fault="missing")
        link = link_to(span.path, vault=self._name)
        if not may_read(self._notes.permissions[span.path], labels):
            return Gold(place=place, link=link, fault="withheld")
        return Gold(place=place, link=link, text=shortened("\n".join(lines), _GOLD))


def _place(found: Mapping[str, Any], source: str) -> dict[str, Any]:
    """Return the place, where a stranger's chunk may state anything."""
    headings = found.get("headings")
    return {
        "source": source,
        "title": str(found.get("title") or ""),
        "headings": [str(each) for each in headings] if isinstance(headings, list | tuple) else [],
        **{name: found[name] for name in _LINES if isinstance(found.get(name), int)},
    }


def holds_gold(document: Document, gold: Sequence[GoldSpan]) -> bool:
    """Say whether a chunk holds a line of any of these spans."""
    return any(is_hit(document, span) for span in gold)


def shortened(text: str, most: int) -> str:
    """Return the beginning of a text."""
    return text if len(text) <= most else f"{text[:most].rstrip()}…"
