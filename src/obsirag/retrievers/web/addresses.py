"""Addresses of pages: one spelling for each, and the lists of domains that they are held against."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self
from urllib.parse import quote, urlsplit, urlunsplit

from obsirag.config import normal_domain, normal_host

__all__ = ["DomainLists", "host_of", "normal_url"]

_LONGEST = 2000
_UNWRITABLE = re.compile(r"[\x00-\x20\x7f\\]")
_PORTS = {"http": 80, "https": 443}
_KEPT = "%/:@!$&'()*+,;=~?"


def normal_url(url: str) -> str | None:
    """Return the address of a page in one spelling: without a fragment, its host in lower case and ASCII.

    Args:
        url: Any text.

    Returns:
        None for what is no address of a page: another scheme than http and https, no host or an IPv6 address, a user's
        name in it, blanks, backslashes, or more than 2,000 characters.
    """
    url = url.strip()
    if len(url) > _LONGEST or _UNWRITABLE.search(url):
        return None
    try:
        parts = urlsplit(url)
        host, port = normal_host(parts.hostname or ""), parts.port
        path, query = quote(parts.path, safe=_KEPT), quote(parts.query, safe=_KEPT)
    except ValueError:
        return None
    if parts.scheme not in _PORTS or "@" in parts.netloc:
        return None
    place = host if port in {None, _PORTS[parts.scheme]} else f"{host}:{port}"
    return urlunsplit((parts.scheme, place, path or "/", query, ""))


def host_of(url: str) -> str:
    """Return the host of an address that ``normal_url`` wrote."""
    return urlsplit(url).hostname or ""


@dataclass(frozen=True, slots=True)
class DomainLists:
    """Which domains pages may come from; a domain stands for its subdomains too.

    Args:
        allow: The only ones, in the spelling of ``normal_domain``; all if empty.
        block: Those that none may come from, even if they are allowed.
    """

    allow: tuple[str, ...] = ()
    block: tuple[str, ...] = ()

    @classmethod
    def of(cls, allow: Iterable[str], block: Iterable[str]) -> Self:
        """Return the lists of domains in any spelling.

        Raises:
            ValueError: If one is no domain.
        """
        return cls(tuple(map(normal_domain, allow)), tuple(map(normal_domain, block)))

    def admits(self, url: str) -> bool:
        """Say whether a page may come from there.

        Args:
            url: An address that ``normal_url`` wrote.
        """
        host = host_of(url)
        return (not self.allow or _is_under(host, self.allow)) and not _is_under(host, self.block)


def _is_under(host: str, domains: Iterable[str]) -> bool:
    return any(host == domain or host.endswith(f".{domain}") for domain in domains)
