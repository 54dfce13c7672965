import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.errors import ConfigError
from obsirag.records import (
    PUBLIC,
    access_key,
    labels_of,
    may_read,
    merge_permissions,
    permissions_from_json,
    permissions_in,
    permissions_of,
    permissions_to_json,
)

label = st.sampled_from(["leads", "team", "法务", "a b"])
permissions = st.lists(st.sets(label, min_size=1).map(lambda s: tuple(sorted(s))), max_size=3).map(
    lambda sets: tuple(sorted(set(sets)))
)


@pytest.mark.parametrize("value", [None, "", [], [""], [None], "  "])
def test_nothing_stated_is_public(value):
    assert permissions_of(value) == PUBLIC
    assert may_read(PUBLIC, [])


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("leads", (("leads",),)),
        (["leads"], (("leads",),)),
        (["team", "leads", "team"], (("leads", "team"),)),
        (7, (("7",),)),
        ({"odd": "shape"}, (("{'odd': 'shape'}",),)),
    ],
)
def test_a_stated_value_restricts(value, expected):
    assert permissions_of(value) == expected
    assert not may_read(expected, [])


@given(permissions, permissions, st.sets(label))
def test_merged_text_needs_every_part_to_be_readable(one, other, held):
    assert may_read(merge_permissions(one, other), held) == (may_read(one, held) and may_read(other, held))


@given(permissions, permissions)
def test_access_keys_are_equal_exactly_for_equal_permissions(one, other):
    assert (access_key(one) == access_key(other)) == (one == other)
    assert (access_key(one) == "") == (one == PUBLIC)


@given(permissions)
def test_metadata_form_can_be_read_back(value):
    assert tuple(tuple(json.loads(each)) for each in permissions_to_json(value)) == value


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, ()),
        ((), ()),
        ("leads", ("leads",)),
        (["leads", "team"], ("leads", "team")),
        ({"team"}, ("team",)),
        (iter(["a b"]), ("a b",)),
    ],
)
def test_a_callers_labels_may_be_stated_in_any_way(value, expected):
    assert labels_of(value) == expected


@pytest.mark.parametrize("value", [7, True, b"secret", {"secret": "x"}, ["ok", 7], [["secret"]], [None]])
def test_what_are_no_labels_is_refused_without_being_quoted(value):
    with pytest.raises(ConfigError) as refusal:
        labels_of(value)
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ({}, PUBLIC),
        ({"title": "x", 7: "y"}, PUBLIC),
        ({"permission": "leads"}, (("leads",),)),
        ({"Permissions ": ["leads"]}, (("leads",),)),
        ({"permission": "leads", "PERMISSIONS": ["team"]}, (("leads",), ("team",))),
        ({"permission": None, "permissions": []}, PUBLIC),
    ],
)
def test_all_permissions_that_metadata_states_are_to_be_met(metadata, expected):
    assert permissions_in(metadata) == expected


@pytest.mark.parametrize("stated", [['[""]'], '[""]', ["[]"], ["[null]"], [["a"], '["", " "]']])
def test_json_lists_without_labels_hide_rather_than_show(stated: object) -> None:
    permissions = permissions_from_json(stated)
    assert permissions
    assert not may_read(permissions, ())
    assert not may_read(permissions, ("", "a"))
