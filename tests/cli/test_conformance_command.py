import importlib
import json
import sys

import pytest


def test_a_part_that_fits_is_told_and_the_exit_code_is_0(run):
    result = run("conformance", "hashing")
    assert result.exit_code == 0
    assert "embeddings 'hashing'\nrequired: 13 of 13 passed\n" in result.stdout
    assert "+ vectors of length 1" in result.stdout
    assert "- its own size of a batch (`batch_size`) - not there: it gets as many texts" in result.stdout
    assert result.stdout.endswith("It conforms.\n")
    assert result.stderr == ""


@pytest.mark.parametrize("name", ["memory", "none", "by-reranker", "by-chat-model"])
def test_every_kind_that_needs_no_service_can_be_checked(run, name):
    result = run("conformance", name, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["conforms"] is True
    assert result.stderr == ""  # the faults that the checks bring about are not logged


def test_options_come_from_the_command_or_the_configuration(run, tmp_path):
    file = tmp_path / "obsirag.yaml"
    file.write_text("embeddings: {name: hashing, dimensions: 4}\n")
    result = run("conformance", "hashing", "--config", file)
    assert result.exit_code == 1
    assert "`dimensions`" in result.stderr
    result = run("conformance", "hashing", "--config", file, "--options", '{"dimensions": 512}')
    assert result.exit_code == 0


@pytest.fixture
def forgetful(tmp_path, monkeypatch):
    """An installed plugin of somebody else's, with embeddings that forget the last text."""
    info = tmp_path / "forgetful-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: forgetful\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[obsirag]\nforgetful = forgetful_plugin\n")
    (tmp_path / "forgetful_plugin.py").write_text(
        "from obsirag import hookimpl\n"
        "from obsirag.testing import FakeEmbeddings\n\n"
        "class Forgetful(FakeEmbeddings):\n"
        "    def embed_documents(self, texts):\n"
        "        return super().embed_documents(texts[:-1] or texts)\n\n"
        "@hookimpl\n"
        "def embeddings(options):\n"
        "    return Forgetful()\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    yield "forgetful"
    sys.modules.pop("forgetful_plugin", None)


def test_a_failed_requirement_is_told_with_exit_code_1(run, forgetful):
    result = run("conformance", forgetful)
    assert result.exit_code == 1
    assert "! each text gets a vector" in result.stdout
    assert "expected 5 vectors for as many texts; came 4; so the index cannot be written" in result.stdout
    assert "It does not conform" in result.stdout
    assert json.loads(run("conformance", forgetful, "--json").stdout)["conforms"] is False


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing-such"], "there is no plugin 'nothing-such'"),
        (["openai"], "say which with --kind"),
        (["hashing", "--kind", "reranker"], "makes no reranker; it makes: embeddings"),
        (["hashing", "--kind", "embedings"], "did you mean 'embeddings'?"),
        (["hashing", "--config", "nowhere.yaml"], "there is no such file"),
    ],
)
def test_what_cannot_be_checked_is_one_message(run, arguments, words):
    result = run("conformance", *arguments)
    assert result.exit_code == 1
    assert words in result.stderr.replace("\n", " ")
    assert "Traceback" not in result.output


@pytest.mark.parametrize("options", ["no JSON", "[]", '"text"'])
def test_options_that_are_none_are_wrong_use(run, options):
    assert run("conformance", "hashing", "--options", options).exit_code == 2


@pytest.mark.parametrize(("name", "kind"), [("openai", "chat_model"), ("openai", "embeddings"), ("tavily", None)])
def test_a_service_that_is_not_there_is_one_message(run, name, kind):
    pytest.importorskip("langchain_openai")
    pytest.importorskip("langchain_tavily")
    options = {"base_url": "http://127.0.0.1:9/v1", "max_retries": 0, **({"model": "m"} if kind else {})}
    result = run("conformance", name, *(["--kind", kind] if kind else []), "--options", json.dumps(options))
    assert result.exit_code == 1
    assert "cannot be reached" in result.stderr
    assert "Traceback" not in result.output
    assert result.stdout == ""


def test_offline_keeps_remote_parts_from_being_called(run, tmp_path):
    file = tmp_path / "obsirag.yaml"
    file.write_text("offline: true\nchat_model: {name: openai, model: m, base_url: 'http://192.0.2.1/v1'}\n")
    result = run("conformance", "openai", "--kind", "chat_model", "--config", file)
    assert result.exit_code == 1
    assert "`offline` is on" in result.stderr
