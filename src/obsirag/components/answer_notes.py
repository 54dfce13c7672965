"""The note that becomes of an answer: its name, its front matter and its text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import PurePosixPath

import yaml

from obsirag.errors import ConfigError
from obsirag.records import DERIVED, Citation, Permissions

__all__ = ["answer_text", "file_name", "one_permission"]

_LONGEST_NAME = 60
# What some system or Obsidian's links cannot have in the name of a file.
_UNSAFE = re.compile(r"[\\/:*?\"<>|#^\[\]%&$!`~{}]|[^\w\s.,;()'+=@，。、；（）《》“”‘’？！：-]")
_WEB = ("http://", "https://")
_LINK_MARKS = set("#|^[]")


def file_name(question: str, day: date) -> str:
    """Return the name of a note's file without its ending: the day, and the beginning of the question."""
    words = " ".join(_UNSAFE.sub(" ", question).split())[:_LONGEST_NAME].strip(" .")
    return f"{day.isoformat()} {words or 'answer'}"


def one_permission(permissions: Permissions) -> tuple[str, ...]:
    """Return labels of which each alone meets all the label sets, so that they guard a text at least as strictly.

    Raises:
        ConfigError: If there is no such label.
    """
    if not permissions:
        return ()
    common = set(permissions[0]).intersection(*permissions[1:])
    if not common:
        raise ConfigError(
            "The answer leans on notes with different labels, and a note can only ask for one of several: there is no "
            "label that alone may read all of them. It was not saved."
        )
    return tuple(sorted(common))


def answer_text(
    question: str,
    answer: str,
    citations: Sequence[Citation],
    *,
    day: date,
    hashes: Mapping[str, str],
    labels: Sequence[str],
) -> str:
    """Return the text of the note, with its front matter.

    Args:
        question: What was asked.
        answer: What was answered.
        citations: Where that stands.
        day: When.
        hashes: The hashes of the cited notes' files, by path.
        labels: Who may read it; everybody if empty.
    """
    fields: dict[str, object] = {
        "title": " ".join(question.split()),
        "derived": DERIVED,
        "date": day,
        "question": question,
        "sources": [*_sources(citations, hashes)],
    }
    if labels:
        fields["permission"] = [*labels]
    front = yaml.safe_dump(fields, allow_unicode=True, sort_keys=False, width=10_000)
    listed = "\n".join(f"{number}. {words}" for number, words in _listed(citations))
    return f"---\n{front}---\n\n{_harmless(answer).strip()}\n\n## Sources\n\n{listed}\n"


def _sources(citations: Iterable[Citation], hashes: Mapping[str, str]) -> Iterable[dict[str, str]]:
    places: dict[str, dict[str, None]] = {}
    for each in citations:
        places.setdefault(each["source"], {})[_lines(each)] = None
    for source, lines in places.items():
        if source.startswith(_WEB):
            yield {"page": source}
        else:
            yield {"note": source, "lines": ", ".join(lines), "sha256": hashes[source]}


def _listed(citations: Iterable[Citation]) -> Iterable[tuple[int, str]]:
    for each in citations:
        if each["source"].startswith(_WEB):
            yield each["number"], f"<{each['source']}>"
            continue
        path = each["source"].removesuffix(".md")
        heading = each["headings"][-1] if each["headings"] and each["source"].endswith(".md") else ""
        subpath = f"#{heading}" if heading and not _LINK_MARKS & set(heading) else ""
        link = f"`{path}`" if _LINK_MARKS & set(path) else f"[[{path}{subpath}|{PurePosixPath(path).name}]]"
        yield each["number"], f"{link}, lines {_lines(each)}"


def _lines(citation: Citation) -> str:
    first, last = citation["start_line"], citation["end_line"]
    return f"{first}-{last}" if last > first else f"{first}"


def _harmless(answer: str) -> str:
    """Return an answer in which nothing is embedded and nothing is a comment: it is to stand as it was read."""
    return answer.replace("![[", "[[").replace("%%", "%\u2060%")
