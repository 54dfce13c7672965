"""Every error that obsirag raises on purpose.

ObsiragError
├── ConfigError             a wrong key or value in the configuration
│   └── UnsupportedError    a part that cannot do what it is asked for where it is to run
├── PluginError             a plugin that is unknown, failed to load, or made something unusable
│   └── MissingExtraError   a part whose optional dependency is not installed
├── VaultError              a vault or a note that cannot be read
├── CatalogueError          an index that cannot be opened, or was made with other settings
├── EvaluationError         a question file that cannot be read or breaks its format
├── TraceError              a saved run, or what a node got, that cannot be read
└── ServiceError            a model or another service that cannot be reached or failed

A message says what happened, where, and what to do about it.
"""

from __future__ import annotations

from pathlib import PurePath

__all__ = [
    "CatalogueError",
    "ConfigError",
    "EvaluationError",
    "MissingExtraError",
    "ObsiragError",
    "PluginError",
    "ServiceError",
    "TraceError",
    "UnsupportedError",
    "VaultError",
    "reason_of",
]


class ObsiragError(Exception):
    """Base of all errors that obsirag raises on purpose."""


class ConfigError(ObsiragError):
    """A key or a value in the configuration is wrong."""


class UnsupportedError(ConfigError):
    """What a part is to run on cannot do what the configuration asks of it, such as an older server."""


class PluginError(ObsiragError):
    """A plugin is unknown, failed to load, or made something that cannot be used."""


class MissingExtraError(PluginError):
    """A part was asked for whose optional dependency is not installed.

    Args:
        part: What was asked for, as the user names it, e.g. ``"vector store 'chroma'"``.
        extra: The extra that brings it.
    """

    def __init__(self, part: str, extra: str) -> None:
        super().__init__(
            f"{part} needs a package that is not installed. Install it with: pip install 'obsirag[{extra}]'"
        )
        self.extra = extra


class VaultError(ObsiragError):
    """A vault or a note cannot be read."""


class CatalogueError(ObsiragError):
    """An index cannot be opened, or it was made with settings that don't fit."""


class EvaluationError(ObsiragError):
    """A question file cannot be read, or it breaks its format."""


class TraceError(ObsiragError):
    """The record of a run, or of what a node got, cannot be read."""


class ServiceError(ObsiragError):
    """A model or another service cannot be reached, or failed."""


def reason_of(error: BaseException) -> str:
    """Return what may be told of an error to anybody, e.g. in a report or a log.

    Our own messages hold no text of notes. A stranger's message may quote what it was given, so of that only the kind
    is told, and the place in the code where it came up.
    """
    if isinstance(error, ObsiragError):
        return str(error)
    kind = type(error).__name__
    if isinstance(error, OSError) and error.strerror:
        return f"{kind}: {error.strerror}"
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return kind
    return f"{kind}, raised in {PurePath(trace.tb_frame.f_code.co_filename).name}, line {trace.tb_lineno}"
