"""Labels that whoever builds a graph sets, for servers whose clients send the run's context: none may claim its own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from langgraph.runtime import get_runtime

from obsirag.errors import ConfigError
from obsirag.graphs.callers import CallerLabels, caller_labels
from obsirag.records import labels_of

__all__ = ["LabelsOfUser", "set_labels"]

LabelsOfUser = Callable[[Any], Collection[str]]
"""Gives the labels of the user whom the server knows (``runtime.server_info.user``), None of one whom it doesn't."""


def set_labels(given: Collection[str] | LabelsOfUser | None) -> CallerLabels:
    """Return what gives the labels of a run's caller.

    Args:
        given: The labels of all callers; or what gives those of a user; or None for those of the run's context.

    Raises:
        ConfigError: If that is none of these.
    """
    if given is None:
        return caller_labels
    labels_of_user = given if callable(given) else _same_for_all(labels_of(given))

    def labels() -> tuple[str, ...]:
        runtime = get_runtime()
        if _claims_labels(runtime.context):
            raise ConfigError(
                "A run's context has `labels`, but this graph was built with labels: a caller cannot bring any"
            )
        info = runtime.server_info
        return labels_of(labels_of_user(info.user if info is not None else None))

    return labels


def _same_for_all(labels: tuple[str, ...]) -> LabelsOfUser:
    return lambda _: labels


def _claims_labels(context: object) -> bool:
    # An empty list claims nothing; what a server makes of a context may be an object.
    claimed = context.get("labels") if isinstance(context, Mapping) else getattr(context, "labels", None)
    return claimed is not None and claimed != [] and claimed != ()
