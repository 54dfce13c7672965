import sys

import pytest

from obsirag.components import build_observers, index_vault
from obsirag.config import RagConfig
from obsirag.errors import ConfigError, PluginError
from obsirag.graphs import build_rag_graph

SOURCE = """
from obsirag import hookimpl

heard = []

@hookimpl
def observer(options):
    def watch(start):
        heard.append((options.get("name_it"), "start", start.node))
        return lambda end: heard.append((options.get("name_it"), "end", start.node))
    return watch

@hookimpl
def hosts(options):
    return [options["host"]] if "host" in options else []
"""


@pytest.fixture
def config(tmp_path):
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "health.md").write_text("The respawn timer of health is 77 seconds.")

    def make(*observers, **settings):
        return RagConfig(
            vault=tmp_path / "vault",
            index=tmp_path / "index",
            vector_store="memory",
            embeddings="hashing",
            tracing={"observers": list(observers)},
            **settings,
        )

    return make


def ask(config, *observers):
    index_vault(config)
    graph = build_rag_graph(config, observers=observers).compile()
    return graph.invoke({"messages": [("user", "How long is the respawn timer of health?")]})


def test_observers_of_the_configuration_hear_what_those_given_in_python_hear(install, config):
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": SOURCE})
    own = []

    def watch(start):
        own.append(("start", start.node))
        return lambda end: own.append(("end", start.node))

    assert ask(config("acme", {"name": "acme", "name_it": "second"}), watch)["answer"]
    heard = sys.modules["acme_plugin"].heard
    for name in (None, "second"):
        assert [each[1:] for each in heard if each[0] == name] == own
    assert ("end", "publish") in own
    assert len(own) > 6


def test_an_observer_is_made_with_the_graph_and_no_graph_without_one_imports_it(install, config):
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": SOURCE})
    assert ask(config())["answer"]
    assert "acme_plugin" not in sys.modules
    build_rag_graph(config("acme"))
    assert "acme_plugin" in sys.modules


@pytest.mark.parametrize("source", ["raise RuntimeError", "return lambda end: 1 / 0"])
def test_one_that_fails_changes_no_answer(install, config, source):
    code = f"from obsirag import hookimpl\n@hookimpl\ndef observer(options):\n    def watch(start):\n        {source}\n"
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": f"{code}    return watch\n"})
    assert ask(config("acme"))["answer"] == ask(config())["answer"]


@pytest.mark.parametrize("made", ["None", "3", "dict"])
def test_what_is_no_observer_is_refused_before_a_question(install, config, made):
    source = f"from obsirag import hookimpl\n@hookimpl\ndef observer(options): return {made}"
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": source})
    with pytest.raises(PluginError, match=r"'acme' of acme-rag 1\.0 is to make the observer, but made"):
        build_observers(config("acme"))


def test_offline_and_the_lists_of_plugins_hold_for_observers(install, config):
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": SOURCE})
    remote = {"name": "acme", "host": "https://spans.example"}
    assert build_observers(config(remote))
    with pytest.raises(ConfigError, match=r"`tracing\.observers\.0` \(acme\) would call https://spans\.example"):
        build_observers(config(remote, offline=True))
    with pytest.raises(PluginError, match="may not be used"):
        build_observers(config("acme", plugins={"allow": []}))


def test_the_lists_of_plugins_hold_for_every_kind_of_part(install, config):
    source = SOURCE + "\nraise SystemExit('imported')\n"
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": source})
    uses = [
        *({kind: "acme"} for kind in ("chat_model", "embeddings", "vector_store", "reranker", "search_provider")),
        {"splitter": "acme"},
        {"cleaning": {"steps": ["acme"]}},
        {"nodes": {"grade": "acme"}},
    ]
    index_vault(config())
    for use in uses:
        settings = {**config().model_dump(exclude_unset=True), "plugins": {"deny": ["acme-rag"]}, **use}
        chosen = RagConfig(**settings)
        act = build_rag_graph if use.keys() & {"chat_model", "reranker", "search_provider", "nodes"} else index_vault
        with pytest.raises(PluginError, match=r"may not be used: `plugins\.deny`"):
            act(chosen)
        assert "acme_plugin" not in sys.modules
