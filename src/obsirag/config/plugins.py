"""Which plugins may be used."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from obsirag.config.model import ConfigModel

__all__ = ["PluginOptions"]

_PluginName = Annotated[str, StringConstraints(strict=True, strip_whitespace=True, min_length=1)]


class PluginOptions(ConfigModel):
    """Which of the plugins that are installed may be imported.

    Each entry is a distribution (``acme-rag``), the name of an entry point (``acme``), or both (``acme-rag:acme``).
    """

    allow: tuple[_PluginName, ...] | None = Field(
        default=None, description="Only these, and what is built in; all if not set."
    )
    deny: tuple[_PluginName, ...] = Field(default=(), description="Not these, whoever allows them.")
