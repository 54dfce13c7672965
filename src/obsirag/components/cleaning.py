"""Cleaning as the configuration has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from obsirag.components.parts import Components
from obsirag.config import RagConfig

if TYPE_CHECKING:
    from obsirag.records import RenderedNote

__all__ = ["cleaner_of"]


def cleaner_of(config: RagConfig, parts: Components) -> Callable[[RenderedNote], RenderedNote]:
    """Return what cleans a rendered note before it is split.

    Args:
        config: The configuration.
        parts: The parts, with the cleaning steps ready.
    """
    from obsirag.cleaning import clean

    return lambda rendered: clean(rendered, config.cleaning, more_steps=parts.cleaners or ())
