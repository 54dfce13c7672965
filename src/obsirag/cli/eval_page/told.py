"""What came of a question that failed, with one configuration."""

from __future__ import annotations

from obsirag.cli.eval_page.found import hit_list, ranks
from obsirag.cli.eval_page.shape import Failure
from obsirag.cli.page.escaping import as_text
from obsirag.cli.run_page.showing import as_link, as_place
from obsirag.cli.run_page.words import Words
from obsirag.evaluation import AnswerResult, QuestionResult
from obsirag.records import Citation

__all__ = ["came"]


def came(failure: Failure, words: Words) -> str:
    """Return what came instead of what should have, as HTML."""
    if isinstance(failure.result, AnswerResult):
        return _answered(failure, failure.result, words)
    return _found(failure, failure.result, words)


def _found(failure: Failure, result: QuestionResult, words: Words) -> str:
    if failure.found is None:
        return ""
    told = ""
    if "not_found" in failure.failings:
        rank = result.chunk_rank
        told = words("found_late", rank=rank) if rank else words("found_nowhere", count=result.returned)
    searches = [*(search for each in failure.trace.rounds for search in each.searches), failure.found]
    return (
        f"<p>{told}</p>{ranks(searches, len(failure.gold), words)}<h4>{words('came_back')}</h4>"
        f"{hit_list(failure.found.hits, words)}"
    )


def _answered(failure: Failure, result: AnswerResult, words: Words) -> str:
    status = f"<p>{words('ended')} <b>{words.named('status', result.status)}</b>{_ending(result, words)}</p>"
    parts = ", ".join(result.degraded_parts)
    degraded = f'<p class="bad">{words("degraded_parts", names=parts)}</p>' if parts else ""
    answer = f'<div class="text answer" dir="auto">{as_text(result.answer)}</div>' if result.answer else ""
    cited = "".join(_citation(each, failure, words) for each in result.citations)
    citations = f'<h4>{words("citations")}</h4><ul class="citations">{cited}</ul>' if cited else ""
    return f"{status}{degraded}{_points(failure, result, words)}{answer}{citations}"


def _ending(result: AnswerResult, words: Words) -> str:
    if result.ends_right:
        return ""
    expected = "expected_answer" if result.has_gold else "expected_none"
    if not result.has_gold and result.is_refused is None:  # small talk
        expected = "expected_talk"
    return f' · <span class="bad">{words(expected)}</span>'


def _points(failure: Failure, result: AnswerResult, words: Words) -> str:
    points = failure.question.key_points
    if not points or not result.key_points:
        return ""
    entries = "".join(
        f'<li class="{kind}"><b>{mark} {words(kind)}</b> <bdi>{as_text(point)}</bdi></li>'
        for point, score in zip(points, result.key_points, strict=True)
        for mark, kind in [
            ("✓", "stated") if score >= 1 else ("◐", "half_stated") if score > 0 else ("✗", "not_stated")
        ]
    )
    return f'<h4>{words("key_points")}</h4><ul class="points">{entries}</ul>'


def _citation(citation: Citation, failure: Failure, words: Words) -> str:
    gold = f' <b class="good">★ {words("is_gold")}</b>' if citation["number"] in failure.gold_citations else ""
    return (
        f"<li><b>[{citation['number']}]</b> {as_link(as_place(citation, words), citation['link'])}{gold}"
        f'<blockquote dir="auto">{as_text(citation["quote"])}</blockquote></li>'
    )
