import contextlib
import json
import re
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.errors import VaultError
from obsirag.markdown import scan
from obsirag.vault.canvas import lay_out_canvas

FIELDS = ["id", "type", "text", "file", "subpath", "url", "label", "x", "y", "width", "height"]
FIELDS += ["nodes", "edges", "fromNode", "toNode", "fromEnd", "toEnd"]

CANVAS = {
    "nodes": [
        {"id": "t", "type": "text", "text": "Alpha\nsecond line", "x": 10, "y": 10, "width": 5, "height": 5},
        {"id": "out", "type": "text", "text": "Lonely", "x": 900, "y": 900, "width": 5, "height": 5},
        {"id": "f", "type": "file", "file": "a/b.md", "subpath": "#Part", "x": 20, "y": 20, "width": 5, "height": 5},
        {"id": "u", "type": "link", "url": "https://example.org", "x": 30, "y": 30, "width": 5, "height": 5},
        {"id": "g", "type": "group", "label": "Team", "x": 0, "y": 0, "width": 100, "height": 100},
    ],
    "edges": [{"id": "e", "fromNode": "t", "toNode": "f", "label": "needs"}, {"fromNode": "t", "toNode": "gone"}],
}


def test_nodes_groups_and_edges_become_markdown():
    text, _ = lay_out_canvas(json.dumps(CANVAS))
    assert text == (
        "Lonely\n\n## Team\n\nAlpha\nsecond line\n\n[[a/b.md#Part]]\n\n<https://example.org>\n\n"
        "- Alpha → [[a/b.md#Part]]: needs\n"
    )


@pytest.mark.parametrize("indent", [None, 1, "\t"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_each_part_knows_the_line_of_its_text(make_vault, indent, newline):
    source = json.dumps(CANVAS, indent=indent).replace("\n", newline)
    lines = source.split(newline)
    rendered = make_vault({"x.canvas": source}).render("x.canvas")
    for words, written in [
        ("Alpha", "Alpha"),
        ("second", "second line"),
        ("Lonely", "Lonely"),
        ("a/b", "a/b.md"),
        ("needs", "needs"),
    ]:
        path, line = rendered.locate(rendered.text.index(words))
        assert path == "x.canvas"
        assert written in lines[line - 1]


def test_repeated_keys_and_texts_like_keys_keep_the_lines_right():
    source = '{"nodes": [\n{"id": "text", "id": "text",\n"type": "text", "a\\"b": {"text": ["text"]},\n"text": "hit"}]}'
    text, origins = lay_out_canvas(source)
    assert (text, origins[0]) == ("hit\n\n", (0, 4))


def test_a_group_in_another_is_a_heading_below_its(make_vault):
    def group(label, start, length):
        return {"type": "group", "label": label, "x": start, "y": start, "width": length, "height": length}

    def card(text, at):
        return {"type": "text", "text": text, "x": at, "y": at, "width": 2, "height": 2}

    inner_first = [group("Inner", 10, 20), group("Outer", 0, 100), group("Beside", 200, 50), group("Core", 12, 5)]
    cards = [card("core", 13), card("outer", 60), card("inner", 25), card("none", 400), card("beside", 210)]
    text, _ = lay_out_canvas(json.dumps({"nodes": cards + inner_first}))
    assert text.split("\n\n")[:-1] == [
        *("none", "## Outer", "outer", "### Inner", "inner", "#### Core", "core", "## Beside", "beside"),
    ]


@pytest.mark.parametrize("count", [1, 50])
def test_groups_in_one_place_each_are_a_heading_once(count):
    group = {"type": "group", "x": 0, "y": 0, "width": 9, "height": 9}
    text, _ = lay_out_canvas(json.dumps({"nodes": [{**group, "label": f"g{at}"} for at in range(count)]}))
    headings = [block for block in scan(text) if block.kind == "heading"]
    assert sorted(block.info for block in headings) == sorted(f"g{at}" for at in range(count))
    assert max(block.level for block in headings) == min(count + 1, 6)


NAMES = ["a [b].md", "c#d.md", "e^f.md", "100%.md", "50%25.md", "g(h.md", "dir/i j.md", "k]].png", "l|m.md", "n\n.md"]


@pytest.mark.parametrize("subpath", ["", "#Part", "#A#B [x]", "#^id"])
def test_file_nodes_lead_to_their_files_whatever_their_names(make_vault, subpath):
    nodes = [{"id": name, "type": "file", "file": name, "subpath": subpath} for name in NAMES]
    vault = make_vault({"x.canvas": json.dumps({"nodes": nodes}), **dict.fromkeys(NAMES, "")})
    links = vault.note("x.canvas").links
    assert [link.path for link in links] == NAMES
    assert {link.subpath for link in links} == {subpath}
    assert not any(link.embed for link in links)


@pytest.mark.parametrize("url", ["https://example.org/a b>c", "https://example.org/?q=<x>\ny"])
def test_an_address_stays_one_link(url):
    text, _ = lay_out_canvas(json.dumps({"nodes": [{"type": "link", "url": url}]}))
    assert re.fullmatch(r"<[^<>\s]+>\n\n", text)
    assert unquote(text.strip()[1:-1]) == url


@pytest.mark.parametrize(
    ("ends", "arrow"),
    [
        ({}, "→"),
        ({"toEnd": "arrow", "fromEnd": "none"}, "→"),
        ({"toEnd": "none"}, "—"),
        ({"toEnd": "none", "fromEnd": "arrow"}, "←"),
        ({"fromEnd": "arrow"}, "↔"),
        ({"fromEnd": 3, "toEnd": []}, "→"),
    ],
)
def test_an_edge_shows_which_way_it_points(ends, arrow):
    nodes = [{"id": name, "type": "text", "text": name} for name in "ab"]
    text, _ = lay_out_canvas(json.dumps({"nodes": nodes, "edges": [{"fromNode": "a", "toNode": "b", **ends}]}))
    assert text.endswith(f"- a {arrow} b\n")


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.floats()
    | st.integers()
    | st.sampled_from(["a", "group", "text", "file", "link", ""]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=6),
    max_leaves=30,
)


@given(st.fixed_dictionaries({"nodes": JSON | st.lists(JSON), "edges": JSON | st.lists(JSON)}) | JSON)
def test_json_of_any_shape_is_laid_out_or_told(value):
    with contextlib.suppress(VaultError):
        text, origins = lay_out_canvas(json.dumps(value))
        assert origins[0][0] == 0
        assert [offset for offset, _ in origins] == sorted(offset for offset, _ in origins)
        assert text.encode().decode() == text


@pytest.mark.parametrize("source", ["", "  \n", "{}", '{"nodes": []}', '{"nodes": [{"type": "x"}, {}], "edges": [{}]}'])
def test_a_canvas_without_texts_is_empty(source):
    assert lay_out_canvas(source)[0] == ""


@pytest.mark.parametrize("source", ["{", "[]", "3", '{"nodes": 3}', '{"nodes": {}}', '{"nodes": [3]}', "[" * 100_000])
def test_what_is_no_canvas_is_told(source, make_vault, codes):
    with pytest.raises(VaultError):
        lay_out_canvas(source)
    rendered = make_vault({"x.canvas": source, "n.md": "![[x.canvas]]"}).render("x.canvas")
    assert rendered.text == ""
    assert codes(rendered) == [("x.canvas", 0, "bad-canvas")]


def test_embeds_in_texts_are_filled_in_and_lead_to_their_note(make_vault):
    canvas = json.dumps({"nodes": [{"id": "1", "type": "text", "text": "See ![[n#^x]] here"}]}, indent=1)
    rendered = make_vault({"x.canvas": canvas, "n.md": "\n\nfact ^x\n"}).render("x.canvas")
    assert rendered.text == "See fact here\n\n"
    assert rendered.locate(4) == ("n.md", 3)
    assert rendered.locate(rendered.text.index("here")).path == "x.canvas"


def test_the_sample_canvas_answers_from_its_text_node(sample_vault, make_vault):
    source = (sample_vault / "画布" / "玩法架构.canvas").read_bytes()
    rendered = make_vault({"玩法架构.canvas": source}).render("玩法架构.canvas")
    assert rendered.metadata["title"] == "玩法架构"
    assert rendered.locate(rendered.text.index("压力大于 0.7")) == ("玩法架构.canvas", 5)


def cards(*texts: str) -> str:
    return json.dumps({"nodes": [{"id": str(at), "type": "text", "text": text} for at, text in enumerate(texts)]})


def test_percent_signs_of_two_cards_are_no_comment(make_vault):
    source = cards("rate 50%% today", "The code is 4711.", "and 60%% later", "a %%hidden%% b")
    text = make_vault({"x.canvas": source}).render("x.canvas").text
    assert text == "rate 50%% today\n\nThe code is 4711.\n\nand 60%% later\n\na b\n\n"


@pytest.mark.parametrize(
    ("opened", "end"),
    [("```py\ncode", "```"), ("~~~~\n# no heading", "~~~~"), ("<!-- note", "-->"), ("```\na\n```", "")],
)
def test_what_a_card_never_closes_ends_with_it(opened, end):
    text, origins = lay_out_canvas(cards(opened, "# Next"))
    closing = f"\n{end}" if end else ""
    assert text == f"{opened}{closing}\n\n# Next\n\n"
    assert [(block.kind, block.info) for block in scan(text)][-1] == ("heading", "Next")
    assert text[origins[1][0] :] == "# Next\n\n"
