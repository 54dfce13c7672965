"""What a plugin may be, and how what is wrong with it is told."""

import pytest

from obsirag.errors import PluginError
from obsirag.plugins import API_VERSION, OLDEST_API_VERSION, Registry, hookspecs
from obsirag.plugins.declared import find_entry_points

HOOK = "from obsirag import hookimpl\n"


@pytest.fixture
def load(install):
    """Install a plugin with this source, and load it."""

    def put(source, value="acme_plugin"):
        install("acme-rag", declares={"acme": value}, modules={"acme_plugin": HOOK + source})
        return Registry().load("acme")

    return put


@pytest.mark.parametrize("version", range(OLDEST_API_VERSION, API_VERSION + 1))
def test_a_plugin_for_a_version_that_fits_is_taken(load, version):
    assert load(f"API_VERSION = {version}").api_version == version


def test_a_plugin_without_a_version_is_taken(load):
    assert load("").api_version is None


@pytest.mark.parametrize(
    ("version", "told"),
    [
        (API_VERSION + 1, f"version {API_VERSION + 1} .* this obsirag has version {API_VERSION}: update obsirag"),
        (OLDEST_API_VERSION - 1, f"{OLDEST_API_VERSION - 1} .* takes versions {OLDEST_API_VERSION} to {API_VERSION}"),
        ("'1'", "API_VERSION is '1', but has to be a whole number"),
        ("True", "has to be a whole number"),
        ("1.5", "has to be a whole number"),
    ],
)
def test_a_plugin_for_another_version_is_refused_whatever_hooks_it_has(load, version, told):
    with pytest.raises(PluginError, match=f"'acme' of acme-rag 1.0 failed to load: .*{told}"):
        load(f"API_VERSION = {version}\n@hookimpl\ndef a_hook_of_tomorrow(options): ...")


def test_an_object_may_say_its_version_too(load):
    source = (
        f"class P:\n    API_VERSION = {API_VERSION + 1}\n    @hookimpl\n    def embeddings(self): ...\nplugin = P()"
    )
    with pytest.raises(PluginError, match="update obsirag"):
        load(source, "acme_plugin:plugin")


@pytest.mark.parametrize("hook", hookspecs.__all__)
@pytest.mark.parametrize("of_an_object", [False, True])
def test_every_hook_is_missed_by_one_letter_and_by_one_argument(install, hook, of_an_object):
    def failure_of(name, arguments):
        defined = f"@hookimpl\ndef {name}({{}}{arguments}): ..."
        source = defined.format("")
        if of_an_object:
            method = defined.format("self, ").replace("\n", "\n    ")
            source = f"class P:\n    {method}\nplugin = P()"
        distribution = f"{name.replace('_', '-')}-rag"
        value = f"{name}_of_acme" + (":plugin" if of_an_object else "")
        install(distribution, declares={f"{name}-acme": value}, modules={f"{name}_of_acme": HOOK + source})
        with pytest.raises(PluginError, match="failed to load") as caught:
            Registry().load(f"{name}-acme")
        return str(caught.value)

    assert f"a hook {hook + 's_x'!r} that doesn't exist" in failure_of(f"{hook}s_x", "")
    assert f"its hook {hook!r} has an argument 'optoins' that it is never given" in failure_of(hook, "optoins")


def test_a_hook_without_its_mark_is_told_where_it_is_missed(load):
    load("def embeddings(options): ...")
    with pytest.raises(PluginError, match=r"makes no embeddings.* Its 'embeddings' lacks the mark `@hookimpl`"):
        Registry().require("embeddings", "acme")


def test_a_name_that_its_own_distribution_declares_twice_is_refused(install):
    site = install("acme-rag", declares={"acme": "one_plugin"}, modules={"one_plugin": "", "two_plugin": ""})
    with (site / "acme_rag-1.0.dist-info" / "entry_points.txt").open("a") as file:
        file.write("acme = two_plugin\n")
    for name in ("acme", "acme-rag:acme"):
        with pytest.raises(PluginError, match=r"declared 2 times by acme-rag 1\.0 \(one_plugin and two_plugin\)"):
            Registry().load(name)


@pytest.mark.parametrize("name", ["obsirag", "Obsirag"])
def test_who_calls_himself_obsirag_is_a_stranger_all_the_same(install, name):
    site = install("evil-rag", declares={"hashing": "evil_plugin"}, modules={"evil_plugin": HOOK})
    (site / "evil_rag-1.0.dist-info" / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 9\n")
    assert Registry().load("hashing").kinds == ("embeddings",)


@pytest.mark.parametrize("file", ["METADATA", "entry_points.txt"])
@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"", b"[obsirag]\nno equals sign\n", None])
def test_broken_metadata_of_one_costs_none_of_the_others(install, file, content):
    install("good-rag", declares={"good": "good_plugin"}, modules={"good_plugin": ""})
    site = install("bad-rag", declares={"bad": "bad_plugin"}, modules={"bad_plugin": ""})
    broken = site / "bad_rag-1.0.dist-info" / file
    broken.unlink() if content is None else broken.write_bytes(content)
    names = {each.name for each in find_entry_points()}
    assert {"good", "hashing"} <= names
    assert Registry().load("good")
    assert Registry().load("hashing").distribution.startswith("obsirag")
    if file == "METADATA":
        assert Registry().load("bad")
