import json


def test_passages_are_shown_with_their_place(run, indexed):
    result = run("search", "GameplayEffect 堆叠", "--config", indexed)
    assert result.exit_code == 0
    assert "GameplayEffect 时长与堆叠" in result.stdout
    assert "(GAS/GameplayEffect 时长与堆叠.md:" in result.stdout


def test_the_number_of_notes_can_be_bounded(run, indexed):
    found = json.loads(run("search", "DataTable", "--config", indexed, "--limit", "1", "--json").stdout)
    assert len({each["metadata"]["source"] for each in found}) == 1
    assert all(each["page_content"] for each in found)


def test_restricted_notes_are_found_with_the_label_and_only_then(run, indexed):
    query = "里程碑与人员安排"
    public = run("search", query, "--config", indexed, "--json").stdout
    leads = run("search", query, "--config", indexed, "--json", "--label", "leads").stdout
    assert "内部/里程碑与人员安排.md" in {each["metadata"]["source"] for each in json.loads(leads)}
    assert "内部/里程碑与人员安排.md" not in {each["metadata"]["source"] for each in json.loads(public)}


def test_nothing_found_is_said(run, tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("---\npermission: nobody\n---\nsecret\n", encoding="utf-8")
    file = tmp_path / "c.yaml"
    file.write_text("vault: notes\nindex: index\nembeddings: hashing\nvector_store: memory\n")
    assert run("index", "--config", file).exit_code == 0
    result = run("search", "secret", "--config", file)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "Nothing found" in result.stderr
    assert json.loads(run("search", "secret", "--config", file, "--json").stdout) == []
