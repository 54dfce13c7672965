"""A question that waits for a person outlives its process; nothing that was done before is done again."""

import signal
from uuid import uuid4

import pytest

from reviewed_runs import RULE, WAIT, killed, noted, opened, run

BEFORE = ["grade", "search", "search"]
"""What is done before the review."""

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")


@pytest.fixture(params=["sqlite", "postgres"])
def address(request, tmp_path):
    if request.param == "sqlite":
        return str(tmp_path / "threads.sqlite")
    return request.getfixturevalue("postgres_url")


@pytest.fixture
def thread(address):
    name = f"test-{uuid4()}"
    yield name
    with opened(address) as saver:
        saver.delete_thread(name)


@pytest.fixture
def log(tmp_path):
    return tmp_path / "log.txt"


def test_another_process_approves(address, thread, log):
    assert sorted(killed(address, thread, log, WAIT)) == ["awaiting_review", *BEFORE]
    result = run(address, thread, log, "approve")
    assert result["status"] == "answered"
    assert RULE[:-1] in result["answer"]
    assert [each["source"] for each in result["citations"]] == ["Rules.md"]
    assert sorted(noted(log)) == ["answer", "awaiting_review", *BEFORE]


def test_another_process_rejects(address, thread, log):
    killed(address, thread, log, WAIT)
    result = run(address, thread, log, {"decisions": [{"type": "reject", "message": "Ask the desk."}]})
    assert (result["status"], result["citations"]) == ("refused", [])
    assert "Ask the desk." in result["answer"]
    assert sorted(noted(log)) == ["awaiting_review", *BEFORE]


def test_it_is_still_known_after_a_second_kill(address, thread, log):
    killed(address, thread, log, WAIT)
    assert killed(address, thread, log, "what?") == ["awaiting_review"]
    assert run(address, thread, log, "approve")["status"] == "answered"
    assert sorted(noted(log)) == ["answer", "awaiting_review", "awaiting_review", *BEFORE]


@pytest.mark.parametrize("again", [None, "approve"])
def test_an_approved_answer_that_is_killed_is_written_again_without_searching(address, thread, log, again):
    killed(address, thread, log, WAIT)
    assert killed(address, thread, log, "approve", deadly=True) == ["answer"]
    result = run(address, thread, log, again)
    assert result["status"] == "answered"
    assert RULE[:-1] in result["answer"]
    assert sorted(noted(log)) == ["answer", "answer", "awaiting_review", *BEFORE]


def test_the_end_is_kept_too(address, thread, log):
    killed(address, thread, log, WAIT)
    assert killed(address, thread, log, "approve") == ["answer", "answered"]
    assert run(address, thread, log, "reject")["status"] == "answered"
    assert sorted(noted(log)) == ["answer", "answered", "awaiting_review", *BEFORE]
