"""Faults that are planted into a splitter, each with the check that has to find it."""

import random

import pytest
from langchain_text_splitters import RecursiveCharacterTextSplitter

from obsirag import ObsidianSplitter
from obsirag.testing import SplitterConformance, run_conformance
from planted import assert_caught


class Plain(RecursiveCharacterTextSplitter):
    """The splitter that faults are planted into: as it is, it conforms."""

    def __init__(self):
        super().__init__(chunk_size=300, chunk_overlap=30)


class LosesTheEnd(Plain):
    def split_text(self, text):
        chunks = super().split_text(text)
        return chunks[:-1] if len(chunks) > 1 else chunks


class LosesTheMiddle(Plain):
    def split_text(self, text):
        chunks = super().split_text(text)
        return [*chunks[:2], *chunks[4:]] if len(chunks) > 5 else chunks


class LosesHeadings(Plain):
    def split_text(self, text):
        return super().split_text("\n".join(line for line in text.split("\n") if not line.startswith("#")))


class LosesMarks(Plain):
    def split_text(self, text):
        return super().split_text(text.replace("[[", "").replace("]]", ""))


class LowersCase(Plain):
    def split_text(self, text):
        return [each.lower() for each in super().split_text(text)]


class DoublesChunks(Plain):
    def split_text(self, text):
        return [each for chunk in super().split_text(text) for each in (chunk, chunk)]


class EndsWithTheWhole(Plain):
    def split_text(self, text):
        chunks = super().split_text(text)
        return [*chunks, text] if len(chunks) > 1 else chunks


class ShufflesChunks(Plain):
    def split_text(self, text):
        chunks = super().split_text(text)
        return random.Random(1).sample(chunks, len(chunks))


class PutsTitlesBefore(Plain):
    def split_text(self, text):
        return [f"Title: a note\n\n{each}" for each in super().split_text(text)]


class ThrowsDice(Plain):
    def split_text(self, text):
        self._chunk_size = random.randint(150, 400)
        return super().split_text(text)


class RemembersTheTextBefore(Plain):
    before = ""

    def split_text(self, text):
        before, self.before = self.before, text[:20]
        return super().split_text(f"{before}{text}")


class StumblesOverNothing(Plain):
    def split_text(self, text):
        return super().split_text(text) if text.strip() else [text[0]]


class GivesAGenerator(Plain):
    def split_text(self, text):
        return iter(super().split_text(text))


class HalvesCharacters(Plain):
    def split_text(self, text):
        units = text.encode("utf-16-le")
        return [units[start : start + 6].decode("utf-16-le", "surrogatepass") for start in range(0, len(units), 6)]


class DropsWhatIsNotAscii(Plain):
    def split_text(self, text):
        return super().split_text(text.encode("ascii", "ignore").decode())


class MutatesMetadata(Plain):
    def split_documents(self, documents):
        documents = list(documents)
        for each in documents:
            each.metadata["split"] = True
        return super().split_documents(documents)


class SharesMetadata(Plain):
    def split_documents(self, documents):
        chunks = []
        for document in documents:
            metadata = dict(document.metadata)
            texts = self.split_text(document.page_content)
            chunks += [document.model_copy(update={"page_content": text, "metadata": metadata}) for text in texts]
        return chunks


class DropsMetadata(Plain):
    def split_documents(self, documents):
        return self.create_documents([each.page_content for each in documents])


class MixesUpMetadata(Plain):
    def split_documents(self, documents):
        documents = list(documents)
        return self.create_documents(
            [each.page_content for each in documents], [each.metadata for each in documents[::-1]]
        )


class PassesItsSizeWithoutBlanks(Plain):
    def split_text(self, text):
        return super().split_text(text) if " " in text else [text]


SPLITTERS = {
    LosesTheEnd: "test_all_of_a_text_stands_in_its_chunks",
    LosesTheMiddle: "test_all_of_a_text_stands_in_its_chunks",
    LosesHeadings: "test_chunks_hold_the_text_as_it_is",
    LosesMarks: "test_chunks_hold_the_text_as_it_is",
    LowersCase: "test_chunks_hold_the_text_as_it_is",
    DoublesChunks: "test_no_chunk_says_only_what_others_say",
    EndsWithTheWhole: "test_no_chunk_says_only_what_others_say",
    ShufflesChunks: "test_all_of_a_text_stands_in_its_chunks",
    PutsTitlesBefore: "test_chunks_hold_the_text_as_it_is",
    ThrowsDice: "test_the_same_text_is_cut_the_same_way",
    RemembersTheTextBefore: "test_the_same_text_is_cut_the_same_way",
    StumblesOverNothing: "test_nothing_gives_nothing",
    GivesAGenerator: "test_all_of_a_text_stands_in_its_chunks",
    HalvesCharacters: "test_hard_texts_are_cut",
    DropsWhatIsNotAscii: "test_hard_texts_are_cut",
    MutatesMetadata: "test_documents_keep_their_metadata",
    SharesMetadata: "test_documents_keep_their_metadata",
    DropsMetadata: "test_documents_keep_their_metadata",
    MixesUpMetadata: "test_documents_keep_their_metadata",
    PassesItsSizeWithoutBlanks: "test_a_text_without_blanks_keeps_to_the_size_too",
}


class LosesChunksOfNotes(ObsidianSplitter):
    def split_note(self, rendered):
        return [each for each in super().split_note(rendered) if each.metadata["chunk_index"] != 1]


class TellsTheNextLine(ObsidianSplitter):
    def split_note(self, rendered):
        chunks = super().split_note(rendered)
        for each in chunks:
            each.metadata["start_line"] += 1
        return chunks


class NumbersChunksByNote(ObsidianSplitter):
    def split_note(self, rendered):
        return [each.model_copy(update={"id": str(number)}) for number, each in enumerate(super().split_note(rendered))]


class MixesLabels(ObsidianSplitter):
    def split_note(self, rendered):
        chunks = super().split_note(rendered)
        whole = "\n\n".join(each.page_content for each in chunks)
        return [chunks[0].model_copy(update={"page_content": whole})]


class ForgetsLabels(ObsidianSplitter):
    def split_note(self, rendered):
        chunks = super().split_note(rendered)
        for each in chunks:
            each.metadata["permissions"] = []
        return chunks


NOTE_SPLITTERS = {
    LosesChunksOfNotes: "test_all_of_a_note_stands_in_its_chunks",
    TellsTheNextLine: "test_chunks_say_where_they_stand",
    NumbersChunksByNote: "test_each_chunk_has_an_id_of_its_own",
    MixesLabels: "test_text_under_a_label_shares_no_chunk_with_other_text",
    ForgetsLabels: "test_text_under_a_label_shares_no_chunk_with_other_text",
}


def kit(made):
    return type(made.__name__, (SplitterConformance,), {"make": lambda _: made()})


@pytest.mark.parametrize("part", [Plain, ObsidianSplitter])
def test_without_a_fault_it_conforms(part):
    assert run_conformance(kit(part)).conforms


@pytest.mark.parametrize(
    ("fault", "check"), {**SPLITTERS, **NOTE_SPLITTERS}.items(), ids=lambda each: getattr(each, "__name__", "")
)
def test_a_planted_fault_is_caught(fault, check):
    assert_caught(kit(fault), check)
