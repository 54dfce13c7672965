from __future__ import annotations

from obsirag.markdown import nested_blocks, scan


def nested(text: str) -> list[tuple[str, int, str]]:
    return [(each.kind, each.level, text[each.start : each.end]) for each in nested_blocks(text, scan(text)[0])]


def test_an_items_subtree() -> None:
    text = "- one\n  - two\n    three\n\n    ```py\n    # c\n    ```\n  - four\n"
    assert nested(text) == [
        ("paragraph", 1, "one"),
        ("item", 1, "- two\n    three\n\n    ```py\n    # c\n    ```"),
        ("paragraph", 2, "two\n    three"),
        ("fence", 2, "```py\n    # c\n    ```"),
        ("item", 1, "- four"),
        ("paragraph", 2, "four"),
    ]


def test_a_quote_holds_blocks() -> None:
    text = "> # H\n> | a |\n> |---|\n> | b |\n>\n> > deep\n>\n>     code\n> $$\n> x\n> $$\n"
    assert [(kind, level) for kind, level, _ in nested(text)] == [
        ("heading", 1), ("table", 1), ("quote", 1), ("paragraph", 2), ("indented_code", 1), ("math", 1)
    ]  # fmt: skip


def test_an_indented_list_and_tabs() -> None:
    assert [kind for kind, _, _ in nested("  - a\n\t- b\n\t\t- c\n")] == [
        "paragraph",
        "item",
        "paragraph",
        "item",
        "paragraph",
    ]
    assert [kind for kind, _, _ in nested("-\ta\n\n\t    code\n")] == ["paragraph", "indented_code"]


def test_other_blocks_hold_none() -> None:
    assert nested("plain\n") == []
    assert nested("```\n- a\n```\n") == []


def test_line_ends_do_not_matter() -> None:
    text = "> - a\n>   ```\n>   x\n>   ```\n"
    assert [(kind, level) for kind, level, _ in nested(text.replace("\n", "\r\n"))] == [
        (kind, level) for kind, level, _ in nested(text)
    ]
