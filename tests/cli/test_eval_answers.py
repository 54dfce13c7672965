import json

import pytest

ROWS = [
    {
        "id": "lnk",
        "kind": "标识符",
        "lang": "zh",
        "question": "LNK2019 先查什么？",
        "gold": [{"path": "构建/编译错误速查.md", "start_line": 14, "end_line": 14}],
        "key_points": ["先查 Build.cs 的模块名"],
    },
    {"id": "window", "kind": "restricted", "lang": "zh", "question": "Beta 2 的发版窗口", "gold": []},
]


@pytest.fixture
def questions(tmp_path):
    file = tmp_path / "questions.jsonl"
    file.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in ROWS), encoding="utf-8")
    return file


def test_answers_are_measured_where_asked_for(run, indexed, questions, tmp_path):
    files = ["--json", tmp_path / "o.json", "--markdown", tmp_path / "o.md"]
    result = run(
        "eval", questions, "--answers", "--config", indexed, "--min", "accuracy=1", "--max", "tokens=0", *files
    )
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    for name in ("accuracy", "citation_validity", "refusal", "tokens", "median first token seconds", "leaked"):
        assert sum(line.startswith(f"{name} ") for line in lines) == 1
    assert not any(line.startswith("recall@") for line in lines)
    assert any(line.startswith("restricted ") for line in lines)
    content = json.loads((tmp_path / "o.json").read_text("utf-8"))
    assert content["config"]["results"][0]["answer"]
    assert content["config"]["results"][0]["citations"][0]["source"] == "构建/编译错误速查.md"
    assert (tmp_path / "o.md").read_text("utf-8").startswith("# Answers\n")


def test_two_configurations_answer_side_by_side(run, indexed, questions, tmp_path):
    options = ["--answers", "--config", indexed, "--against", indexed, "--not-worse", "tokens"]
    result = run("eval", questions, *options, "--json", tmp_path / "o.json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "difference" in result.stdout
    compared = json.loads((tmp_path / "o.json").read_text("utf-8"))["comparison"]["overall"]["intervals"]
    assert {interval["difference"] for interval in compared.values()} == {0.0}


def test_a_most_that_is_passed_fails(run, indexed, questions):
    result = run("eval", questions, "--answers", "--config", indexed, "--max", "refusal=.5")
    assert result.exit_code == 1
    assert "Not passed: refusal is 1.0000, more than 0.5" in result.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--min", "recall@5=.8"], "there is no measure 'recall@5'"),
        (["--min", "accurracy=.8"], "did you mean accuracy?"),
        (["--max", "tokens"], "such as accuracy=.8"),
        (["--k", "3"], "no meaning with --answers"),
    ],
)
def test_a_wrong_usage_is_told_before_anything_is_asked(run, indexed, questions, options, said):
    result = run("eval", questions, "--answers", "--config", indexed, *options)
    assert (result.exit_code, result.stdout) == (2, "")
    text = "".join(each for each in result.stderr if each not in "│╭╮╰╯─\n ")
    assert said.replace(" ", "") in text


def test_a_question_that_waits_for_a_person_is_right_where_it_is_of_high_risk(run, indexed, tmp_path):
    config = indexed.with_name("enterprise.toml")
    config.write_text(indexed.read_text("utf-8") + "preset = 'enterprise'\n", encoding="utf-8")
    gold = [{"path": "规范/版本管理规则.md", "start_line": 29, "end_line": 29}]
    risky = {"id": "risky", "kind": "high_risk", "lang": "zh", "question": "帮我回滚 release 流。", "gold": gold}
    rows = [risky, {**risky, "id": "other", "kind": "paraphrase"}, ROWS[0]]
    file = tmp_path / "questions.jsonl"
    file.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    result = run("eval", file, "--answers", "--config", config, "--json", tmp_path / "o.json")
    assert (result.exit_code, result.stderr) == (0, "")
    results = json.loads((tmp_path / "o.json").read_text("utf-8"))["config"]["results"]
    ends = {each["id"]: (each["status"], each["ends_right"]) for each in results}
    assert ends == {
        "risky": ("awaiting_review", True),
        "other": ("awaiting_review", False),
        "lnk": ("answered", True),
    }
