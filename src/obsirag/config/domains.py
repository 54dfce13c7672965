"""Domains of the web in one spelling, so that they can be compared."""

from __future__ import annotations

import re
import unicodedata
from ipaddress import IPv4Address

__all__ = ["normal_domain", "normal_host"]

_IGNORED = re.compile("[\u00ad\u200b\u2060\ufeff]")  # which browsers leave out of a name
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_LONGEST = 253


def normal_domain(domain: str) -> str:
    """Return a domain as it is compared: as ``normal_host`` writes it, without ``*.`` or a dot before it.

    Args:
        domain: E.g. ``example.org``, which stands for its subdomains too, or ``*.Bücher.example``.

    Raises:
        ValueError: If it is no domain.
    """
    return normal_host(domain.strip().removeprefix("*").removeprefix("."))


def normal_host(host: str) -> str:
    """Return a host's name in lower case and ASCII (``xn--…``), without a dot behind it.

    Args:
        host: A name or an IPv4 address.

    Raises:
        ValueError: If it is neither.
    """
    written = unicodedata.normalize("NFKC", _IGNORED.sub("", unicodedata.normalize("NFKC", host)).lower())
    labels = [_ascii(label) for label in written.replace("。", ".").removesuffix(".").split(".")]
    name = ".".join(labels)
    if len(name) > _LONGEST or not all(map(_LABEL.fullmatch, labels)):
        raise ValueError("must be a domain such as example.org, without a scheme, a port or a path")
    if labels[-1].isdigit():  # no domain ends so: it is an address, and nothing less than a whole one
        IPv4Address(name)
    return name


def _ascii(label: str) -> str:
    # As browsers do it (UTS 46, nontransitional); the standard library's codec would make `ss` of a `ß`.
    label.encode()  # half of a character is none: a UnicodeError, which is a ValueError
    return label if label.isascii() else f"xn--{label.encode('punycode').decode('ascii')}"
