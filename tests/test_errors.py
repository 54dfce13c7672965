from obsirag.errors import MissingExtraError, ServiceError, reason_of


def caught(error: Exception) -> Exception:
    try:
        raise error
    except (OSError, ServiceError, ValueError) as same:
        return same


def test_our_own_messages_are_told():
    assert reason_of(caught(ServiceError("The server at 127.0.0.1 is down."))) == "The server at 127.0.0.1 is down."


def test_what_a_stranger_says_is_not_told_but_where_it_came_up_is():
    told = reason_of(caught(ValueError("secret words of a note")))
    assert "secret" not in told
    assert told.startswith("ValueError, raised in test_errors.py, line ")
    assert reason_of(ValueError("secret")) == "ValueError"


def test_the_system_may_speak():
    assert reason_of(OSError(28, "No space left on device", "/private/path")) == "OSError: No space left on device"


def test_a_missing_extra_gives_the_line_that_installs_it():
    assert "pip install 'obsirag[chroma]'" in str(MissingExtraError("vector store 'chroma'", "chroma"))
