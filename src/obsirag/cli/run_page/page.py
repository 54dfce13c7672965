"""The page that shows a run."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Literal

from obsirag.cli.page.escaping import as_text
from obsirag.cli.page.filling import filled, inline_parts
from obsirag.cli.printing import plain
from obsirag.cli.run_page.rounds import rounds
from obsirag.cli.run_page.showing import as_details, as_lines, as_link, as_marks, as_place, as_seconds
from obsirag.cli.run_page.steps import steps, timings
from obsirag.cli.run_page.words import Words

if TYPE_CHECKING:
    from obsirag.graphs.tracing.shape import RunRecord
    from obsirag.records import Citation

__all__ = ["run_page"]

_MARK = re.compile(r"\[(\d+)\]")


def run_page(record: RunRecord, language: Literal["en", "zh"]) -> str:
    """Return a page of HTML that shows a run.

    The page loads nothing, sends nothing and runs nothing; text of notes and of models stands in it as text.

    Args:
        record: The run.
        language: The language of its own words.
    """
    words = Words(language)
    return filled(
        __package__,
        "run.html",
        language="zh-CN" if language == "zh" else "en",
        heading=words("title"),
        title=escape(plain(record["question"])),
        question=as_text(record["question"]),
        status=words.named("status", record["status"]) if record["status"] else words("no_status"),
        status_kind=re.sub(r"\W", "", record["status"] or "open"),
        facts=_facts(record, words),
        notices=_notices(record, words),
        answer_heading=words("answer"),
        answer=_answer(record) if record["answer"] else f"<p>{words('no_answer')}</p>",
        citations=_citations(record, words),
        plan_heading=words("plan"),
        plan=_plan(record, words),
        rounds_heading=words("rounds"),
        rounds=rounds(record, words),
        passages_heading=words("passages"),
        passages=_passages(record, words),
        timings_heading=words("timings"),
        timings=timings(record, words),
        steps_heading=words("steps"),
        steps=steps(record, words),
        footer=words("footer", run=record["run"], version=record["obsirag"]),
        **inline_parts(__package__, style="run.css"),
    )


def _facts(record: RunRecord, words: Words) -> str:
    usage = record["usage"]
    return words(
        "recorded",
        time=record["time"].replace("T", " "),
        seconds=as_seconds(record["seconds"]),
        calls=usage["calls"],
        read=f"{usage['input_tokens']:,}",
        written=f"{usage['output_tokens']:,}",
    )


def _notices(record: RunRecord, words: Words) -> str:
    told = [words("failed", error=record["error"])] if record["error"] else []
    told += [words("degraded", names=", ".join(record["degraded"]))] if record["degraded"] else []
    return "".join(f'<p class="notice">{each}</p>' for each in told)


def _answer(record: RunRecord) -> str:
    """Return the answer; its marks lead to the citations."""
    numbers = {each["number"] for each in record["citations"]}

    def linked(mark: re.Match[str]) -> str:
        number = int(mark[1])
        return f'<a class="mark" href="#citation-{number}">{mark[0]}</a>' if number in numbers else mark[0]

    # What is escaped holds no brackets that were not there before.
    return f'<div class="text answer" dir="auto">{_MARK.sub(linked, as_text(record["answer"]))}</div>'


def _citations(record: RunRecord, words: Words) -> str:
    if not record["citations"]:
        return ""
    entries = "".join(_citation(each, words) for each in record["citations"])
    return f'<h3>{words("citations")}</h3><ul class="citations">{entries}</ul>'


def _citation(citation: Citation, words: Words) -> str:
    number = citation["number"]
    return (
        f'<li id="citation-{number}"><b>[{number}]</b> {as_link(as_place(citation, words), citation["link"])}'
        f'<blockquote dir="auto">{as_text(citation["quote"])}</blockquote></li>'
    )


def _plan(record: RunRecord, words: Words) -> str:
    rows = "".join(
        f"<dt>{words.named('plan', name)}</dt><dd>{as_lines(value)}</dd>"
        for name, value in record["plan"].items()
        if name == "question" or value not in (record["question"], [record["question"]])
    )
    return f"<dl>{rows}</dl>" if rows else f"<p>{words('no_plan')}</p>"


def _passages(record: RunRecord, words: Words) -> str:
    told = []
    for each in record["passages"]:
        numbers = each.get("cited_as") or []
        cited = f' <b class="cited">{words("cited", numbers=as_marks(numbers))}</b>' if numbers else ""
        text = f'<div class="text" dir="auto">{as_text(each.get("text", ""))}</div>'
        told.append(as_details(f"{each.get('number')} · {as_place(each, words)}{cited}", text))
    return "".join(told) or f"<p>{words('no_passages')}</p>"
