import pytest

from obsirag.graphs.plain_code import mask_code


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("a `b` c", "a ``` c"),
        ("```sh\nx `y`\n```\nz", "`````\n`````\n```\nz"),
        ("- a\n  ```\n  x\n  ```\n", "- a\n  ```\n```\n`````\n"),
        ("> ```\n> x\n> ```\n", "> ```\n```\n`````\n"),
        ("costs $5, `b`", "costs $5, ```"),
        ("    x", None),
        ("$x$", None),
        ("~~~\nx\n~~~", None),
        ("```\nnever closed", None),
        ("```\nclosed by more\n````", None),
        ("a `b\nc` d", None),
        ("a ` b\n`c`", None),
        ("| `a | b` |", None),
        ("$ `a $ b`", None),
        (r"\`` x ``", None),
    ],
)
def test_code_is_what_every_renderer_takes_for_it(text, masked):
    assert mask_code(text) == (text if masked is None else masked)


def test_a_fence_is_code_beside_a_lone_backtick():
    assert mask_code("a ` `b`\n\n```\nx\n```") == "a ` `b`\n\n```\n`\n```"
