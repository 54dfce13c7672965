"""Faults that are planted into loaders and cleaning steps, each with the check that has to find it."""

from dataclasses import replace
from itertools import count
from time import sleep

import pytest

from obsirag.cleaning import CleaningStep
from obsirag.errors import VaultError
from obsirag.records import Edit, FilePart
from obsirag.testing import CleanerConformance, LoaderConformance, run_conformance
from planted import assert_caught
from sample_parts import TextLoader


class InventsParts(TextLoader):
    def load(self, path):
        loaded = super().load(path)
        return replace(loaded, parts=(*loaded.parts, FilePart(len(loaded.text) + 10, "page 99")))


class PartsBeforeTheBeginning(TextLoader):
    def load(self, path):
        return replace(super().load(path), parts=(FilePart(-1, "page 0"),))


class PartsOutOfOrder(TextLoader):
    def load(self, path):
        loaded = super().load(path)
        return replace(loaded, parts=loaded.parts[::-1])


class PartsOfOneName(TextLoader):
    def load(self, path):
        loaded = super().load(path)
        return replace(loaded, parts=tuple(FilePart(each.start, "page") for each in loaded.parts))


class PartsWithoutNames(TextLoader):
    def load(self, path):
        loaded = super().load(path)
        return replace(loaded, parts=tuple(FilePart(each.start, "") for each in loaded.parts))


class PartsAsAList(TextLoader):
    def load(self, path):
        loaded = super().load(path)
        return replace(loaded, parts=[*loaded.parts])


class TheFirstPartIsMissing(TextLoader):
    def load(self, path):
        loaded = super().load(path)
        return replace(loaded, parts=loaded.parts[1:])


class SuffixesInUpperCase(TextLoader):
    suffixes = (".TXT",)


class SuffixesWithoutDots(TextLoader):
    suffixes = ("txt",)


class OneSuffixAsText(TextLoader):
    suffixes = ".txt"


class SuffixesItDoesNotRead(TextLoader):
    suffixes = (".txt", ".rtf")


class ReadsLowerCaseOnly(TextLoader):
    def load(self, path):
        if path.suffix != ".txt":
            raise VaultError(f"{path.name} is no text")
        return super().load(path)


class GivesText(TextLoader):
    def load(self, path):
        return super().load(path).text


class GivesNothing(TextLoader):
    def load(self, path):
        return replace(super().load(path), text="\n\n")


class GivesHalfCharacters(TextLoader):
    def load(self, path):
        loaded = super().load(path)
        return replace(loaded, text=f"{loaded.text}\ud83d")


class RaisesItsOwnErrors(TextLoader):
    def load(self, path):
        try:
            return super().load(path)
        except VaultError as error:
            if not path.exists():
                raise
            raise ValueError("bad magic number") from error


class PassesOverMissingFiles(TextLoader):
    def load(self, path):
        return super().load(path) if path.exists() else replace(super().load(next(path.parent.iterdir())), text="")


class FailsWithoutWords(TextLoader):
    def load(self, path):
        try:
            return super().load(path)
        except VaultError:
            raise VaultError from None


class TellsTheTime(TextLoader):
    times = count()

    def load(self, path):
        loaded = super().load(path)
        return replace(loaded, text=f"{loaded.text}\n\nConverted as number {next(self.times)}")


class LeavesFilesBehind(TextLoader):
    def load(self, path):
        path.with_suffix(".tmp").write_text("working")
        return super().load(path)


class ChangesFiles(TextLoader):
    def load(self, path):
        loaded = super().load(path)
        path.write_text(f"{loaded.text}\n", encoding="utf-8")
        return loaded


class SharesWhatItReads(TextLoader):
    turn = count()

    def load(self, path):
        self.number = next(self.turn)
        mine = self.number
        sleep(0.01)
        loaded = super().load(path)
        return loaded if self.number == mine else replace(loaded, text="another file's")


class FindingsThatAreNone(TextLoader):
    def load(self, path):
        return replace(super().load(path), findings=("",))


class MetadataWithNumbers(TextLoader):
    def load(self, path):
        return replace(super().load(path), metadata={1: "one"})


class ATitleThatIsNoText(TextLoader):
    def load(self, path):
        return replace(super().load(path), metadata={"title": b"A text"})


LOADERS = {
    InventsParts: "test_parts_lie_within_the_text_in_order",
    PartsBeforeTheBeginning: "test_parts_lie_within_the_text_in_order",
    PartsOutOfOrder: "test_parts_lie_within_the_text_in_order",
    PartsOfOneName: "test_parts_lie_within_the_text_in_order",
    PartsWithoutNames: "test_parts_lie_within_the_text_in_order",
    PartsAsAList: "test_parts_lie_within_the_text_in_order",
    TheFirstPartIsMissing: "test_the_first_part_begins_with_the_text",
    SuffixesInUpperCase: "test_suffixes_are_lower_case_with_their_dot",
    SuffixesWithoutDots: "test_suffixes_are_lower_case_with_their_dot",
    OneSuffixAsText: "test_suffixes_are_lower_case_with_their_dot",
    SuffixesItDoesNotRead: "test_there_is_a_file_for_each_suffix",
    ReadsLowerCaseOnly: "test_the_case_of_a_suffix_makes_no_difference",
    GivesText: "test_a_file_becomes_text",
    GivesNothing: "test_a_file_becomes_text",
    GivesHalfCharacters: "test_a_file_becomes_text",
    RaisesItsOwnErrors: "test_a_file_that_is_broken_is_told_as_that",
    PassesOverMissingFiles: "test_a_file_that_is_gone_is_told_as_that",
    FailsWithoutWords: "test_a_file_that_is_gone_is_told_as_that",
    TellsTheTime: "test_a_file_is_read_the_same_way_each_time",
    LeavesFilesBehind: "test_files_stay_as_they_are",
    ChangesFiles: "test_files_stay_as_they_are",
    SharesWhatItReads: "test_several_threads_may_read",
    FindingsThatAreNone: "test_findings_are_words",
    MetadataWithNumbers: "test_metadata_are_such_as_a_front_matter_holds",
    ATitleThatIsNoText: "test_a_title_is_text",
}


def ellipses(text):
    """Find three dots: the step that faults are planted into."""
    start = -1
    while (start := text.find("...", start + 1)) >= 0:
        yield Edit(start, start + 3, "…")
        start += 2


calls = count()
STEPS = {
    lambda text: [Edit(0, len(text) + 1)]: "test_it_gives_edits_of_the_text_in_order",
    lambda text: [*ellipses(text)][::-1] if "..." in text else []: "test_it_gives_edits_of_the_text_in_order",
    lambda text: [(each.start, each.end) for each in ellipses(text)]: "test_it_gives_edits_of_the_text_in_order",
    lambda text: text.replace("...", "…"): "test_it_gives_edits_of_the_text_in_order",
    lambda text: [Edit(0, 1)] if text[0] == "." else []: "test_it_gives_edits_of_the_text_in_order",
    lambda text: text.encode("ascii") and []: "test_it_gives_edits_of_the_text_in_order",
    lambda text: [Edit(0, 0, str(next(calls)))]: "test_the_same_text_gets_the_same_edits",
    lambda text: []: "test_the_sample_is_changed",
}


def kit_of_loader(made):
    def files(self, folder):
        (folder / "a.txt").write_text("Some text.\fThe second page, 第二页.", encoding="utf-8")
        return [folder / "a.txt"]

    return type(made.__name__, (LoaderConformance,), {"make": lambda _: made(), "files": files})


def kit_of_step(find):
    members = {"make": lambda _: CleaningStep("ellipses", find), "sample": "and so on... and on..."}
    return type("Steps", (CleanerConformance,), members)


def test_without_a_fault_they_conform():
    assert run_conformance(kit_of_loader(TextLoader)).conforms
    assert run_conformance(kit_of_step(ellipses)).conforms


@pytest.mark.parametrize(("fault", "check"), LOADERS.items(), ids=lambda each: getattr(each, "__name__", ""))
def test_a_fault_in_a_loader_is_caught(fault, check):
    assert_caught(kit_of_loader(fault), check)


@pytest.mark.parametrize(("fault", "check"), STEPS.items(), ids=map(str, range(len(STEPS))))
def test_a_fault_in_a_step_is_caught(fault, check):
    assert_caught(kit_of_step(fault), check)


def test_without_a_sample_nobody_says_that_the_step_does_something():
    idle = type("Steps", (CleanerConformance,), {"make": lambda _: CleaningStep("idle", lambda text: [])})
    report = run_conformance(idle)
    assert report.conforms
    assert {each.check.name: each.outcome for each in report.results}["test_the_sample_is_changed"] == "absent"
