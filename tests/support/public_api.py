"""The public interface as text: what can be imported, with signatures, read from the sources."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import griffe

SOURCES = Path(__file__).parents[2] / "src"
ROOMS = (
    *("", ".graphs", ".tools", ".retrievers", ".splitters", ".evaluation", ".checking", ".testing", ".mcp"),
    *(".plugins", ".plugins.hookspecs", ".records", ".errors"),
)


def public_api() -> str:
    """Return a line for each public name and each public member of a class."""
    package = griffe.load("obsirag", search_paths=[SOURCES], resolve_aliases=False)
    lines = [line for room in ROOMS for line in _room(package, f"obsirag{room}")]
    return "\n".join(lines) + "\n"


def _room(package: griffe.Module, path: str) -> Iterator[str]:
    room = package[path.removeprefix("obsirag.")] if "." in path else package
    yield f"# {path}"
    for name in sorted(room.exports or ()):
        name = str(name)
        found = _target(package, room, name)
        yield from _lines(found, f"{path}.{name}", package)
    yield ""


def _target(package: griffe.Module, room: griffe.Module, name: str) -> griffe.Object:
    """Return what a name of a room stands for, wherever it is written."""
    found = room.members[name]
    while found.is_alias:
        found = package[found.target_path.removeprefix("obsirag.")]
    return found


def _lines(found: griffe.Object, path: str, package: griffe.Module) -> Iterator[str]:
    if found.is_function:
        yield f"{_kind(found)}{path}{_signature(found)}"
    elif found.is_class:
        bases = ", ".join(str(base) for base in found.bases)
        yield f"class {path}({bases}){_constructor(found)}"
        for name, member in sorted(found.members.items()):
            if not name.startswith("_") and not member.is_alias and member.name not in ("model_config",):
                yield from (f"    {line}" for line in _member(member, name))
    else:
        yield f"{path}: {found.annotation or 'value'}"


def _member(member: griffe.Object, name: str) -> Iterator[str]:
    if member.is_function:
        yield f"{_kind(member)}{name}{_signature(member)}"
    else:
        yield f"{name}: {member.annotation or 'value'}"


def _kind(function: griffe.Object) -> str:
    return "async def " if "async" in function.labels else "def "


def _constructor(found: griffe.Object) -> str:
    made = found.members.get("__init__")
    return "" if made is None or made.is_alias else _signature(made)


def _signature(function: griffe.Object) -> str:
    told: list[str] = []
    seen = None
    for parameter in function.parameters:
        kind = parameter.kind.value
        if kind == "keyword-only" and seen not in ("keyword-only", "variadic positional"):
            told.append("*")
        if seen == "positional-only" and kind != seen:
            told.append("/")
        stars = {"variadic positional": "*", "variadic keyword": "**"}.get(kind, "")
        text = f"{stars}{parameter.name}"
        text += f": {parameter.annotation}" if parameter.annotation else ""
        if parameter.default is not None and not stars:
            text += f" = {parameter.default}"
        told.append(text)
        seen = kind
    return f"({', '.join(told)}) -> {function.returns}"


if __name__ == "__main__":
    print(public_api(), end="")
