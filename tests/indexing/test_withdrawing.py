"""What a failure must not leave open: text whose labels have changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_text_splitters import CharacterTextSplitter

import obsirag.indexing.run as run
from index_worlds import World
from obsirag.records import RenderedNote


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path)
    world.write("host.md", "open words of the host\n\n![[guest]]")
    world.write("guest.md", "words of the guest")
    world.write("other.md", "words of another")
    world.sync()
    return world


def readable(world: World, **options: Any) -> str:
    found = world.retriever(limit=99, chunks_per_document=99).invoke("words guest host another", **options)
    return "\n".join(document.page_content for document in found)


def fail(world: World, part: str) -> dict[str, Any]:
    def broken(_: object) -> RenderedNote:
        raise RuntimeError("broken")

    if part == "model":
        world.embeddings.fails = lambda _: True
    elif part == "store":
        world.kept.fails = True
    return {"clean": broken} if part == "cleaning" else {}


@pytest.mark.parametrize("part", ["model", "store", "cleaning"])
def test_a_note_whose_labels_changed_is_withdrawn_where_it_cannot_be_renewed(world: World, part: str) -> None:
    world.write("guest.md", "---\npermission: leads\n---\nother words of the guest")
    report = world.sync(**fail(world, part))
    assert {"host.md", "guest.md"} == {each.path for each in report.failed}
    assert "guest" not in readable(world)
    assert "another" in readable(world)
    world.kept.fails, world.embeddings.fails = False, lambda _: False
    assert world.sync().added == ("guest.md", "host.md")
    assert "guest" not in readable(world)
    assert "other words of the guest" in readable(world, labels="leads")


@pytest.mark.parametrize("part", ["model", "store", "cleaning"])
def test_a_note_of_the_same_labels_stays_as_it_was(world: World, part: str) -> None:
    world.write("guest.md", "other words of the guest")
    report = world.sync(**fail(world, part))
    assert "guest.md" in {each.path for each in report.failed}
    assert "words of the guest" in readable(world)


@pytest.mark.parametrize("part", ["model", "store", "cleaning"])
def test_a_note_that_ends_with_text_for_some_stays_as_it_was(world: World, part: str) -> None:
    world.write("guest.md", "---\npermission: leads\n---\nwords of the guest")
    world.write("host.md", "open words of the host\n\n![[guest]]\n")
    world.sync()
    world.write("host.md", "other words of the host\n\n![[guest]]\n")
    report = world.sync(**fail(world, part), full=True)
    assert "host.md" in {each.path for each in report.failed}
    assert "open words of the host" in readable(world)
    assert "words of the guest" in readable(world, labels="leads", filter={"source": "host.md"})


def test_a_note_that_cannot_be_stored_costs_only_itself(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    publish = run.publish

    def refuse(connection: Any, records: Any, removed: Any) -> None:
        publish(connection, records, removed)
        if any(record.path == "guest.md" for record in records):
            raise UnicodeEncodeError("utf-8", "x", 0, 1, "cannot be stored")

    monkeypatch.setattr(run, "publish", refuse)
    world.write("guest.md", "other words of the guest")
    world.write("new.md", "new words")
    report = world.sync()
    assert [(each.path, each.code) for each in report.failed] == [("guest.md", "not-stored")]
    assert (report.added, report.changed) == (("new.md",), ("host.md",))


class Careless(CharacterTextSplitter):
    """Knows notes, but nothing of labels."""

    def __init__(self, stated: dict[str, Any]) -> None:
        super().__init__()
        self.stated = stated

    def split_note(self, rendered: RenderedNote) -> list[Document]:
        return [Document(part, metadata=dict(self.stated)) for part in rendered.text.split("\n\n") if part.strip()]


@pytest.mark.parametrize("stated", [{}, {"permissions": None}, {"permissions": []}, {"permissions": ['["team"]']}])
def test_a_splitter_that_knows_no_labels_opens_nothing(world: World, stated: dict[str, Any]) -> None:
    world.write("guest.md", "---\npermission: leads\n---\nwords of the guest\n\nsecond words of the guest")
    world.sync(splitter=Careless(stated), full=True, settings={"splitter": "careless"})
    assert "second words of the guest" not in readable(world)
    guest = {"source": "guest.md"}
    assert readable(world, labels="team", filter=guest) == ""
    assert "second words of the guest" in readable(world, labels=["leads", "team"], filter=guest)
    for document in world.retriever().invoke("second words", labels=["leads", "team"], filter=guest):
        assert '["leads"]' in document.metadata["permissions"]


def test_a_full_run_rebuilds_for_a_model_that_changed_its_length_under_its_name(world: World) -> None:
    name = world.embeddings.model_id
    world.embeddings.dimensions, world.embeddings.model_id = 24, name
    assert world.sync(full=True).embedded == 3
    assert world.sources("another")[0] == "other.md"
    world.embeddings.fails = lambda _: True
    assert world.sync(full=True).embedded == 0


@pytest.mark.parametrize("broken", ["model", "splitter"])
def test_notes_that_swap_their_labels_within_a_note_that_fails(world: World, broken: str) -> None:
    world.write("secret.md", "---\npermission: leads\n---\nwords of the secret")
    host = "words {} of the host\n\n![[guest]]\n\nwords between\n\n![[secret]]\n\nlast words"
    world.write("host.md", host.format("open"))
    world.sync()
    assert "words of the guest" in readable(world, filter={"source": "host.md"})
    world.write("guest.md", "---\npermission: leads\n---\nwords of the guest")
    world.write("secret.md", "words of the secret")
    world.write("host.md", host.format("other"))
    splitter: Any = world.parts()["splitter"]
    if broken == "model":
        world.embeddings.fails = lambda text: "other" in text
    else:
        split = splitter.split_note
        splitter.split_note = lambda rendered: 1 / 0 if rendered.path == "host.md" else split(rendered)
    report = world.sync(splitter=splitter)
    assert [each.path for each in report.failed] == ["host.md"]
    assert "words of the guest" not in readable(world)
    assert readable(world, filter={"source": "host.md"}) == ""


def test_an_old_version_stays_where_nobody_else_may_read_it(world: World) -> None:
    world.write("secret.md", "---\npermission: leads\n---\nwords of the secret")
    world.write("host.md", "open words of the host\n\n![[guest]]\n\n![[secret]]")
    world.sync()
    world.write("host.md", "open words of the host, changed\n\n![[guest]]\n\n![[secret]]")
    world.embeddings.fails = lambda text: "changed" in text
    assert [each.path for each in world.sync().failed] == ["host.md"]
    assert "open words of the host" in readable(world, filter={"source": "host.md"})
