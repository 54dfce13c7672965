from __future__ import annotations

import datetime
import os
import shutil
import time
from pathlib import Path
from typing import Any

import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_text_splitters import CharacterTextSplitter, RecursiveCharacterTextSplitter, TextSplitter

from index_worlds import CountingEmbeddings, World
from obsirag.catalogue import Catalogue
from obsirag.errors import CatalogueError, PluginError, ServiceError, VaultError
from obsirag.plugins.hashing import HashingEmbeddings
from obsirag.records import RenderedNote, locate_quote
from obsirag.splitters import ObsidianSplitter
from obsirag.splitters.own_metadata import RESERVED_FIELDS, TAKEN_OVER
from obsirag.vault import Vault


@pytest.fixture(params=["kept", "memory", "chroma"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> World:
    return World(tmp_path, request.param)


@pytest.fixture
def kept(tmp_path: Path) -> World:
    return World(tmp_path)


def assert_like_fresh(world: World, tmp_path: Path) -> None:
    fresh = World(tmp_path / "fresh", world.kind, world.vault)
    fresh.options = world.options
    fresh.embeddings = world.embeddings
    fresh.sync()
    assert world.state() == fresh.state()


def test_first_run_adds_everything(world: World) -> None:
    world.write("a.md", "lion fact")
    world.write("sub/b.md", "zebra fact")
    report = world.sync()
    assert (report.added, report.chunks, report.embedded) == (("a.md", "sub/b.md"), 2, 2)
    assert world.sources("zebra")[0] == "sub/b.md"


def test_a_model_may_ask_for_small_batches(world: World) -> None:
    world.write("many.md", "\n".join(f"# Heading {n}\n\n{'text ' * 120}{n}\n" for n in range(9)))
    world.embeddings.batch_size = 2
    world.sync(batch_size=100)
    assert len(world.embeddings.calls) > 1
    assert {len(call) for call in world.embeddings.calls} <= {1, 2}


def test_a_model_with_small_batches_gets_small_groups_and_the_store_its_large_ones(kept: World) -> None:
    for number in range(8):
        kept.write(f"{number}.md", f"text {number}")
    published: list[int] = []
    kept.embeddings.batch_size = 2
    kept.sync(batch_size=100, progress=lambda *_: published.append(kept.catalogue.note_count()))
    assert published == [0, 2, 2, 4, 4, 6, 6, 8]
    kept.sync(settings={"vector_store": "another"}, full=True)
    assert len(kept.kept.writes) == 0
    kept.kept.delete(kept.kept.ids())
    kept.sync(full=True)
    assert [len(each) for each in kept.kept.writes] == [8]


@pytest.mark.parametrize("declared", [None, 0, -3, True, 2.5, "16"])
def test_a_batch_size_that_is_no_size_does_not_count(kept: World, declared: object) -> None:
    for number in range(5):
        kept.write(f"{number}.md", f"text {number}")
    kept.embeddings.batch_size = declared
    kept.embeddings.input_limit, kept.embeddings.input_length = "many", None
    assert len(kept.sync(batch_size=3).added) == 5
    assert max(map(len, kept.embeddings.calls)) == 3


@pytest.mark.parametrize("broken", ["model", "store"])
@pytest.mark.parametrize("store", ["kept", "chroma"])
def test_a_rebuild_with_a_part_that_cannot_be_used_leaves_the_index(tmp_path: Path, broken: str, store: str) -> None:
    world = World(tmp_path, store)
    world.write("a.md", "lion fact")
    world.write("b.md", "zebra fact")
    world.sync()
    before = world.state()
    former, world.embeddings = world.embeddings, CountingEmbeddings(24, world.clock)
    world.embeddings.model_id = "other:24"
    world.embeddings.fails = lambda _: broken == "model"
    with pytest.raises((ServiceError, PluginError), match=r"other:24|no store"):
        world.sync(full=True, **({"open_store": no_store} if broken == "store" else {}))
    replacement, world.embeddings = world.embeddings, former
    assert (world.state(), world.catalogue.model_id) == (before, former.model_id)
    assert world.sources("zebra")[0] == "b.md"
    assert world.sync().unchanged == ("a.md", "b.md")
    world.embeddings = replacement
    world.embeddings.fails = lambda _: False
    assert world.sync(full=True).chunks == 2


def no_store(_: object) -> Any:
    raise PluginError("no store here")


def test_a_new_index_is_not_bound_to_a_model_that_never_answered(kept: World) -> None:
    kept.write("a.md", "x")
    kept.embeddings.fails = lambda _: True
    assert [each.code for each in kept.sync().failed] == ["embedding-failed"]
    assert kept.catalogue.model_id is None
    kept.embeddings = CountingEmbeddings(24, kept.clock)
    kept.embeddings.model_id = "other:24"
    assert kept.sync().added == ("a.md",)


@pytest.mark.parametrize("splitter", [ObsidianSplitter(), CharacterTextSplitter(chunk_size=40, chunk_overlap=0)])
def test_a_field_of_a_note_never_takes_the_place_of_a_chunks_own(world: World, splitter: TextSplitter) -> None:
    names = sorted(RESERVED_FIELDS - TAKEN_OVER)
    fields = "".join(f"{name}: Berlin\n" for name in names if name != "permissions")
    text = "\n\n".join(f"paragraph {number} of words and more words" for number in range(4))
    world.write("a.md", f"---\n{fields}title: Trip\nmood: good\n---\n{text}\n")
    world.write("b.md", "other words")
    world.options = {"splitter": splitter}
    world.sync()
    for name in ("places", "chunk_id", "source", "score"):
        found = world.retriever(chunks_per_document=9).invoke("paragraph words", filter={f"note.{name}": "Berlin"})
        assert {document.metadata["source"] for document in found} == {"a.md"}
        assert len({document.id for document in found}) == len(found)
        assert (len(found) == 4) == isinstance(splitter, CharacterTextSplitter)
        for document in found:
            assert {document.metadata[f"note.{each}"] for each in names if each != "permissions"} == {"Berlin"}
            assert (document.metadata["title"], document.metadata["mood"]) == ("Trip", "good")
            assert "Berlin" not in {str(document.metadata.get(each)) for each in names}


@pytest.mark.parametrize("batch_size", [1, 7, 100])
def test_second_run_neither_embeds_nor_writes(kept: World, batch_size: int) -> None:
    kept.write("big.md", "\n\n".join(f"# H{n}\n" + f"text {n} " * 60 for n in range(40)))
    kept.write("a.md", "same")
    assert kept.sync(batch_size=batch_size).chunks > 20
    report = kept.sync(batch_size=batch_size)
    assert (report.unchanged, report.embedded) == (("a.md", "big.md"), 0)
    # A store that has no files in the index folder is asked whether it still holds its vectors.
    assert (kept.embeddings.calls, kept.kept.writes, kept.opened) == ([], [], 1)


def test_batches_are_no_larger_than_asked(kept: World) -> None:
    kept.write("big.md", "\n\n".join(f"# H{n}\n" + f"text {n} " * 60 for n in range(40)))
    kept.sync(batch_size=3)
    assert max(map(len, kept.embeddings.calls)) <= 3
    assert max(map(len, kept.kept.writes)) <= 3


def test_unchanged_means_unread(kept: World, monkeypatch: pytest.MonkeyPatch) -> None:
    kept.write("a.md", "same")
    time.sleep(0.05)  # a file that has only just been written is looked at once more
    kept.sync()
    monkeypatch.setattr(Path, "read_bytes", lambda _: pytest.fail("a file was read"))
    assert kept.sync().unchanged == ("a.md",)


def test_a_touched_file_is_unchanged(kept: World) -> None:
    kept.write("a.md", "same")
    kept.sync()
    os.utime(kept.vault / "a.md", (1, 1))
    report = kept.sync()
    assert (report.unchanged, kept.embeddings.calls, kept.kept.writes) == (("a.md",), [], [])


def test_content_decides_whatever_the_time_stamps_say(kept: World) -> None:
    kept.write("a.md", "one")
    kept.sync()
    before = (kept.vault / "a.md").stat()
    kept.write("a.md", "two")
    os.utime(kept.vault / "a.md", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert kept.sync().changed == ("a.md",)
    assert kept.sources("two") == ["a.md"]


def test_a_change_costs_only_its_own_chunks(kept: World) -> None:
    text = "\n\n".join(f"# H{n}\n" + f"text {n} " * 80 for n in range(20))
    kept.write("big.md", text)
    chunks = kept.sync().chunks
    kept.write("big.md", text.replace("text 7 ", "other 7 "))
    report = kept.sync()
    assert (report.changed, report.chunks) == (("big.md",), chunks)
    assert report.embedded <= 2
    written, deleted = kept.kept.writes
    assert len(written) == len(deleted) <= 2


def test_rename_and_deletion_leave_nothing_stale(world: World, tmp_path: Path) -> None:
    world.write("old.md", "zebra fact")
    world.write("keep.md", "lion fact")
    world.sync()
    world.rename("old.md", "new.md")
    world.remove("keep.md")
    report = world.sync()
    assert (report.renamed, report.deleted) == ((("old.md", "new.md"),), ("keep.md",))
    assert (report.added, report.changed, report.chunks, report.embedded) == ((), (), 1, 0)
    assert world.sources("zebra") == ["new.md"]
    assert world.sources("lion") in ([], ["new.md"])
    assert_like_fresh(world, tmp_path)


def test_two_notes_of_the_same_content_are_renamed_once_each(kept: World) -> None:
    kept.write("a.md", "x")
    kept.write("b.md", "x")
    kept.sync()
    kept.rename("a.md", "c.md")
    report = kept.sync()
    assert (report.renamed, report.unchanged, report.deleted) == ((("a.md", "c.md"),), ("b.md",), ())


def test_a_note_changes_with_what_it_embeds(kept: World, tmp_path: Path) -> None:
    kept.write("host.md", "before ![[part]] after\n\n![[part]]\n")
    kept.write("part.md", "first words")
    kept.write("other.md", "nothing to do with it")
    kept.sync()
    kept.write("part.md", "second words")
    assert kept.sync().changed == ("host.md", "part.md")
    assert "host.md" in kept.sources("second")
    assert_like_fresh(kept, tmp_path)


def test_a_note_changes_when_a_missing_target_comes(kept: World, tmp_path: Path) -> None:
    kept.write("host.md", "![[Part]]\n")
    kept.sync()
    kept.write("deep/part.md", "now here")
    report = kept.sync()
    assert (report.added, report.changed) == (("deep/part.md",), ("host.md",))
    kept.remove("deep/part.md")
    assert kept.sync().changed == ("host.md",)
    assert_like_fresh(kept, tmp_path)


def test_a_note_changes_when_a_name_leads_elsewhere(kept: World, tmp_path: Path) -> None:
    kept.write("a/host.md", "![[part]]\n")
    kept.write("b/part.md", "far away")
    kept.sync()
    kept.write("a/part.md", "close by")
    assert kept.sync().changed == ("a/host.md",)
    assert "a/host.md" in kept.sources("close")
    assert_like_fresh(kept, tmp_path)


def test_a_note_changes_with_an_alias_of_another(kept: World, tmp_path: Path) -> None:
    kept.write("host.md", "![[Nick]]\n")
    kept.write("outer.md", "![[host]]\n")
    kept.write("part.md", "the text")
    kept.sync()
    kept.write("part.md", "---\naliases: [Nick]\n---\nthe text")
    assert kept.sync().changed == ("host.md", "outer.md", "part.md")
    assert "host.md" in kept.sources("the text")
    assert_like_fresh(kept, tmp_path)


def test_an_alias_that_moves_is_seen(kept: World, tmp_path: Path) -> None:
    kept.write("host.md", "![[Nick]]\n")
    kept.write("one.md", "---\naliases: [Nick]\n---\nfirst")
    kept.write("two.md", "second")
    kept.sync()
    kept.write("one.md", "first")
    kept.write("two.md", "---\naliases: [Nick]\n---\nsecond")
    kept.sync()
    assert_like_fresh(kept, tmp_path)


def test_an_attachment_that_comes_is_seen(kept: World, tmp_path: Path) -> None:
    kept.write("host.md", "text ![[picture.png]]\n")
    kept.sync()
    (kept.vault / "files").mkdir()
    (kept.vault / "files/picture.png").write_bytes(b"png")
    kept.sync()
    assert_like_fresh(kept, tmp_path)


def test_identical_chunks_have_ids_of_their_own(world: World, tmp_path: Path) -> None:
    text = "# Log\n\n- [ ] none\n\n# Log\n\n- [ ] none\n"
    world.options = {"splitter": ObsidianSplitter(chunk_size=30)}
    world.write("x.md", text)
    world.write("y.md", text)
    report = world.sync()
    assert (report.chunks, report.embedded) == (4, 1)
    assert len(world.stored() if world.kind != "memory" else "four") == 4
    assert world.sync().unchanged == ("x.md", "y.md")
    world.remove("y.md")
    assert world.sync().chunks == 2
    assert world.sources("log none") == ["x.md"]
    assert_like_fresh(world, tmp_path)


@pytest.mark.parametrize("name", ['it\'s a "test".md', "100% \\ back.md", "中文 笔记.md", "[b] {c} $d *e*.md"])
def test_any_file_name_can_be_indexed_filtered_and_deleted(world: World, name: str) -> None:
    world.write("a.md", "common words")
    world.write(name, "common words")
    world.sync()
    assert world.sources("common", filter={"source": name}) == [name]
    world.remove(name)
    assert world.sync().deleted == (name,)
    assert world.sources("common") == ["a.md"]


def test_front_matter_of_any_shape_is_indexed_and_filtered(world: World) -> None:
    world.write(
        "m.md", "---\ntags: [a, b]\ncreated: 2024-05-01\nmeta: {k: 1}\nnothing:\nlist: [1, [2, 3]]\n---\nbody text\n"
    )
    world.write("n.md", "---\ntags: [c]\ncreated: 2023-01-31\n---\nbody text\n")
    assert world.sync().failed == ()
    assert world.sources("body", filter={"tags": "a"}) == ["m.md"]
    assert world.sources("body", filter={"created": {"$gt": datetime.date(2024, 1, 1)}}) == ["m.md"]
    assert world.sources("body", filter={"created": {"$lt": "2024"}}) == ["n.md"]


def test_another_embedding_model_is_refused_before_anything_is_written(world: World, tmp_path: Path) -> None:
    world.write("a.md", "x")
    world.sync()
    before = world.state()
    for other in (DeterministicFakeEmbedding(size=16), HashingEmbeddings(8)):
        with pytest.raises(CatalogueError, match=r"hashing:16.*(Fake|hashing:8).*full"):
            world.sync(embeddings=other)
    assert world.state() == before


def test_a_model_that_changes_behind_its_name_is_refused(kept: World) -> None:
    kept.write("a.md", "x")
    kept.sync()
    other = CountingEmbeddings(24)
    other.model_id = kept.embeddings.model_id
    kept.write("b.md", "y")
    with pytest.raises(CatalogueError, match=r"24.*16"):
        kept.sync(embeddings=other)
    assert kept.sync().added == ("b.md",)


def test_full_rebuilds_for_another_model(world: World, tmp_path: Path) -> None:
    world.write("a.md", "x words")
    world.write("b.md", "y words")
    world.sync()
    world.embeddings = CountingEmbeddings(24)
    report = world.sync(full=True)
    assert (report.unchanged, report.embedded) == (("a.md", "b.md"), 2)
    assert world.sources("x")[0] == "a.md"
    assert_like_fresh(world, tmp_path)


def test_full_mends_a_store_that_lost_or_gained_something(kept: World, tmp_path: Path) -> None:
    kept.write("a.md", "x")
    kept.write("b.md", "y")
    kept.sync()
    kept.kept.delete(kept.kept.ids()[:1])
    kept.kept.add_texts(["stray"])
    assert kept.sync(full=True).embedded == 0
    assert_like_fresh(kept, tmp_path)


def test_a_store_whose_files_are_gone_is_filled_again(tmp_path: Path) -> None:
    world = World(tmp_path, "chroma")
    world.write("a.md", "x")
    world.sync()
    shutil.rmtree(world.index / "chroma")
    report = world.sync()
    assert (report.unchanged, report.embedded) == (("a.md",), 0)
    assert len(world.stored()) == 1


def test_another_store_is_filled_from_the_cache(kept: World) -> None:
    kept.write("a.md", "x")
    kept.sync(settings={"vector_store": "memory"}, open_store=lambda each: World.open_store(kept, each))
    kept.kind = "chroma"
    report = kept.sync(settings={"vector_store": "chroma"})
    assert (report.unchanged, report.embedded) == (("a.md",), 0)
    assert len(kept.stored()) == 1


def test_other_settings_rebuild_what_they_affect(kept: World, tmp_path: Path) -> None:
    kept.write("a.md", "# A\n\n" + "words and words. " * 100)
    kept.write("b.md", "short")
    kept.options = {"settings": {"splitter": "1000"}}
    kept.sync()
    kept.options = {"settings": {"splitter": "200"}, "splitter": ObsidianSplitter(chunk_size=200)}
    report = kept.sync()
    assert (report.changed, report.unchanged) == (("a.md",), ("b.md",))
    assert_like_fresh(kept, tmp_path)
    assert kept.sync().changed == ()
    kept.options["clean"] = lambda rendered: replace_text(rendered, rendered.text.replace("s", "z"))
    kept.options["settings"] = {"splitter": "200", "cleaning": "on"}
    assert kept.sync().changed == ("a.md", "b.md")


def replace_text(rendered: RenderedNote, text: str) -> RenderedNote:
    return RenderedNote(rendered.path, text, rendered.metadata, rendered.segments, rendered.embeds)


@pytest.mark.parametrize("action", ["emptied", "gone"])
def test_a_vanished_vault_does_not_wipe_the_index(kept: World, action: str) -> None:
    kept.write("a.md", "x")
    kept.sync()
    before = kept.state()
    vault = Vault(kept.vault)
    kept.remove("a.md")
    if action == "gone":
        kept.vault.rmdir()
    told = "remove the index folder" if action == "emptied" else "vault"
    with pytest.raises((CatalogueError, VaultError), match=told):
        kept.sync(vault=vault)
    assert kept.state() == before


def test_a_vault_without_notes_is_an_error(kept: World) -> None:
    with pytest.raises(VaultError, match="no notes"):
        kept.sync()


def test_an_unreadable_note_fails_alone_and_keeps_its_old_version(kept: World) -> None:
    kept.write("a.md", "alpha words")
    kept.write("b.md", "beta words")
    kept.sync()
    (kept.vault / "a.md").write_bytes(b"\x80 broken \xff")
    (kept.vault / "c.md").write_bytes(b"\x80\x81\x82")
    kept.write("b.md", "gamma words")
    report = kept.sync()
    assert [(each.path, each.code) for each in report.failed] == [("a.md", "undecodable"), ("c.md", "undecodable")]
    assert report.changed == ("b.md",)
    assert "a.md" in kept.sources("alpha")
    kept.write("a.md", "delta words")
    kept.write("c.md", "epsilon words")
    report = kept.sync()
    assert (report.added, report.changed, report.failed) == (("c.md",), ("a.md",), ())


def test_a_fault_of_a_step_is_the_fault_of_one_note(kept: World) -> None:
    def clean(rendered: RenderedNote) -> RenderedNote:
        if rendered.path == "a.md":
            raise RuntimeError("cannot clean this")
        return rendered

    kept.write("a.md", "x")
    kept.write("b.md", "y")
    report = kept.sync(clean=clean)
    assert report.added == ("b.md",)
    assert [(each.path, each.code) for each in report.failed] == [("a.md", "not-indexed")]
    assert kept.sync().added == ("a.md",)


def test_one_bad_text_costs_only_its_note(kept: World) -> None:
    for number in range(20):
        kept.write(f"{number:02}.md", f"text {number}")
    kept.embeddings.fails = lambda text: "text 13" in text
    report = kept.sync()
    assert [each.path for each in report.failed] == ["13.md"]
    assert len(report.added) == 19
    kept.embeddings.fails = lambda _: False
    assert kept.sync().added == ("13.md",)


def test_a_model_out_of_reach_loses_nothing_and_is_not_asked_forever(kept: World, tmp_path: Path) -> None:
    for number in range(50):
        kept.write(f"{number:02}.md", f"text {number}")
    kept.embeddings.fails = lambda text: not text.startswith(("text 0", "text 1"))
    report = kept.sync(batch_size=5)
    assert {"00.md", "01.md"} <= set(report.added)
    assert len(report.added) + len(report.failed) == 50
    assert "ConnectionError" in report.failed[0].message
    assert len(kept.embeddings.calls) < 20
    kept.embeddings.fails = lambda _: False
    assert len(kept.sync().added) == len(report.failed)
    assert_like_fresh(kept, tmp_path)


def test_a_store_out_of_reach_loses_nothing(kept: World, tmp_path: Path) -> None:
    kept.write("a.md", "x")
    kept.sync()
    kept.write("a.md", "y")
    kept.write("b.md", "z")
    kept.kept.fails = True
    report = kept.sync(batch_size=1)
    assert [(each.path, each.code) for each in report.failed] == [("a.md", "store-failed"), ("b.md", "store-failed")]
    assert kept.sources("x") == ["a.md"]
    kept.kept.fails = False
    report = kept.sync()
    assert (report.changed, report.added, report.embedded) == (("a.md",), ("b.md",), 0)
    assert_like_fresh(kept, tmp_path)


def test_a_chunk_over_the_input_limit_is_reported(kept: World) -> None:
    kept.embeddings.input_limit = 20
    kept.embeddings.input_length = len
    kept.write("a.md", "short\n\n" + "long words " * 30)
    codes = {(each.path, each.code) for each in kept.sync().diagnostics}
    assert ("a.md", "input-limit") in codes


def test_progress_is_told_for_each_note(kept: World) -> None:
    told: list[tuple[int, int, str]] = []
    kept.write("a.md", "x")
    kept.write("b.md", "y")
    kept.sync(progress=lambda *each: told.append(each))
    assert told == [(1, 2, "a.md"), (2, 2, "b.md")]


def test_the_second_of_two_runs_says_so(kept: World) -> None:
    kept.write("a.md", "x")

    def progress(*_: Any) -> None:
        with pytest.raises(CatalogueError, match="Another run"):
            other.sync(wait=0.05)

    other = World(kept.index.parent, vault=kept.vault)
    assert kept.sync(progress=progress).added == ("a.md",)
    assert other.sync().unchanged == ("a.md",)


def test_any_langchain_splitter_will_do(kept: World) -> None:
    kept.options = {"splitter": RecursiveCharacterTextSplitter(chunk_size=200, chunk_overlap=0)}
    kept.write("secret.md", "---\npermission: boss\n---\nthe secret salary table")
    kept.write("public.md", "hello\n\n![[secret]]\n\nworld " + "word " * 100)
    kept.sync()
    assert all("salary" not in each.page_content for each in kept.retriever().invoke("secret salary table"))
    assert set(kept.sources("salary", labels=["boss"])) == {"secret.md", "public.md"}


def test_each_part_of_a_chunk_knows_where_it_stands(kept: World) -> None:
    kept.write("host.md", "---\nx: 1\n---\n# Top\n\nfirst line\n\n![[part#Inner]]\n\nlast line\n")
    kept.write("part.md", "# Part\n\nintro\n\n## Inner\n\ninner line\n")
    kept.sync()
    documents = [each for each in kept.retriever().invoke("line") if each.metadata["source"] == "host.md"]
    found = {}
    for document in documents:
        for words in ("first line", "inner line", "last line"):
            start = document.page_content.find(words)
            if start >= 0:
                found[words] = locate_quote(document, start, start + len(words))
    assert found["first line"][:3] == ("host.md", 6, 6)
    assert found["inner line"] == ("part.md", 7, 7, ("Top", "Inner"))
    assert found["last line"] == ("host.md", 10, 10, ("Top",))


def test_real_notes(kept: World, sample_vault: Path, tmp_path: Path) -> None:
    report = kept.sync(vault=Vault(sample_vault))
    assert (report.failed, len(report.added)) == ((), len(Vault(sample_vault).paths()))
    report = kept.sync(vault=Vault(sample_vault))
    assert (len(report.unchanged), kept.embeddings.calls, kept.kept.writes) == (
        len(Vault(sample_vault).paths()),
        [],
        [],
    )


def test_a_reader_in_another_catalogue_sees_the_new_version(world: World) -> None:
    world.write("a.md", "first words")
    world.sync()
    with Catalogue.open(world.index, create=False) as catalogue:
        reader = World.retriever(world)
        assert [each.metadata["source"] for each in reader.invoke("first")] == ["a.md"]
        version = catalogue.index_version
        world.write("b.md", "second words")
        world.sync()
        assert catalogue.index_version > version
        assert "b.md" in [each.metadata["source"] for each in reader.invoke("second")]


@pytest.mark.parametrize("speed", [0, -1, float("nan"), float("inf")])
def test_a_speed_that_is_none_is_refused(kept: World, speed: float) -> None:
    kept.write("a.md", "x")
    with pytest.raises(ValueError, match="calls_per_second"):
        kept.sync(calls_per_second=speed)
