import json


def stranger(folder, name, source=None, metadata="Metadata-Version: 2.1\nName: {}-rag\nVersion: 1.0\n"):
    """Install a distribution with one plugin; without a source there is no module."""
    info = folder / f"{name}_rag-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(metadata.format(name))
    (info / "entry_points.txt").write_text(f"[obsirag]\n{name} = {name}_plugin\n")
    if source is not None:
        (folder / f"{name}_plugin.py").write_text(source)


def lines_of(result):
    return {line.split()[0]: line for line in result.stdout.splitlines()}


def test_what_is_installed_is_listed_with_what_it_makes_and_what_failed(run, tmp_path, monkeypatch):
    stranger(tmp_path, "broken")
    monkeypatch.syspath_prepend(str(tmp_path))
    result = run("plugins")
    assert result.exit_code == 0
    lines = lines_of(result)
    assert "chat_model, embeddings" in lines["openai"]
    assert "broken-rag 1.0" in lines["broken"]
    assert "failed: ModuleNotFoundError" in lines["broken"]


def test_the_list_as_json(run):
    found = {each["name"]: each for each in json.loads(run("plugins", "--json").stdout)}
    hashing = found["hashing"]
    assert hashing.pop("seconds") >= 0
    assert hashing.pop("version")
    assert hashing == {
        "name": "hashing",
        "distribution": "obsirag",
        "module": "obsirag.plugins.hashing",
        "state": "ready",
        "kinds": ["embeddings"],
        "api_version": None,
        "cause": None,
    }
    assert found["memory"]["kinds"] == ["vector_store"]
    assert all(found[name]["state"] == "ready" for name in ("chroma", "hashing", "local", "memory", "openai"))


def test_what_the_configuration_denies_is_not_imported(run, tmp_path, monkeypatch):
    trace = tmp_path / "imported"
    stranger(tmp_path, "acme", f"open({str(trace)!r}, 'w')")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "obsirag.yaml").write_text("vault: .\nplugins: {deny: [acme-rag, acmee]}\n")
    result = run("plugins")
    assert "denied: `plugins.deny` of the configuration names 'acme-rag'" in lines_of(result)["acme"]
    assert "`plugins.deny` names 'acmee', which is not installed; did you mean 'acme'?" in result.stderr
    assert not trace.exists()


def test_an_import_that_hangs_costs_its_time_limit_and_no_more(run, tmp_path, monkeypatch):
    stranger(tmp_path, "slow", "import time\ntime.sleep(600)")
    monkeypatch.syspath_prepend(str(tmp_path))
    lines = lines_of(run("plugins", "--seconds", "0.5"))
    assert "too slow: its import took more than 0.5 seconds and was stopped" in lines["slow"]
    assert "embeddings" in lines["hashing"]
