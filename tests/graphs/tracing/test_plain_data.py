"""Values as plain data and back."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langgraph.types import Overwrite

from obsirag.graphs.tracing.plain_data import as_json, from_plain, to_plain

TEXT = st.text(st.characters(), max_size=8)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT | st.just("$document"), inner, max_size=3),
    max_leaves=8,
)
METADATA = st.dictionaries(TEXT, PLAIN, max_size=3)
VALUES = st.recursive(
    PLAIN
    | st.builds(Document, page_content=TEXT, metadata=METADATA, id=st.none() | st.text("ab", min_size=1))
    | st.builds(lambda text, extra: HumanMessage(text, id="1", additional_kwargs=extra), TEXT, METADATA)
    | st.builds(lambda text: AIMessage(text, usage_metadata=None), TEXT)
    | st.builds(SystemMessage, content=TEXT),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(TEXT, inner, max_size=3)
        | st.dictionaries(st.integers(), inner, max_size=2)
    ),
    max_leaves=8,
)


def there_and_back(value):
    return from_plain(json.loads(as_json(to_plain(value))))


@given(VALUES)
def test_what_is_written_is_read_as_it_was(value):
    assert there_and_back(value) == value


def test_numbers_that_json_does_not_know_come_back():
    back = there_and_back({"x": math.inf, "y": -math.inf, "z": math.nan})
    assert (back["x"], back["y"]) == (math.inf, -math.inf)
    assert math.isnan(back["z"])


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ((1, 2), [1, 2]),
        (np.float32(0.5), 0.5),
        (np.int64(7), 7),
        (ValueError("x"), "x"),
    ],
)
def test_other_values_become_the_nearest_plain_ones(value, expected):
    assert there_and_back(value) == expected


def test_a_tools_message_and_what_overwrites_come_back():
    message = ToolMessage("done", tool_call_id="7", artifact={"a": 1})
    assert there_and_back([message]) == [message]
    assert there_and_back(Overwrite([message])) == Overwrite([message])


def test_what_people_write_looks_as_they_wrote_it():
    assert "中文" in as_json(to_plain({"x": "中文"}))
    as_json(to_plain({"x": "中文 \ud800"})).encode("utf-8")
