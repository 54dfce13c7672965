"""The picture of a note's chunks: one page of HTML that needs nothing beside itself."""

from obsirag.cli.page.page import chunk_page

__all__ = ["chunk_page"]
