"""Reading the configuration from a file."""

from __future__ import annotations

import tomllib
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any

import yaml

from obsirag.config.rag import RagConfig
from obsirag.errors import ConfigError

__all__ = ["load_config"]


def load_config(path: str | Path, *, defaults: Mapping[str, Any] | None = None) -> RagConfig:
    """Return the configuration that a YAML or TOML file holds.

    Args:
        path: The file; its suffix says which: ``.yaml``, ``.yml`` or ``.toml``. Paths in it are relative to its folder.
        defaults: Values of keys that the file may leave out.

    Raises:
        ConfigError: If the file cannot be read, or a key or value in it is wrong.
    """
    file = Path(path)
    values = {**(defaults or {}), **_parse(file, _read(file))}
    return RagConfig.parse(values, place=str(file), folder=file.parent)


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise ConfigError(f"{file}: there is no such file") from error
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file}: is not UTF-8 (byte {error.start}); save it as UTF-8") from error
    except ValueError as error:
        raise ConfigError(f"{str(file)!r} is no file's name: {error}") from error


def _parse(file: Path, text: str) -> dict[str, Any]:
    suffix = file.suffix.lower()
    if suffix == ".toml":
        values = _parse_toml(file, text)
    elif suffix in {".yaml", ".yml"}:
        values = _parse_yaml(file, text)
    else:
        raise ConfigError(f"{file}: a configuration file ends in .yaml, .yml or .toml")
    if values is None:
        values = {}
    if not isinstance(values, dict):
        raise ConfigError(f"{file}: must hold keys with values, such as `vault: notes`")
    odd = next((key for key in values if not isinstance(key, str)), None)
    if odd is not None:
        raise ConfigError(f"{file}: the key {odd!r} is not text")
    return values


def _parse_toml(file: Path, text: str) -> Any:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{file}: is not valid TOML: {error}") from error


def _parse_yaml(file: Path, text: str) -> Any:
    try:
        return yaml.load(text, _UniqueKeyLoader)  # noqa: S506 - a SafeLoader
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f"{file}:{mark.line + 1}" if mark else str(file)
        raise ConfigError(f"{line}: is not valid YAML: {error.problem or error.context}") from error
    # Besides its own errors, the library lets through what Python raises on a date such as 2001-99-99, `!!bool x`,
    # or a thousand brackets.
    except (yaml.YAMLError, ValueError, LookupError, AttributeError, RecursionError) as error:
        raise ConfigError(f"{file}: is not valid YAML: {error}") from error


class _UniqueKeyLoader(yaml.SafeLoader):
    """YAML's safe loader, but a key given twice is a fault: the first value would be lost without a word."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.tag != "tag:yaml.org,2002:merge":
                if key.value in seen:
                    raise yaml.MarkedYAMLError(
                        problem=f"the key {key.value!r} is given twice", problem_mark=key.start_mark
                    )
                seen.add(key.value)
        return super().construct_mapping(node, deep)
