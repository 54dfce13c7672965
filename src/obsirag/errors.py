"""Every error that obsirag raises on purpose.

ObsiragError
├── ConfigError             a wrong key or value in the configuration
├── PluginError             a plugin that is unknown, failed to load, or made something unusable
│   └── MissingExtraError   a part whose optional dependency is not installed
├── VaultError              a vault or a note that cannot be read
├── CatalogueError          an index that cannot be opened, or was made with other settings
├── EvaluationError         a question file that cannot be read or breaks its format
└── ServiceError            a model or another service that cannot be reached or failed

A message says what happened, where, and what to do about it.
"""

from __future__ import annotations

__all__ = [
    "CatalogueError",
    "ConfigError",
    "EvaluationError",
    "MissingExtraError",
    "ObsiragError",
    "PluginError",
    "ServiceError",
    "VaultError",
]


class ObsiragError(Exception):
    """Base of all errors that obsirag raises on purpose."""


class ConfigError(ObsiragError):
    """A key or a value in the configuration is wrong."""


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


class ServiceError(ObsiragError):
    """A model or another service cannot be reached, or failed."""
