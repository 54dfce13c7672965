"""Filters in Milvus's own language."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.errors import ConfigError
from obsirag.plugins.milvus_expressions import NOTHING, to_expression, with_ids


@pytest.mark.parametrize(
    ("filter", "expression"),
    [
        (None, ""),
        ({}, ""),
        ({"$and": []}, ""),
        ({"$or": []}, NOTHING),
        ({"source": {"$in": []}}, NOTHING),
        ({"source": {"$nin": []}}, ""),
        ({"$or": [{"source": {"$in": []}}, {"access": "x"}]}, 'access == "x"'),
        ({"$and": [{"source": {"$in": []}}, {"access": "x"}]}, NOTHING),
        ({"a": 1}, 'metadata["a"] == 1'),
        ({'a"]': True}, 'metadata["a\\"]"] == true'),
        ({"source": ("x", "y")}, 'source in ["x", "y"]'),
    ],
)
def test_filters_are_put_in_milvus_form(filter: Any, expression: str) -> None:  # noqa: A002 - it is called so
    assert to_expression(filter) == expression


@given(st.text())
def test_a_value_ends_where_its_quotes_do(value: str) -> None:
    written = to_expression({"source": value}).removeprefix("source == ")
    assert written[0] == written[-1] == '"'
    inner = written[1:-1]
    while inner:
        assert inner[0] not in '"\n\r'
        inner = inner[2:] if inner[0] == "\\" else inner[1:]


@pytest.mark.parametrize("filter", [{"a": None}, {"a": {"$regex": "x"}}, {"a": {"$in": [[1]]}}])
def test_what_milvus_cannot_compare_is_told(filter: Any) -> None:  # noqa: A002 - as above
    with pytest.raises(ConfigError):
        to_expression(filter)


def test_ids_are_quoted() -> None:
    assert with_ids(['a"b', "c\\"]) == 'id in ["a\\"b", "c\\\\"]'
