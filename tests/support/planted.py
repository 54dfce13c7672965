"""What is to be said of a part with a planted fault."""

from __future__ import annotations

from obsirag.testing import Conformance, ConformanceError

__all__ = ["assert_caught"]


def assert_caught(kit: type[Conformance], check: str) -> None:
    """Make sure that a check finds the fault, and says what was expected, what came, and what it means."""
    instance = kit()
    try:
        getattr(instance, check)()
    except ConformanceError as error:
        message = str(error)
    else:
        raise AssertionError(f"{kit.__name__} passes {check}")
    finally:
        instance.teardown_method()
    assert message.startswith("expected ")
    assert "; came " in message
    assert "; so " in message
