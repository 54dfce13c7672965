from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from obsirag.text import sentence_ends
from step_counts import steps_of

CASES = Path(__file__).with_name("sentences.tsv")


def read_cases() -> Iterator[tuple[str, str, str]]:
    for line in CASES.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            kind, cut, reason = f"{line}\t\t".split("\t")[:3]
            yield kind, cut.replace("⏎", "\n"), reason


def cut_at_ends(text: str) -> str:
    cuts = [0, *(end for end in sentence_ends(text) if end < len(text)), len(text)]
    return "|".join(text[start:end] for start, end in pairwise(cuts))


@pytest.mark.parametrize(
    "cut",
    [
        pytest.param(cut, marks=pytest.mark.xfail(reason=reason, strict=True) if reason else (), id=f"{kind}-{cut}")
        for kind, cut, reason in read_cases()
    ],
)
def test_sentences_are_cut_where_the_table_says(cut: str) -> None:
    assert cut_at_ends(cut.replace("|", "")) == cut


def test_the_table_covers_both_languages_and_few_cases_are_undecided() -> None:
    cases = list(read_cases())
    chinese = [cut for _, cut, _ in cases if re.search("[\u4e00-\u9fff]", cut)]
    assert len({cut for _, cut, _ in cases}) == len(cases) >= 250
    assert min(len(chinese), len(cases) - len(chinese)) >= 90
    assert [kind for kind, _, reason in cases if reason] == [kind for kind, _, _ in cases if kind == "undecided"]
    assert sum(bool(reason) for _, _, reason in cases) <= 0.05 * len(cases)


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("It ends.", True),
        ("It ends", False),
        ("It ends.  ", True),
        ("“走吧。”", True),
        ("He was called Dr.", False),
        ("Apples, pears, etc.", True),
        ("等一下……", True),
        ("It ends\n\n", False),
        ("It ends\\\n", False),
    ],
)
def test_the_last_sentence_ends_only_by_a_mark(text: str, ends: bool) -> None:
    assert sentence_ends(text) == [len(text.rstrip())] * ends


LETTERS = ["a", "b", "A", "1", "中", "文", "的", "说", "は", "한", "🎉", "\ufe0f", "The", "word"]
MARKS = [
    ".",
    "!",
    "?",
    "。",
    "！",
    "？",
    "；",
    "…",
    "．",
    "，",
    ":",
    "-",
    "—",
    "“",
    "”",
    '"',
    "'",
    "（",
    "）",
    "(",
    ")",
    ">",
]
MARKDOWN = ["[", "]", "[^1]", "*", "**", "_", "`", "==", "~~", "<br>", "</b>", "\\", "^id", "://"]
ABBREVIATED = ["e.g.", "Dr.", "etc.", "No."]
BLANKS = [" ", "  \n", "\n", "\r\n", "\r", "\u3000", "\\\n"]
ANYTHING = st.lists(st.sampled_from(LETTERS + MARKS + MARKDOWN + ABBREVIATED + BLANKS), max_size=40).map("".join)


@given(ANYTHING)
def test_ends_rise_behind_visible_characters_with_a_word_between(text: str) -> None:
    ends = sentence_ends(text)
    assert ends == sorted(set(ends))
    assert all(not text[end - 1].isspace() for end in ends)
    assert all(re.search(r"[^\W_]", text[start:end]) for start, end in pairwise([0, *ends]))


@given(ANYTHING)
def test_every_end_has_a_mark_or_a_line_end_to_show_for_it(text: str) -> None:
    shown = re.compile(r"[.!?。！？；…．](?:[^\w\s]|_|\[\^?1\]|</b>|\^id|\ufe0f|[ \u3000]+(?:🎉|\^id))*\Z|<br>\Z")
    for end in sentence_ends(text):
        broken = re.match(r"[^\S\r\n]*(?:\r\n?|\n)", text[end:])
        assert shown.search(text[:end]) or broken, text[:end]


@given(ANYTHING, st.integers(0, 20), st.integers(0, 60))
@example("天。天好", 1, 3)
@example("setc. Foo", 1, 60)
@example("一。甲.乙", 2, 60)
@example("a  \nb", 2, 60)
def test_only_the_part_between_start_and_end_matters(text: str, start: int, length: int) -> None:
    start = min(start, len(text))
    end = min(start + length, len(text))
    assert sentence_ends(text, start, end) == [start + each for each in sentence_ends(text[start:end])]


WORD = st.from_regex(r"[a-z]{2,8}", fullmatch=True)
NUMBERS = st.from_regex(r"[0-9]{1,3}(?:,[0-9]{3})*\.[0-9]{1,3}%?", fullmatch=True)
VERSIONS = st.from_regex(r"v?[0-9]{1,2}(?:\.[0-9]{1,2}){1,3}(?:-rc\.[0-9])?", fullmatch=True)
FILES = st.from_regex(r"[A-Za-z][A-Za-z_]{0,8}(?:\.[a-z]{1,6}){1,2}|\.[a-z]{3,9}", fullmatch=True)
PATHS = st.from_regex(r"(?:\./|\.\./|/|C:\\)(?:[A-Za-z.]{1,6}[a-z][/\\]){1,3}[a-z]{1,4}\.[a-z]{1,3}", fullmatch=True)
IDENTIFIERS = st.from_regex(r"[A-Za-z][A-Za-z_]{0,6}(?:(?:\.|::)[A-Za-z][A-Za-z_]{0,8}){1,3}(?:\(\))?", fullmatch=True)
ADDRESSES = st.from_regex(
    r"https?://[a-z]{1,6}\.[a-z]{2,3}(?:/[a-z.]{1,5}[a-z]){0,3}(?:\?[a-z]=[0-9.]{0,3}[0-9])?|[a-z.]{0,5}[a-z]@[a-z]{1,5}\.[a-z]{2,3}",
    fullmatch=True,
)
PROTECTED = st.one_of(NUMBERS, VERSIONS, FILES, PATHS, IDENTIFIERS, ADDRESSES)
ABBREVIATIONS = st.sampled_from(
    [
        "e.g.",
        "i.e.",
        "cf.",
        "vs.",
        "approx.",
        "Dr.",
        "Mr.",
        "Mrs.",
        "Prof.",
        "J.",
        "A.B.",
        "U.S.",
        "al.",
        "etc.",
        "p.m.",
    ]
)
NUMBERED = st.sampled_from(
    ["No.", "no.", "Fig.", "fig.", "Eq.", "Sec.", "Vol.", "vol.", "p.", "pp.", "ch.", "Jan.", "Sept.", "max.", "Tab."]
)
FRAMES = [
    ("We met ", " today and left"),
    ("Then ", " Came in"),
    ("我们用", "来做，可以"),
    ("见 ", "，然后继续"),
    ("（", "）是好的"),
]


@given(PROTECTED, st.sampled_from(FRAMES))
def test_no_end_within_or_behind_what_holds_dots(protected: str, frame: tuple[str, str]) -> None:
    before, behind = frame
    assert sentence_ends(f"{before}{protected}{behind}。") == [len(before) + len(protected) + len(behind) + 1]


@given(ABBREVIATIONS, WORD, st.sampled_from(["Ask ", "问", "It is (", "该词 "]))
def test_no_end_between_an_abbreviation_and_a_name(abbreviation: str, name: str, before: str) -> None:
    assert sentence_ends(f"{before}{abbreviation} {name.capitalize()}ville") == []


@given(NUMBERED, st.integers(1, 999), st.sampled_from(["Ask ", "问 ", "It is ("]))
def test_no_end_between_an_abbreviation_and_its_number(abbreviation: str, number: int, before: str) -> None:
    assert sentence_ends(f"{before}{abbreviation} {number}") == []


@given(st.lists(st.from_regex(r"[我你好走看天地]{1,6}[。！？；]”?", fullmatch=True), min_size=1))
def test_every_chinese_mark_between_characters_ends_a_sentence(sentences: list[str]) -> None:
    sentences = [each for each in sentences if not each.startswith("地")]
    text = "".join(f"“{each}" if each.endswith("”") else each for each in sentences)
    assert cut_at_ends(text).count("|") == max(0, len(sentences) - 1)


@given(st.lists(st.tuples(WORD.map(str.capitalize), st.sampled_from([".", "!", "?", '."', ".)", "?!"])), min_size=1))
def test_words_with_capitals_are_sentences(pairs: list[tuple[str, str]]) -> None:
    pieces = [f"Some {word.lower()}thing{mark}" for word, mark in pairs]
    assert cut_at_ends(" ".join(pieces)) == "| ".join(pieces)


HOSTILE = [
    ".", ". ", '."', '。"', "。**", "1.", "1. ", "a\n", "\n", " \n", ">\n", "a  \n", "\r", "! ", "- . ", "A. ",
    "A.", "e.g. ", "（a。）b", "a。）", "… ", ". 🎉", " 🎉", "。[^", "。[1,", "<br ", ".</", "a. ^b", "a.中",
    "中.", "://?中", "。`", "。_a", "。' a", "图. ", ": 1. A",
]  # fmt: skip


@pytest.mark.parametrize("part", HOSTILE)
def test_the_work_grows_with_the_text_however_hostile(part: str) -> None:
    small = steps_of(lambda: sentence_ends("a." + part * 200))
    large = steps_of(lambda: sentence_ends("a." + part * 800))
    assert large <= 4.4 * small + 50


@pytest.mark.parametrize("part", HOSTILE)
def test_a_hundred_thousand_hostile_parts_are_read_through(part: str) -> None:
    text = part * 100_000
    assert all(0 < end <= len(text) for end in sentence_ends(text))
