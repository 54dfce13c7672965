from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graph_fakes import FakeSearch, ScriptedChat, chunk
from obsirag import RagConfig, index_vault
from obsirag.config import AnswerOptions
from obsirag.evaluation import GoldSpan, Question, evaluate_answers, evaluate_config_answers, load_questions
from obsirag.evaluation.answers import score_response
from obsirag.evaluation.asking import Response
from obsirag.evaluation.note_files import NoteFiles
from obsirag.graphs import RunRecorder
from obsirag.graphs.parts import RagParts
from obsirag.graphs.rag import wire_rag_graph
from obsirag.vault import Vault

NOTE = "# Timers\n\nThe respawn timer is 8 seconds.\n\nThe lobby timer is 30 seconds.\n"
RESPAWN = Question(
    id="respawn",
    question="How long is the respawn timer?",
    kind="paraphrase",
    lang="en",
    gold=(GoldSpan("Rules.md", 3, 3),),
    key_points=("the respawn timer is 8 seconds", "it is not 30 seconds"),
)
FOLLOW_UP = Question(
    id="lobby",
    question="And in the lobby?",
    kind="followup",
    gold=(GoldSpan("Rules.md", 5, 5),),
    key_points=("the lobby timer is 30 seconds",),
    history=(("user", RESPAWN.question), ("assistant", "8 seconds.")),  # type: ignore[arg-type]
)
NOTHING = Question(id="nothing", question="Who sings?", kind="off_topic", gold=(), key_points=("outside the notes",))


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    (tmp_path / "Rules.md").write_text(NOTE, encoding="utf-8")
    return Vault(tmp_path)


def graph(*answers: Any, hits: Any = None) -> Any:
    lines = NOTE.splitlines()
    found = [chunk(lines[2], source="Rules.md", line=3), chunk(lines[4], source="Rules.md", line=5, score=0.5)]
    chat = ScriptedChat(answers=list(answers), prompts=[])
    search = FakeSearch(found if hits is None else hits)
    # What is measured here are bad answers too, which the graph itself would not let pass.
    answers_as_they_are = AnswerOptions(check_content=False)
    parts = RagParts(
        vector_search=search, keyword_search=None, vault="notes", chat_model=chat, answers=answers_as_they_are
    )
    return wire_rag_graph(parts).compile()


def test_a_right_answer_with_a_good_citation_gets_the_best_of_everything_but_the_point_it_lacks(vault: Vault) -> None:
    (result,) = evaluate_answers(graph("The respawn timer is 8 seconds [1]."), [RESPAWN], vault=vault).results
    assert (result.id, result.kind, result.lang) == ("respawn", "paraphrase", "en")
    assert (result.status, result.ends_right, result.leaked) == ("answered", True, False)
    assert result.key_points == (1.0, 0.0)
    assert result.accuracy == 0.5
    assert [each["source"] for each in result.citations] == ["Rules.md"]
    assert (result.citation_validity, result.citation_precision, result.citation_recall) == (1.0, 1.0, 1.0)
    assert result.support == 1.0
    assert result.is_refused is result.is_stopped is None
    assert result.model_calls == 1


def test_a_wrong_number_a_citation_elsewhere_and_a_quote_that_is_not_there_are_told_apart(vault: Vault) -> None:
    wrong = "The respawn timer is 9 seconds [2]."
    (result,) = evaluate_answers(graph(wrong), [RESPAWN], vault=vault).results
    assert result.accuracy == 0.0
    assert (result.citation_validity, result.citation_precision, result.citation_recall) == (1.0, 0.0, 0.0)
    assert result.support == 0.0
    stale = [chunk("The respawn timer is 8 s.", source="Rules.md", line=3)]
    (result,) = evaluate_answers(graph("The respawn timer is 8 s [1].", hits=stale), [RESPAWN], vault=vault).results
    assert (result.citation_validity, result.citation_precision) == (0.0, 1.0)


def test_questions_without_gold_are_to_be_refused(vault: Vault) -> None:
    report = evaluate_answers(graph(hits=[]), [NOTHING, RESPAWN], vault=vault)
    refused, missed = report.results
    assert (refused.is_refused, refused.is_stopped, refused.ends_right) == (True, True, True)
    assert refused.key_points == ()
    assert (missed.is_refused, missed.ends_right, missed.citation_recall) == (None, False, 0.0)
    figures = report.overall.figures
    assert (figures["answered"], figures["refusal"], figures["interception"]) == (0.0, 1.0, 1.0)
    assert figures["right_ending"] == 0.5
    assert figures["cited"] is None
    answered = evaluate_answers(graph("Nobody sings [1]."), [NOTHING], vault=vault).overall.figures
    assert (answered["refusal"], answered["interception"], answered["right_ending"]) == (0.0, 0.0, 0.0)


def test_a_question_of_high_risk_that_is_stopped_has_nothing_to_judge(vault: Vault) -> None:
    risky = replace(RESPAWN, kind="high_risk")
    stopped = score_response(risky, Response(status="awaiting_review"), NoteFiles(vault))
    assert (stopped.ends_right, stopped.is_stopped, stopped.accuracy, stopped.citation_recall) == (
        True,
        True,
        None,
        None,
    )
    missed = score_response(risky, Response(status="not_found"), NoteFiles(vault))
    assert (missed.ends_right, missed.is_stopped, missed.accuracy, missed.citation_recall) == (False, True, 0.0, 0.0)
    (quoted,) = evaluate_answers(graph("The respawn timer is 8 seconds [1]."), [risky], vault=vault).results
    assert (quoted.ends_right, quoted.is_stopped, quoted.accuracy) == (True, False, 0.5)


def test_follow_ups_are_counted_apart_too(vault: Vault) -> None:
    report = evaluate_answers(graph("The lobby timer is 30 seconds [2]."), [RESPAWN, FOLLOW_UP], vault=vault)
    assert [result.is_followup for result in report.results] == [False, True]
    assert report.overall.figures["accuracy"] == 0.5
    assert report.overall.figures["followup_accuracy"] == 1.0


def test_a_judge_takes_the_place_of_the_rule(vault: Vault) -> None:
    asked = []

    def strict(question: Question, answer: str) -> list[float]:
        asked.append((question.id, answer))
        return [0.25] * len(question.key_points)

    report = evaluate_answers(graph("8 [1]."), [RESPAWN, NOTHING], vault=vault, judge=strict)
    assert report.judge == "strict"
    assert asked == [("respawn", "8 [1].")]
    assert report.overall.figures["accuracy"] == 0.25
    for wrong in ([1.0], [1.0, 2.0]):
        with pytest.raises(ValueError, match="for the 2 key points of 'respawn'"):
            evaluate_answers(graph("8 [1]."), [RESPAWN], vault=vault, judge=lambda *_, scores=wrong: scores)


def test_failed_parts_and_progress_are_told(vault: Vault) -> None:
    seen: list[tuple[int, int, str]] = []
    report = evaluate_answers(
        graph(OSError("down")), [RESPAWN, NOTHING], vault=vault, progress=lambda *each: seen.append(each)
    )
    assert seen == [(1, 2, "respawn"), (2, 2, "nothing")]
    assert report.results[0].degraded_parts == ("chat_model",)
    assert report.overall.degraded == 2


QUESTIONS = """
{"id": "lnk", "kind": "identifier", "question": "LNK2019 先查什么？", "gold": [{"path": "构建/编译错误速查.md", \
"start_line": 14, "end_line": 14}], "key_points": ["先查 Build.cs 的模块名，再查类上有没有 MYGAME_API"]}
{"id": "window", "kind": "restricted", "question": "Beta 2 的发版窗口是几点到几点？", "gold": [{"path": \
"内部/里程碑与人员安排.md", "start_line": 11, "end_line": 11}], "key_points": ["6 月 18 日 10:00 到 14:00"], \
"labels": ["leads"]}
{"id": "window-public", "kind": "restricted", "question": "Beta 2 的发版窗口是几点到几点？", "gold": []}
"""


def test_real_notes_are_answered_without_a_model_and_judged_by_the_vault(tmp_path: Path, sample_vault: Path) -> None:
    config = RagConfig(vault=sample_vault, index=tmp_path / "index", embeddings="hashing", vector_store="memory")
    index_vault(config)
    (tmp_path / "q.jsonl").write_text(QUESTIONS, encoding="utf-8")
    report = evaluate_config_answers(config, load_questions(tmp_path / "q.jsonl"))
    named = {result.id: result for result in report.results}
    assert (named["lnk"].accuracy, named["window"].accuracy) == (1.0, 1.0)
    assert named["window-public"].is_stopped
    figures = report.overall.figures
    for name in ("right_ending", "citation_validity", "citation_recall", "cited", "refusal", "support"):
        assert figures[name] == 1.0, name
    assert (figures["model_calls"], figures["tokens"]) == (0.0, 0.0)
    assert report.overall.leaked == 0
    assert report.overall.times["median_seconds"] is not None


def test_a_note_that_was_restricted_since_leaks(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    note = tmp_path / "notes" / "Rules.md"
    note.write_text(NOTE, encoding="utf-8")
    config = RagConfig(vault=note.parent, index=tmp_path / "index", embeddings="hashing", vector_store="memory")
    index_vault(config)
    assert evaluate_config_answers(config, [RESPAWN]).overall.leaked == 0
    note.write_text(f"---\npermission: leads\n---\n{NOTE}", encoding="utf-8")
    assert evaluate_config_answers(config, [RESPAWN]).overall.leaked == 1


def test_each_result_is_told_before_the_next_question_is_asked(vault: Vault) -> None:
    told: list[Any] = []
    asked = graph("The respawn timer is 8 seconds [1].", "The lobby timer is 30 seconds [1].")
    report = evaluate_answers(
        asked,
        [RESPAWN, FOLLOW_UP],
        vault=vault,
        progress=lambda done, total, name: told.append(done),
        on_result=lambda question, result: told.append((question.id, result)),
    )
    assert told == [("respawn", report.results[0]), 1, ("lobby", report.results[1]), 2]


def test_observers_watch_the_graph_of_a_configuration(vault: Vault, tmp_path: Path) -> None:
    config = RagConfig(vault=vault.root, index=tmp_path.parent / f"{tmp_path.name}-watched", embeddings="hashing")
    index_vault(config)
    recorder = RunRecorder()
    statuses: list[tuple[str, Any]] = []
    evaluate_config_answers(
        config,
        [RESPAWN, NOTHING],
        observers=[recorder],
        on_result=lambda question, result: statuses.append((recorder.record()["question"], result.status)),
    )
    assert [each for each, _ in statuses] == [RESPAWN.question, NOTHING.question]
