from contextlib import redirect_stdout
from io import StringIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver

from graph_fakes import FakeSearch, ScriptedChat, chunk
from obsirag.cli.citations import print_citations
from obsirag.cli.printing import print_json
from obsirag.graphs.links import link_to, obsidian_link, opens_source
from obsirag.graphs.parts import RagParts
from obsirag.graphs.rag import wire_rag_graph


def test_a_note_is_opened_in_its_vault():
    assert obsidian_link("GAS/概览.md", vault="my notes") == (
        "obsidian://open?vault=my%20notes&file=GAS%2F%E6%A6%82%E8%A7%88"
    )


def test_at_its_heading():
    assert obsidian_link("a.md", vault="v", headings=["One", "Two & a half"]).endswith("&file=a%23Two%20%26%20a%20half")


def test_a_heading_that_obsidian_could_not_find_is_left_out():
    assert obsidian_link("a.md", vault="v", headings=["C# and [[x]]"]).endswith("&file=a")
    assert obsidian_link("a.canvas", vault="v", headings=["One"]).endswith("&file=a.canvas")


def test_an_address_is_its_own_link():
    assert link_to("https://e.example/x?y=1", vault="v", headings=["H"]) == "https://e.example/x?y=1"


@pytest.mark.parametrize("half", [chr(0xD800), chr(0xDFFF), chr(0xDC80)])
@pytest.mark.parametrize(("source", "headings"), [("a{}b.md", []), ("a.md", ["b{}c"]), ("{}.canvas", ["{}"])])
def test_half_of_a_character_is_a_question_mark(half, source, headings):
    given = [heading.format(half) for heading in headings]
    link = link_to(source.format(half), vault=f"v{half}", headings=given)
    link.encode()
    assert link.startswith("obsidian://open?vault=v%3F&file=")
    assert "%3F" in link.partition("&")[2]


HALVES = st.sampled_from(["", "\ud800", "\udc80x", "中\udfff"])


@settings(max_examples=25, deadline=None)
@given(HALVES, HALVES, HALVES, HALVES, HALVES, st.booleans())
def test_halves_of_characters_anywhere_on_its_way_end_no_question(path, heading, text, asked, said, has_model):
    hit = chunk(f"The respawn timer is 8 seconds{text}.", source=f"a{path}.md", headings=[f"One{heading}"])
    model = ScriptedChat(answers=[f"The respawn timer is 8 seconds{said} [1]."], prompts=[]) if has_model else None
    parts = RagParts(vector_search=FakeSearch([hit]), keyword_search=None, chat_model=model)
    graph = wire_rag_graph(parts).compile(checkpointer=InMemorySaver())
    question = {"messages": [("user", f"How long is the respawn timer{asked}?")]}
    run = {"configurable": {"thread_id": "a"}}
    result = graph.invoke(question, run)
    assert result["status"] == "answered"
    assert all(citation["link"].isascii() for citation in result["citations"])
    shown = StringIO()
    with redirect_stdout(shown):
        print_json(result["citations"])
        print_citations(result["citations"])
    shown.getvalue().encode()


@pytest.mark.parametrize("source", ["a.md", "GAS/概览.md", "javascript:owned", "https://e.example/x"])
def test_what_links_are_made_of_a_source_opens_it(source):
    assert opens_source(link_to(source, vault="v"))


@pytest.mark.parametrize(
    "link", ["", "javascript:owned", "data:text/html,x", "obsidian://new?file=x", " https://e.example"]
)
def test_what_does_anything_else_is_no_link_of_a_citation(link):
    assert not opens_source(link)


@pytest.mark.parametrize(
    ("path", "part", "subpath"),
    [
        ("a/b.pdf", "page 3", "%23page%3D3"),
        ("a/b.PDF", "page 12", "%23page%3D12"),
        ("a/b.pdf", "", ""),
        ("a/b.pdf", "page 3#^x", ""),
        ("a/b.pptx", "slide 3", ""),
        ("a/b.tiff", "page 3", ""),
    ],
)
def test_a_pdf_file_opens_at_its_page(path, part, subpath):
    link = link_to(path, vault="v", part=part)
    assert link == f"obsidian://open?vault=v&file={path.replace('/', '%2F')}{subpath}"
