import pytest

from obsirag.indexing.names import name_of, names_in_links
from obsirag.records import Link


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("folder/My Note.md", "my note"),
        ("My Note", "my note"),
        ("../a/My Note", "my note"),
        ("a\\My Note.MD", "my note"),
        ("x.png", "x.png"),
        ("v1.2", "v1.2"),
        ("board.canvas", "board.canvas"),
        ("Cafe\u0301", "caf\u00e9"),
        ("笔记", "笔记"),
        ("n.md.md", "n"),
        ("Trail .md", "trail"),
        ("Trail ", "trail"),
        ("cover .png", "cover.png"),
        ("", ""),
    ],
)
def test_the_last_part_in_one_form(text: str, name: str) -> None:
    assert name_of(text) == name


def test_encoded_links_have_both_forms() -> None:
    links = [Link("My%20Note.md", "", None, 1, None, False), Link("", "#own", None, 1, None, False)]
    assert names_in_links(links) == {"my%20note", "my note"}
