import pytest

from obsirag.graphs.links import link_to, obsidian_link, opens_source


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


@pytest.mark.parametrize("source", ["a.md", "GAS/概览.md", "javascript:owned", "https://e.example/x"])
def test_what_links_are_made_of_a_source_opens_it(source):
    assert opens_source(link_to(source, vault="v"))


@pytest.mark.parametrize(
    "link", ["", "javascript:owned", "data:text/html,x", "obsidian://new?file=x", " https://e.example"]
)
def test_what_does_anything_else_is_no_link_of_a_citation(link):
    assert not opens_source(link)
