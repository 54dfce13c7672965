"""Running the checks of a part without pytest."""

from __future__ import annotations

from obsirag.errors import ObsiragError, ServiceError, reason_of
from obsirag.retrievers.deadlines import call_within
from obsirag.testing.checks import AbsentCapability, Check, ConformanceError, checks_of
from obsirag.testing.conformance import Conformance
from obsirag.testing.report import CheckResult, ConformanceReport

__all__ = ["run_conformance"]


def run_conformance(kit: type[Conformance], *, name: str = "", timeout: float = 120.0) -> ConformanceReport:
    """Return what comes of the checks of a part.

    Args:
        kit: The conformance class, which says how the part is made.
        name: What the part is called; the class's name if empty.
        timeout: How many seconds a check may take before it counts as failed.

    Raises:
        ServiceError: If the part, or the service behind it, cannot be reached at all.
        ObsiragError: If the part cannot be made.
    """
    told = name or kit.__name__
    shared = kit()
    try:
        _reach(shared, told, timeout)
        results = [_run(kit, shared, each, timeout) for each in checks_of(kit)]
    finally:
        shared.teardown_method()
    return ConformanceReport(kit.kind, told, tuple(results))


def _reach(kit: Conformance, name: str, timeout: float) -> None:
    try:
        call_within(timeout, kit.reach)
    except ObsiragError:
        raise
    except TimeoutError as error:
        raise ServiceError(
            f"{kit.kind} {name!r} gave no answer within {timeout:g} seconds. Does its service run?"
        ) from error
    except (Exception, SystemExit) as error:
        raise ServiceError(
            f"{kit.kind} {name!r} failed when it was made, or in its first call: {type(error).__name__}: "
            f"{str(error) or reason_of(error)}. If it needs a service, look whether that runs, and at the options"
        ) from error


def _run(kit: type[Conformance], shared: Conformance, check: Check, timeout: float) -> CheckResult:
    instance = kit() if kit.needs_fresh_parts else shared
    try:
        call_within(timeout, lambda: getattr(instance, check.name)())
    except AbsentCapability:
        return CheckResult(check, "absent")
    except ConformanceError as error:
        return CheckResult(check, "failed", str(error))
    except TimeoutError:
        return CheckResult(check, "failed", f"expected an end; came none within {timeout:g} seconds; so {check.harm}")
    finally:
        if instance is not shared:
            instance.teardown_method()
    return CheckResult(check, "passed")
