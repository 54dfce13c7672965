import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.records import PUBLIC, access_key, may_read, merge_permissions, permissions_of, permissions_to_json

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
