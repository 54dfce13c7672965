"""The check alone."""

import pytest

from obsirag.graphs.nodes.verify_citations import VerifyCitationsNode
from obsirag.graphs.state import Draft


def verify(make_chunk, text, *, attempts=1, steps=25, final=False, origin="model"):
    chunks = [make_chunk("The timer is 8 seconds.", source="a.md"), make_chunk("Health is 5.", source="b.md")]
    state = {
        "question": "How long is the timer?",
        "standalone": "How long is the timer?",
        "terms": [],
        "earlier": [],
        "evidence": chunks,
        "rankings": {"keyword_search": chunks},
        "draft": Draft(text=text, origin=origin, citations=[], permissions=["x"], final=final, read="", message_id=""),
        "attempts": attempts,
        "remaining_steps": steps,
    }
    return VerifyCitationsNode("v", 2, 6000)(state)


def test_good_citations_pass(make_chunk):
    update = verify(make_chunk, "It is 8 seconds【1】. Health is 5[2].")
    assert update["complaint"] == ""
    assert update["draft"]["text"] == "It is 8 seconds[1]. Health is 5[2]."
    assert [each["quote"] for each in update["draft"]["citations"]] == ["The timer is 8 seconds.", "Health is 5."]


@pytest.mark.parametrize("text", ["It is long.", "It is 8 seconds [1][3].", "It is long [0].", "[1]", "a[1] = 2"])
def test_bad_ones_lead_to_a_complaint(make_chunk, text):
    update = verify(make_chunk, text)
    assert update.keys() == {"complaint"}
    assert update["complaint"]


@pytest.mark.parametrize("text", ["It is 8 seconds.", "It is 8 seconds [7].", "It is 8 seconds [2]."])
def test_a_mark_that_is_missing_or_wrong_is_put_right(make_chunk, text):
    update = verify(make_chunk, text)
    assert update["complaint"] == ""
    assert update["draft"]["text"] == "It is 8 seconds [1]."
    assert [each["source"] for each in update["draft"]["citations"]] == ["a.md"]


@pytest.mark.parametrize("limits", [{"attempts": 3}, {"steps": 3}, {"final": True}])
def test_there_is_an_end_to_complaining(make_chunk, limits):
    update = verify(make_chunk, "It is 8 seconds [1][3].", **limits)
    assert update["complaint"] == ""
    assert update["draft"]["text"].startswith("It is 8 seconds [1].\n\n(")
    assert "3" in update["draft"]["text"]


def test_an_answer_without_a_good_citation_is_replaced_by_quotes(make_chunk):
    for answer in ("It is long [7].", "The cheese is on the moon [1].", "The timer is 9 s [1]."):
        draft = verify(make_chunk, answer, attempts=3)["draft"]
        assert draft["origin"] == "quoted"
        assert draft["citations"][0]["source"] == "a.md"
        assert answer[:16] not in draft["text"]


def test_quotes_are_passed_on(make_chunk):
    assert verify(make_chunk, "quoted [9]", origin="quoted") == {"complaint": ""}
