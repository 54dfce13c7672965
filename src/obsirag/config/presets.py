"""Presets: files of settings, each taken where a configuration doesn't set its own."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import yaml

from obsirag.config.rag import RagConfig

__all__ = ["with_preset"]


def with_preset(config: RagConfig) -> RagConfig:
    """Return a configuration with the settings of its preset where it has none of its own.

    A setting is its own if it was given, and isn't ``null``. Settings are settled when a graph is built, not when the
    configuration is made, so that a copy with another ``preset`` is one.

    Args:
        config: The configuration.
    """
    update: dict[str, Any] = {}
    for section, settings in _settings(config.preset).items():
        options = getattr(config, section)
        own = {name for name in options.model_fields_set if getattr(options, name) is not None}
        # Validated, so that a preset can't hold what a configuration couldn't.
        filled = options.model_validate({**settings, **{name: getattr(options, name) for name in own}})
        update[section] = filled
    return config.model_copy(update=update)


def _settings(preset: str) -> dict[str, dict[str, Any]]:
    text = files(__package__).joinpath("presets", f"{preset}.yaml").read_text(encoding="utf-8")
    return dict(yaml.safe_load(text))
