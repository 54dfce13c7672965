"""Attachments: files that are embedded but hold no text to fill in."""

from __future__ import annotations

import re

__all__ = ["alias_words", "is_attachment_name"]

_SIZE = re.compile(r"\d+(?:\s*[xX×]\s*\d+)?(?:px|%)?")

# What Obsidian embeds, by the ends of file names: images, sound, video, PDF, and its own views.
_SUFFIX = re.compile(
    r".+\.(?:avif|bmp|gif|ico|jfif|jpe?g|jxl|png|svg|webp|heic|tiff?"
    r"|aac|flac|m4a|mp3|ogg|opus|wav|wma|3gp|avi|m4v|mkv|mov|mp4|mpe?g|ogv|webm|wmv"
    r"|pdf|base|excalidraw|drawio|docx?|xlsx?|pptx?|od[tsp]|epub|rtf|txt|csv|zip|html)",
    re.IGNORECASE | re.DOTALL,
)


def is_attachment_name(name: str) -> bool:
    """Say whether a name that no file has would be that of an attachment."""
    return _SUFFIX.fullmatch(name.strip()) is not None


def alias_words(alias: str | None) -> str:
    """Return the words of an attachment's alias: all of it but sizes such as ``300`` and ``300x200``."""
    parts = [part.replace("\\", "").strip() for part in (alias or "").split("|")]
    return " ".join(part for part in parts if part and not _SIZE.fullmatch(part))
