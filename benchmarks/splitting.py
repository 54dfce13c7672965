"""How fast notes are split, by stage and beside other splitters, as multiples in one run.

    python benchmarks/splitting.py [VAULT …]         the vaults of OBSIRAG_TEST_DATA, or the sample vault
    options: --rounds N, --growth (speed and memory up to 20 MB), --hostile (growth on hostile text)

All cut the same texts into chunks of 1000 characters that overlap by 50, one after the other in each round; the fastest
CPU time counts. The "line loop" is that of `rendering.py`. The stages are measured alone, each on what those before it
made; the last row of them is all, from documents to documents. The other splitters are those that are installed; what
they give is said beside their names: strings, or documents with the metadata that they have.
"""

from __future__ import annotations

import argparse
import os
import tracemalloc
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from langchain_core.documents import Document

from obsirag import ObsidianSplitter
from obsirag.markdown import scan, split_front_matter
from obsirag.records import RenderedNote, Segment
from obsirag.splitters.cutting import Cutter
from obsirag.splitters.documents import DocumentMaker
from obsirag.splitters.packing import pack
from obsirag.splitters.parents import parents_of
from obsirag.splitters.pieces import Piece
from obsirag.splitters.regions import Labels, labels_of
from obsirag.splitters.sections import Section, sections_of
from obsirag.splitters.splitter import _add_overlaps
from rendering import HOSTILE, SAMPLE, Notes, cpu_seconds, line_loop

SIZE, MINIMUM, OVERLAP = 1000, 500, 50
MEGABYTES = (0.25, 1, 5, 20)
HOSTILE_HERE = (
    "# a\n",
    "## a\n\n",
    "a|b\n",
    "> a\nb\n",
    "[[a]] ",
    "Note:\n\n",
    "^a\n\n",
    "字",
    "a. ",
    "```\n",
    "\u0301",
)


class Work(NamedTuple):
    """Something to be measured: what is done, and what makes its inputs anew for each round."""

    do: Callable[[Any], object]
    inputs: Callable[[], Sequence[Any]]


class Parted(NamedTuple):
    """A note on its way through the stages."""

    note: RenderedNote
    sections: list[Section]
    labels: Labels
    cutter: Cutter
    pieces: list[Piece]


def _splitter() -> ObsidianSplitter:
    return ObsidianSplitter(chunk_size=SIZE, min_chunk_size=MINIMUM, chunk_overlap=OVERLAP)


def _document(text: str) -> Document:
    return Document(page_content=text, metadata={"source": "note.md"})


def _part(text: str, *, overlaps: bool = True) -> Parted:
    note = RenderedNote("note.md", text, {"source": "note.md"}, (Segment(0, "note.md", 1),))
    labels = labels_of(note)
    sections = sections_of(note, split_front_matter(text)[1], labels)
    cutter = Cutter(text, _splitter()._sizes.remembering())
    pieces = pack(sections, labels, cutter) if sections[-1].blocks else []
    if overlaps:
        _add_overlaps(cutter, sections, labels, pieces)
    return Parted(note, sections, labels, cutter, pieces)


def _pack(each: Parted) -> object:
    return pack(each.sections, each.labels, Cutter(each.note.text, each.cutter.sizes)) if each.pieces else []


def _parents(each: Parted) -> object:
    return parents_of(each.note.text, each.sections, each.labels, each.cutter.sizes, each.pieces, 4 * SIZE)


def _documents(each: Parted) -> list[Document]:
    return DocumentMaker(each.note, each.sections, each.labels, "-").make(each.pieces) if each.pieces else []


def stages(texts: Sequence[str]) -> dict[str, Work]:
    """Return the stages of a split, by name."""
    splitter = _splitter()
    whole = [_part(text) for text in texts]
    made = [document for each in whole for document in _documents(each)]
    return {
        "front matter": Work(split_front_matter, lambda: texts),
        "scan": Work(lambda text: scan(text, split_front_matter(text)[1]), lambda: texts),
        "sections, with the scan": Work(
            lambda each: sections_of(each.note, split_front_matter(each.note.text)[1], each.labels), lambda: whole
        ),
        "packing and cutting": Work(_pack, lambda: whole),
        "overlap": Work(
            lambda each: _add_overlaps(each.cutter, each.sections, each.labels, each.pieces),
            lambda: [_part(text, overlaps=False) for text in texts],
        ),
        "parents": Work(_parents, lambda: [each for each in whole if each.pieces]),
        "metadata, with the documents": Work(_documents, lambda: whole),
        "documents alone": Work(
            lambda each: Document(page_content=each.page_content, metadata=each.metadata, id=each.id), lambda: made
        ),
        "obsirag, all": Work(splitter.split_documents, lambda: [[_document(text)] for text in texts]),
    }


def _recursive(texts: Sequence[str], *, documents: bool) -> Work:
    module = import_module("langchain_text_splitters")
    splitter = module.RecursiveCharacterTextSplitter.from_language(
        module.Language.MARKDOWN, chunk_size=SIZE, chunk_overlap=OVERLAP, add_start_index=documents
    )
    if documents:
        return Work(splitter.split_documents, lambda: [[_document(text)] for text in texts])
    return Work(splitter.split_text, lambda: texts)


def _headers(texts: Sequence[str]) -> Work:
    module = import_module("langchain_text_splitters")
    levels = [("#" * level, f"H{level}") for level in range(1, 7)]
    by_header = module.MarkdownHeaderTextSplitter(levels, strip_headers=False)
    by_size = module.RecursiveCharacterTextSplitter(chunk_size=SIZE, chunk_overlap=OVERLAP)
    return Work(lambda text: by_size.split_documents(by_header.split_text(text)), lambda: texts)


def _semantic(texts: Sequence[str]) -> Work:
    splitter = import_module("semantic_text_splitter").MarkdownSplitter((MINIMUM, SIZE), overlap=OVERLAP)
    return Work(splitter.chunks, lambda: texts)


def _chunkr(texts: Sequence[str]) -> Work:
    return Work(import_module("chunkr").MarkdownChunker(SIZE, OVERLAP).chunk, lambda: texts)


def _md_chunker(texts: Sequence[str]) -> Work:
    module = import_module("langchain_md_chunker")
    config = module.ChunkConfig(max_chars=SIZE, min_chars=MINIMUM)
    return Work(module.Chunker(config).split_text, lambda: texts)


PEERS: dict[str, Callable[[Sequence[str]], Work]] = {
    "langchain Recursive(MARKDOWN), strings": lambda texts: _recursive(texts, documents=False),
    "langchain Recursive(MARKDOWN), documents": lambda texts: _recursive(texts, documents=True),
    "langchain Header + Recursive, documents": _headers,
    "semantic-text-splitter (Rust), strings": _semantic,
    "chunkr-rs (Rust), chunks": _chunkr,
    "langchain-md-chunker, chunks": _md_chunker,
}


def compare(texts: Sequence[str], rounds: int) -> None:
    works = {"line loop": Work(line_loop, lambda: texts), **stages(texts)}
    own = set(works)
    for name, make in PEERS.items():
        try:
            works[name] = make(texts)
        except ImportError:
            print(f"{name.partition(',')[0]} is not installed and left out")
    best = dict.fromkeys(works, 1e9)
    for _ in range(rounds):
        for name, work in works.items():
            best[name] = min(best[name], cpu_seconds(work.do, work.inputs()))
    size = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
    print(f"{len(texts)} notes, {size / 1e6:.2f} MB")
    print(f"{'':44}{'MB/s':>9}{'of the loop':>13}{'of our time':>13}")
    for name in [*(name for name in works if name in own), *sorted(set(works) - own, key=lambda name: best[name])]:
        loop, ours = best["line loop"] / best[name], best[name] / best["obsirag, all"]
        print(f"{name:44}{size / best[name] / 1e6:9.1f}{loop:13.3f}{ours:13.2f}")


def show_growth(texts: Sequence[str], rounds: int) -> None:
    """Print speed and memory for one text of 0.25 to 20 MB: all the notes, one after the other, over and over."""
    splitter = _splitter()
    notes = "\n\n".join(texts)
    print(f"{'MB':>6}{'seconds':>10}{'MB/s':>8}{'of the loop':>13}{'peak, x text':>14}{'kept, x text':>14}")
    for megabytes in MEGABYTES:
        wanted = int(megabytes * 1e6)
        text = (notes * (wanted // len(notes) + 1))[:wanted]
        seconds = min(cpu_seconds(splitter.split_documents, [[_document(text)]]) for _ in range(rounds))
        loop = min(cpu_seconds(line_loop, [text]) for _ in range(rounds))
        peak, kept = _memory(splitter, text)
        size = len(text.encode("utf-8", "surrogatepass"))
        print(
            f"{size / 1e6:6.2f}{seconds:10.2f}{size / seconds / 1e6:8.1f}{loop / seconds:13.3f}"
            f"{peak / size:14.1f}{kept / size:14.1f}"
        )


def _memory(splitter: ObsidianSplitter, text: str) -> tuple[int, int]:
    """Return how much memory a split takes at most, and how much its documents keep, in bytes."""
    documents = [_document(text)]
    tracemalloc.start()
    chunks = splitter.split_documents(documents)
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (peak, kept) if chunks else (0, 0)


def show_hostile_growth(rounds: int) -> None:
    """Print how time and memory grow with the length of hostile text; 4 is linear, 16 quadratic."""
    splitter = _splitter()
    print(f"{'unit':16}{'time 4n / n':>14}{'memory 4n / n':>16}{'peak, x text':>15}")
    for unit in dict.fromkeys((*HOSTILE, *HOSTILE_HERE)):
        texts = unit * 20_000, unit * 80_000
        short, long = (
            min(cpu_seconds(splitter.split_documents, [[_document(text)]]) for _ in range(rounds)) for text in texts
        )
        few, many = (_memory(splitter, text)[0] for text in texts)
        size = len(texts[1].encode())
        print(f"{unit!r:16}{long / short:14.1f}{many / max(1, few):16.1f}{many / size:15.1f}")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("vaults", nargs="*", type=Path)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--growth", action="store_true")
    arguments.add_argument("--hostile", action="store_true")
    given = arguments.parse_args()
    if given.hostile:
        show_hostile_growth(given.rounds)
        return
    data = os.environ.get("OBSIRAG_TEST_DATA")
    root = Path(data, "vaults") if data else SAMPLE
    folders = given.vaults or sorted(each for each in root.iterdir() if each.is_dir())
    texts = [text for text in Notes(folders).texts() if text.strip()]
    if given.growth:
        show_growth(texts, given.rounds)
    else:
        compare(texts, given.rounds)


if __name__ == "__main__":
    main()
