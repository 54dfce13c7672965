"""Questions that are drafted from a vault."""

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.language_models import FakeListChatModel

from graph_fakes import ScriptedChat
from obsirag import Note, Vault
from obsirag.evaluation import draft_questions, load_questions, questions_as_lines, reword, states
from obsirag.evaluation.drafting.facts import facts_of
from obsirag.evaluation.drafting.wording import ask

SAMPLE = Path(__file__).parents[3] / "examples" / "ue-notes"
DRAFTED = draft_questions(Vault(SAMPLE), 60)


def lines_of(span):
    return (SAMPLE / span.path).read_text(encoding="utf-8").splitlines()[span.start_line - 1 : span.end_line]


@pytest.mark.parametrize("question", DRAFTED, ids=lambda each: each.id)
def test_the_gold_lines_state_the_key_points(question):
    for span, point in zip(question.gold, question.key_points, strict=True):
        subject, _, said = point.partition(": ")
        found = " ".join(lines_of(span))
        assert states(found, point) or (subject in found and said[:4] in found)


def test_each_is_asked_once_and_all_kinds_are_there():
    assert len({(each.question, each.labels) for each in DRAFTED}) == len(DRAFTED)
    assert len({each.id for each in DRAFTED}) == len(DRAFTED)
    assert {each.kind for each in DRAFTED} >= {"table", "negation", "section", "alias", "restricted"}
    assert {each.lang for each in DRAFTED} == {"en", "zh"}
    assert len({each.gold[0].path for each in DRAFTED if each.gold}) > 15


@pytest.mark.parametrize("unit", ["[", "![[", "[[a", "[](", "[a](b ", "%%a%%\n\nb\n\n"])
def test_the_effort_grows_with_the_text_and_not_faster(unit):
    """In quadratic time, a text eight times as long takes sixty-four times as long."""
    needed = []
    for length in (20_000, 160_000):
        note = Note("a.md", (unit * length)[:length])
        began = time.process_time()
        facts_of(note)
        needed.append(time.process_time() - began)
    assert needed[1] < 24 * max(needed[0], 0.02)


def test_what_a_comment_hides_is_no_fact_and_what_stands_beside_it_is():
    texts = [f"Server {each} must not be restarted." for each in ("one", "two", "three")]
    note = Note("a.md", f"%%{texts[0]}%%\n\n{texts[1]}\n\n{texts[2]} %%hidden%%\n")
    assert [fact.text for fact in facts_of(note)] == [texts[1]]


def test_fewer_can_be_wanted_and_the_same_are_drafted_again():
    assert len(draft_questions(Vault(SAMPLE), 7)) == 7
    assert draft_questions(Vault(SAMPLE), 60) == DRAFTED


def test_restricted_text_is_asked_for_with_its_label_and_without_gold():
    texts = json.dumps([each.key_points for each in DRAFTED if not each.labels], ensure_ascii=False)
    assert "Beta 2" not in texts
    with_label, without = sorted(
        (each for each in DRAFTED if each.kind == "restricted"), key=lambda each: not each.gold
    )
    assert (with_label.labels, without.labels, without.gold) == (("leads",), (), ())
    assert with_label.question == without.question


def test_the_file_is_read_as_it_was_drafted(tmp_path):
    file = tmp_path / "q.jsonl"
    file.write_text(questions_as_lines(DRAFTED), encoding="utf-8")
    assert load_questions(file) == DRAFTED


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("USTRUCT 里不能写 UFUNCTION。", "USTRUCT 里能不能写 UFUNCTION？"),
        ("main 分支禁止强推。所有人都一样。", "main 分支允许不允许强推？"),
        ("不要存指针：表重新导入后会失效。", "要不要存指针？"),
        ("能不能发出去取决于归属，不能一概而论。", ""),
        (
            "The pump of rack 3 must not run longer than 40 minutes.",
            "May the pump of rack 3 run longer than 40 minutes?",
        ),
        ("Never use a credit card for credit.", "Should one use a credit card for credit?"),
        ("Please don't commit local builds.", "Should one commit local builds?"),
        ("The CLI doesn't work alone, so it needs help.", "Does the CLI work alone?"),
        ("If it isn't there, nothing happens.", ""),
        ("It can't be undone.", ""),
        ("Why does it not work?", None),
        ("下面这些不能自己做：", None),
    ],
)
def test_what_is_denied_is_asked_for(text, question):
    facts = facts_of(Note("n.md", text, title="n"))
    assert [ask(fact) for fact in facts if fact.kind == "negation"][:1] == ([] if question is None else [question])


def test_comparisons_need_both_notes(tmp_path):
    for name, limit in (("A", 3), ("B", 5), ("C", 7)):
        (tmp_path / f"{name}.md").write_text(f"# {name}\n\n## Limit\n\nThe limit is {limit} m.\n", encoding="utf-8")
    (found,) = [each for each in draft_questions(Vault(tmp_path)) if each.kind == "comparison"]
    assert found.question == "What do “A” and “B” each say about “Limit”?"
    assert (found.needs, [span.start_line for span in found.gold]) == ("all", [5, 5])


def test_a_row_is_asked_for_by_its_head_in_the_line_where_it_stands():
    text = "# Racks\n\n%% | no | table | %%\n\n| rack | [[Pump]] |\n| --- | --- |\n| 3 | `P-12` |\n"
    note = Note("r.md", text, first_line=4, title="Racks")
    (fact,) = facts_of(note)
    assert (fact.start_line, fact.key_point) == (10, "3: P-12")
    assert ask(fact) == "In “Racks”, what stands under “Pump” for “3”?"


@given(st.text(st.sampled_from("# |-\n%[]!>*`:：。不能要noteé "), max_size=80))
def test_no_text_is_too_odd(text):
    for fact in facts_of(Note("n.md", text, title="n")):
        assert 1 <= fact.start_line <= fact.end_line <= text.count("\n") + 1
        ask(fact)


def test_a_chat_model_words_them_where_it_can():
    asked = DRAFTED[:3]
    model = FakeListChatModel(responses=["“谁能改它？”\n", "As an AI, I think so.", f"{DRAFTED[2].key_points[0]}?"])
    worded = list(reword([DRAFTED[-1], *asked[1:]], model))
    assert worded[0].question == ("谁能改它？" if DRAFTED[-1].lang == "zh" else DRAFTED[-1].question)
    assert [each.question for each in worded[1:]] == [each.question for each in asked[1:]]


def test_a_chat_model_that_fails_is_not_asked_again():
    model = ScriptedChat(answers=[ConnectionError("gone")] * 5, prompts=[])
    assert list(reword(DRAFTED[:3], model)) == DRAFTED[:3]
    assert len(model.prompts) == 1
