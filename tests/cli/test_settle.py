import sys
from pathlib import Path

import pytest
import typer

from obsirag.cli.settle import default_index, path_in, settle_config


@pytest.fixture
def cache(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder


def test_a_vault_alone_gets_an_index_of_its_own_outside_of_it(tmp_path, cache):
    one, other = tmp_path / "a" / "notes", tmp_path / "b" / "notes"
    config = settle_config(one, None, None)
    assert config.vault == one
    assert config.index.parent == cache / "obsirag"
    assert config.index.name.startswith("notes-")
    assert default_index(other) != default_index(one)


def test_a_vault_has_one_index_however_it_is_written(tmp_path, cache, monkeypatch):
    (tmp_path / "notes").mkdir()
    monkeypatch.chdir(tmp_path)
    assert default_index(Path("notes")) == default_index(tmp_path / "notes") == default_index(Path("notes/../notes"))


@pytest.mark.parametrize(
    ("platform", "variable", "folder"),
    [
        ("linux", "XDG_CACHE_HOME", ".cache/obsirag"),
        ("darwin", "XDG_CACHE_HOME", "Library/Caches/obsirag"),
        ("win32", "LOCALAPPDATA", "AppData/Local/obsirag"),
    ],
)
def test_each_system_has_its_cache_folder(monkeypatch, tmp_path, platform, variable, folder):
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert default_index(tmp_path / "notes").parent == tmp_path / folder


def test_a_file_in_the_working_directory_is_taken_without_being_named(tmp_path, monkeypatch):
    (tmp_path / "obsirag.yml").write_text("vault: notes\nindex: index\n")
    monkeypatch.chdir(tmp_path)
    assert settle_config(None, None, None).vault == Path("notes")


def test_the_index_can_be_moved(tmp_path, cache):
    file = tmp_path / "c.yaml"
    file.write_text("vault: notes\nindex: index\n")
    assert settle_config(None, tmp_path / "x", file).index == tmp_path / "x"
    assert settle_config(tmp_path, tmp_path / "x", None).index == tmp_path / "x"


def test_a_vault_and_a_file_do_not_go_together(tmp_path):
    with pytest.raises(typer.BadParameter, match="not both"):
        settle_config(tmp_path, None, tmp_path / "c.yaml")


@pytest.mark.parametrize("arguments", [("index", ""), ("ask", "why?", "--vault", ""), ("search", "x", "--index", " ")])
def test_an_empty_path_is_wrong_use(run, arguments):
    result = run(*arguments)
    assert result.exit_code == 2
    assert "empty" in result.stderr


def test_a_note_has_its_path_in_the_vault_however_it_is_given(tmp_path, monkeypatch):
    root = tmp_path / "notes"
    (root / "sub").mkdir(parents=True)
    for name in ("sub/n.md", "~x.md"):
        (root / name).write_text("")
    (tmp_path / "outside.md").write_text("")
    (root / "out.md").symlink_to(tmp_path / "outside.md")
    (root / "loop").symlink_to(".", target_is_directory=True)
    monkeypatch.chdir(root / "sub")
    for given in ("sub/n.md", "n.md", str(root / "sub" / "n.md"), "../sub/n.md", "loop/sub/n.md"):
        assert path_in(root, given) == "sub/n.md"
    assert path_in(root, "~x.md") == "~x.md"
    assert path_in(root, str(root / "out.md")) == path_in(root, "out.md") == "out.md"
    for given in ("gone.md", str(tmp_path / "outside.md"), "x\0y", "x" * 5000):
        assert path_in(root, given) == given


def test_a_preset_that_is_given_wins_over_the_files(tmp_path, cache):
    file = tmp_path / "c.yaml"
    file.write_text("vault: notes\nindex: index\npreset: enterprise\n")
    assert settle_config(None, None, file).preset == "enterprise"
    assert settle_config(None, None, file, preset="naive").preset == "naive"
    assert settle_config(tmp_path, None, None, preset="aspects").preset == "aspects"


def test_a_preset_shapes_the_graph_and_an_unknown_one_is_wrong_use(run, tmp_path, cache):
    (tmp_path / "n.md").write_text("A note.")
    given = ("--vault", tmp_path, "--index", tmp_path / "index")
    assert run("index", tmp_path, *given[2:]).exit_code == 0
    shapes = {name: run("graph", *given, "--preset", name).stdout for name in ("naive", "enterprise")}
    assert "answer →" in shapes["naive"]
    assert "request_review" not in shapes["naive"]
    assert "request_review →" in shapes["enterprise"]
    wrong = run("graph", "--vault", tmp_path, "--preset", "nave")
    assert wrong.exit_code == 2
    assert "naive, corrective, aspects, enterprise" in " ".join(wrong.stderr.replace("│", " ").split())
