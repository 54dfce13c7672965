import json


def broken_distribution(folder):
    info = folder / "broken_rag-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-rag\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[obsirag]\nbroken = a_module_that_is_not_there\n")


def test_what_is_installed_is_listed_with_what_it_makes_and_what_failed(run, tmp_path, monkeypatch):
    broken_distribution(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    result = run("plugins")
    assert result.exit_code == 0
    lines = {line.split()[0]: line for line in result.stdout.splitlines()}
    assert "chat_model, embeddings" in lines["openai"]
    assert "broken-rag 1.0" in lines["broken"]
    assert "failed: ModuleNotFoundError" in lines["broken"]


def test_the_list_as_json(run):
    found = {each["name"]: each for each in json.loads(run("plugins", "--json").stdout)}
    assert found["hashing"]["makes"] == ["embeddings"]
    assert found["memory"]["makes"] == ["vector_store"]
    assert all(found[name]["failure"] is None for name in ("chroma", "hashing", "local", "memory", "openai"))
