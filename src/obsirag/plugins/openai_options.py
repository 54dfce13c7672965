"""What can be set for the parts that speak OpenAI's protocol."""

from __future__ import annotations

from typing import Annotated, Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, model_validator

from obsirag.config import ConfigModel
from obsirag.plugins.server_urls import ServerUrl, shown_url

__all__ = ["OPENAI_URL", "ChatOptions", "EmbeddingOptions", "ServerOptions"]

OPENAI_URL = "https://api.openai.com/v1"

Seconds = Annotated[float, Field(strict=True, gt=0, allow_inf_nan=False)]
Flag = Annotated[bool, Field(strict=True)]


class ServerOptions(ConfigModel):
    """Which server, and how patiently."""

    model: Annotated[str, Field(strict=True, min_length=1)] = Field(description="The model's name on that server.")
    base_url: ServerUrl = Field(default=OPENAI_URL, description="The server's address, usually ending in /v1.")
    api_key: SecretStr | None = Field(default=None, description="Best as {env: NAME}; a local server needs none.")
    connect_timeout: Seconds = Field(default=5.0, description="Seconds to reach the server.")
    read_timeout: Seconds = Field(default=30.0, description="Seconds between two bytes of an answer.")
    max_retries: Annotated[int, Field(strict=True, ge=0)] = Field(default=3, description="With growing pauses.")
    trust_env: Flag = Field(
        default=False, description="Whether proxies and certificates are taken from the environment (HTTPS_PROXY …)."
    )

    @model_validator(mode="after")
    def _check_key(self) -> Self:
        if self.api_key is None and self.is_openai:
            raise ValueError(
                "api_key is missing for OpenAI's own server: write `api_key: {env: OPENAI_API_KEY}`, or give the "
                "`base_url` of another server"
            )
        return self

    @property
    def is_openai(self) -> bool:
        """Whether it is OpenAI's own server."""
        return urlsplit(self.base_url).hostname == urlsplit(OPENAI_URL).hostname

    @property
    def address(self) -> str:
        """The address for messages, without a password that may stand in it."""
        return shown_url(self.base_url)


class ChatOptions(ServerOptions):
    """Options of ``chat_model: {name: openai, …}``."""

    temperature: Annotated[float, Field(strict=True, ge=0, allow_inf_nan=False)] | None = Field(
        default=None, description="The server's own if not set."
    )
    max_tokens: Annotated[int, Field(strict=True, ge=1)] | None = Field(
        default=None, description="Limit of an answer; the server's own if not set."
    )
    # Streamed answers send a byte with each token, so that a slow model isn't taken for a dead one.
    streaming: Flag = Field(default=True, description="Whether answers are fetched token by token.")


class EmbeddingOptions(ServerOptions):
    """Options of ``embeddings: {name: openai, …}``."""

    dimensions: Annotated[int, Field(strict=True, ge=1)] | None = Field(
        default=None, description="Length of the vectors, for models that can shorten them."
    )
    # A server sends no byte before a whole request is embedded, which takes a laptop a while.
    batch_size: Annotated[int, Field(strict=True, ge=1)] = Field(default=32, description="Texts in one request.")
    read_timeout: Seconds = Field(default=120.0, description="Seconds to wait for the vectors of one request.")
    input_limit: Annotated[int, Field(strict=True, ge=1)] | None = Field(
        default=None, description="How many tokens the model reads; 8191 for OpenAI's, else unknown, if not set."
    )
