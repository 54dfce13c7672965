"""What can go wrong between here and Tavily, in the project's own words."""

from __future__ import annotations

import re
from typing import NamedTuple

import aiohttp

__all__ = ["UNREADABLE", "TavilyFault"]

_ADVICE = {
    400: "the request was refused; look at the options, and at the domains in `web_search`",
    401: "the key was refused; look at `api_key`",
    403: "the key has no right to this; look at `api_key`",
    404: "look at `base_url`",
    422: "the request was refused; look at the options, and at the domains in `web_search`",
    429: "too many requests; wait, or take a plan that allows more",
    432: "the plan's credit is used up; wait for the next month, or take a larger plan",
    433: "the limit that was set for paying as one goes is reached; raise it at Tavily",
}
_STATUS = re.compile(r"Error (\d{3})\b")
"""How LangChain's tools begin the message of an answer that is none."""


class TavilyFault(NamedTuple):
    """Why there is no answer.

    Args:
        message: What happened, and what to do about it. What the server said is not repeated: it may quote the query.
        may_pass: Whether it may go well the next time.
    """

    message: str
    may_pass: bool = False

    @classmethod
    def of(cls, error: Exception) -> TavilyFault:
        """Return the fault that an error of the transport or of LangChain's tools stands for."""
        if isinstance(error, TimeoutError):
            return cls("no answer in time; `timeout` can be raised", may_pass=True)
        if isinstance(error, aiohttp.ClientConnectionError):
            return cls("cannot be reached, or the connection broke off; look at `base_url`", may_pass=True)
        if status := _STATUS.match(str(error)):
            code = int(status[1])
            advice = _ADVICE.get(code, "the server failed; try again later")
            return cls(f"HTTP {code}: {advice}", may_pass=code == 429 or code >= 500)
        if isinstance(error, aiohttp.ClientPayloadError):
            return cls("the answer broke off", may_pass=True)
        return UNREADABLE


UNREADABLE = TavilyFault("the answer cannot be read; is this a server that speaks Tavily's protocol?")
