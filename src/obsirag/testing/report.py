"""What came of the checks of a part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from obsirag.testing.checks import Capability, Check

__all__ = ["CheckResult", "ConformanceReport", "Outcome"]

Outcome = Literal["passed", "failed", "absent"]
_SIGNS: dict[Outcome, str] = {"passed": "+", "failed": "!", "absent": "-"}


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What came of a check.

    Args:
        check: The check.
        outcome: ``absent`` if the part doesn't have what it tests.
        message: Why it failed; empty if it didn't.
    """

    check: Check
    outcome: Outcome
    message: str = ""


@dataclass(frozen=True, slots=True)
class ConformanceReport:
    """What came of all checks of a part.

    Args:
        kind: The kind of part.
        name: What the part is called.
        results: One for each check.
    """

    kind: str
    name: str
    results: tuple[CheckResult, ...]

    @property
    def required(self) -> tuple[CheckResult, ...]:
        """Those of the requirements."""
        return tuple(each for each in self.results if each.check.capability is None)

    @property
    def failures(self) -> tuple[CheckResult, ...]:
        """Those that failed, of requirements and of capabilities that the part has."""
        return tuple(each for each in self.results if each.outcome == "failed")

    @property
    def conforms(self) -> bool:
        """Whether nothing failed."""
        return not self.failures

    @property
    def capabilities(self) -> dict[str, Outcome]:
        """The capabilities: ``passed`` if the part has it, ``failed`` if it has it but not as it should."""
        return {capability.name: _outcome(results) for capability, results in self._by_capability()}

    def lines(self) -> Iterator[tuple[str, Outcome | None]]:
        """Yield the report line by line, each with the outcome that it tells, if it tells one."""
        passed = sum(each.outcome == "passed" for each in self.required)
        yield f"{self.kind.replace('_', ' ')} {self.name!r}", None
        yield (
            f"required: {passed} of {len(self.required)} passed",
            "passed" if passed == len(self.required) else "failed",
        )
        yield from (line for each in self.required for line in _told(each))
        yield "capabilities:", None
        for capability, results in self._by_capability():
            outcome = _outcome(results)
            lack = f" - not there: {capability.lack}" if outcome == "absent" else ""
            yield f"  {_SIGNS[outcome]} {capability.name}{lack}", outcome
            yield from (
                (f"  {line}", told) for each in results if each.outcome == "failed" for line, told in _told(each)
            )
        count = len(self.failures)
        verdict = "It conforms." if self.conforms else f"It does not conform: {count} check{'s'[: count != 1]} failed."
        yield verdict, "passed" if self.conforms else "failed"

    def __str__(self) -> str:
        return "\n".join(line for line, _ in self.lines())

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain data."""
        return {
            "kind": self.kind,
            "name": self.name,
            "conforms": self.conforms,
            "required": [
                {"check": each.check.title, "outcome": each.outcome, "message": each.message} for each in self.required
            ],
            "capabilities": [
                {
                    "name": capability.name,
                    "outcome": _outcome(results),
                    "lack": capability.lack,
                    "checks": [
                        {"check": each.check.title, "outcome": each.outcome, "message": each.message}
                        for each in results
                    ],
                }
                for capability, results in self._by_capability()
            ],
        }

    def _by_capability(self) -> list[tuple[Capability, list[CheckResult]]]:
        found: dict[str, tuple[Capability, list[CheckResult]]] = {}
        for each in self.results:
            if (capability := each.check.capability) is not None:
                found.setdefault(capability.name, (capability, []))[1].append(each)
        return list(found.values())


def _outcome(results: list[CheckResult]) -> Outcome:
    outcomes = {each.outcome for each in results}
    return "failed" if "failed" in outcomes else "passed" if "passed" in outcomes else "absent"


def _told(result: CheckResult) -> Iterator[tuple[str, Outcome]]:
    yield f"  {_SIGNS[result.outcome]} {result.check.title}", result.outcome
    if result.message:
        yield f"      {result.message}", result.outcome
