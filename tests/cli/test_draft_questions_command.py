import json

from obsirag.evaluation import load_questions


def test_questions_are_drafted_and_a_file_is_never_written_over(run, tmp_path, sample_vault):
    file = tmp_path / "q.jsonl"
    result = run("draft-questions", sample_vault, "-o", file, "--count", "9")
    assert result.exit_code == 0
    assert "9 questions to correct" in result.stderr
    assert len(load_questions(file)) == 9
    again = run("draft-questions", sample_vault, "-o", file)
    assert again.exit_code == 2
    assert len(load_questions(file)) == 9


def test_without_a_file_they_are_printed(run, sample_vault):
    result = run("draft-questions", sample_vault, "--count", "2")
    assert len([json.loads(line) for line in result.stdout.splitlines()]) == 2


def test_a_vault_with_nothing_to_ask_for_says_so(run, tmp_path):
    (tmp_path / "n.md").write_text("Hm.", encoding="utf-8")
    result = run("draft-questions", tmp_path)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "nothing in the vault" in result.stderr
