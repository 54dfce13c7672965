"""Addresses of servers, as options give them."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator

__all__ = ["ServerUrl", "shown_url"]


def shown_url(url: str) -> str:
    """Return an address for messages, without a password that may stand in it."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()


def _check(url: str) -> str:
    parts = urlsplit(url)
    # Reading the port checks it.
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.port == 0:
        raise ValueError("must be an address such as http://127.0.0.1:8080/v1")
    return url.rstrip("/")


ServerUrl = Annotated[str, AfterValidator(_check)]
