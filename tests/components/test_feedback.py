"""Marks over a real index: who may make them, who sees them, what they move, and that nothing of them stays."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from obsirag.components import drop_index, index_vault, open_feedback, open_retriever, rebuild_index
from obsirag.config import RagConfig
from obsirag.errors import ConfigError
from obsirag.feedback import Feedback, MarksFile

QUESTION = "how does the lantern burn"


@pytest.fixture
def config(tmp_path):
    vault = tmp_path / "vault"
    vault.mkdir()
    for number, extra in enumerate(["burn burn", "burn", "lantern", "oil", "light", "wick"]):
        (vault / f"{number}.md").write_text(f"# Note {number}\n\nThe lantern burns with {extra}.\n", encoding="utf-8")
    (vault / "secret.md").write_text("---\npermission: leads\n---\n\nThe lantern burns in secret.\n", encoding="utf-8")
    made = RagConfig(vault=vault, index=tmp_path / "index", embeddings="hashing", vector_store="memory")
    index_vault(made)
    return made


def change(config, **retrieval):
    return RagConfig(**{**config.model_dump(), "retrieval": {**config.retrieval.model_dump(), **retrieval}})


def sources(documents):
    return list(dict.fromkeys(each.metadata["source"] for each in documents))


def as_text(documents):
    return json.dumps([[each.id, each.page_content, each.metadata] for each in documents], sort_keys=True)


@pytest.mark.parametrize("fusion", ["scores", "ranks"])
def test_a_revoked_mark_gives_the_old_hits_back_to_the_letter(config, fusion):
    config = change(config, fusion=fusion, limit=3)
    retriever, feedback = open_retriever(config), open_feedback(config)
    off = open_retriever(change(config, preferences={"enabled": False})).invoke(QUESTION)
    before = retriever.invoke(QUESTION)
    assert as_text(before) == as_text(off)
    better = next(f"{number}.md" for number in range(6) if f"{number}.md" not in sources(before))
    marks = [feedback.add("better_source", QUESTION, sources=[better]) for _ in range(9)]
    marks += [feedback.add("bad", QUESTION, sources=[each]) for each in sources(before) for _ in range(5)]
    with_marks = retriever.invoke(QUESTION)
    assert sources(with_marks) != sources(before)
    assert any("preference" in each.metadata for each in with_marks)
    for mark in marks:
        feedback.revoke(mark.id)
    assert as_text(retriever.invoke(QUESTION)) == as_text(before)


async def test_marks_move_asynchronous_searches_too(config):
    retriever = open_retriever(config)
    last = sources(retriever.invoke(QUESTION))[-1]
    open_feedback(config).add("good", QUESTION, sources=[last])
    assert sources(await retriever.ainvoke(QUESTION)) == sources(retriever.invoke(QUESTION))
    assert sources(retriever.invoke(QUESTION))[-1] != last


def test_a_cache_never_serves_what_marks_have_changed(config):
    config = change(config, cache={"size": 10})
    retriever, feedback = open_retriever(config), open_feedback(config)
    before = retriever.invoke(QUESTION)
    mark = feedback.add("good", QUESTION, sources=[sources(before)[2]])
    assert sources(retriever.invoke(QUESTION)) != sources(before)
    feedback.revoke(mark.id)
    assert as_text(retriever.invoke(QUESTION)) == as_text(before)


def test_marks_count_for_those_alone_who_hold_all_labels_of_their_makers(config):
    retriever, feedback = open_retriever(config), open_feedback(config)
    held = {"nobody": (), "leads": ("leads",), "both": ("leads", "finance"), "finance": ("finance",)}
    before = {name: as_text(retriever.invoke(QUESTION, labels=labels)) for name, labels in held.items()}
    public = sources(retriever.invoke(QUESTION))[-1]
    mark = feedback.add("good", QUESTION, sources=[public], labels=["leads"])
    changed = {
        name for name, labels in held.items() if as_text(retriever.invoke(QUESTION, labels=labels)) != before[name]
    }
    assert changed <= {"leads", "both"}
    assert changed
    for name, labels in held.items():
        sees = name in ("leads", "both")
        assert bool(feedback.list(labels=labels)) is sees
        assert bool(feedback.list(question=QUESTION, labels=labels)) is sees
        assert bool(feedback.preferences(QUESTION, labels=labels)) is sees
    for labels in ((), ("finance",)):
        with pytest.raises(ConfigError, match="no mark"):
            feedback.revoke(mark.id, labels=labels)
    feedback.revoke(mark.id, labels=("finance", "leads"))
    assert feedback.list(labels=("leads",)) == ()


def test_no_mark_is_made_on_what_its_maker_may_not_read_and_the_refusal_tells_nothing(config):
    feedback = open_feedback(config)
    said = []
    for path in ("secret.md", "missin.md"):
        with pytest.raises(ConfigError) as error:
            feedback.add("good", QUESTION, sources=[path])
        said.append(str(error.value).replace(path, "…"))
    assert said[0] == said[1]
    assert feedback.add("good", QUESTION, sources=["secret.md"], labels=["leads"]).sources == ("secret.md",)


def test_a_note_that_became_restricted_hides_the_marks_on_it(config):
    feedback = open_feedback(config)
    feedback.add("good", QUESTION, sources=["1.md"])
    feedback.add("bad", QUESTION, sources=["1.md", "2.md"])
    (config.vault / "1.md").write_text("---\npermission: leads\n---\n\nThe lantern burns.\n", encoding="utf-8")
    index_vault(config)
    assert feedback.list() == ()
    assert [each.source for each in feedback.preferences(QUESTION)] == ["2.md"]
    assert len(feedback.list(labels=["leads"])) == 2


def test_marks_survive_a_rebuild_a_dropped_index_and_renamed_notes(config):
    mark = open_feedback(config).add("good", QUESTION, sources=["1.md"])
    rebuild_index(config)
    assert open_feedback(config).list() == (mark,)
    assert "feedback.sqlite" in drop_index(config)
    index_vault(config)
    assert open_feedback(config).list() == (mark,)
    (config.vault / "1.md").rename(config.vault / "moved.md")
    index_vault(config)
    assert [each.sources for each in open_feedback(config).list()] == [("moved.md",)]


def test_a_broken_file_of_marks_costs_the_marks_and_says_so(config):
    before = sources(open_retriever(config).invoke(QUESTION))
    (config.index / "feedback.sqlite").write_bytes(b"no database" * 1000)
    found = open_retriever(change(config, cache={"size": 3})).search(QUESTION)
    assert found.degraded == ("preferences",)
    assert sources(found.documents) == before


def test_old_marks_move_less(config):
    feedback = open_feedback(config)
    feedback.add("good", QUESTION, sources=["1.md"])
    later = Feedback(
        MarksFile(config.index / "feedback.sqlite"),
        feedback._catalogue,
        half_life=10,
        now=lambda: datetime.now(UTC) + timedelta(days=100),
    )
    (old,), (new,) = later.preferences(QUESTION), feedback.preferences(QUESTION)
    assert 0 < old.share < new.share / 100


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("lovely", {"sources": ["1.md"]}),
        ("good", {}),
        ("correction", {"sources": ["1.md"]}),
        ("good", {"sources": ["1.md"], "question": " "}),
        ("good", {"sources": ["1.md"], "question": "x" * 4001}),
        ("correction", {"words": "x" * 4001}),
        ("good", {"sources": ["../1.md"]}),
        ("good", {"sources": [1]}),
        ("good", {"sources": ["1.md"], "labels": 3}),
    ],
)
def test_a_mark_that_says_nothing_is_refused(config, kind, values):
    with pytest.raises(ConfigError):
        open_feedback(config).add(kind, values.pop("question", QUESTION), **values)
    assert not (config.index / "feedback.sqlite").exists()
