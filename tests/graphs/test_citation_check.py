"""Marks that are added, put right and found wanting, by what the passages say."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_fakes import chunk
from obsirag.graphs.citation_check import CitationCheck
from obsirag.graphs.citation_marks import find_marks, keep_marks
from obsirag.graphs.statements import find_statements
from obsirag.graphs.units import units_of
from obsirag.splitters import ObsidianSplitter
from obsirag.vault import Vault

NOTES = Path(__file__).parents[2] / "examples" / "ue-notes"
PASSAGES = [
    chunk("The respawn timer of the arena is 8 seconds. The game mode sets it when a player dies.", source="a.md"),
    chunk("| Code | Reason | Help |\n|---|---|---|\n| LNK2019 | not exported | look at Build.cs |\n"
          "| MSB3073 | an outer command failed | read the first error |\n\n"
          "## Runtime\n\n- version 6 runtime\n\n## Limits\n\n```\nruntimes = 24\n```", source="b.md"),
    chunk("压力大于 0.7 时停止刷怪。\n\n压力大于 0.9 时清场。", source="c.md"),
    chunk("C2248: add an accessor, avoid friends.", source="d.md"),
]  # fmt: skip
CHECK = CitationCheck(PASSAGES, "How long is the respawn timer of the arena?")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("The respawn timer of the arena is 8 seconds.", "The respawn timer of the arena is 8 seconds [1]."),
        ("It is 8 seconds.", "It is 8 seconds [1]."),
        ("It is 9 seconds.", "It is 9 seconds."),
        ("The arena's respawn timer is 8 seconds [2].", "The arena's respawn timer is 8 seconds [1]."),
        ("LNK2019 means Build.cs. 压力大于 0.7 时停止。", "LNK2019 means Build.cs [2]. 压力大于 0.7 时停止 [3]。"),
        # Two rows of a table say nothing together, and neither do two numbers of two sentences' things.
        ("MSB3073 means that it was not exported.", "MSB3073 means that it was not exported."),
        ("- 压力大于 0.7 时停止刷怪\n- nothing of it", "- 压力大于 0.7 时停止刷怪 [3]\n- nothing of it"),
        ("The version 24 runtime is it.", "The version 24 runtime is it."),  # two sections
        ("The game mode sets it when a player dies:", "The game mode sets it when a player dies:"),
        ("```\nThe respawn timer is 8 seconds.\n```", "```\nThe respawn timer is 8 seconds.\n```"),
        ("The game mode never sets it when a player dies.", "The game mode never sets it when a player dies."),
        ("Sure! It is 8 seconds.", "Sure! It is 8 seconds [1]."),
        ("Based on the notes, it is 8 seconds.", "Based on the notes, it is 8 seconds [1]."),
        ("根据笔记，压力大于 0.7 时停止刷怪。", "根据笔记，压力大于 0.7 时停止刷怪 [3]。"),
        ("The arena was restarted 24 times.", "The arena was restarted 24 times."),
        ("", ""),
    ],
)  # fmt: skip
def test_a_statement_gets_the_number_of_the_passage_that_states_it(answer, expected):
    assert CHECK.put_right(answer) == expected
    assert CHECK.put_right(expected) == expected


@pytest.mark.parametrize(
    ("answer", "is_good"),
    [
        ("It lasts 8 seconds, set by the game mode [1].", True),
        ("It lasts 80 seconds [1].", False),  # a number from nowhere
        ("The port of the server is closed at night [1].", False),  # words from nowhere
        ("The respawn timer of the arena: see also [2].", False),
        ("See also [2].", True),  # says nothing
        ("计时器由 UGameMode2 设置 [1]。", False),  # another language: its names count
        ("竞技场的重生计时是 8 秒 [1]。", True),
        ("It is 8 seconds [1]. That is how it goes.", True),
        ("It is 8 seconds [1]. The map has 12 doors.", False),  # no mark, but a number
        ("It is 8 seconds [1][3].", True),  # one of them holds it
        ("Add friends for C2248 [4].", False),  # which is denied
    ],
)
def test_what_passages_do_not_hold_is_told(answer, is_good):
    faults = CHECK.faults(answer)
    assert faults.unknown == []
    assert (faults.unbacked == []) == is_good
    assert CitationCheck(PASSAGES, "How?", by_content=False).faults(answer).unbacked == []


def test_what_was_asked_may_be_repeated():
    asked = CitationCheck(PASSAGES, "Is it 5 or 8 seconds for UArenaTimer2?")
    assert asked.faults("It is 8 seconds, not 5, for the respawn timer UArenaTimer2 [1].").unbacked == []
    assert CHECK.faults("It is 8 seconds, not 5, for the respawn timer UArenaTimer2 [1].").unbacked != []


PART = st.sampled_from([
    "It is 8 seconds", "The port is closed", "压力大于 0.7 时停止刷怪", "MSB3073 failed", " [1]", " [2]", "[9]",
    ". ", "。", "\n", "\n\n- ", "\n```\n", "`a[1]`", "! ", "**", "> ", "| a | b |\n", " [1, 3]", "1. ",
    "NOT_FOUND", "【3】",
    "[x](https://e.example)",
])  # fmt: skip


@given(st.lists(PART, max_size=12).map("".join), st.booleans())
def test_only_marks_change_and_what_is_kept_is_good(answer, by_content):
    check = CitationCheck(PASSAGES, "How long is the respawn timer?", by_content=by_content)
    right = check.put_right(answer)
    assert without_marks(right) == without_marks(answer)
    assert check.put_right(right) == right
    kept, removed = check.keep_good(right)
    assert without_marks(kept) == without_marks(answer)
    faults = check.faults(kept)
    assert (faults.unknown, faults.marks) == ([], [])
    assert bool(removed) == bool(check.faults(right).unknown or check.faults(right).marks)


def without_marks(text):
    return "".join(keep_marks(text, ())[0].split())


def test_every_sentence_of_a_note_is_found_where_it_stands():
    vault = Vault(NOTES)
    chunks = [each for path in vault.paths() for each in ObsidianSplitter().split_note(vault.render(path))]
    asked = found = 0
    for first in range(0, len(chunks), 8):
        passages = chunks[first : first + 8]
        check = CitationCheck(passages, "?")
        for number, passage in enumerate(passages, 1):
            for unit in units_of(passage):
                sentence = passage.page_content[unit.start : unit.end]
                if unit.is_code or unit.header or "[" in sentence or "\n" in sentence or len(sentence) < 30:
                    continue
                asked += 1
                marks = find_marks(check.put_right(sentence))
                assert len(marks) <= len(find_statements(sentence))
                found += any(sentence in passages[mark.numbers[0] - 1].page_content for mark in marks)
                assert number
    assert asked > 100
    assert found >= 0.9 * asked
