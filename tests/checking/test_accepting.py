"""Which suspicions are taken, and where the words stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsidian_texts import texts
from obsirag.checking.accepting import accept
from obsirag.checking.sentences import NoteText, sentences_of
from obsirag.records import Note


def found(text, word="recieve", suggestion="receive", names=(), first_line=1):
    note = NoteText(Note("n.md", text, first_line))
    return [typo for sentence in sentences_of(note) for typo in accept(sentence, word, suggestion, frozenset(names))]


@pytest.mark.parametrize(
    "text",
    [
        "You recieve it.",
        "# Recieve and recieve",
        "- item one\n- they **recieve** it",
        "> quoted: recieve",
        "| a | b |\n|---|---|\n| x | recieve |",
        "> [!note] Title\n> recieve",
        "See [[Target|what you recieve]].",
        "See [we recieve](https://a.example/x).",
        "一句话里 recieve 也算。",
        "Note[^1].\n\n[^1]: you recieve",
    ],
)
def test_words_of_prose_are_found_at_their_place(text):
    (typo,) = found(text)
    lines = text.split("\n")
    assert lines[typo.line - 1][typo.column - 1 :].startswith("recieve")
    assert (typo.word, typo.suggestion) == ("recieve", "receive")
    flat = " ".join(text.split())
    assert " ".join(f"{typo.before}{typo.word}{typo.after}".split()) in flat


@pytest.mark.parametrize(
    "text",
    [
        "`recieve` it",
        "```\nrecieve\n```",
        "    recieve",
        "$recieve$",
        "$$\nrecieve\n$$",
        "%% recieve %% and more",
        "[[recieve]]",
        "[[recieve#Heading|other]]",
        "![[recieve]] and more",
        "![recieve](a.png) and more",
        "[other](recieve.md)",
        "https://a.example/recieve and more",
        "www.example.com/recieve and more",
        "#recieve and more",
        "#a/recieve and more",
        "<div class=recieve>and more</div>",
        "words[^recieve] and more",
        "> [!recieve] Title of it",
        "some words ^recieve",
        "recieve_all and more",
        "the recieve.Mode of it",
        "the recieveAll of it",
        "/home/recieve/x and more",
        "@recieve and more",
        "recieve2 and more",
        "--recieve and more",
        "recieveable and more",
        "all RECIEVE of it",
    ],
)
def test_what_is_no_prose_is_not_found(text):
    assert found(text) == []


@pytest.mark.parametrize("name", ["recieve", "the recieve plugin", "recieve co"])
def test_known_names_are_not_misspelt(name):
    assert found(f"We use {name.replace('rec', 'Rec')} here.", "Recieve", names=[name]) == []
    assert found(f"We use {name} here.", names=[name]) == []
    assert len(found("We recieve it.", names=["the recieve plugin"])) == 1


def test_lines_are_those_of_the_file_and_each_place_is_told():
    typos = found("one\n\nrecieve\r\n\r\nWe recieve and recieve.", first_line=5)
    assert [(typo.line, typo.column) for typo in typos] == [(7, 1), (9, 4), (9, 16)]


@pytest.mark.parametrize(("word", "suggestion"), [("以经", "已经"), ("经好", "已好")])
def test_chinese_words_have_no_borders(word, suggestion):
    (typo,) = found("这个问题以经好了。", word, suggestion)
    assert "这个问题以经好了。"[typo.column - 1 :].startswith(word)


@given(texts(), st.text(max_size=6), st.text(max_size=6))
def test_whatever_a_model_says_what_is_taken_stands_there(text, word, suggestion):
    note = NoteText(Note("n.md", text))
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    end = 0
    for sentence in sentences_of(note):
        assert end <= sentence.start < sentence.end <= len(text)
        end = sentence.end
        words = [word, *text[sentence.start : sentence.end].split()[:2]]
        for each in words:
            for said in (suggestion, each[::-1], each + each[-1:], each[1:]):
                for typo in accept(sentence, each, said, frozenset()):
                    assert lines[typo.line - 1][typo.column - 1 :].startswith(typo.word)
