"""What can be set for Milvus: the same wherever it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, model_validator

from obsirag.config import ConfigModel
from obsirag.plugins.server_urls import shown_url

__all__ = ["MilvusOptions"]

_Count = Annotated[int, Field(strict=True, ge=1)]
_Seconds = Annotated[float, Field(strict=True, gt=0, allow_inf_nan=False)]


class MilvusOptions(ConfigModel):
    """Options of ``milvus``, as a vector store and as a keyword index."""

    uri: Annotated[str, Field(strict=True, min_length=1)] | None = Field(
        default=None,
        description="A server's address, such as http://127.0.0.1:19530, or a folder of Milvus Lite; one in the index "
        "folder if not set.",
    )
    token: SecretStr | None = Field(default=None, description="A key, or `user:password`; best as {env: NAME}.")
    database: Annotated[str, Field(strict=True, min_length=1)] | None = Field(
        default=None, description="A database that the server has; its default one if not set."
    )
    collection: str = Field(
        default="obsirag",
        pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,199}$",
        description="Name of the collection: letters, digits and underscores. Keywords have one of their own, with "
        "`_keywords` at its end.",
    )
    m: _Count | None = Field(default=None, description="HNSW: neighbours of each vector; set when the index is made.")
    ef_construction: _Count | None = Field(
        default=None, description="HNSW: candidates looked at when a vector is added; set when the index is made."
    )
    ef: _Count | None = Field(default=None, description="HNSW: candidates looked at in a search.")
    analyzer: Literal["pairs", "jieba"] = Field(
        default="pairs",
        description="How keywords are cut: as the catalogue does it, Chinese by pairs of characters and identifiers "
        "whole and in parts, or by the server's `jieba`, Chinese by words.",
    )
    timeout: _Seconds = Field(default=30.0, description="Seconds to wait for an answer.")

    @model_validator(mode="after")
    def _check_uri(self) -> Self:
        if self.uri is not None and "://" in self.uri:
            parts = urlsplit(self.uri)
            # Reading the port checks it.
            if parts.scheme not in {"http", "https"} or not parts.hostname or parts.port == 0:
                raise ValueError("uri must be an address such as http://127.0.0.1:19530, or a folder")
        elif self.token is not None or self.database is not None:
            raise ValueError("`token` and `database` belong to a server: set `uri` to its address, or leave them out")
        return self

    @property
    def address(self) -> str | None:
        """The server's address; None for Milvus Lite in this process."""
        return self.uri if self.uri is not None and "://" in self.uri else None

    @property
    def shown_address(self) -> str:
        """The address for messages, without a password that may stand in it."""
        return shown_url(self.address or "")

    def folder_in(self, index: Path, name: str) -> Path:
        """Return the folder of Milvus Lite.

        Args:
            index: The index folder.
            name: The name of the folder in it that is used if none is set.
        """
        return Path(self.uri).expanduser() if self.uri is not None else index / name
