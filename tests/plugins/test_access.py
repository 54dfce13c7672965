import sys

import pytest

from obsirag.config import PluginOptions
from obsirag.errors import PluginError
from obsirag.plugins import Registry

SOURCE = """
from obsirag import hookimpl
from langchain_core.embeddings import DeterministicFakeEmbedding

@hookimpl
def embeddings(options):
    return DeterministicFakeEmbedding(size=7)
"""

# As an entry may spell it, and whether it means the plugin `acme` of `acme-rag`.
SPELLINGS = [
    ("acme", True),
    ("acme-rag", True),
    ("Acme_RAG", True),
    ("acme.rag", True),
    ("acme-rag:acme", True),
    ("ACME_rag:acme", True),
    ("ACME", False),
    ("acme-rag:other", False),
    ("other:acme", False),
    ("acm", False),
]


@pytest.fixture
def acme(install):
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": SOURCE})


def registry(**lists):
    return Registry(options=PluginOptions(**lists))


def may_use(plugins, name):
    try:
        plugins.load(name)
    except PluginError as error:
        return "may not be used" not in str(error)
    return True


@pytest.mark.parametrize(("entry", "meant"), SPELLINGS)
@pytest.mark.parametrize("setting", ["allow", "deny"])
def test_an_entry_means_a_distribution_or_a_name_or_both(acme, setting, entry, meant):
    plugins = registry(**{setting: [entry]})
    assert may_use(plugins, "acme") == (meant if setting == "allow" else not meant)
    assert bool(plugins.warnings) is not meant


def test_what_may_not_be_used_is_never_imported(acme):
    for plugins in (registry(allow=[]), registry(deny=["acme"]), registry(allow=["acme"], deny=["acme-rag"])):
        with pytest.raises(PluginError, match=r"'acme' of acme-rag may not be used: `plugins\.(allow|deny)`"):
            plugins.build("embeddings", "acme", {})
        with pytest.raises(PluginError):
            plugins.hosts("acme", {})
        assert "acme_plugin" not in sys.modules


def test_what_is_built_in_may_be_used_unless_it_is_denied(acme):
    assert may_use(registry(allow=[]), "hashing")
    assert not may_use(registry(deny=["hashing"]), "hashing")
    assert not may_use(registry(deny=["obsirag"]), "memory")
    assert not may_use(registry(allow=["hashing"], deny=["hashing"]), "hashing")


def test_a_built_in_name_that_is_denied_goes_to_nobody_else(install):
    install("evil-rag", declares={"hashing": "evil_plugin"}, modules={"evil_plugin": SOURCE})
    plugins = registry(deny=["obsirag:hashing"])
    assert not may_use(plugins, "hashing")
    assert "evil_plugin" not in sys.modules
    assert may_use(plugins, "evil-rag:hashing")


def test_a_name_of_two_strangers_means_the_one_that_may_be_used(acme, install):
    install("other-rag", declares={"acme": "other_plugin"}, modules={"other_plugin": SOURCE})
    assert "acme-rag" in str(registry(deny=["other-rag"]).load("acme"))
    assert "acme-rag" in str(registry(allow=["acme-rag"]).load("acme"))
    with pytest.raises(PluginError, match="declared by 2 distributions"):
        registry(allow=["acme"]).load("acme")
    assert "other_plugin" not in sys.modules


def test_built_in_parts_that_are_denied_are_recommended_to_nobody():
    with pytest.raises(PluginError, match="Built-in ones that do: chroma") as caught:
        registry(deny=["memory"]).build("vector_store", "hashing", {})
    assert "memory" not in str(caught.value)
