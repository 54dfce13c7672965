"""The options of looking into a question's run."""

from __future__ import annotations

from pydantic import Field

from obsirag.config.model import ConfigModel, Flag, Seconds
from obsirag.config.part import Part
from obsirag.config.paths import FolderPath

__all__ = ["TracingOptions"]


class TracingOptions(ConfigModel):
    """What is told of the nodes of the question graph while they work."""

    slow_seconds: Seconds = Field(
        default=2.0, description="Seconds from which on a node that asks no chat model is logged as slow."
    )
    slow_model_seconds: Seconds = Field(
        default=60.0, description="Seconds from which on a node that asks a chat model is logged as slow."
    )
    dumps: FolderPath | None = Field(
        default=None, description="A folder to write what each node got to; nothing is written if not set."
    )
    observers: tuple[Part, ...] = Field(
        default=(), description="Plugins that watch the nodes, beside those that are given in Python."
    )
    opentelemetry: Flag = Field(default=False, description="Whether each node is a span of OpenTelemetry.")
