"""Answers that become notes: where, under which labels, and what they are worth afterwards."""

import json
from datetime import date

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage

from obsirag.components import draft_answer_note, index_vault, open_retriever, save_answer_note
from obsirag.components.answer_notes import file_name, one_permission
from obsirag.components.growth import AnswerNote
from obsirag.config import RagConfig
from obsirag.errors import ConfigError
from obsirag.graphs import RagContext, build_rag_graph, last_answer
from obsirag.records import may_read, merge_permissions, permissions_in
from obsirag.retrievers.grouping import sources_of
from obsirag.vault import Vault

DAY = date(2026, 3, 4)
QUESTION = "How does the lantern burn?"


@pytest.fixture
def config(tmp_path):
    vault = tmp_path / "vault"
    vault.mkdir()
    for name, labels in {"oil": "", "wick": "[a, b]", "glass": "[b, c]", "brass": "[c]"}.items():
        front = f"---\npermission: {labels}\n---\n" if labels else ""
        (vault / f"{name}.md").write_text(f"{front}# {name}\n\nThe lantern burns with {name}.\n", encoding="utf-8")
    made = RagConfig(
        vault=vault,
        index=tmp_path / "index",
        embeddings="hashing",
        vector_store="memory",
        growth={"folder": "Saved/Answers"},
    )
    index_vault(made)
    return made


def citation(source, number=1, **values):
    place = {"title": source, "headings": [source.removesuffix(".md")], "start_line": 3, "end_line": 3}
    return {"number": number, "source": source, "quote": "q", "link": "obsidian://open?", **place, **values}


def draft(config, *sources, labels=("a", "b", "c"), **values):
    cited = [citation(source, number) for number, source in enumerate(sources, 1)]
    given = {"question": QUESTION, "answer": "With oil [1].", "citations": cited, "permissions": (), "day": DAY}
    return draft_answer_note(config, **{**given, **values}, labels=labels)


def files(config):
    return {path: path.read_bytes() for path in config.vault.rglob("*") if path.is_file()}


def test_an_answer_of_the_graph_becomes_a_note_that_says_where_it_is_from(config):
    graph = build_rag_graph(config).compile()
    result = graph.invoke({"messages": [HumanMessage("Does the lantern burn with oil?")]})
    turn = last_answer(result["messages"], None)
    note = draft_answer_note(
        config,
        question=turn.question,
        answer=turn.answer,
        citations=turn.citations,
        permissions=turn.permissions,
        day=DAY,
    )
    assert not (config.vault / "Saved").exists()
    before = files(config)
    report = save_answer_note(config, note)
    assert report.added == (note.path,) == ("Saved/Answers/2026-03-04 Does the lantern burn with oil.md",)
    assert before.items() <= files(config).items()
    assert len(files(config)) == len(before) + 1
    saved = Vault(config.vault).note(note.path)
    assert (saved.metadata["derived"], saved.metadata["date"]) == ("obsirag", DAY)
    assert [each["note"] for each in saved.metadata["sources"]] == ["oil.md"]
    assert {link.path for link in saved.links} == {"oil.md"}
    assert turn.answer in saved.text


def test_a_note_is_found_below_its_originals_and_no_answer_is_made_from_it(config):
    question = "Zanzibar lantern oil"
    save_answer_note(config, draft(config, "oil.md", question=question, answer="Zanzibar lantern oil burns [1]."))
    found = open_retriever(config).invoke(question)
    derived = "Saved/Answers/2026-03-04 Zanzibar lantern oil.md"
    assert sources_of(found)[-1] == derived
    assert "oil.md" in sources_of(found)
    chunk = next(each for each in found if each.metadata["source"] == derived)
    assert chunk.metadata["derived"] == "obsirag"
    assert json.loads(chunk.metadata["sources"])[0]["note"] == "oil.md"
    graph = build_rag_graph(config).compile()
    for asked in (question, "Zanzibar?"):
        for update in graph.stream({"messages": [HumanMessage(asked)]}, stream_mode="updates"):
            assert derived not in sources_of((update.get("fuse") or {}).get("evidence", []))
            assert derived not in {each["source"] for each in (update.get("publish") or {}).get("citations", [])}


@pytest.mark.parametrize(
    ("sources", "permissions", "expected"),
    [
        (["oil.md"], (), ()),
        (["oil.md", "wick.md"], (), ("a", "b")),
        (["wick.md", "glass.md"], (), ("b",)),
        (["oil.md"], (("c",),), ("c",)),
        (["wick.md", "brass.md"], (), None),
        (["wick.md"], (("c",),), None),
    ],
)
def test_a_note_is_guarded_as_strictly_as_all_that_it_is_from(config, sources, permissions, expected):
    if expected is None:
        with pytest.raises(ConfigError, match="no label"):
            draft(config, *sources, permissions=permissions)
        return
    note = draft(config, *sources, permissions=permissions)
    assert note.labels == expected
    save_answer_note(config, note)
    stated = Vault(config.vault).note(note.path).permissions
    assert stated == ((expected,) if expected else ())


label_sets = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, unique=True).map(sorted).map(tuple), max_size=4)


@given(label_sets, st.sets(st.sampled_from("abcde")))
def test_one_permission_never_lets_in_whom_the_sets_keep_out(sets, labels):
    permissions = merge_permissions(tuple(sets))
    try:
        held = one_permission(permissions)
    except ConfigError:
        assert permissions
        return
    if may_read(permissions_in({"permission": [*held]}), labels):
        assert may_read(permissions, labels)


@pytest.mark.parametrize(
    ("sources", "labels"), [(["wick.md"], ()), (["missing.md"], ("a",)), (["oil.md", "brass.md"], ("a",)), ([], ("a",))]
)
def test_what_its_caller_may_not_read_and_what_is_gone_makes_no_note(config, sources, labels):
    before = files(config)
    with pytest.raises(ConfigError):
        draft(config, *sources, labels=labels)
    assert files(config) == before


def test_an_answer_made_from_an_answer_makes_no_note(config):
    first = draft(config, "oil.md")
    save_answer_note(config, first)
    with pytest.raises(ConfigError, match="made from an answer"):
        draft(config, first.path)


def test_nothing_is_overwritten(config):
    first, again = draft(config, "oil.md"), draft(config, "oil.md")
    save_answer_note(config, first)
    before = files(config)
    with pytest.raises(ConfigError, match="by now"):
        save_answer_note(config, again)
    assert files(config) == before
    second = draft(config, "oil.md")
    assert second.path == first.path.replace(".md", " 2.md")
    save_answer_note(config, second)
    assert before.items() <= files(config).items()


@pytest.mark.parametrize(
    "path",
    [
        "x.md",
        "Saved/x.md",
        "Saved/Answers/../x.md",
        "Saved/Answers/deeper/x.md",
        "Saved/Answers/.x.md",
        "/x.md",
        "Saved/Answers/x",
    ],
)
def test_nothing_is_written_outside_the_folder(config, path):
    before = files(config)
    with pytest.raises(ConfigError):
        save_answer_note(config, AnswerNote(path, "text"))
    assert files(config) == before


def test_a_folder_that_leads_out_of_the_vault_is_refused(config, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (config.vault / "Saved").symlink_to(outside)
    with pytest.raises(ConfigError, match="out of the vault"):
        save_answer_note(config, draft(config, "oil.md"))
    assert [*outside.iterdir()] == []


def test_a_folder_that_the_vault_leaves_out_is_refused(config):
    ignoring = RagConfig(**{**config.model_dump(), "vault_options": {"ignore": ["Saved/"]}})
    with pytest.raises(ConfigError, match="leaves out"):
        save_answer_note(ignoring, draft(config, "oil.md"))
    assert not [*(config.vault / "Saved").rglob("*.md")]


@pytest.mark.parametrize("folder", ["/abs", "../out", "a/../b", ".hidden", "a/.b", "a\\b", "C:x", " ", "a\nb"])
def test_a_folder_outside_the_vault_is_no_configuration(folder):
    with pytest.raises(ConfigError):
        RagConfig(vault="v", index="i", growth={"folder": folder})


def test_without_a_folder_no_answer_becomes_a_note(config):
    with pytest.raises(ConfigError, match="growth"):
        draft(RagConfig(**{**config.model_dump(), "growth": {}}), "oil.md")


@given(st.text(max_size=200))
def test_file_names_are_safe_and_never_only_a_date(question):
    name = file_name(question, DAY)
    assert name.startswith("2026-03-04 ")
    assert name.strip(" .") == name
    assert len(name.encode()) < 250
    assert not set(name) & set('\\/:*?"<>|#^[]\n\r\0')
    assert name.isprintable()


@given(st.text(max_size=80), st.text(max_size=200))
def test_whatever_is_said_stays_in_its_place(question, answer):
    from obsirag.components.answer_notes import answer_text

    text = answer_text(question, answer, [citation("oil.md")], day=DAY, hashes={"oil.md": "x"}, labels=["a"])
    fields = yaml.safe_load(text[4 : text.index("\n---\n\n", 4)])
    assert [*fields] == ["title", "derived", "date", "question", "sources", "permission"]
    assert fields["permission"] == ["a"]
    assert "![[" not in text


def test_what_changed_since_is_told(config):
    note = draft(config, "oil.md", "wick.md")
    save_answer_note(config, note)

    def told():
        found = Vault(config.vault).diagnostics
        return [(each.code, each.path) for each in found if each.code.startswith("original-")]

    assert told() == []
    (config.vault / "oil.md").write_text("The lantern burns with water.\n", encoding="utf-8")
    assert told() == [("original-changed", note.path)]
    (config.vault / "wick.md").unlink()
    assert told() == [("original-changed", note.path), ("original-missing", note.path)]


def test_a_saved_answer_is_for_those_alone_who_may_read_its_sources(config):
    save_answer_note(config, draft(config, "wick.md", question="Zanzibar", answer="Zanzibar [1]."))
    derived = "Saved/Answers/2026-03-04 Zanzibar.md"
    retriever = open_retriever(config)
    assert derived in sources_of(retriever.invoke("Zanzibar", labels=["a"]))
    assert derived not in sources_of(retriever.invoke("Zanzibar", labels=["c"]))
    graph = build_rag_graph(config).compile()
    result = graph.invoke({"messages": [HumanMessage("Zanzibar")]}, context=RagContext(labels=["c"]))
    assert "Zanzibar [1]" not in result["answer"]
