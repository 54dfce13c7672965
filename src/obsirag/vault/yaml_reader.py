"""YAML as front matter needs it: safe, bounded, and without the surprises of YAML 1.1."""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterator
from typing import Any, ClassVar

import yaml

from obsirag.vault.decoding import storable
from obsirag.vault.placeholders import holds_placeholder, substitute
from obsirag.vault.stand_ins import StandIns

__all__ = ["MAX_NODES", "UnusableYamlError", "read_yaml"]

MAX_NODES = 10_000
MAX_DEPTH = 50
MAX_CHARACTERS = 200_000

_OPENING_LEVELS = "[{-:?"
_MAX_DIGITS = 3500  # written in any base; Python refuses to write out numbers beyond 4300 decimal ones

# YAML 1.2 ends no line at the last three, as 1.1 does; the others may only be escaped, but get into titles with pasted
# text, and are no reason to lose all fields.
_FOREIGN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufeff\ufffe\uffff\x85\u2028\u2029]")

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_Resolvers = dict[str | None, list[tuple[str, re.Pattern[str]]]]


class UnusableYamlError(Exception):
    """The YAML cannot be used; the message says why, without quoting it.

    Args:
        reason: Why.
        line: 1-based line of the YAML where that was seen; 0 if it is the whole.
    """

    def __init__(self, reason: str, line: int = 0) -> None:
        super().__init__(reason)
        self.line = line


def _resolvers() -> _Resolvers:
    """Return how plain scalars are told apart: each first character with the tags it may have and their patterns."""
    resolvers: _Resolvers = {}
    # Base 60 numbers would turn 12:30 into 750, and yes/no/on/off are words in YAML 1.2 as in Obsidian.
    for name, pattern, first in (
        ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", "tTfF"),
        ("null", r"^(?:~|null|Null|NULL|)$", "~nN"),
        ("int", r"^[-+]?(?:[0-9]{1,3400}|0x[0-9a-fA-F]{1,3400}|0o[0-7]{1,3400})$", "-+0123456789"),
        (
            "float",
            r"^[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)(?:[eE][-+]?[0-9]+)?$|^[-+]?[0-9]+[eE][-+]?[0-9]+$",
            "-+.0123456789",
        ),
        ("float", r"^[-+]?\.(?:inf|Inf|INF)$|^\.(?:nan|NaN|NAN)$", "-+."),
        (
            "timestamp",
            r"^\d{4}-\d{2}-\d{2}(?:(?:[Tt]|[ \t]+)\d{1,2}:\d{2}:\d{2}(?:\.\d*)?"
            r"(?:[ \t]*(?:Z|[-+]\d{1,2}(?::?\d{2})?))?)?$",
            "0123456789",
        ),
    ):
        for character in first:
            resolvers.setdefault(character, []).append((f"tag:yaml.org,2002:{name}", re.compile(pattern)))
    return resolvers


def _construct_int(loader: Any, node: yaml.ScalarNode) -> int:
    text: str = loader.construct_scalar(node)
    if len(text) > _MAX_DIGITS:
        raise ValueError(f"a number of more than {_MAX_DIGITS} digits")  # nothing could write it out again
    for prefix, number_base in (("0x", 16), ("0o", 8)):
        if prefix in text:
            return int(text.replace(prefix, ""), number_base)
    return int(text)


def _construct_float(loader: Any, node: yaml.ScalarNode) -> Any:
    value = yaml.constructor.SafeConstructor.construct_yaml_float(loader, node)
    # The id 12e3456 is no number: it must not become the infinity that all such ids would be.
    return node.value if math.isinf(value) and "inf" not in node.value.lower() else value


def _construct_timestamp(loader: Any, node: yaml.ScalarNode) -> Any:
    try:
        return yaml.constructor.SafeConstructor.construct_yaml_timestamp(loader, node)
    except (ValueError, OverflowError):  # 30 February: a text then, as Obsidian takes it
        return node.value


class _FrontMatterLoader(_Loader):  # type: ignore[misc]
    """Scalars by YAML 1.2 and dates; keys are texts as written, and equal ones an error."""

    yaml_implicit_resolvers: ClassVar[_Resolvers] = _resolvers()
    yaml_implicit_resolvers.setdefault("", []).append(("tag:yaml.org,2002:null", re.compile("^$")))
    yaml_constructors: ClassVar[dict[str | None, Any]] = {
        **_Loader.yaml_constructors,
        "tag:yaml.org,2002:int": _construct_int,
        "tag:yaml.org,2002:float": _construct_float,
        "tag:yaml.org,2002:timestamp": _construct_timestamp,
    }

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    raise UnusableYamlError("a key is repeated", key.start_mark.line + 1)
                seen.add(key.value)
                key.tag = "tag:yaml.org,2002:str"  # 1 and true would be one key, and 2024.10 become 2024.1
        mapping: dict[Hashable, Any] = super().construct_mapping(node, deep=deep)
        return mapping


def read_yaml(text: str) -> Any:
    """Return the value of a YAML document of plain types; never an object, never more than ``MAX_NODES`` values.

    Placeholders of templates, such as ``created: {{date}}``, are text, wherever they stand; a line that is nothing else
    is left out.

    Raises:
        UnusableYamlError: If ``text`` is not valid, repeats a key, or unfolds to more than it should.
    """
    if len(text) > MAX_CHARACTERS:
        raise UnusableYamlError(f"longer than {MAX_CHARACTERS:,} characters")
    text = text.removeprefix("\ufeff")
    fault: UnusableYamlError | None = None
    for readable, stand_ins in _readable(text):
        try:
            return _to_plain(_load(readable), stand_ins)
        except UnusableYamlError as error:
            fault = fault or error
    assert fault is not None  # noqa: S101 - there was something to read
    raise fault


def _readable(text: str) -> Iterator[tuple[str, StandIns]]:
    """Yield what may be read instead of ``text``, with its stand-ins; the likeliest first."""
    tried: set[str] = set()
    for in_quotes in (False, True) if holds_placeholder(text) else ():
        stand_ins = StandIns(text)
        replaced = substitute(text, stand_ins.of, in_quotes=in_quotes)
        tried.add(replaced)
        yield _without_foreign(replaced, stand_ins), stand_ins
    if text not in tried:
        stand_ins = StandIns(text)
        yield _without_foreign(text, stand_ins), stand_ins


def _without_foreign(text: str, stand_ins: StandIns) -> str:
    """Return ``text`` with stand-ins for characters that no reader of YAML takes as it should."""
    return _FOREIGN.sub(lambda found: stand_ins.of(found.group()), text)


def _load(readable: str) -> Any:
    """Return the value of YAML that is neither too deep nor too large."""
    try:
        _check_depth(readable)
        value = yaml.load(readable, Loader=_FrontMatterLoader)  # noqa: S506 - a subclass of the safe loader
    except yaml.YAMLError as error:
        raise _fault(error) from None
    except (ValueError, TypeError, LookupError, OverflowError, RecursionError, AttributeError) as error:
        # What constructors of scalars raise on values such as impossible dates, or keys that are lists.
        raise UnusableYamlError(f"a value cannot be read ({type(error).__name__})") from None
    _check_size(value)
    return value


def _check_depth(text: str) -> None:
    """Refuse deep nesting before anything recursive looks at it."""
    # Each level takes one of these characters at least, and few notes have so many.
    if sum(map(text.count, _OPENING_LEVELS)) <= MAX_DEPTH:
        return
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        if isinstance(event, (yaml.SequenceStartEvent, yaml.MappingStartEvent)):
            depth += 1
            if depth > MAX_DEPTH:
                raise UnusableYamlError(f"nested deeper than {MAX_DEPTH} levels")
        elif isinstance(event, (yaml.SequenceEndEvent, yaml.MappingEndEvent)):
            depth -= 1


def _check_size(value: Any) -> None:
    """Refuse values whose YAML aliases unfold to too much, or to themselves: whoever writes them out would hang."""
    count = 0
    waiting = [value]
    while waiting:
        count += 1
        if count > MAX_NODES:
            raise UnusableYamlError(f"more than {MAX_NODES:,} values, aliases unfolded")
        each = waiting.pop()
        if isinstance(each, dict):
            waiting.extend(each.values())
        elif isinstance(each, (list, tuple, set)):
            waiting.extend(each)


def _to_plain(value: Any, stand_ins: StandIns) -> Any:
    """Return ``value`` in the shapes that JSON knows, dates apart; the depth is bounded by its size."""
    if isinstance(value, dict):
        return {_to_text(str(key), stand_ins): _to_plain(each, stand_ins) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_to_plain(each, stand_ins) for each in value]
    if isinstance(value, set):
        return sorted(_to_text(str(each), stand_ins) for each in value)
    if isinstance(value, str):
        return _to_text(value, stand_ins)
    return value.decode("latin-1") if isinstance(value, bytes) else value


def _to_text(text: str, stand_ins: StandIns) -> str:
    return storable(stand_ins.restored(text))


def _fault(error: yaml.YAMLError) -> UnusableYamlError:
    problem = getattr(error, "problem", None) or "not valid YAML"
    mark = getattr(error, "problem_mark", None)
    # Only the parser's own words: what the note says may be restricted.
    return UnusableYamlError(re.sub(r"['\"`].*['\"`]", "…", str(problem)), mark.line + 1 if mark is not None else 0)
