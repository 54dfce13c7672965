import threading

import pytest

from obsirag.components import Components, watch_vault
from obsirag.config import RagConfig
from obsirag.errors import ObsiragError, PluginError
from obsirag.indexing import is_being_written
from obsirag.plugins.hashing import HashingEmbeddings


class Story(threading.Event):
    """Stands in for the time between two looks: each wait is the next thing that happens; after the last, it ends."""

    def __init__(self, *happenings):
        super().__init__()
        self.happenings = list(happenings)

    def wait(self, timeout=None):
        if not self.happenings:
            self.set()
            return True
        happening = self.happenings.pop(0)
        if happening is not None:
            happening()
        return False


@pytest.fixture
def config(tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("Flour.", encoding="utf-8")
    return RagConfig(vault=tmp_path / "notes", index=tmp_path / "index", embeddings="hashing", vector_store="memory")


def watch(config, *happenings, **options):
    """Return what was reported: a report, or the message of an error."""
    told = []
    watch_vault(
        config, on_report=told.append, on_error=told.append, stop=Story(*happenings), **{"retry_after": 0, **options}
    )
    assert not is_being_written(config.index)
    return told


def writing(config, name, text):
    return lambda: (config.vault / name).write_text(text, encoding="utf-8")


def test_a_change_is_indexed_once_and_an_unchanged_vault_is_not(config):
    first, second = watch(config, None, None, writing(config, "b.md", "Leaves."), None, None, None)
    assert (first.added, second.added, second.unchanged) == (("a.md",), ("b.md",), ("a.md",))


def test_notes_that_are_being_written_are_waited_for(config):
    changes = [writing(config, "b.md", "x" * length) for length in range(1, 6)]
    first, second = watch(config, None, *changes, None, None)
    assert (first.added, second.added) == (("a.md",), ("b.md",))


def test_a_vault_that_never_rests_is_indexed_all_the_same(config):
    changes = [writing(config, "b.md", "x" * length) for length in range(1, 30)]
    assert 3 <= len(watch(config, *changes)) <= 5


def test_deletions_and_attachments_are_changes(config):
    (config.vault / "b.md").write_text("![[p.png]]", encoding="utf-8")
    reports = watch(
        config, lambda: (config.vault / "p.png").write_bytes(b"png"), None, None, (config.vault / "a.md").unlink, None
    )
    assert [(each.changed, each.deleted) for each in reports] == [((), ()), (("b.md",), ()), ((), ("a.md",))]


def test_a_run_that_fails_is_told_and_tried_again(config):
    away = config.vault.with_name("away")
    reports = watch(
        config,
        lambda: config.vault.rename(away),
        None,
        lambda: (away.rename(config.vault), writing(config, "b.md", "Leaves.")()),
        None,
        None,
    )
    assert (reports[0].added, reports[-1].added) == (("a.md",), ("b.md",))
    assert all(isinstance(each, ObsiragError) for each in reports[1:-1])
    assert len(reports) > 2


class Moody(HashingEmbeddings):
    down = True

    def embed_documents(self, texts):
        if self.down:
            raise ConnectionError
        return super().embed_documents(texts)


def test_notes_that_a_service_failed_are_tried_again_without_a_change(config):
    embeddings = Moody(16)
    first, second = watch(
        config, lambda: setattr(embeddings, "down", False), None, None, components=Components(embeddings=embeddings)
    )
    assert (len(first.failed), second.added) == (1, ("a.md",))


def test_what_is_wrong_with_the_configuration_ends_it_at_once(config):
    with pytest.raises(PluginError):
        watch(RagConfig(**{**config.model_dump(), "embeddings": "no-such-plugin"}))


def test_ctrl_c_ends_it_and_leaves_no_lock(config):
    def interrupt():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        watch(config, None, interrupt)
    assert not is_being_written(config.index)
