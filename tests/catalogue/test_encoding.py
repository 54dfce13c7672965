import datetime

from hypothesis import given
from hypothesis import strategies as st

from obsirag.catalogue.encoding import decode, encode, shared_fields

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(st.characters(codec="utf-8")),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(values)
def test_what_json_can_say_comes_back(value: object) -> None:
    assert decode(encode(value)) == value


def test_what_json_cannot_say_becomes_text() -> None:
    assert decode(encode(datetime.date(2024, 5, 1))) == "2024-05-01"
    assert decode(encode({"b", "a"})) == ["a", "b"]
    assert decode(encode(1 + 2j)) == "(1+2j)"


@given(st.lists(st.dictionaries(st.sampled_from("abc"), values, max_size=3), max_size=4))
def test_shared_and_own_fields_together_are_all_fields(metadata: list[dict[str, object]]) -> None:
    shared = shared_fields(metadata)
    for each in metadata:
        own = {name: value for name, value in each.items() if name not in shared}
        assert encode({**shared, **own} | each) == encode({**shared, **own})
        assert {**shared, **own}.keys() == each.keys()


def test_values_of_another_kind_are_not_shared() -> None:
    assert shared_fields([{"a": 1, "b": 2}, {"a": True, "b": 2}, {"a": 1.0, "b": 2}]) == {"b": 2}
