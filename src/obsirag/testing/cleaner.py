"""What obsirag needs of a cleaning step."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from typing import ClassVar

from obsirag.cleaning import CleaningStep, clean
from obsirag.cleaning.step import found_edits
from obsirag.config import CleaningOptions
from obsirag.records import Edit, RenderedNote
from obsirag.testing.checks import Capability, check, expect
from obsirag.testing.conformance import Conformance
from obsirag.testing.hard_texts import HARD_TEXTS, LONG_TEXT

__all__ = ["CleanerConformance"]

_COSTS = "such notes stay out of the index"

SAMPLE = Capability(
    "a text in which it finds something (`sample`)",
    "whether the step does anything at all isn't known: set `sample`",
    lambda kit: bool(kit.sample),
)


class CleanerConformance(Conformance):
    """Checks of cleaning steps; a subclass has the method :meth:`make`."""

    kind: ClassVar[str] = "cleaner"
    sample: ClassVar[str] = ""
    """A text in which the step finds something; empty to leave that out."""

    def make(self) -> CleaningStep | Sequence[CleaningStep]:
        """Return the step, or the steps."""
        raise NotImplementedError(f"{type(self).__name__} needs a method `make(self)`")

    @cached_property
    def steps(self) -> list[CleaningStep]:
        """The steps."""
        made = self.make()
        return [made] if isinstance(made, CleaningStep) else list(made)

    @property
    def texts(self) -> dict[str, str]:
        """Texts to clean, by what is in them."""
        many = {"nothing": "", "blanks": " \n\t\n ", "much": LONG_TEXT * 20, "code": "```py\nx = 1\n```\n\n`a`  b"}
        return {**many, **HARD_TEXTS, **({"the sample": self.sample} if self.sample else {})}

    def reach(self) -> None:
        """Clean something."""
        for step in self.steps:
            found_edits(step, "A text.")

    @check(harm="a diagnostic doesn't say which step failed")
    def test_each_step_has_a_name(self) -> None:
        names = [each.name for each in self.steps]
        expect(names and all(isinstance(each, str) and each for each in names), "steps with names", names)

    @check(harm=_COSTS)
    def test_it_gives_edits_of_the_text_in_order(self) -> None:
        for step in self.steps:
            for text in self.texts.values():
                found_edits(step, text)

    @check(harm="unchanged notes are cut and embedded anew with each run")
    def test_the_same_text_gets_the_same_edits(self) -> None:
        for name, text in self.texts.items():
            first = self.edits_of(text)
            self.edits_of("Something else.")
            expect(self.edits_of(text) == first, f"the same edits for the text with {name}", self.edits_of(text)[:3])

    @check(harm="notes that are indexed side by side get each other's changes")
    def test_several_threads_may_clean(self) -> None:
        texts = [*self.texts.values()]
        alone = [self.edits_of(text) for text in texts]
        together = self.side_by_side([partial(self.edits_of, text) for text in texts])
        expect(together == alone, "in each thread the edits of its own text", "others")

    @check(harm="citations of cleaned notes lead nowhere")
    def test_what_is_cleaned_knows_where_it_came_from(self) -> None:
        for name, text in self.texts.items():
            lines = text.count("\n") + text.count("\r") + 1
            cleaned = clean(RenderedNote("note.md", text), CleaningOptions(), more_steps=self.steps)
            for offset in range(0, len(cleaned.text) + 1, max(1, len(cleaned.text) // 50)):
                place = cleaned.locate(offset)
                expect(place.path == "note.md" and 1 <= place.line <= lines, f"a line of the text with {name}", place)

    @check(of=SAMPLE, harm="the step is there and does nothing")
    def test_the_sample_is_changed(self) -> None:
        expect(self.edits_of(self.sample), f"edits of {self.sample[:60]!r}", "none")

    def edits_of(self, text: str) -> list[list[Edit]]:
        """Return what each step finds."""
        return [found for step in self.steps if (found := found_edits(step, text))]
