import os
import sys
import time
from pathlib import Path

import pytest

from obsirag.config import PluginOptions
from obsirag.plugins import Registry, survey

HOOK = "from obsirag import hookimpl\n"
EMBEDDINGS = HOOK + "@hookimpl\ndef embeddings(options): ...\n"


def see(name="acme", limit=30.0, **options):
    declared = [each for each in Registry().declared if each.name in (name, "hashing")]
    found = survey(Registry(declared, options=PluginOptions(**options)), time_limit=limit)
    assert [(each.state, each.kinds) for each in found if each.name == "hashing"] == [("ready", ("embeddings",))]
    (info,) = [each for each in found if each.name.endswith(name)]
    return info


@pytest.mark.parametrize(
    ("source", "state", "cause"),
    [
        (EMBEDDINGS, "ready", None),
        (EMBEDDINGS + "print('noise')\nimport sys\nsys.stdout.close()\n", "ready", None),
        ("raise RuntimeError('boom')", "failed", "RuntimeError: boom"),
        ("raise SystemExit(3)", "failed", "SystemExit: 3"),
        ("class Odd(BaseException): ...\nraise Odd", "failed", "Odd"),
        ("import os\nos._exit(7)", "failed", "its import ended the process, with exit code 7"),
        ("import os\nos.kill(os.getpid(), 11)", "failed", "exit code -11"),
        ("API_VERSION = 99", "failed", "made for version 99"),
        (HOOK + "@hookimpl\ndef requires(): return {'nothing_such': 'acme[x]'}", "missing extra", "'acme[x]'"),
        (HOOK + "@hookimpl\ndef requires(): return {'json': 'acme[x]', 'a.b': 'c'}", "missing extra", "'c'"),
        (HOOK + "@hookimpl\ndef requires(): return {'json': 'acme[x]'}", "ready", None),
        (HOOK + "@hookimpl\ndef requires(): return ['acme_gpu']", "failed", "what to install"),
        (HOOK + "@hookimpl\ndef requires(): raise ValueError('boom')", "failed", "boom"),
        (
            "from obsirag.errors import MissingExtraError\nraise MissingExtraError('it', 'x')",
            "missing extra",
            "obsirag[x]",
        ),
    ],
)
def test_whatever_an_import_does_is_told_and_stays_in_its_own_process(install, source, state, cause):
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": source})
    info = see()
    assert (info.distribution, info.version, info.module) == ("acme-rag", "1.0", "acme_plugin")
    assert info.state == state
    assert info.cause is None if cause is None else cause in info.cause
    assert "acme_plugin" not in sys.modules


def test_an_import_that_hangs_is_stopped_with_what_it_started(install, tmp_path):
    pid = tmp_path / "pid"
    source = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"open({str(pid)!r}, 'w').write(str(child.pid))\n"
        "time.sleep(600)\n"
    )
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": source})
    info = see(limit=3.0)
    assert (info.state, info.kinds, info.seconds) == ("too slow", (), None)
    assert "more than 3 seconds" in info.cause
    for _ in range(100):
        if not is_running(int(pid.read_text())):
            break
        time.sleep(0.05)
    else:
        pytest.fail("the child outlived the import")


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


def test_how_long_an_import_takes_is_told(install):
    source = "import time\ntime.sleep(.3)\n"
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": source})
    assert see().seconds >= 0.3


def test_a_plugin_is_listed_by_the_name_that_a_configuration_writes(install):
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": EMBEDDINGS})
    install("evil-rag", declares={"acme": "evil_plugin", "hashing": "evil_plugin"}, modules={"evil_plugin": EMBEDDINGS})
    declared = [each for each in Registry().declared if each.name in ("acme", "hashing")]
    names = [each.name for each in survey(Registry(declared))]
    assert names == ["acme-rag:acme", "evil-rag:acme", "evil-rag:hashing", "hashing"]
    assert all(Registry().load(each) for each in names)


def test_a_name_that_is_declared_twice_is_told_and_not_imported(install, tmp_path):
    trace = tmp_path / "imported"
    source = f"open({str(trace)!r}, 'w')"
    site = install("acme-rag", declares={"acme": "one"}, modules={"one": source, "two": source})
    with (site / "acme_rag-1.0.dist-info" / "entry_points.txt").open("a") as file:
        file.write("acme = two\n")
    declared = [each for each in Registry().declared if each.name == "acme"]
    found = survey(Registry(declared))
    assert [each.state for each in found] == ["failed", "failed"]
    assert all("declared 2 times by acme-rag" in each.cause for each in found)
    assert not trace.exists()


def test_a_denied_plugin_is_told_and_not_imported(install, tmp_path):
    trace = tmp_path / "imported"
    install("acme-rag", declares={"acme": "acme_plugin"}, modules={"acme_plugin": f"open({str(trace)!r}, 'w')"})
    info = see(deny=["acme"])
    assert (info.state, info.seconds) == ("denied", None)
    assert not trace.exists()


def test_what_a_built_in_part_lacks_is_told(monkeypatch):
    monkeypatch.setattr("obsirag.plugins.registry.find_spec", lambda _: None)
    found = {each.name: each for each in survey(Registry([e for e in Registry().declared if e.dist.name == "obsirag"]))}
    assert found["chroma"].state == "missing extra"
    assert found["chroma"].cause == "pip install 'obsirag[chroma]'"
    assert {found[name].state for name in ("local", "openai", "tavily", "cross-encoder")} == {"missing extra"}
    assert found["memory"].state == "ready"
