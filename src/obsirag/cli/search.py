"""``obsirag search``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from obsirag.cli.printing import complain, print_json, print_line, show_place
from obsirag.cli.settle import ConfigFile, IndexFolder, Labels, VaultFolder, settle_config, some_text
from obsirag.records.part_places import part_at

if TYPE_CHECKING:
    from langchain_core.documents import Document

__all__ = ["search"]

EXCERPT = 240
"""How many characters of a passage are printed."""


def search(
    query: Annotated[str, typer.Argument(help="What to look for.", parser=some_text, metavar="QUERY")],
    vault: VaultFolder = None,
    index: IndexFolder = None,
    config: ConfigFile = None,
    label: Labels = None,
    limit: Annotated[int | None, typer.Option(min=1, help="How many notes to show.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the passages as JSON.")] = False,
) -> None:
    """Show the passages that fit best, by meaning and by words; no answer is written."""
    from obsirag.components import open_retriever

    settings = settle_config(vault, index, config)
    if limit is not None:
        settings = settings.model_copy(update={"retrieval": settings.retrieval.model_copy(update={"limit": limit})})
    retriever: Any = open_retriever(settings)
    documents = retriever.invoke(query, labels=label or [])
    if as_json:
        print_json([{"page_content": each.page_content, "metadata": each.metadata} for each in documents])
        return
    if not documents:
        complain("Nothing found.")
    for number, document in enumerate(documents, 1):
        print_passage(number, document)


def print_passage(number: int, document: Document) -> None:
    """Print where a passage stands, and how it begins."""
    found = document.metadata
    place = show_place(
        str(found.get("title", "")),
        found.get("headings", []),
        str(found.get("source", "")),
        int(found.get("start_line", 0)),
        int(found.get("end_line", 0)),
        part_at(found.get("file_parts"), int(found.get("start_line", 0))),
    )
    print_line(f"{number}. {place}", style="bold")
    text = " ".join(document.page_content.split())
    print_line(f"   {text[:EXCERPT]}{'…' if len(text) > EXCERPT else ''}")
