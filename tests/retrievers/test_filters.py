# ruff: noqa: A002 - what is tested is called so

from __future__ import annotations

import datetime
from decimal import Decimal
from enum import IntEnum, StrEnum
from typing import Any

import numpy as np
import pytest

from obsirag.errors import ConfigError
from obsirag.retrievers import check_filter, matcher, matches


class Author(StrEnum):
    LI = "李"


class Year(IntEnum):
    NOW = 2024


METADATA = {
    "source": "a/b.md",
    "publish": True,
    "year": 2024,
    "share": 0.5,
    "tags": ["ue5", "gas"],
    "created": "2024-05-01",
    "author": "李",
    "nothing": None,
    "pages": [3, 9],
}


@pytest.mark.parametrize(
    ("filter", "expected"),
    [
        ({}, True),
        ({"publish": True}, True),
        ({"publish": False}, False),
        ({"publish": 1}, False),
        ({"publish": {"$ne": False}}, True),
        ({"year": 2024}, True),
        ({"year": 2024.0}, True),
        ({"year": "2024"}, False),
        ({"year": {"$gte": 2024, "$lt": 2025}}, True),
        ({"year": {"$gt": 2024}}, False),
        ({"year": {"$gt": "2000"}}, False),
        ({"publish": {"$gt": 0}}, False),
        ({"tags": "gas"}, True),
        ({"tags": "ga"}, False),
        ({"tags": {"$in": ["x", "ue5"]}}, True),
        ({"tags": {"$nin": ["x", "ue5"]}}, False),
        ({"tags": {"$ne": "x"}}, True),
        ({"tags": ["x", "gas"]}, True),
        ({"pages": {"$gt": 8}}, True),
        ({"pages": {"$gt": 9}}, False),
        ({"created": datetime.date(2024, 5, 1)}, True),
        ({"created": {"$gt": datetime.date(2024, 4, 30)}}, True),
        ({"author": "李"}, True),
        ({"missing": "x"}, False),
        ({"missing": {"$ne": "x"}}, True),
        ({"missing": {"$nin": ["x"]}}, True),
        ({"missing": {"$lt": 5}}, False),
        ({"missing": None}, True),
        ({"nothing": None}, True),
        ({"author": None}, False),
        ({"source": "a/b.md", "year": 2024}, True),
        ({"source": "a/b.md", "year": 1}, False),
        ({"$or": [{"year": 1}, {"tags": "gas"}]}, True),
        ({"$or": []}, False),
        ({"$and": []}, True),
        ({"$and": [{"year": 2024}, {"$or": [{"publish": False}, {"share": {"$lte": 0.5}}]}]}, True),
        ({"year": {2024, 1}}, True),
        ({"tags": {"$eq": ["ue5", "gas"]}}, True),
        ({"tags": {"$in": [["ue5"], None]}}, False),
        ({"nothing": {"$in": [1, None]}}, True),
        ({"author": Author.LI}, True),
        ({"year": {"$in": [Year.NOW]}}, True),
        ({"year": {"$in": []}}, False),
        ({"year": {"$nin": []}}, True),
    ],
)
def test_matching(filter: dict[str, Any], expected: bool) -> None:
    check_filter(filter)
    assert matches(filter, METADATA) is expected


@pytest.mark.parametrize(
    "filter",
    [
        {"year": {"$regex": "x"}},
        {"year": {"gt": 3}},
        {"$not": [{"year": 1}]},
        {"$and": {"year": 1}},
        {"$or": ["year"]},
        {"year": {"$in": "2024"}},
        {"year": np.int64(2024)},
        {"publish": {"$ne": np.True_}},
        {"year": {"$nin": [2023, Decimal(2024)]}},
        {"year": b"2024"},
        {"year": {"$eq": {"a": 1}}},
        [("year", 1)],
        "year",
    ],
)
def test_what_cannot_be_read_is_an_error(filter: Any) -> None:
    with pytest.raises(ConfigError):
        check_filter(filter)


def test_the_error_names_the_field_and_the_operators() -> None:
    with pytest.raises(ConfigError, match=r"'year'.*'\$between'.*\$gte"):
        check_filter({"$and": [{"year": {"$between": [1, 2]}}]})


def nested(value: Any, wrap: Any, depth: int = 3000) -> Any:
    for _ in range(depth):
        value = wrap(value)
    return value


@pytest.mark.parametrize(
    "filter",
    [
        {"$and": [None]},
        {"$or": [{"a": 1}, None]},
        {"$and": ["text"]},
        nested({"a": 1}, lambda inner: {"$and": [inner]}),
        nested({"a": 1}, lambda inner: {"$or": [{"b": 2}, inner]}),
        {"a": nested(1, lambda inner: [inner])},
        {"a": {"$eq": nested(1, lambda inner: (inner,))}},
        {"a": {"$in": nested(1, lambda inner: [inner])}},
    ],
    ids=lambda wrong: "-".join(wrong),
)
def test_what_is_no_filter_or_has_no_end_is_refused(filter: Any) -> None:
    with pytest.raises(ConfigError):
        check_filter(filter)


def test_a_filter_within_itself_is_refused() -> None:
    endless: dict[str, Any] = {"a": 1}
    endless["$and"] = [endless]
    with pytest.raises(ConfigError, match="deep"):
        check_filter(endless)


def test_some_depth_is_allowed() -> None:
    deep = nested({"year": 2024}, lambda inner: {"$and": [inner]}, 20)
    check_filter(deep)
    assert matches(deep, METADATA)


def test_lists_have_no_order() -> None:
    assert not matches({"rows": {"$gt": [1]}}, {"rows": [[1], ["a"]]})


class Counted(str):
    """Text that counts how often it is compared."""

    __slots__ = ()
    __hash__ = str.__hash__
    compared = 0

    def __eq__(self, other: object) -> bool:
        Counted.compared += 1
        return str.__eq__(self, other)


@pytest.mark.parametrize("sign", ["$in", "$nin"])
def test_many_wanted_values_are_looked_up(sign: str) -> None:
    wanted = [Counted(number) for number in range(1000)]
    is_match = matcher({"source": {sign: wanted}})
    Counted.compared = 0
    assert [is_match({"source": str(number)}) for number in range(990, 1010)] == [sign == "$in"] * 10 + [
        sign == "$nin"
    ] * 10
    assert Counted.compared <= 100
