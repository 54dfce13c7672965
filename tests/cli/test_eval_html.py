"""`obsirag eval --html`: the page that is written of a real index, and what stands in it of questions that failed."""

import json
import os
import re
import stat

import pytest

from hostile_pages import Page

FOUND = {
    "id": "handle",
    "kind": "identifier",
    "lang": "zh",
    "question": "FDataTableRowHandle 有什么用？",
    "gold": [{"path": "数据/数据表 DataTable.md", "start_line": 49, "end_line": 49}],
    "key_points": ["它是鲸鱼座的一颗星"],
}
ELSEWHERE = {
    "id": "elsewhere",
    "kind": "paraphrase",
    "lang": "zh",
    "question": "FDataTableRowHandle 有什么用？",
    "gold": [{"path": "GAS/概览.md", "start_line": 19, "end_line": 19}],
    "key_points": ["小怪的 ASC 放在自己的 Character 上"],
    "history": [["user", "先问一句别的"]],
}
WITHHELD = {
    "id": "withheld",
    "kind": "restricted",
    "lang": "zh",
    "question": "Beta 2 的发版窗口是几点到几点？",
    "gold": [
        {"path": "内部/里程碑与人员安排.md", "start_line": 11, "end_line": 11},
        {"path": "没有.md", "start_line": 1, "end_line": 1},
    ],
}


@pytest.fixture
def questions(tmp_path):
    file = tmp_path / "questions.jsonl"
    rows = [FOUND, ELSEWHERE, WITHHELD]
    file.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    return file


@pytest.fixture
def words(indexed, tmp_path):
    """A configuration of the same index that searches by words only."""
    file = tmp_path / "words.toml"
    text = indexed.read_text("utf-8").replace("'index'", json.dumps(str(indexed.parent / "index")))
    file.write_text(f"{text}\n[retrieval]\nweights = {{vector = 0.0}}\n", encoding="utf-8")
    return file


def part(page, name):
    """Return the part of a page that is of one question."""
    _, *parts = re.split('(?=<details class="failure)', page)
    return next(each for each in parts if f"<bdi>{name}</bdi>" in each)


def test_of_retrieval_it_tells_what_came_instead_and_where_gold_was_in_each_search(run, indexed, questions, tmp_path):
    file = tmp_path / "o.html"
    result = run("eval", questions, "--config", indexed, "--html", file, "--min", "recall@10=.9")
    assert result.exit_code == 1
    page = file.read_text("utf-8")
    assert '<html lang="zh-CN">' in page
    assert "recall@10 为 0.3333，低于 0.9。" in Page(page).text
    assert "<bdi>handle</bdi>" not in page
    told = part(page, "elsewhere")
    text = Page(told).text
    assert "file=%E6%95%B0%E6%8D%AE%2F" in told  # what came: a link that opens the note
    assert "GAS/概览.md" in text
    assert "ASC" in text  # the text of the gold
    assert "先问一句别的" in text
    for search in ("按语义", "按词", "最终结果"):
        assert search in text
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_text_that_a_question_may_not_read_is_not_shown_with_it(run, indexed, questions, tmp_path, sample_vault):
    file = tmp_path / "o.html"
    run("eval", questions, "--config", indexed, "--html", file, "--lang", "en")
    told = Page(part(file.read_text("utf-8"), "withheld")).text
    assert "the question's labels don't admit it" in told
    assert "not in the vault" in told
    secret = (sample_vault / "内部/里程碑与人员安排.md").read_text("utf-8").splitlines()[10].strip("- ")
    assert secret
    assert secret not in told


def test_of_answers_it_tells_points_citations_and_how_it_went(run, indexed, questions, tmp_path):
    file = tmp_path / "o.html"
    result = run("eval", questions, "--answers", "--config", indexed, "--html", file, "--lang", "en")
    assert result.exit_code == 0, result.output
    page = file.read_text("utf-8")
    assert '<html lang="en">' in page
    told = part(page, "handle")
    text = Page(told).text
    assert "✗ missing 它是鲸鱼座的一颗星" in text
    assert "★ gold" in text
    assert "Ended as answered" in text
    assert "How it went" in text
    for node in ("fuse", "select", "publish"):
        assert node in text
    assert "obsidian://open?vault=" in told


@pytest.mark.parametrize("options", [[], ["--answers"]])
def test_two_configurations_stand_side_by_side(run, indexed, words, questions, tmp_path, options):
    file = tmp_path / "o.htm"
    options = [*options, "--config", indexed, "--against", words, "--lang", "en"]
    result = run("eval", questions, *options, "--html", file)
    assert (result.exit_code, result.stderr.count("Not passed")) == (0, 0)
    page = file.read_text("utf-8")
    assert "A − B" in page
    assert '<b class="key a">A</b>' in page
    assert str(words) in Page(page).text
    told = part(page, "elsewhere")
    assert told.count('<section class="came">') == 2


def test_nothing_is_kept_where_no_page_is_wanted(run, indexed, questions, monkeypatch):
    def never(*arguments, **named):
        raise AssertionError

    monkeypatch.setattr("obsirag.cli.eval_page.RetrievalFailures.__init__", never)
    monkeypatch.setattr("obsirag.cli.eval_page.AnswerFailures.__init__", never)
    for options in ([], ["--answers"]):
        assert run("eval", questions, "--config", indexed, *options).exit_code == 0


@pytest.mark.parametrize(("name", "said"), [("note.md", "must end in .html"), ("no/o.html", "there is no folder")])
def test_a_page_never_replaces_a_note(run, indexed, questions, tmp_path, name, said):
    (tmp_path / "note.md").write_text("mine", encoding="utf-8")
    result = run("eval", questions, "--config", indexed, "--html", tmp_path / name)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said.replace(" ", "") in "".join(each for each in result.stderr if each not in "│╭╮╰╯─\n ")
    assert (tmp_path / "note.md").read_text("utf-8") == "mine"


def test_a_page_that_cannot_be_written_is_one_message(run, indexed, questions, tmp_path):
    result = run("eval", questions, "--config", indexed, "--html", tmp_path / f"{'o' * 300}.html")
    assert result.exit_code == 1
    assert "cannot be written: " in result.stderr


def test_what_leaked_is_named_but_not_shown(run, tmp_path):
    (tmp_path / "notes").mkdir()
    note = tmp_path / "notes" / "a.md"
    note.write_text("# Bread\n\nFlour and water.\n", encoding="utf-8")
    config = tmp_path / "c.yaml"
    config.write_text("vault: notes\nindex: index\nembeddings: hashing\nvector_store: memory\n", encoding="utf-8")
    assert run("index", "--config", config).exit_code == 0
    note.write_text("---\npermission: bakers\n---\n# Bread\n\nFlour and water.\n", encoding="utf-8")
    asked = tmp_path / "q.jsonl"
    asked.write_text('{"id": "q", "question": "What is in bread?", "gold": []}', encoding="utf-8")
    result = run("eval", asked, "--config", config, "--html", tmp_path / "o.html")
    assert result.exit_code == 1
    text = Page((tmp_path / "o.html").read_text("utf-8")).text
    assert "may not be read by whoever asked" in text
    assert "a.md" in text
    assert "Flour" not in text
