"""Versions of nodes, chosen by name: those that are built in, and a stranger's."""

import asyncio
import sys
from typing import Any

import pytest

from obsirag import Components, RagConfig, build_rag_graph, index_vault
from obsirag.errors import ConfigError, PluginError
from obsirag.graphs import RunRecorder
from obsirag.retrievers import ScoringReranker

QUESTION: Any = {"messages": [("user", "How long is the respawn timer?")]}

GOOD = """
from obsirag import hookimpl

class First:
    def __init__(self, options, parts):
        self.most, self.seen = options.get("most", 1), 0
        self.first = parts.grading.first

    def __call__(self, state):
        self.seen += 1
        return {"evidence": state["evidence"][:self.most], "following": "answer", "degraded": [f"seen-{self.seen}"]}

@hookimpl
def nodes():
    return {"grade": First}
"""


def plugin(body: str, more: str = "") -> str:
    """The source of a plugin whose version of ``grade`` does that."""
    made = f"def make(options, parts):\n    def grade(state):\n        {body}\n    return grade\n"
    return f"from obsirag import hookimpl\n{made}{more}\n@hookimpl\ndef nodes():\n    return {{'grade': make}}\n"


class Words(ScoringReranker):
    """Scores a text by how many of the question's words it has."""

    def score(self, query, texts):
        words = set(query.casefold().strip("?").split())
        return [len(words & set(text.casefold().strip(".").split())) / len(words) for text in texts]


@pytest.fixture(scope="module")
def base(tmp_path_factory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("notes")
    (folder / "Timer.md").write_text("The respawn timer is 8 seconds.")
    (folder / "Boss.md").write_text("The boss has a timer of 5 seconds.")
    (folder / "Pier.md").write_text("The pier is blue, like the timer of the harbour.")
    values = {"vault": folder, "index": tmp_path_factory.mktemp("index"), "embeddings": "hashing"}
    index_vault(RagConfig(**values))
    return values


def graph(base: dict[str, Any], nodes: Any, *, components: Any = None, **options: Any) -> tuple[Any, RunRecorder]:
    recorder = RunRecorder()
    config = RagConfig(**base, nodes=nodes, **options)
    return build_rag_graph(config, components=components, observers=[recorder]).compile(), recorder


def version_of_grade(recorder: RunRecorder) -> str:
    (version,) = {step["version"] for step in recorder.record()["steps"] if step["node"] == "grade"}
    return version


@pytest.mark.parametrize("nodes", [{}, {"grade": "1"}, {"grade": 1}, {"grade": {"name": "1"}}])
def test_without_a_choice_a_node_is_its_first_version(base, nodes):
    built, recorder = graph(base, nodes)
    built.invoke(QUESTION)
    assert version_of_grade(recorder) == "1"


def test_a_strangers_version_takes_the_place_of_a_node_and_the_record_tells_its_name(base, install):
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": GOOD})
    for built, recorder in (graph(base, {"grade": "acme"}), graph(base, {"grade": {"name": "acme-rag:acme"}})):
        result = built.invoke(QUESTION)
        assert result["status"] == "answered"
        assert version_of_grade(recorder) in ("acme", "acme-rag:acme")
        assert len({each["source"] for each in result["citations"]}) == 1
    built, _ = graph(base, {"grade": {"name": "acme", "most": 3}})
    assert len(asyncio.run(built.ainvoke(QUESTION))["citations"]) > 0


def test_it_is_loaded_only_where_its_name_is_used(base, install):
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": GOOD})
    graph(base, {})
    assert "acme_plugin" not in sys.modules
    graph(base, {"grade": "acme"})
    assert "acme_plugin" in sys.modules


def test_two_graphs_with_different_versions_share_nothing(base, install):
    """Each gives, question after question and all at once, what it would give alone."""
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": GOOD})
    choices = [({}, None), ({"grade": "by-reranker"}, Components(reranker=Words())), ({"grade": "acme"}, None)]
    alone = [outcome(*graph(base, nodes, components=parts)) for nodes, parts in choices]
    assert [version for *_, version in alone] == ["1", "by-reranker", "acme"]
    assert len({repr(each) for each in alone}) == len(alone)
    together = [graph(base, nodes, components=parts) for nodes, parts in choices]
    assert [outcome(*each) for each in together] == alone
    # What a stranger's version keeps is kept for its graph.
    first, _ = together[2]
    other, _ = graph(base, {"grade": "acme"})
    assert first.invoke(QUESTION)["degraded"] == ["seen-2"]
    assert other.invoke(QUESTION)["degraded"] == ["seen-1"]

    async def all_at_once():
        return await asyncio.gather(*(built.ainvoke(QUESTION) for built, _ in together for _ in range(3)))

    sources = [[each["source"] for each in result["citations"]] for result in asyncio.run(all_at_once())]
    assert sources == [each[0] for each in alone for _ in range(3)]


def outcome(built: Any, recorder: RunRecorder) -> tuple[list[str], list[str], str]:
    result = built.invoke(QUESTION)
    return [each["source"] for each in result["citations"]], result["degraded"], version_of_grade(recorder)


@pytest.mark.parametrize(
    ("nodes", "told"),
    [
        ({"grad": "1"}, r"this graph has no grad \(did you mean grade\?\)"),
        ({"grad": "by-reranker"}, r"this graph has no grad \(did you mean grade\?\); it has answer, fuse"),
        ({"compose": "by-chat-model"}, r"this graph has no compose"),  # without aspects
        ({"grade": "by-rerankr"}, r"nodes\.grade: there is no version 'by-rerankr'; did you mean `by-reranker`\?"),
        ({"grade": "zzz"}, r"nodes\.grade: there is no version 'zzz'\. Built-in versions of grade: 1, by-reranker"),
        ({"grade": "by-chat-model"}, r"'by-chat-model' of obsirag \S+ has versions of compose only\. .* 1, by-rer"),
        ({"grade": "hashing"}, r"nodes\.grade: the plugin 'hashing' of obsirag \S+ has no versions of nodes"),
        ({"grade": {"name": "1", "most": 3}}, r"nodes\.grade: version 1 takes no options"),
        ({"grade": {"most": 3}}, r"`nodes\.grade\.name` is missing"),
        ({"grade": True}, r"`nodes\.grade`: must be a mapping"),
        ({"": "1"}, r"nodes"),
        ({"grade": {"name": "by-reranker", "scale": {"env": "NOT_SET"}}}, r"`nodes\.grade\.scale`.*NOT_SET"),
    ],
)  # fmt: skip
def test_what_there_is_not_is_told_with_the_nearest_name(base, nodes, told):
    with pytest.raises(ConfigError, match=told):
        graph(base, nodes)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("raise RuntimeError('boom')", r"'acme' of acme-rag 1\.0 failed to load: RuntimeError: boom"),
        (f"{plugin('pass')}    raise KeyError('x')", r"failed to say of which nodes it has versions: KeyError"),
        (plugin("pass").replace("{'grade': make}", "['grade']"), "is to give functions by the names of nodes"),
        (
            plugin("pass").replace("return grade", "raise ValueError(options['key'])"),
            r"failed to make the node grade: ",
        ),
    ],
)
def test_a_broken_plugin_is_named_and_breaks_only_itself(base, install, source, told):
    if "KeyError('x')" in source:
        source = source.replace("    return {'grade': make}\n", "")
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": source})
    with pytest.raises(PluginError, match=f"acme.*{told}|{told}") as caught:
        graph(base, {"grade": {"name": "acme", "key": "sk-secret"}})
    assert "sk-secret" not in str(caught.value)
    built, _ = graph(base, {"grade": "1"})
    assert built.invoke(QUESTION)["status"] == "answered"


@pytest.mark.parametrize(
    ("body", "error", "told"),
    [
        ("return 7", ConfigError, r"nodes: grade \(acme\) gave no update of the state, but int"),
        ("return {'evidence': ['Bluebird']}", ConfigError, r"nodes: grade \(acme\) gave a wrong `evidence`"),
        (
            "raise ValueError('Bluebird')",
            PluginError,
            r"nodes: grade \(acme\) failed: ValueError, raised in acme_plugin",
        ),
    ],
)
def test_what_a_version_gives_is_checked_and_told_with_its_name_and_no_text(base, install, body, error, told):
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": plugin(body)})
    built, _ = graph(base, {"grade": "acme"})
    for run in (lambda: built.invoke(QUESTION), lambda: asyncio.run(built.ainvoke(QUESTION))):
        with pytest.raises(error, match=told) as caught:
            run()
        assert "Bluebird" not in str(caught.value)


def test_what_is_no_node_is_told(base, install):
    source = plugin("pass").replace("return grade", "return None")
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": source})
    with pytest.raises(ConfigError, match=r"nodes: grade \(acme\) must be a function or a Runnable; this NoneType"):
        graph(base, {"grade": "acme"})


def test_a_search_of_a_plugin_may_fail_and_gets_nothing_that_its_caller_may_not_read(base, install):
    source = plugin("raise ValueError('x')").replace("'grade'", "'vector_search'")
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": source})
    built, _ = graph(base, {"vector_search": "acme"})
    result = built.invoke(QUESTION)
    assert (result["status"], result["degraded"]) == ("answered", ["vector_search"])


def test_one_that_calls_another_machine_is_refused_where_that_is_forbidden(base, install):
    more = "@hookimpl\ndef hosts(options):\n    return ['https://api.example.com']\n"
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": plugin("return {}", more)})
    graph(base, {"grade": "acme"})
    with pytest.raises(
        ConfigError, match=r"`offline` is on, but `nodes\.grade` \(acme\) would call https://api\.example\.com"
    ):
        graph(base, {"grade": "acme"}, offline=True)


def test_a_node_given_in_python_comes_before_a_chosen_version(base):
    config = RagConfig(**base, nodes={"grade": "by-reranker"})
    built = build_rag_graph(config, nodes={"grade": lambda state: {"following": "answer"}}).compile()
    assert built.invoke(QUESTION)["status"] == "answered"
