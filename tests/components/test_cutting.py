from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_text_splitters import CharacterTextSplitter

from obsirag.components import Components, NoteCutter, report_splitting, split_note
from obsirag.config import RagConfig
from obsirag.splitters import ObsidianSplitter
from obsirag.text import estimate_tokens


class Careless(CharacterTextSplitter):
    """A splitter whose chunks of a note don't say where they are from."""

    def split_note(self, rendered):
        return [Document(text, id=str(index)) for index, text in enumerate(self.split_text(rendered.text))]


class Limited(DeterministicFakeEmbedding):
    input_limit: int = 10

    def input_length(self, text):
        return len(text.split())


def vault_of(folder, **files):
    for name, text in files.items():
        (folder / f"{name}.md").write_bytes(text if isinstance(text, bytes) else text.encode())
    return RagConfig(vault=folder, index=folder / "index", embeddings="hashing")


def test_a_strangers_chunks_are_counted_to_their_notes(tmp_path):
    config = vault_of(tmp_path, a="one two three. " * 10, b="one two three. " * 10)
    components = Components(splitter=Careless(separator=" ", chunk_size=40, chunk_overlap=0))
    chunks = split_note(config, "a.md", components=components)
    assert len(chunks) > 1
    assert {each.metadata["source"] for each in chunks} == {"a.md"}
    report = report_splitting(config, components=components)
    assert (report.notes, report.chunks, report.notes_without_chunks) == (2, 2 * len(chunks), ())
    assert report_splitting(config, "b.md", components=components).chunks == len(chunks)
    assert [(each.unit, each.chunk_size, each.max_chunk_size) for each in report.limits] == [("characters", 40, None)]


def test_a_vaults_report_is_that_of_its_notes_together(tmp_path):
    config = vault_of(tmp_path, a="# A\n\n" + "Words. " * 400, b="Short.", c="---\nx: y\n---\n", d=b"caf\xe9")
    seen = []
    report = report_splitting(config, progress=lambda *each: seen.append(each))
    assert seen == [(number, 4, f"{name}.md") for number, name in enumerate("abcd", 1)]
    assert report.chunks == sum(len(split_note(config, f"{name}.md")) for name in "abc")
    assert report.notes_without_chunks == ("c.md",)
    assert [(each.path, each.code) for each in report.warnings] == [("d.md", "undecodable")]


def test_chunks_are_held_to_what_their_splitter_says(tmp_path):
    config = vault_of(tmp_path, a="one", guide="two")
    config = config.model_copy(
        update={"splitter": RagConfig(vault="v", index="i", splitter=RULES).splitter},
    )
    limits = report_splitting(config).limits
    assert [(each.unit, each.chunk_size, each.max_chunk_size) for each in limits] == [
        ("words", 200, 400),
        ("words", 80, 90),
    ]
    given = ObsidianSplitter(chunk_size=70, max_chunk_size=60, length_function=estimate_tokens)
    (limit,) = report_splitting(config, components=Components(splitter=given)).limits
    assert (limit.unit, limit.chunk_size, limit.max_chunk_size) == ("tokens", 60, 60)


RULES = {"unit": "words", "chunk_size": 200, "rules": [{"paths": ["guide*"], "chunk_size": 80, "max_chunk_size": 90}]}


def test_what_the_embedding_model_cuts_off_is_told(tmp_path):
    config = vault_of(tmp_path, a="word " * 50)
    careless = Careless(separator=" ", chunk_size=1000, chunk_overlap=0)
    components = Components(embeddings=Limited(size=2), splitter=careless)
    (warning,) = report_splitting(config, components=components).warnings
    assert (warning.path, warning.code) == ("a.md", "input-limit")
    assert report_splitting(config, components=Components(embeddings=Limited(size=2))).warnings == ()


def test_lengths_by_the_models_own_count_are_called_so(tmp_path):
    config = vault_of(tmp_path, a="word " * 5)
    embeddings = Limited(size=2)
    splitter = ObsidianSplitter(chunk_size=5, length_function=embeddings.input_length)
    cutter = NoteCutter(config, Components(embeddings=embeddings, splitter=splitter))
    assert cutter.measure(cutter.render("a.md")).limits.unit == "model_tokens"
