import json
from pathlib import Path

import pytest
from rich.cells import cell_len

from obsirag.catalogue import Catalogue
from obsirag.cli.eval_table import align

ROWS = [
    {
        "id": "handle",
        "kind": "标识符",
        "lang": "zh",
        "question": "FDataTableRowHandle",
        "gold": [{"path": "数据/数据表 DataTable.md", "start_line": 49, "end_line": 49}],
    },
    {
        "id": "window",
        "kind": "restricted",
        "lang": "zh",
        "question": "Beta 2 的发版窗口",
        "labels": ["leads"],
        "gold": [{"path": "内部/里程碑与人员安排.md", "start_line": 11, "end_line": 11}],
    },
    {"id": "window-public", "kind": "restricted", "lang": "zh", "question": "Beta 2 的发版窗口", "gold": []},
]


@pytest.fixture
def questions(tmp_path):
    return write(tmp_path / "questions.jsonl", *ROWS)


@pytest.fixture
def words(indexed, tmp_path):
    """A configuration of the same index that searches by words only, and shows a single note."""
    file = tmp_path / "words.toml"
    index = json.dumps(str(indexed.parent / "index"))
    text = indexed.read_text("utf-8").replace("'index'", index)
    file.write_text(f"{text}\n[retrieval]\nlimit = 1\nweights = {{vector = 0.0}}\n", encoding="utf-8")
    return file


def write(path: Path, *rows: object) -> Path:
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_every_measure_and_every_group_is_printed(run, indexed, questions):
    result = run("eval", questions, "--config", indexed)
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0] == "2 questions with gold, 1 more without gold"
    assert lines[1].endswith(str(indexed))
    for name in ("recall@1", "hit@10", "mrr", "ndcg@5", "line_precision", "median seconds", "leaked", "degraded"):
        assert sum(line.startswith(f"{name} ") for line in lines) == 1
    assert any(line.split() == ["recall@10", "1.000"] for line in lines)
    kinds = [line for line in lines if line.startswith(("kind ", "标识符 ", "restricted "))]
    assert len(kinds) == 3
    assert len({cell_len(line) for line in kinds}) == 1
    assert "difference" not in result.stdout


def test_the_ranks_can_be_chosen(run, indexed, questions):
    lines = run("eval", questions, "--config", indexed, "--k", "3, 1,3", "--min", "recall@3=.1").stdout.splitlines()
    names = [line.split()[0] for line in lines if line.startswith(("recall@", "ndcg@"))]
    assert names == ["recall@1", "recall@3", "ndcg@1", "ndcg@3"]
    assert any("nDCG@3" in line and "R@1" in line for line in lines)


def test_two_configurations_are_shown_side_by_side(run, indexed, words, questions, tmp_path):
    files = ["--json", tmp_path / "o.json", "--markdown", tmp_path / "o.md"]
    result = run("eval", questions, "--config", indexed, "--against", words, "--not-worse", "recall@10", *files)
    assert (result.exit_code, result.stderr) == (0, "")
    header = next(line for line in result.stdout.splitlines() if line.startswith("measure"))
    assert header.split() == ["measure", "config", "against", "difference"]
    content = json.loads((tmp_path / "o.json").read_text("utf-8"))
    assert content["passed"]
    assert content["against"]["overall"]["figures"]["distinct_notes"] == 1.0
    compared = content["comparison"]["overall"]
    mine, theirs = (content[name]["overall"]["figures"]["distinct_notes"] for name in ("config", "against"))
    assert compared["intervals"]["distinct_notes"]["difference"] == pytest.approx(mine - theirs)
    assert compared["questions"] == 2
    assert "minus" in (tmp_path / "o.md").read_text("utf-8")


def test_a_configuration_against_itself_differs_in_nothing(run, indexed, questions, tmp_path):
    run("eval", questions, "--config", indexed, "--against", indexed, "--json", tmp_path / "o.json")
    compared = json.loads((tmp_path / "o.json").read_text("utf-8"))["comparison"]["overall"]["intervals"]
    assert {value for interval in compared.values() for value in interval.values()} == {0.0}


def test_a_threshold_that_is_not_reached_fails_and_is_told_last(run, indexed, questions, tmp_path):
    passed = run("eval", questions, "--config", indexed, "--min", "recall@10=1", "--min", "mrr=.1")
    assert passed.exit_code == 0
    options = ["--min", "line_precision=.99", "--json", tmp_path / "o.json"]
    failed = run("eval", questions, "--config", indexed, *options)
    assert failed.exit_code == 1
    assert failed.stderr.startswith("Not passed: line_precision is 0.")
    assert "recall@10" in failed.stdout
    assert not json.loads((tmp_path / "o.json").read_text("utf-8"))["passed"]


def test_being_worse_than_the_other_one_fails(run, indexed, words, tmp_path):
    gold = [{"path": "代码/Actor 生命周期.md", "start_line": 1, "end_line": 99}]
    rows = [{"id": f"q{number}", "question": "Actor 生命周期", "gold": gold} for number in range(20)]
    options = ["--config", words, "--against", indexed]
    file = write(tmp_path / "q.jsonl", *rows)
    result = run("eval", file, *options, "--not-worse", "recall@1", "--not-worse", "distinct_notes")
    assert result.exit_code == 1
    # It shows one note, the other one several; the first is the right one in both.
    assert result.stderr.startswith("Not passed: distinct_notes is worse than the other's: -")
    assert result.stderr.count("Not passed") == 1
    assert run("eval", file, *options).exit_code == 0


def test_gold_that_is_not_in_the_vault_is_a_warning(run, indexed, tmp_path):
    rows = [
        {"id": f"q{n}", "question": "DataTable", "gold": [{"path": "没有.md", "start_line": 1, "end_line": 1}]}
        for n in range(12)
    ]
    result = run("eval", write(tmp_path / "q.jsonl", *ROWS, *rows), "--config", indexed, "--json", tmp_path / "o.json")
    assert result.exit_code == 0
    assert result.stderr.startswith("Warning: 12 of 15 questions name notes that are not in the vault ")
    assert "q0 (没有.md), q1 (没有.md)" in result.stderr
    assert result.stderr.endswith("q9 (没有.md) and 2 more\n")
    assert len(json.loads((tmp_path / "o.json").read_text("utf-8"))["missing_gold"]) == 12


def test_a_leak_fails_whatever_was_found(run, tmp_path):
    (tmp_path / "notes").mkdir()
    note = tmp_path / "notes" / "a.md"
    note.write_text("# Bread\n\nFlour and water.\n", encoding="utf-8")
    config = tmp_path / "c.yaml"
    config.write_text("vault: notes\nindex: index\nembeddings: hashing\nvector_store: memory\n", encoding="utf-8")
    assert run("index", "--config", config).exit_code == 0
    note.write_text("---\npermission: bakers\n---\n# Bread\n\nFlour and water.\n", encoding="utf-8")
    asked = write(tmp_path / "q.jsonl", {"id": "q", "kind": "k", "question": "What is in bread?", "gold": []})
    result = run("eval", asked, "--config", config)
    assert result.exit_code == 1
    assert "Not passed: text that the caller may not read came back for 1 of the questions: q" in result.stderr
    assert any(line.split() == ["k", "0", *["–"] * 6, "1", "1"] for line in result.stdout.splitlines())


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (None, "Cannot read the question file"),
        ([], "there is no question in the files"),
        ([ROWS[0], "{"], "q.jsonl:2: not a JSON object"),
        ([ROWS[0], ROWS[0]], "q.jsonl:2: the id 'handle' is taken by line 1"),
        ([{"id": "q", "question": "?"}], "q.jsonl:1: not a question: gold"),
    ],
)
def test_questions_that_cannot_be_read_are_one_message(run, indexed, tmp_path, lines, said):
    file = tmp_path / "q.jsonl"
    if lines is not None:
        write(file, *lines)
    result = run("eval", file, "--config", indexed)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
    assert said in result.stderr


def test_an_id_in_two_files_is_one_message(run, indexed, questions, tmp_path):
    other = write(tmp_path / "other.jsonl", ROWS[1])
    result = run("eval", questions, other, "--config", indexed)
    assert (result.exit_code, result.stdout) == (1, "")
    assert f"{other}: the id 'window' is taken by {questions}" in result.stderr


def test_an_index_that_was_never_filled_is_one_message(run, questions, sample_vault, tmp_path):
    index = tmp_path / "index"
    for said in ("There is no index in", "is empty. Index the vault first"):
        result = run("eval", questions, "--vault", sample_vault, "--index", index)
        assert (result.exit_code, result.stdout) == (1, "")
        assert said in result.stderr
        assert "obsirag index" in result.stderr
        Catalogue.open(index).close()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--k", "0"], "'0' is no list of ranks"),
        (["--k", "1,,5"], "no list of ranks"),
        (["--k", "five"], "no list of ranks"),
        (["--min", "recal@5=.8"], "did you mean recall@5?"),
        (["--min", "recall@7=.8"], "add 7"),
        (["--min", "recall@5"], "is no threshold"),
        (["--not-worse", "mrr"], "needs --against"),
        (["--against", "CONFIG", "--not-worse", "mmr"], "did you mean mrr?"),
        (["--json", "questions.jsonl"], "must end in .json"),
        (["--json", "nowhere/o.json"], "there is no folder"),
        (["--markdown", "."], "is a folder"),
        (["--vault", "."], "not both"),
    ],
)
def test_a_wrong_usage_is_told_before_anything_is_asked(run, indexed, questions, monkeypatch, options, said):
    monkeypatch.chdir(questions.parent)
    given = [str(indexed) if option == "CONFIG" else option for option in options]
    result = run("eval", questions, "--config", indexed, *given)
    assert (result.exit_code, result.stdout) == (2, "")
    text = "".join(each for each in result.stderr if each not in "│╭╮╰╯─\n ")
    assert said.replace(" ", "") in text


def test_questions_are_needed(run, indexed):
    assert run("eval", "--config", indexed).exit_code == 2
    assert run("eval", "", "--config", indexed).exit_code == 2


def test_a_report_that_cannot_be_written_is_one_message(run, indexed, questions, tmp_path):
    result = run("eval", questions, "--config", indexed, "--json", tmp_path / f"{'o' * 300}.json")
    assert result.exit_code == 1
    assert "recall@10" in result.stdout
    assert result.stderr.startswith("Error: ")
    assert "cannot be written: " in result.stderr
    assert result.stderr.count("\n") == 1


def test_the_command_is_in_the_help(run):
    assert " eval " in run("--help").stdout


def test_chinese_text_is_aligned_by_its_cells():
    assert align([["kind", "n"], ["标识符", "10"], ["a\tb", "1"]]) == ["kind     n", "标识符  10", "a\ufffdb      1"]
