"""What a check of the kit is: a requirement, or the test of something that a part may have."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar, cast
from unittest import SkipTest

from obsirag.errors import reason_of

__all__ = ["AbsentCapability", "Capability", "Check", "ConformanceError", "check", "checks_of", "expect"]

Test = TypeVar("Test", bound=Callable[[Any], None])
_MARK = "conformance_check"
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class Capability:
    """Something that a part may have, and that obsirag uses where it has it.

    Args:
        name: What it is called in reports.
        lack: What it costs the user if a part doesn't have it.
        is_there: Says of a conformance class's instance whether its part has it; an exception means that it hasn't.
    """

    name: str
    lack: str
    is_there: Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Check:
    """A check of a conformance class.

    Args:
        name: The name of the method, which is that of the test.
        harm: What the user would suffer from a part that fails it.
        capability: What it tests; None for a requirement.
    """

    name: str
    harm: str
    capability: Capability | None

    @property
    def title(self) -> str:
        """The name as a sentence."""
        return self.name.removeprefix("test_").replace("_", " ")


class ConformanceError(AssertionError):
    """A part does not do what obsirag needs of it."""


class AbsentCapability(SkipTest):
    """A part doesn't have what a check is about, and needn't have it."""


class _UnmetError(Exception):
    """What was expected did not come."""


def expect(holds: object, expected: str, came: object) -> None:
    """Fail the present check unless ``holds``.

    Args:
        holds: Whether what came is what was expected.
        expected: What was expected, in words.
        came: What came: words, or any value.
    """
    if not holds:
        raise _UnmetError(f"expected {expected}; came {_shown(came)}")


def check(*, harm: str, of: Capability | None = None) -> Callable[[Test], Test]:
    """Make a check of a method: whatever goes wrong in it is told with what was expected and what the harm is.

    Args:
        harm: What the user would suffer from a part that fails it, as a sentence's end.
        of: What it tests; None for a requirement.
    """

    def decorate(test: Test) -> Test:
        told = Check(test.__name__, harm, of)

        @wraps(test)
        def run(self: Any) -> None:
            if of is not None and not _is_there(of, self):
                raise AbsentCapability(f"without {of.name}: {of.lack}")
            try:
                test(self)
            except _UnmetError as unmet:
                raise ConformanceError(f"{unmet}; so {harm}") from None
            except ConformanceError:
                raise
            # A part that skips the test or leaves the program has done nothing of what it is asked for.
            except (Exception, SystemExit) as error:
                came = f"{type(error).__name__}: {str(error)[:_LONGEST] or reason_of(error)}"
                raise ConformanceError(f"expected that {told.title}; came {came}; so {harm}") from error

        setattr(run, _MARK, told)
        return cast(Test, run)

    return decorate


def checks_of(kit: type[Any]) -> Iterator[Check]:
    """Yield the checks of a conformance class, requirements first, each in the order in which they are written."""
    found = dict[str, Check]()
    for each in reversed(kit.__mro__):
        for name in vars(each):
            told = getattr(getattr(kit, name, None), _MARK, None)
            if told is not None:
                found.setdefault(name, told)
    yield from sorted(found.values(), key=lambda each: each.capability is not None)


def _is_there(capability: Capability, kit: object) -> bool:
    try:
        return bool(capability.is_there(kit))
    except (Exception, SystemExit):  # noqa: BLE001 - somebody's code: what it cannot be asked for it doesn't have
        return False


def _shown(came: object) -> str:
    text = came if isinstance(came, str) else repr(came)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text)} characters)"
