"""Pages from templates: HTML with style and script in it, which nothing else can be put beside."""

from __future__ import annotations

import base64
import hashlib
import re
from importlib.resources import files

__all__ = ["filled", "inline_parts"]


def filled(package: str, template: str, **values: str) -> str:
    """Return a template with each ``{{name}}`` replaced, once, so that no note can name another.

    Args:
        package: The package beside which the template lies.
        template: Its file.
        values: HTML by name.
    """
    return re.sub(r"\{\{(\w+)\}\}", lambda found: values[found[1]], _resource(package, template))


def inline_parts(package: str, **parts: str) -> dict[str, str]:
    """Return style and script with their hashes: the browser runs these and no others, whatever a note holds.

    Args:
        package: The package beside which their files lie.
        parts: Their files, by name; the hash of ``style`` is called ``style_hash``.
    """
    told = {}
    for name, file in parts.items():
        content = _resource(package, file)
        digest = hashlib.sha256(content.encode()).digest()
        told[name] = content
        told[f"{name}_hash"] = f"sha256-{base64.b64encode(digest).decode()}"
    return told


def _resource(package: str, name: str) -> str:
    return files(package).joinpath(name).read_text("utf-8")
