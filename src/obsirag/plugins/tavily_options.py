"""What can be set for Tavily's search."""

from __future__ import annotations

from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator, model_validator

from obsirag.config import ConfigModel
from obsirag.plugins.server_urls import ServerUrl, shown_url

__all__ = ["TAVILY_URL", "TavilyOptions"]

TAVILY_URL = "https://api.tavily.com"


class TavilyOptions(ConfigModel):
    """Options of ``search_provider: {name: tavily, …}``."""

    api_key: SecretStr | None = Field(default=None, description="Best as {env: NAME}.")
    base_url: ServerUrl = Field(default=TAVILY_URL, description="The server's address.")
    topic: Literal["general", "news", "finance"] = Field(default="general", description="What is searched.")
    search_depth: Literal["basic", "advanced"] = Field(
        default="basic", description="How thoroughly it is searched; advanced costs twice as much."
    )
    extract_depth: Literal["basic", "advanced"] = Field(
        default="basic", description="How thoroughly pages are read; advanced gets tables too, and costs twice as much."
    )
    timeout: Annotated[float, Field(strict=True, gt=0, allow_inf_nan=False)] = Field(
        default=15.0, description="Seconds for a request, from the connection to the end of the answer."
    )
    max_retries: Annotated[int, Field(strict=True, ge=0, le=10)] = Field(default=3, description="With growing pauses.")

    @field_validator("api_key")
    @classmethod
    def _strip_key(cls, key: SecretStr | None) -> SecretStr | None:
        if key is None:
            return None
        value = key.get_secret_value().strip()  # a variable that was filled from a file ends in a line end
        if not value or not (value.isascii() and value.isprintable()):
            raise ValueError("is no key: it is empty, or holds characters that no key has")
        return SecretStr(value)

    @field_validator("base_url")
    @classmethod
    def _check_credentials(cls, url: str) -> str:
        if "@" in urlsplit(url).netloc:
            raise ValueError("must hold no user and no password: the key is all that is sent")
        return url

    @model_validator(mode="after")
    def _check_key(self) -> Self:
        if self.api_key is None and urlsplit(self.base_url).hostname == urlsplit(TAVILY_URL).hostname:
            raise ValueError("api_key is missing for Tavily's own server: write `api_key: {env: TAVILY_API_KEY}`")
        return self

    @property
    def address(self) -> str:
        """The address for messages, without a password that may stand in it."""
        return shown_url(self.base_url)
