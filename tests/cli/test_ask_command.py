import json
import re


def test_an_answer_has_numbered_citations_with_note_lines_and_link(run, indexed, sample_vault):
    result = run("ask", "FTableRowBase 是什么?", "--config", indexed)
    assert result.exit_code == 0
    assert re.search(r"^\[1\] .*\(.*\.md:\d+.*\)$", result.stdout, re.MULTILINE)
    assert "数据/数据表 DataTable.md:" in result.stdout
    assert "    obsidian://open?vault=ue-notes&file=" in result.stdout


def test_an_answer_as_json_can_be_checked_against_the_note(run, indexed, sample_vault):
    result = run("ask", "FTableRowBase 是什么?", "--config", indexed, "--json")
    answer = json.loads(result.stdout)
    assert answer["status"] == "answered"
    assert answer["degraded"] == []
    for citation in answer["citations"]:
        lines = (sample_vault / citation["source"]).read_text(encoding="utf-8").splitlines()
        assert 1 <= citation["start_line"] <= citation["end_line"] <= len(lines)
        assert f"[{citation['number']}]" in answer["answer"]


def test_restricted_text_is_told_with_the_label_and_only_then(run, indexed):
    question = "里程碑与人员安排里有哪些里程碑?"
    public = json.loads(run("ask", question, "--config", indexed, "--json").stdout)
    leads = json.loads(run("ask", question, "--config", indexed, "--json", "--label", "leads").stdout)
    restricted = "内部/里程碑与人员安排.md"
    assert restricted in {each["source"] for each in leads["citations"]}
    assert restricted not in {each["source"] for each in public["citations"]}
