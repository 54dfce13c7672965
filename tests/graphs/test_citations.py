"""A citation's quote is what supports the statement, and its place is the quote's."""

import time

import pytest

from obsirag.graphs.citations import cite, cite_marks, statements_of
from obsirag.records.places import Place, places_to_json


def test_statements_stand_before_their_marks():
    text = "One is so. Two is so [1]. Three[2][3]\n- four [1]\n[4] Five is behind.\nSix. [5]"
    assert {number: [each.strip() for each in said] for number, said in statements_of(text).items()} == {
        1: ["Two is so", "- four"],
        2: ["Three"],
        3: ["Three"],
        4: ["Five is behind."],
        5: ["Six."],
    }


def test_quotes_the_words_that_support_the_statement(make_chunk):
    chunk = make_chunk("# H\n\nHealth is 100.\n\n- Ammo is 30.\n- Armour is 50.", line=10)
    (citation,) = cite_marks("Armour has a value of 50 [1].", [chunk], "How much armour?", vault="v")
    assert citation["quote"] == "- Armour is 50."
    assert (citation["start_line"], citation["end_line"]) == (15, 15)


def test_the_question_helps_across_languages(make_chunk):
    chunk = make_chunk("生命上限是 100。\n\n弹药上限是 30。", line=1)
    (citation,) = cite_marks("It is thirty [1].", [chunk], "弹药上限是多少？", vault="v")
    assert citation["quote"] == "弹药上限是 30。"


def test_text_that_was_embedded_is_cited_at_its_source(make_chunk):
    text = "Host text.\n\nEmbedded text."
    places = places_to_json([Place(0, "Host.md", 1, ("H",)), Place(12, "sub/Source.md", 7, ("H", "S"))])
    citation = cite(1, make_chunk(text, source="Host.md", places=places), 12, len(text), vault="v")
    assert citation["source"] == "sub/Source.md"
    assert citation["title"] == "Source"
    assert citation["headings"] == ["H", "S"]
    assert (citation["start_line"], citation["end_line"]) == (7, 7)
    assert citation["link"] == "obsidian://open?vault=v&file=sub%2FSource"


def test_a_web_page_is_cited_by_its_address(make_chunk):
    page = make_chunk("Text.", source="https://e.example/a", places="", title="A")
    citation = cite(1, page, 0, 5, vault="v")
    assert citation["link"] == citation["source"] == "https://e.example/a"
    assert citation["start_line"] == citation["end_line"] == 0


def test_numbers_that_do_not_exist_are_passed_over(make_chunk):
    assert [each["number"] for each in cite_marks("a [2] b [1] c [0]", [make_chunk("a b")], "q", vault="v")] == [1]


def test_a_long_line_of_statements_is_taken_apart_as_its_parts_are():
    text = "One is 1 [1]. Two is 2 [2]. " * 3 + "Three [1][3]"
    said = statements_of(text)
    assert [each.strip(" .") for each in said[1]] == ["One is 1", "Three"]
    assert {each.strip(" .") for each in said[2]} == {"Two is 2"}
    assert [each.strip() for each in statements_of("[1] 8 seconds. [2]\n- [2] [3] two")[3]] == ["two"]


@pytest.mark.parametrize("piece", ["The plan is [1]. ", "plan [1] ", "[1] ", "[1-20] x ", "`x` [1] ", "[1]: "])
def test_time_does_not_grow_with_the_square_of_an_answer(piece):
    start = time.perf_counter()
    assert len(statements_of(piece * 16_000)) <= 20
    assert time.perf_counter() - start < 20


def test_what_was_put_around_a_part_of_something_larger_is_not_quoted(make_chunk):
    text = "```python\nx = 1\ny = 2\n```"
    chunk = make_chunk(text, context_before="```python\n", context_after="\n```")
    assert cite(1, chunk, 0, len(text), vault="v")["quote"] == "x = 1\ny = 2"
    assert cite(1, chunk, 0, 9, vault="v")["quote"] == "```python"  # there is nothing else to quote
