"""What ``offline: true`` forbids."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Any
from urllib.parse import SplitResult, urlsplit

from obsirag.errors import ConfigError
from obsirag.plugins import Registry

__all__ = ["is_local", "refuse_remote"]


def refuse_remote(plugins: Registry, place: str, name: str, options: dict[str, Any]) -> None:
    """Refuse a part that says that it calls another machine.

    Args:
        plugins: Where the part's plugin is looked up.
        place: Where the configuration names it.
        name: Its plugin.
        options: Its options.

    Raises:
        ConfigError: If it names an address that isn't on this machine.
    """
    for address in plugins.hosts(name, options):
        if not is_local(address):
            raise ConfigError(
                f"`offline` is on, but `{place}` ({name}) would call {_shown(address)}: choose another part, give it "
                f"the address of a server on this machine, or turn `offline` off"
            )


def is_local(address: str) -> bool:
    """Say whether an address, a URL or a host, is on this machine.

    Names are not looked up: a look-up leaves the machine too.
    """
    parts = _split(address)
    host = ((parts and parts.hostname) or "").rstrip(".")
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _split(address: str) -> SplitResult | None:
    try:
        return urlsplit(address if "://" in address else f"//{address}")
    except ValueError:
        return None


def _shown(address: str) -> str:
    parts = _split(address)
    if parts is None:
        return "an address that cannot be read"
    # Without a user's name and password, and without a query, where keys may stand.
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl().lstrip("/")
