import json

from obsirag.evaluation import EvaluationSummary, QuestionResult, RetrievalReport, compare

FIRST = RetrievalReport((QuestionResult(id="a", ranks=(1,)), QuestionResult(id="b", ranks=(None,))))
SECOND = RetrievalReport((QuestionResult(id="a", ranks=(None,)), QuestionResult(id="b", ranks=(2,))))


def test_one_report_that_passed() -> None:
    alone = EvaluationSummary(name="one.yaml", report=FIRST)
    text = alone.to_markdown()
    assert text.startswith("# Retrieval\n\n## `one.yaml`\n\n| kind |")
    assert text.endswith("\n\n## Passed\n")
    assert "minus" not in text
    content = json.loads(alone.to_json())
    assert (content["passed"], content["faults"], content["config"]["name"]) == (True, [], "one.yaml")
    assert "against" not in content
    assert "comparison" not in content


def test_two_reports_with_all_there_is_to_tell() -> None:
    both = EvaluationSummary(
        name="one`\nx.yaml",
        report=FIRST,
        against_name="two.yaml",
        against=SECOND,
        comparison=compare(FIRST, SECOND + RetrievalReport((QuestionResult(id="c", ranks=(1,)),)), samples=10),
        missing_gold={"b": ("gone.md",)},
        faults=("mrr is low",),
    )
    text = both.to_markdown()
    for part in (
        "## `one' x.yaml` minus `two.yaml`",
        "95% interval of a paired bootstrap with 10 samples",
        "Found only by the first: a.",
        "Found only by the second: b.",
        "Asked of only one of the two, and left out: c.",
        "- b: gone.md",
        "## Not passed\n\n- mrr is low\n",
    ):
        assert part in text
    content = json.loads(both.to_json())
    assert not content["passed"]
    assert content["missing_gold"] == {"b": ["gone.md"]}
    assert content["against"]["results"][0]["chunk_rank"] is None
    assert content["comparison"]["gained"] == ["a"]
