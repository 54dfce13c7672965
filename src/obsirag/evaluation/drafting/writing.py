"""Question files as people correct them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import MISSING, asdict, fields

from obsirag.evaluation.questions import GoldSpan, Question

__all__ = ["questions_as_lines"]


def questions_as_lines(questions: Iterable[Question]) -> str:
    """Return questions as ``load_questions`` reads them: a JSON object a line, without defaults."""
    return "".join(json.dumps(_plain(each), ensure_ascii=False) + "\n" for each in questions)


def _plain(value: Question | GoldSpan) -> dict[str, object]:
    told = asdict(value)
    defaults = {field.name: field.default for field in fields(value) if field.default is not MISSING}
    plain = {name: each for name, each in told.items() if name == "gold" or each != defaults.get(name, MISSING)}
    if isinstance(value, Question):
        plain["gold"] = [_plain(span) for span in value.gold]
        if value.history:
            plain["history"] = [list(turn) for turn in value.history]
    elif value.alt:
        plain["alt"] = [_plain(span) for span in value.alt]
    return plain
