"""The options of the search in the web."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints

from obsirag.config.domains import normal_domain
from obsirag.config.model import ConfigModel, Flag, Seconds, Size

__all__ = ["WebMode", "WebSearchOptions"]

WebMode = Literal["strict", "hybrid", "fallback"]
Domain = Annotated[str, StringConstraints(strict=True), AfterValidator(normal_domain)]


class WebSearchOptions(ConfigModel):
    """When and how the web is searched, where there is a search provider."""

    mode: WebMode = Field(
        default="fallback",
        description="Never (strict), with each question (hybrid), or where the notes are not enough (fallback).",
    )
    limit: Size = Field(default=5, description="Number of web pages to look for.")
    allow_domains: tuple[Domain, ...] = Field(
        default=(), description="The only domains to take pages from, subdomains included; all if empty."
    )
    block_domains: tuple[Domain, ...] = Field(
        default=(), description="Domains to take no pages from, subdomains included."
    )
    extract: Flag = Field(default=True, description="Whether the pages that are kept are read, not their snippets.")
    max_page_characters: Size = Field(default=6000, description="How much of a page is read.")
    timeout: Seconds = Field(
        default=30.0, description="Seconds to wait for a search, and for the pages; then the notes alone answer."
    )
