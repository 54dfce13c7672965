import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding

from obsirag.components import Components, build_components, index_vault, split_note
from obsirag.components.settings import describe_settings
from obsirag.config import RagConfig
from obsirag.errors import ConfigError
from obsirag.splitters import ObsidianSplitter, RuleSplitter

RULES = [
    {"paths": ["policies/**"], "chunk_size": 600},
    {"tags": ["manual"], "chunk_size": 300, "chunk_overlap": 80},
    {"fields": {"type": "faq"}, "unit": "words", "chunk_size": 20, "chunk_overlap": 0.1},
]
BODY = "# Tea\n\n" + "Leaves and water. " * 200
NOTES = {
    "plain.md": "",
    "policies/leave.md": "",
    "setup.md": "---\ntags: [manual/first]\n---\n",
    "faq.md": "---\ntype: FAQ\n---\n",
    "policies/faq.md": "---\ntype: faq\ntags: manual\n---\n",
}


class Counting(DeterministicFakeEmbedding):
    input_limit: int = 100_000

    def input_length(self, text):
        return len(text.split())


@pytest.fixture
def config(tmp_path):
    for path, front in NOTES.items():
        file = tmp_path / "notes" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{front}{BODY}\n{path}\n", encoding="utf-8")
    return RagConfig(
        vault=tmp_path / "notes",
        index=tmp_path / "index",
        embeddings="hashing",
        vector_store="memory",
        splitter={"rules": RULES},
    )


def change(config, **values):
    return RagConfig(**{**config.model_dump(), **values})


def lengths(config, path, length=len):
    return [length(chunk.page_content) for chunk in split_note(config, path)]


def test_each_kind_of_note_is_cut_by_its_rule(config):
    assert 900 < max(lengths(config, "plain.md")) <= 1000
    for path in ("policies/leave.md", "policies/faq.md"):
        assert 500 < max(lengths(config, path)) <= 600
    assert 200 < max(lengths(config, "setup.md")) <= 300
    assert 50 < max(chunk.metadata["overlap"] for chunk in split_note(config, "setup.md")) <= 80
    assert 15 < max(lengths(config, "faq.md", lambda text: len(text.split()))) <= 20


def test_without_rules_there_is_one_splitter(config):
    built = build_components(change(config, splitter={}), kinds=("splitter",)).splitter
    assert type(built) is ObsidianSplitter


def test_indexing_follows_the_rules_and_notices_a_change_of_them(config):
    assert index_vault(config).chunks == sum(len(split_note(config, path)) for path in NOTES)
    again = index_vault(config)
    assert (again.embedded, set(again.unchanged)) == (0, set(NOTES))
    other = change(config, splitter={"rules": [{"paths": ["policies/**"], "chunk_size": 500}, *RULES[1:]]})
    report = index_vault(other)
    assert report.chunks == sum(len(split_note(other, path)) for path in NOTES)
    before, after = (
        {chunk.page_content for path in NOTES for chunk in split_note(each, path)} for each in (config, other)
    )
    assert report.embedded == len(after - before) > 0
    assert index_vault(other).embedded == 0


def test_a_note_that_becomes_of_another_kind_is_cut_anew(config):
    index_vault(config)
    plain = config.vault / "plain.md"
    plain.write_text("---\ntype: faq\n---\n" + plain.read_text("utf-8"), "utf-8")
    report = index_vault(config)
    assert report.changed == ("plain.md",)
    assert report.chunks == sum(len(split_note(config, path)) for path in NOTES)
    assert len(split_note(config, "plain.md")) == len(split_note(config, "faq.md"))


@pytest.mark.parametrize(
    "rules",
    [
        RULES[::-1],
        RULES[:2],
        [{**RULES[0], "paths": ["policies/*"]}, *RULES[1:]],
        [RULES[0], {**RULES[1], "tags": ["manuals"]}, RULES[2]],
        [*RULES[:2], {**RULES[2], "fields": {"type": "qa"}}],
        [*RULES[:2], {**RULES[2], "fields": {"kind": "faq"}}],
        *([{**RULES[0], **size}, *RULES[1:]] for size in ({"chunk_size": 601}, {"chunk_overlap": 9})),
        [*RULES[:2], {**RULES[2], "unit": "tokens"}],
        [{**RULES[0], "max_chunk_size": 700}, *RULES[1:]],
        [{**RULES[0], "parent_chunk_size": 700}, *RULES[1:]],
        [{**RULES[0], "min_chunk_size": 70}, *RULES[1:]],
    ],
)
def test_every_part_of_a_rule_shows_in_the_settings(config, rules):
    def described(rules):
        settings = change(config, splitter={"rules": rules})
        return describe_settings(settings, build_components(settings, kinds=("splitter",)))

    before, after = described(RULES), described(rules)
    assert {name for name in before if before[name] != after[name]} == {"splitter"}
    assert described(rules) == after


def test_no_kind_of_note_passes_what_the_model_reads(config):
    embeddings = Counting(size=4, input_limit=15)
    splitter = build_components(config, Components(embeddings=embeddings), kinds=("splitter",)).splitter
    assert isinstance(splitter, RuleSplitter)
    for each in (splitter.default, *(rule.splitter for rule in splitter.rules)):
        assert max(embeddings.input_length(chunk) for chunk in each.split_text(BODY)) <= 15


@pytest.mark.parametrize("place", ["options", "rule"])
def test_sizes_may_be_counted_by_the_embedding_model(config, place):
    sizes = {"unit": "model_tokens", "chunk_size": 30, "max_chunk_size": 30, "chunk_overlap": 0}
    wanted = change(config, splitter=sizes if place == "options" else {"rules": [{"paths": ["*"], **sizes}]})
    components = Components(embeddings=Counting(size=4))
    found = [len(each.page_content.split()) for each in split_note(wanted, "plain.md", components=components)]
    assert 20 < max(found) <= 30
    with pytest.raises(ConfigError, match=r"`splitter\.unit` is model_tokens, but the embeddings"):
        split_note(wanted, "plain.md", components=Components(embeddings=DeterministicFakeEmbedding(size=4)))
