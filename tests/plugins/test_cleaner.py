"""Cleaning steps of plugins, from the configuration to the index."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from obsirag.catalogue import Catalogue
from obsirag.cleaning import CleaningStep
from obsirag.cli.app import app
from obsirag.components import Components, build_components, index_vault, split_note
from obsirag.config import RagConfig
from obsirag.errors import ConfigError, PluginError
from obsirag.plugins import Registry, survey
from obsirag.records import Edit

SWAP = """
import re
from obsirag import hookimpl
from obsirag.cleaning import CleaningStep
from obsirag.records import Edit

@hookimpl
def cleaner(options):
    word, other = options.pop("word", "tea"), options.pop("other", "coffee")
    def find(text):
        for found in re.finditer(word, text):
            yield Edit(*found.span(), other)
    steps = [CleaningStep("swap", find)]
    return steps[0] if options.pop("single", True) else [*steps, CleaningStep("nothing", lambda text: ())]

@hookimpl
def hosts(options):
    return [options["host"]] if "host" in options else []
"""
HOOK = "from obsirag import hookimpl\n@hookimpl\ndef cleaner(options):\n"


@pytest.fixture
def config(tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# Drinks\n\nLeaves for tea.\n\n`tea`\n", encoding="utf-8")
    (tmp_path / "notes" / "b.md").write_text("# Bread\n\nFlour.\n", encoding="utf-8")

    def make(*steps, **more):
        return RagConfig(
            vault=tmp_path / "notes",
            index=tmp_path / "index",
            embeddings="hashing",
            vector_store="memory",
            cleaning={"steps": steps},
            **more,
        )

    return make


def indexed(config):
    with Catalogue.open(config.index) as catalogue, catalogue.reading() as connection:
        return "\n".join(content for (content,) in connection.execute("SELECT content FROM chunks ORDER BY rowid"))


def test_a_plugins_steps_run_as_the_configuration_names_them(install, config):
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": SWAP})
    settings = config("acme", {"name": "acme", "word": "Leaves", "other": "Beans", "single": False})
    steps = build_components(settings, kinds=("cleaner",)).cleaners
    assert [(step.name, step.origin) for step in steps] == [
        (name, "the plugin 'acme' of acme-rag 1.0") for name in ("swap", "swap", "nothing")
    ]
    index_vault(settings)
    assert "Beans for coffee.\n\n`tea`" in indexed(settings)
    assert "Beans for coffee." in split_note(settings, "a.md")[0].page_content
    assert "cleaner" in {kind for each in survey(Registry()) if each.name == "acme" for kind in each.kinds}


def test_without_steps_no_plugin_is_asked(config):
    assert build_components(config(), kinds=("cleaner",)).cleaners == ()
    assert build_components(config("no-such-plugin"), kinds=("splitter",)).cleaners is None


def test_steps_given_in_python_take_the_place_of_those_configured(config):
    step = CleaningStep("swap", lambda text: [Edit(0, 0, "Given. ")])
    settings = config("no-such-plugin")
    index_vault(settings, components=Components(cleaners=[step]))
    assert indexed(settings).count("Given.") == 2


def test_a_changed_plugin_option_or_version_is_noticed_and_nothing_else(install, config):
    site = install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": SWAP})
    assert index_vault(config()).added == ("a.md", "b.md")
    runs = [
        (config("acme"), ("a.md",)),
        (config("acme"), ()),
        (config({"name": "acme", "other": "milk"}), ("a.md",)),
        (config({"name": "acme", "other": "milk"}), ()),
        (config({"name": "acme", "other": "milk", "single": False}), ()),
        (config("acme"), ("a.md",)),
        (config(), ("a.md",)),
    ]
    for settings, changed in runs:
        assert index_vault(settings).changed == changed
    index_vault(config("acme"))
    metadata = next(site.glob("*.dist-info")) / "METADATA"
    metadata.write_text(metadata.read_text().replace("1.0", "1.1"))
    (site / "acme_plugin.py").write_text(SWAP.replace('"coffee"', '"juice"'))
    forget_module("acme_plugin", site)
    assert index_vault(config("acme")).changed == ("a.md",)
    assert "juice" in indexed(config())


def forget_module(name: str, site: Path) -> None:
    """Let the module be imported anew, as the next process would."""
    import importlib
    import shutil
    import sys

    del sys.modules[name]
    shutil.rmtree(site / "__pycache__", ignore_errors=True)
    importlib.invalidate_caches()


@pytest.mark.parametrize(
    "find",
    [
        "def find(text):\n        raise RuntimeError(text)",
        "def find(text):\n        return [Edit(5, 6), Edit(0, 1)]",
        "def find(text):\n        return [Edit(0, 10 ** 9)]",
        "def find(text):\n        raise SystemExit",
    ],
)
def test_a_step_that_fails_costs_the_note_and_not_the_run(install, config, find):
    source = (
        "from obsirag.cleaning import CleaningStep\nfrom obsirag.records import Edit\n"
        f"{HOOK}    {find.replace('(text):', '(text):' + chr(10) + '        if chr(66) not in text: return []')}\n"
        "    return CleaningStep('strict', find)\n"
    )
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": source})
    report = index_vault(config("acme"))
    assert report.added == ("a.md",)
    ((path, code, message),) = [(each.path, each.code, each.message) for each in report.failed]
    assert (path, code) == ("b.md", "not-indexed")
    assert "the cleaning step 'strict' of the plugin 'acme' of acme-rag 1.0 failed" in message
    assert "Flour" not in message
    assert index_vault(config()).added == ("b.md",)


@pytest.mark.parametrize(
    ("source", "made"),
    [("return None", "nothing"), ("return [3]", "a builtins.int"), ("return 'swap'", "a builtins.str")],
)
def test_what_a_plugin_makes_has_to_be_steps(install, config, source, made):
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": f"{HOOK}    {source}"})
    with pytest.raises(PluginError, match=f"'acme' of acme-rag 1.0 .*cleaner.*{made}.*CleaningStep"):
        build_components(config("acme"), kinds=("cleaner",))


def test_a_part_of_another_kind_is_no_cleaner(config):
    with pytest.raises(PluginError, match=r"'hashing' .* makes no cleaner"):
        build_components(config("hashing"), kinds=("cleaner",))


def test_offline_forbids_a_step_that_calls_another_machine(install, config):
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": SWAP})
    step = {"name": "acme", "host": "http://cleaner.example"}
    assert build_components(config(step), kinds=("cleaner",)).cleaners
    with pytest.raises(ConfigError, match=r"`cleaning\.steps\.0` \(acme\) would call"):
        build_components(config(step, offline=True), kinds=("cleaner",))


def test_a_missing_variable_is_named_with_its_place(install, config, monkeypatch):
    monkeypatch.delenv("MY_WORD", raising=False)
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": SWAP})
    with pytest.raises(ConfigError, match=r"`cleaning\.steps\.1\.word`.*MY_WORD"):
        build_components(config("acme", {"name": "acme", "word": {"env": "MY_WORD"}}), kinds=("cleaner",))


def test_the_command_that_renders_runs_the_steps_of_plugins_too(install, tmp_path):
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": SWAP})
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("Leaves for tea.\n", encoding="utf-8")
    (tmp_path / "c.yaml").write_text("vault: notes\nindex: index\ncleaning: {steps: [acme]}\n", encoding="utf-8")
    arguments = ["render", "a.md", "--config", str(tmp_path / "c.yaml")]
    assert CliRunner().invoke(app, [*arguments, "--cleaned"]).stdout == "Leaves for coffee.\n"
    assert CliRunner().invoke(app, arguments).stdout == "Leaves for tea.\n"
