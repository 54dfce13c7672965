"""What belongs together stays together: headings, lead-ins, titles, block ids, marks."""

from __future__ import annotations

import re

import pytest

from obsirag.splitters import ObsidianSplitter

FENCE = "```\n" + "x = 1\n" * 9 + "```"
TABLE = "| a | b |\n|---|---|\n" + "\n".join(f"| {number} | value |" for number in range(5))
QUOTE = "> " + "quoted words " * 5 + "end"
ITEMS = "- one item of it\n- another item\n- a third one of them"
STRUCTURES = [FENCE, TABLE, QUOTE, ITEMS, "> [!tip] Title\n" + QUOTE, "$$\n" + "x_1 = 2\n" * 8 + "$$"]
LEADS = ["Note:", "注意：", "**Note:**", "For example:", "**A title**", "Said before. Now see:", "As in: ^lead"]


def contents(text: str, size: int, **options: int) -> list[str]:
    splitter = ObsidianSplitter(chunk_size=size, chunk_overlap=0, **options)
    return [chunk.page_content for chunk in splitter.create_documents([text])]


@pytest.mark.parametrize("lead", LEADS)
@pytest.mark.parametrize("structure", [*STRUCTURES, "A sentence of its own."])
def test_a_lead_in_stays_with_what_it_introduces(lead: str, structure: str) -> None:
    both = f"{lead}\n\n{structure.split(chr(10) + '- ')[0]}"
    text = f"{'Words before it. ' * 6}\n\n{lead}\n\n{structure}\n\n{'Words behind it. ' * 6}"
    for size in range(len(both), len(both) + 60, 7):
        assert any(both in chunk for chunk in contents(text, size)), size


@pytest.mark.parametrize("lead", LEADS)
@pytest.mark.parametrize(
    "structure", [TABLE + "\n| more | values |" * 30, QUOTE + " more of it." * 30, "One sentence of many. " * 30]
)
def test_a_lead_in_stays_with_the_beginning_of_what_has_to_be_cut(lead: str, structure: str) -> None:
    chunks = contents(f"{'Words before it. ' * 9}\n\n{lead}\n\n{structure}", 160)
    last = lead.split(". ")[-1]
    assert any(f"{last}\n\n{structure[:10]}" in chunk for chunk in chunks)
    assert all(len(chunk) <= 160 for chunk in chunks)


@pytest.mark.parametrize("lead", ["1. Do this:", "- Run it：", "2. **Then:**"])
@pytest.mark.parametrize("structure", [FENCE, TABLE, QUOTE])
def test_an_item_stays_with_what_should_have_been_indented(lead: str, structure: str) -> None:
    both = f"{lead}\n{structure}" if structure is FENCE else f"{lead}\n\n{structure}"
    text = f"{'Words before it. ' * 6}\n\n{both}\n\n{'Words behind it. ' * 6}"
    for size in range(len(both), len(both) + 60, 7):
        assert any(both in chunk for chunk in contents(text, size)), size


@pytest.mark.parametrize("prefix", ["- ", "1. ", "> ", "> - "])
@pytest.mark.parametrize("lead", [*LEADS, "# A heading"])
@pytest.mark.parametrize("structure", [each for each in STRUCTURES if each is not ITEMS])
def test_a_lead_in_within_a_structure_stays_with_what_it_introduces(prefix: str, lead: str, structure: str) -> None:
    both, words = f"{lead}\n\n{structure}", "Words of it. " * 9
    text = prefix + within(prefix, f"{words}\n\n{both}\n\n{words}")[len(prefix) :]
    both = within(prefix, both).strip()
    for size in range(len(both) + len(prefix), len(both) + 60, 7):
        assert any(both in chunk for chunk in contents(text, size)), size


CALL = "value = call(1)\n"
TOO_LARGE = [
    f"```\n{CALL * 40}```",
    "```\n" + f"{CALL * 3}\n" * 12 + "```",
    "```\n" + f"{CALL * 20}\n" * 3 + "```",
    f"~~~py\n{CALL * 40}~~~",
    TABLE + "\n| more | values |" * 30,
    "> " + "A sentence of some words. " * 30,
    "A sentence of some words. " * 30,
    "many words and " * 60,
]


@pytest.mark.parametrize("prefix", ["", "- ", "1. ", "> ", "> - ", "- - ", "> [!tip] Title\n>\n> "])
@pytest.mark.parametrize("lead", ["Run this:", "**A title**", "运行："])
@pytest.mark.parametrize("structure", TOO_LARGE)
def test_a_lead_in_anywhere_stays_with_the_beginning_of_what_has_to_be_cut(
    prefix: str, lead: str, structure: str
) -> None:
    for words in ("", "Words of it. " * 9 + "\n\n"):
        inner, between = prefix.split("\n")[-1], "\n" if structure.startswith(("```", "~~~")) else "\n\n"
        text = prefix + within(inner, f"{words}{lead}{between}{structure}")[len(inner) :]
        for size in (120, 200, 300):
            chunks = contents(text, size, max_chunk_size=size)
            assert sum(lead in chunk for chunk in chunks) == 1
            assert not any(chunk.endswith(lead) for chunk in chunks), chunks


def within(prefix: str, text: str) -> str:
    """Return ``text`` as it stands within an item or a quote, but for an item's mark."""
    inner = re.sub(r"[^>]", " ", prefix)
    return "\n".join((inner + line).rstrip() for line in text.split("\n"))


@pytest.mark.parametrize("structure", STRUCTURES)
@pytest.mark.parametrize("mark", ["^an-id", "<!-- end of it -->", "<!-- /it -->", "</details>"])
def test_an_id_or_a_closing_mark_stays_with_what_is_above_it(structure: str, mark: str) -> None:
    last = structure.split("\n- ")[-1]
    text = f"{'Words before it. ' * 6}\n\n{structure}\n\n{mark}\n\n{'Words behind it. ' * 6}"
    for size in range(len(structure) + len(mark) + 2, len(structure) + 80, 7):
        assert any(f"{last}\n\n{mark}" in chunk for chunk in contents(text, size)), size


@pytest.mark.parametrize("levels", [1, 2, 4])
@pytest.mark.parametrize("structure", [each for each in STRUCTURES if each is not ITEMS])
def test_headings_stand_with_a_structure_up_to_the_hard_limit_as_far_down_as_fit(levels: int, structure: str) -> None:
    headings = [f"{'#' * level} A heading with some words" for level in range(1, levels + 1)]
    text = "\n\n".join([*headings, structure])
    size = len(structure)
    for maximum in range(size, len(text) + 9):
        chunks = contents(text, size, max_chunk_size=maximum)
        assert all(len(chunk) <= maximum for chunk in chunks)
        with_text = next(chunk for chunk in chunks if structure in chunk)
        fitting = sum(len("\n\n".join([*headings[at:], structure])) <= maximum for at in range(levels))
        assert with_text.count("# A heading") == fitting


@pytest.mark.parametrize("size", [12, 13, 15, 20, 40])
@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("- alpha beta gamma delta epsilon", "-"),
        ("> alpha beta gamma\n> delta epsilon zeta eta", ">"),
        ("> - alpha beta gamma\n> - delta epsilon", "-"),
        ("- [ ] alpha beta gamma delta\n  - [x] beta", "]"),
        ("12. alpha beta gamma delta epsilon", "."),
        ("# alpha beta gamma delta epsilon zeta", "#"),
    ],
)
def test_no_chunk_ends_right_behind_a_mark(text: str, mark: str, size: int) -> None:
    for chunk in contents(text, size):
        assert not chunk.endswith(mark), chunk


def test_no_chunk_ends_right_behind_the_first_bar_of_a_row() -> None:
    text = "| a | b |\n|---|---|\n" + "| alpha beta gamma delta | epsilon |\n| x | y |\n" * 3
    for size in range(30, 70):
        assert not any(chunk.endswith("\n|") for chunk in contents(text, size))


def test_a_title_of_a_callout_stays_with_its_first_words() -> None:
    text = "> [!note] Title\n> " + "alpha beta gamma delta. " * 9
    for size in range(30, 90, 7):
        assert contents(text, size)[0].startswith("> [!note] Title\n> alpha")


def test_a_number_or_a_name_is_not_cut_where_words_can_be() -> None:
    text = "version v1.22.333 of file.name.py costs 1,234,567.89 at a.example/b.html or so and on " * 4
    words = set(text.split())
    for size in range(18, 60):
        assert {word for chunk in contents(text, size) for word in chunk.split()} == words


@pytest.mark.parametrize("prefix", ["", "> ", "- ", "[^1]: "])
@pytest.mark.parametrize("mark", ["**", "==", "~~", "__", "%%", ("<!-- ", " -->")])
@pytest.mark.parametrize(
    "sentence", ["It is one of many, 12.5 in all, see [[a note|its words]]. ", "这是其中的一句，见[[笔记|说明]]。"]
)
def test_a_span_that_fits_no_chunk_is_cut_at_its_sentences(
    prefix: str, mark: str | tuple[str, str], sentence: str
) -> None:
    before, after = (mark, mark) if isinstance(mark, str) else mark
    text = f"{prefix}{before}{(sentence * 20).strip()}{after}"
    chunks = contents(text, 160)
    assert len(chunks) > 2
    assert all(chunk.rstrip("*=~_% ->").endswith(sentence.strip()) for chunk in chunks)


@pytest.mark.parametrize("mark", ["^an-id", "<!-- end of it -->", "</details>"])
def test_what_a_chunk_repeats_does_not_begin_with_what_belongs_above(mark: str) -> None:
    text = f"{QUOTE}\n\n{mark}\n\n{'Words behind it, many of them. ' * 4}".strip()
    for size in range(len(QUOTE) + len(mark) + 2, len(text)):
        for chunk in ObsidianSplitter(chunk_size=size, chunk_overlap=20).create_documents([text]):
            assert not chunk.page_content.startswith(mark)


@pytest.mark.parametrize("size", range(34, 70))
@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"[the name {number}]: https://a.example/{number}" for number in range(9)),
        "| a | b |\n|---|---|\n" + "\n".join(f"| word | words{' ' * 6 * number}|" for number in range(9)),
        "| a | b |\n|---|---|\n" + "\n".join(f"| some words |{' ' * 6 * number}|" for number in range(9)),
        f"<div>\n{'Words of it, many of them. ' * 5}\n</p>\n</div>",
        f"%%\n{'Words of it, many of them. ' * 5}\n%%",
        f"<!--\n{'Words of it, many of them. ' * 5}\n-->",
    ],
)
def test_what_closes_or_points_somewhere_does_not_stand_without_words(text: str, size: int) -> None:
    for chunk in contents(text, size):
        assert re.search(r"[^\W\d]", re.sub(r"</\w+>|\S+://\S+", "", chunk)), chunk


@pytest.mark.parametrize("size", range(60, 130, 3))
@pytest.mark.parametrize("closing", ["}", "});", "]", "}))", "},"])
@pytest.mark.parametrize("prefix", ["", "> ", "- "])
def test_brackets_alone_stay_with_the_code_that_they_close(prefix: str, closing: str, size: int) -> None:
    blocks = [f"call{n} {{\n" + "  one = 1;\n" * n + "  two = 2;\n" + closing for n in range(1, 9)]
    text = prefix + within(prefix, "```js\n" + "\n\n".join(blocks) + "\n```")[len(prefix) :]
    for chunk in ObsidianSplitter(chunk_size=size, max_chunk_size=size, chunk_overlap=0).create_documents([text]):
        own = chunk.page_content[len(chunk.metadata["context_before"]) :]
        assert "=" in own, own


@pytest.mark.parametrize("size", range(40, 130, 9))
def test_a_quote_is_cut_above_the_lines_that_hold_its_mark_alone(size: int) -> None:
    text = within("> ", "\n\n".join(f"{number} alpha beta gamma. " + "delta " * number for number in range(20))).strip()
    chunks = contents(text, size)
    assert len(chunks) > 1
    assert not any(chunk.endswith("\n>") for chunk in chunks), chunks
