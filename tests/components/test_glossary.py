"""The terms of an index, for each caller."""

import logging

import pytest

from obsirag.components import index_vault, open_glossary
from obsirag.config import RagConfig
from obsirag.errors import ConfigError


@pytest.fixture
def vault(tmp_path):
    def write(**notes):
        for name, text in notes.items():
            (tmp_path / "vault").mkdir(exist_ok=True)
            (tmp_path / "vault" / f"{name}.md").write_text(text, encoding="utf-8")

    return write


@pytest.fixture
def config(tmp_path):
    def make(**terms):
        return RagConfig(
            vault=tmp_path / "vault", index=tmp_path / "index", embeddings="hashing", vector_store="memory",
            splitter={"chunk_size": 120}, terms=terms,
        )  # fmt: skip

    return make


def names(source, *labels):
    return {term.name: term.synonyms for term in source.readable(labels)}


def test_terms_come_from_notes_by_path_pattern_and_tag_and_from_aliases(vault, config):
    vault(
        Words="- **Hitch**: stutter",
        Tagged="---\ntags: [Glossary/art]\n---\n- **Mesh**: shape",
        Other="- **Actor**: thing",
        Named="---\naliases: [combo]\n---\n# Montage\nText.",
    )
    index_vault(config())
    assert names(open_glossary(config(glossary=["/Words.md"]), tuple)) == {"Hitch": ("stutter",), "Montage": ("combo",)}
    assert names(open_glossary(config(glossary=["#glossary", "Wo*"], aliases=False), tuple)) == {
        "Hitch": ("stutter",),
        "Mesh": ("shape",),
    }


def test_what_is_cut_into_chunks_is_read_as_it_was(vault, config):
    rows = [f"| Term{number:03} | word{number:03} |" for number in range(60)]
    items = [f"- **Item{number:03}**: thing{number:03}" for number in range(60)]
    vault(Words="\n".join(["# W", "## Art", "| Term | Synonyms |", "| --- | --- |", *rows, "", "## Sound", *items]))
    index_vault(config())
    terms = open_glossary(config(glossary=["Words.md"], aliases=False), tuple).readable(())
    assert {term.name: (term.synonyms, term.area) for term in terms} == {
        **{f"Term{number:03}": ((f"word{number:03}",), "Art") for number in range(60)},
        **{f"Item{number:03}": ((f"thing{number:03}",), "Sound") for number in range(60)},
    }


def test_terms_are_for_those_who_may_read_the_text_that_states_them(vault, config):
    vault(
        Words="# Words\n\n- **Hitch**: stutter\n\n![[Secret]]\n\n- **Mesh**: shape",
        Secret="---\npermission: leads\naliases: [the bird]\n---\n- **Bluebird**: the new one",
    )
    index_vault(config())
    source = open_glossary(config(glossary=["Words.md"]), list)
    assert names(source) == {"Hitch": ("stutter",), "Mesh": ("shape",)}
    assert names(source, "leads") == {
        "Hitch": ("stutter",),
        "Mesh": ("shape",),
        "Bluebird": ("the new one",),
        "Secret": ("the bird",),
    }
    assert source.readable(("leads",)) is source.readable(("leads", "others")), "made once for all who read the same"
    assert "Bluebird" not in str(source.readable(()))


def test_a_change_of_the_index_is_noticed(vault, config):
    vault(Words="- **Hitch**: stutter")
    index_vault(config())
    source = open_glossary(config(glossary=["Words.md"]), tuple)
    assert names(source) == {"Hitch": ("stutter",)}
    vault(Words="---\npermission: leads\n---\n- **Hitch**: stutter, hiccup")
    assert names(source) == {"Hitch": ("stutter",)}, "not in the index yet"
    index_vault(config())
    assert names(source) == {}
    assert names(source, "leads") == {"Hitch": ("stutter", "hiccup")}


def test_a_note_that_isnt_there_is_told(vault, config, caplog):
    vault(Words="- **Hitch**: stutter")
    index_vault(config())
    caplog.set_level(logging.WARNING)
    assert names(open_glossary(config(glossary=["Wrods.md", "#glossary", "Words.md"]), tuple)) == {
        "Hitch": ("stutter",)
    }
    assert [word in caplog.text for word in ("Wrods.md", "#glossary", " Words.md")] == [True, True, False]


def test_files_are_for_everybody_and_so_no_notes(vault, config, tmp_path):
    vault(Words="---\npermission: leads\n---\n- **Hitch**: stutter")
    index_vault(config())
    (tmp_path / "words.yaml").write_text("Mesh: shape", encoding="utf-8")
    assert names(open_glossary(config(files=[tmp_path / "words.yaml"]), tuple)) == {"Mesh": ("shape",)}
    with pytest.raises(ConfigError, match="is a note"):
        open_glossary(config(files=[tmp_path / "vault" / "Words.md"]), tuple)


def test_a_wrong_filter_is_told_with_its_area(vault, config):
    vault(Words="x")
    index_vault(config())
    with pytest.raises(ConfigError, match=r"terms\.areas: Art: .*\$like"):
        open_glossary(config(enabled=True, areas={"Art": {"tags": {"$like": "art"}}}), tuple)
