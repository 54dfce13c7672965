"""What obsirag needs of a loader of files that are no notes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any, ClassVar

from obsirag.errors import VaultError
from obsirag.records import FilePart, LoadedFile, Loader
from obsirag.testing.checks import Capability, check, expect
from obsirag.testing.conformance import Conformance

__all__ = ["LoaderConformance"]

_STOPPED = "the file is told as a fault of the plugin, and nobody learns what is wrong with it"

PARTS = Capability(
    "parts (pages, sheets, slides)",
    "citations tell the line of the text that was made of a file, not its page",
    lambda kit: any(kit.loaded(each).parts for each in kit.samples),
)
METADATA = Capability(
    "metadata",
    "files have no title but their name, and cannot be filtered",
    lambda kit: any(kit.loaded(each).metadata for each in kit.samples),
)


class LoaderConformance(Conformance):
    """Checks of a loader; a subclass has the methods :meth:`make` and :meth:`files`."""

    kind: ClassVar[str] = "loader"

    def make(self) -> Loader:
        """Return the loader."""
        raise NotImplementedError(f"{type(self).__name__} needs a method `make(self)`")

    def files(self, folder: Path) -> Sequence[Path]:
        """Return files that it reads, at least one for each suffix.

        Args:
            folder: Where they may be written; files that lie elsewhere are not changed.
        """
        raise NotImplementedError(
            f"{type(self).__name__} needs a method `files(self, folder)` that gives files to read"
        )

    @cached_property
    def part(self) -> Any:
        """The loader."""
        return self.make()

    @cached_property
    def samples(self) -> list[Path]:
        """The files, copied, so that the originals stay as they are."""
        folder = self.folder / "samples"
        (self.folder / "given").mkdir()
        folder.mkdir()
        return [
            Path(shutil.copy(path, folder / f"{number} 笔记 {path.name}"))
            for number, path in enumerate(self.files(self.folder / "given"))
        ]

    def reach(self) -> None:
        """Read something."""
        self.part.load(self.samples[0])

    @check(harm="its files are passed over")
    def test_suffixes_are_lower_case_with_their_dot(self) -> None:
        suffixes = self.part.suffixes
        right = not isinstance(suffixes, str) and all(
            isinstance(each, str) and each.startswith(".") and len(each) > 1 and each == each.lower()
            for each in suffixes
        )
        expect(right and suffixes, "suffixes such as {'.pdf'}", suffixes)

    @check(harm="nobody has seen that files with that suffix can be read")
    def test_there_is_a_file_for_each_suffix(self) -> None:
        names = [path.name.lower() for path in self.samples]
        for suffix in self.part.suffixes:
            expect(any(name.endswith(suffix) for name in names), f"a file among `files` that ends in {suffix}", names)

    @check(harm="the file stays out of the index, or is found by nothing")
    def test_a_file_becomes_text(self) -> None:
        for path in self.samples:
            text = self.loaded(path).text
            expect(text.strip(), f"text from {path.name}", "nothing but blanks")
            text.encode()  # half a character cannot be written

    @check(harm="citations tell a page that isn't there, or another one")
    def test_parts_lie_within_the_text_in_order(self) -> None:
        for path in self.samples:
            loaded = self.loaded(path)
            expect(isinstance(loaded.parts, tuple), "parts as a tuple", type(loaded.parts).__name__)
            for each in loaded.parts:
                right = isinstance(each, FilePart) and isinstance(each.name, str) and each.name.strip()
                expect(right, "FilePart values, each with a name", each)
            starts = [each.start for each in loaded.parts]
            within = all(0 <= start <= len(loaded.text) for start in starts)
            expect(within, f"starts from 0 to {len(loaded.text)}, the length of the text", starts)
            expect(starts == sorted(set(starts)), "each part behind the one before", starts)
            names = [each.name for each in loaded.parts]
            expect(len(set(names)) == len(names), "a name of its own for each part", names)

    @check(harm="the file stays out of the index")
    def test_metadata_are_such_as_a_front_matter_holds(self) -> None:
        for path in self.samples:
            metadata = self.loaded(path).metadata
            expect(all(isinstance(each, str) for each in metadata), "names that are text", [*metadata])
            json.dumps(dict(metadata), default=str, ensure_ascii=False).encode()

    @check(harm="reports of a run show nonsense")
    def test_findings_are_words(self) -> None:
        for path in self.samples:
            findings = self.loaded(path).findings
            right = isinstance(findings, tuple) and all(isinstance(each, str) and each.strip() for each in findings)
            expect(right, "a tuple of texts", findings)

    @check(harm="unchanged files are embedded anew with each run")
    def test_a_file_is_read_the_same_way_each_time(self) -> None:
        for path in self.samples:
            first, second = self.loaded(path), self.make().load(path)
            expect(
                first == second,
                f"the same of {path.name} twice",
                "another text" if first.text != second.text else second,
            )

    @check(harm="files that a camera or a scanner wrote (IMAGE.PDF) stay out of the index")
    def test_the_case_of_a_suffix_makes_no_difference(self) -> None:
        for path in self.samples:
            upper = path.with_name(path.stem + path.suffix.upper())
            if upper.name != path.name:
                shutil.copy(path, upper)
            expect(
                self.loaded(upper).text == self.loaded(path).text,
                f"the text of {path.name} from {upper.name}",
                "another",
            )

    @check(harm="people's files are changed by being indexed")
    def test_files_stay_as_they_are(self) -> None:
        for path in self.samples:
            before = path.read_bytes(), path.stat().st_mtime_ns, sorted(path.parent.iterdir())
            self.loaded(path)
            after = path.read_bytes(), path.stat().st_mtime_ns, sorted(path.parent.iterdir())
            expect(after == before, f"{path.name}, and the folder around it, as before", "another")

    @check(harm=_STOPPED)
    def test_a_file_that_is_broken_is_told_as_that(self) -> None:
        for path in self.samples:
            whole = path.read_bytes()
            for number, data in enumerate((b"", b"\0\xff\xfe" * 50, whole[: len(whole) // 2])):
                broken = path.with_name(f"broken {number}{path.suffix}")
                broken.write_bytes(data)
                self._read_or_refuse(broken)

    @check(harm=_STOPPED)
    def test_a_file_that_is_gone_is_told_as_that(self) -> None:
        for path in self.samples:
            gone = path.with_name(f"gone{path.suffix}")
            try:
                came: object = self.part.load(gone)
            except VaultError as error:
                came = str(error)
                expect(came, "a message that says why", "none")
                continue
            expect(False, "a VaultError for a file that isn't there", came)

    @check(harm="files that are indexed side by side get each other's text, or stop the run")
    def test_several_threads_may_read(self) -> None:
        paths = [self.samples[number % len(self.samples)] for number in range(4)]
        alone = [self.loaded(path) for path in paths]
        together = self.side_by_side([partial(self.loaded, path) for path in paths])
        expect(together == alone, "in each thread its own file", "others")

    @check(of=PARTS, harm="the first page is cited as none")
    def test_the_first_part_begins_with_the_text(self) -> None:
        for path in self.samples:
            loaded = self.loaded(path)
            if loaded.parts:
                before = loaded.text[: loaded.parts[0].start].strip()
                expect(not before, "no text before the first part", before[:60])

    @check(of=METADATA, harm="a title that isn't text is shown as it is in Python")
    def test_a_title_is_text(self) -> None:
        titles = [self.loaded(path).metadata.get("title", "") for path in self.samples]
        expect(all(isinstance(each, str) for each in titles), "text as `title`, or none", titles)

    def loaded(self, path: Path) -> LoadedFile:
        """Return a file as the loader reads it, of which it is known that it is one."""
        came = self.part.load(path)
        expect(
            isinstance(came, LoadedFile) and isinstance(came.text, str), "a LoadedFile with text", type(came).__name__
        )
        loaded: LoadedFile = came
        return loaded

    def _read_or_refuse(self, path: Path) -> None:
        try:
            self.loaded(path)
        except VaultError as error:
            expect(str(error), "a message that says why", "none")
