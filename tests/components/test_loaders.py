"""Files that loaders read, in an index: the same laws as for notes, and no loading that isn't needed."""

import importlib
import json
import os
import sys
import threading
import time

import pytest

from obsirag.components import Components, index_vault, open_retriever, open_vault, plan_sync, watch_vault
from obsirag.config import RagConfig
from obsirag.errors import ConfigError, PluginError, VaultError
from obsirag.graphs import build_rag_graph
from obsirag.records import FilePart, LoadedFile

SOURCE = """
from obsirag import hookimpl
from obsirag.errors import VaultError
from obsirag.records import LoadedFile

asked = []

class Pages:
    suffixes = (".page",)

    def __init__(self, word):
        self.word = word
        self.calls = 0  # a state of its own, which is no other loader

    def load(self, path):
        asked.append(path.name)
        self.calls += 1
        text = path.read_text()
        if "broken" in text:
            raise VaultError("it is broken")
        return LoadedFile(f"{self.word} {text}")

@hookimpl
def loader(options):
    return Pages(options.get("word", "Page:"))

@hookimpl
def hosts(options):
    return [options["host"]] if "host" in options else []
"""


@pytest.fixture
def world(tmp_path, monkeypatch):
    """A vault with a note and three files, where an installed plugin reads the files."""

    class World:
        vault = tmp_path / "vault"
        site = tmp_path / "site"

        def install(self, version):
            for old in self.site.glob("*.dist-info"):
                old.rename(self.site / f"page_rag-{version}.dist-info")
            info = self.site / f"page_rag-{version}.dist-info"
            info.mkdir(parents=True, exist_ok=True)
            (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: page-rag\nVersion: {version}\n")
            (info / "entry_points.txt").write_text("[obsirag]\npage = page_plugin\n")
            (self.site / "page_plugin.py").write_text(SOURCE)
            importlib.invalidate_caches()

        def config(self, *loaders, **settings):
            parts = {"embeddings": "hashing", "vector_store": "memory", "loaders": list(loaders or ["page"])}
            return RagConfig(vault=self.vault, index=tmp_path / "index", **{**parts, **settings})

        def sync(self, *loaders, **options):
            """Index, and return the report with the names of the files that were loaded for it."""
            before = len(self.asked)
            report = index_vault(self.config(*loaders), **options)
            return report, sorted(self.asked[before:])

        @property
        def asked(self):
            return getattr(sys.modules.get("page_plugin"), "asked", [])

        def found(self, query, *loaders, labels=()):
            documents = open_retriever(self.config(*loaders)).invoke(query, labels=list(labels))
            return {each.metadata["source"]: each for each in documents}

    made = World()
    made.vault.mkdir()
    (made.vault / "n.md").write_text("Of notes.")
    for name in ("a", "b", "c"):
        (made.vault / f"{name}.page").write_text(f"Of {name}.")
        age(made.vault / f"{name}.page")
    age(made.vault / "n.md")
    made.install("1.0")
    monkeypatch.syspath_prepend(str(made.site))
    yield made
    sys.modules.pop("page_plugin", None)


def age(file, seconds=60):
    """Make a file look as if it had been written a while ago; what was written just now is read again."""
    then = time.time() - seconds
    os.utime(file, (then, then))
    time.sleep(0.03)  # its ctime is now


ALL = ["a.page", "b.page", "c.page"]


def test_unchanged_files_are_not_loaded_again(world):
    report, loaded = world.sync()
    assert (len(report.added), loaded) == (4, ALL)
    report, loaded = world.sync()
    assert (len(report.unchanged), loaded, report.embedded) == (4, [], 0)
    age(world.vault / "a.page", 30)  # another time stamp on the same content
    report, loaded = world.sync()
    assert (len(report.unchanged), loaded) == (4, [])


def test_a_changed_file_is_loaded_and_no_other(world):
    world.sync()
    (world.vault / "b.page").write_text("Of kettles.")
    report, loaded = world.sync()
    assert (report.changed, loaded) == (("b.page",), ["b.page"])
    (world.vault / "n.md").write_text("Of notes, ![[c.page]] and [[a.page]].")
    report, loaded = world.sync()
    assert (report.changed, loaded) == (("n.md",), [])


def test_new_files_are_loaded_once_however_many(world):
    world.sync()
    names = [f"x{number:04}.page" for number in range(600)]  # more than a reader keeps
    for name in names:
        (world.vault / name).write_text(f"Of {name}.")
    _, loaded = world.sync()
    assert loaded == names


def test_files_that_go_or_get_another_name_leave_nothing_behind(world):
    world.sync()
    (world.vault / "a.page").unlink()
    (world.vault / "b.page").rename(world.vault / "d.page")
    report, _ = world.sync()
    assert (report.deleted, report.renamed) == (("a.page",), (("b.page", "d.page"),))
    assert set(world.found("of")) == {"c.page", "d.page", "n.md"}


@pytest.mark.parametrize("change", ["version", "options", "given"])
def test_another_loader_reads_its_files_again(world, change):
    world.sync()
    loaders = ["page"]
    if change == "version":
        world.install("1.1")
    elif change == "options":
        loaders = [{"name": "page", "word": "Sheet:"}]
    if change == "given":
        given = Given("Given:")
        report = index_vault(world.config(), components=Components(loaders=[given]))
        assert sorted(given.asked) == ALL
        assert len(report.changed) == 3
        return
    report, loaded = world.sync(*loaders)
    assert loaded == ALL
    assert report.embedded == (3 if change == "options" else 0)
    report, loaded = world.sync(*loaders)
    assert (loaded, len(report.unchanged)) == ([], 4)


class Given:
    suffixes = (".page",)

    def __init__(self, word):
        self.word = word
        self.asked = []

    def load(self, path):
        self.asked.append(path.name)
        return LoadedFile(f"{self.word} {path.read_text()}")


def test_a_file_that_cannot_be_loaded_costs_itself_and_is_tried_again(world):
    world.sync()
    (world.vault / "b.page").write_text("broken")
    for _ in range(2):
        report, loaded = world.sync()
        assert [(each.path, each.code, each.message) for each in report.failed] == [
            ("b.page", "not-loaded", "it is broken")
        ]
        assert loaded == ["b.page"]
        assert len(report.unchanged) == 3
    assert world.found("of b")["b.page"].page_content == "Page: Of b."  # what the index held of it stays
    (world.vault / "b.page").write_text("Mended.")
    report, _ = world.sync()
    assert (report.failed, report.changed) == ((), ("b.page",))


def test_without_its_loader_a_file_is_no_note_any_more(world):
    world.sync()
    report = index_vault(world.config(loaders=[]))
    assert list(report.deleted) == ALL
    assert set(world.found("of")) == {"n.md"}
    _, loaded = world.sync()
    assert loaded == ALL
    assert set(world.found("of")) == {*ALL, "n.md"}


def test_loaded_files_are_found_answered_from_and_cited_with_their_lines(world):
    (world.vault / "tea.page").write_text("first line\n\n# Green tea\n\nThe kettle for tea is set to 80 degrees.\n")
    world.sync()
    graph = build_rag_graph(world.config()).compile()
    answer = graph.invoke({"messages": [("user", "To how many degrees is the kettle for tea set?")]})
    (citation,) = answer["citations"]
    assert "80 degrees" in answer["answer"]
    assert (citation["source"], citation["title"], citation["start_line"]) == ("tea.page", "Green tea", 5)
    assert citation["headings"] == ["Green tea"]


def test_labels_of_loaded_files_hold(world):
    (world.vault / "tea.page").write_text("The safe of the leads is blue.")

    class Labelled(Given):
        def load(self, path):
            loaded = super().load(path)
            return LoadedFile(loaded.text, {"permission": "leads"} if path.name == "tea.page" else {})

    config = world.config()
    index_vault(config, components=Components(loaders=[Labelled("")]))
    retriever = open_retriever(config)
    assert "tea.page" not in {each.metadata["source"] for each in retriever.invoke("safe of the leads")}
    assert retriever.invoke("safe of the leads", labels=["leads"])[0].metadata["source"] == "tea.page"


def test_chunks_say_in_which_parts_of_the_file_they_lie(world):
    pages = [f"Page {number} is about thing {number}.\n\n" * 8 for number in range(5)]

    class Paged(Given):
        def load(self, path):
            starts = [sum(map(len, pages[:number])) for number in range(5)]
            parts = tuple(FilePart(start, f"page {number}") for number, start in enumerate(starts))
            return LoadedFile("".join(pages), {}, parts)

    config = world.config(splitter={"chunk_size": 300, "chunk_overlap": 0})
    index_vault(config, components=Components(loaders=[Paged("")]))
    chunks = [each for each in open_retriever(config).invoke("page thing") if each.metadata["source"] == "a.page"]
    assert chunks
    for chunk in chunks:
        parts = json.loads(chunk.metadata["file_parts"])
        assert [name for _, name in parts] == [
            name for name in map("page {}".format, range(5)) if f"P{name[1:]} is" in chunk.page_content
        ]
        assert parts[0][0] <= chunk.metadata["start_line"]
    notes = [each for each in open_retriever(config).invoke("notes") if each.metadata["source"] == "n.md"]
    assert all("file_parts" not in each.metadata for each in notes)


def test_offline_and_the_lists_of_plugins_hold_for_loaders(world):
    remote = {"name": "page", "host": "https://ocr.example"}
    with pytest.raises(ConfigError, match=r"`loaders\.0` \(page\) would call https://ocr\.example"):
        index_vault(world.config(remote, offline=True))
    with pytest.raises(PluginError, match="may not be used"):
        open_vault(world.config(plugins={"deny": ["page-rag"]}))
    with pytest.raises(VaultError, match=r"two loaders read \.page files: the plugin 'page' of page-rag 1\.0 and"):
        open_vault(world.config("page", "page"))
    assert world.asked == []


def test_a_plan_and_a_watch_know_them(world):
    assert sorted(plan_sync(world.config()).added) == [*ALL, "n.md"]
    stop = threading.Event()
    reports = []

    def told(report):
        reports.append(report)
        if len(reports) == 2:
            stop.set()
        else:
            (world.vault / "a.page").write_text("Of kettles.")

    timer = threading.Timer(20, stop.set)
    timer.start()
    watch_vault(world.config(), on_report=told, on_error=lambda error: stop.set(), interval=0.05, stop=stop)
    timer.cancel()
    assert [each.changed for each in reports] == [(), ("a.page",)]
