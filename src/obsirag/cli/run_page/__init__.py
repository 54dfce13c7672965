"""The picture of a run: one page of HTML that needs nothing beside itself, and runs nothing."""

from obsirag.cli.run_page.page import run_page

__all__ = ["run_page"]
