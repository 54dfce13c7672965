from dataclasses import replace
from pathlib import Path

import pytest

from obsirag import RagConfig, index_vault
from obsirag.catalogue import Catalogue
from obsirag.errors import CatalogueError
from obsirag.evaluation import GoldSpan, Question, evaluate_config, evaluate_config_answers

QUESTIONS = [
    Question(id="open", question="Where is the flour?", gold=(GoldSpan("kitchen.md", 3, 3),)),
    Question(id="closed", question="Where is the key?", gold=()),
    Question(id="labelled", question="Where is the key?", gold=(GoldSpan("key.md", 4, 4),), labels=("owners",)),
]


@pytest.fixture
def config(tmp_path: Path) -> RagConfig:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "kitchen.md").write_text("# Kitchen\n\nThe flour is in the jar.\n", encoding="utf-8")
    (tmp_path / "notes" / "key.md").write_text(
        "---\npermission: owners\n---\nThe key is under the mat.\n", encoding="utf-8"
    )
    return RagConfig(
        vault=tmp_path / "notes",
        index=tmp_path / "index",
        embeddings={"name": "hashing"},
        vector_store={"name": "memory"},
    )


def test_the_index_of_a_configuration_is_asked_with_each_questions_labels(config: RagConfig) -> None:
    index_vault(config)
    report = evaluate_config(config, QUESTIONS, k=(2,))
    assert [result.chunk_rank for result in report.results] == [1, None, 1]
    assert report.overall.leaked == 0
    assert report.overall.figures["recall@2"] == 1.0


def test_a_leak_is_judged_by_the_vault_as_it_is_now(config: RagConfig) -> None:
    index_vault(config)
    note = config.vault / "kitchen.md"
    note.write_text("---\npermission: cooks\n---\n" + note.read_text("utf-8"), encoding="utf-8")
    assert [result.leaked for result in evaluate_config(config, QUESTIONS).results] == [True, True, True]


def test_an_index_that_was_never_made_or_never_filled_is_an_error(config: RagConfig) -> None:
    with pytest.raises(CatalogueError, match="There is no index"):
        evaluate_config(config, QUESTIONS)
    Catalogue.open(config.index).close()
    with pytest.raises(CatalogueError, match=r"is empty\. Index the vault first"):
        evaluate_config(config, QUESTIONS)


@pytest.mark.parametrize(
    ("preset", "status", "right"), [("enterprise", "awaiting_review", [True, False]), ("corrective", "answered", None)]
)
def test_with_a_preset_that_reviews_what_is_of_high_risk_waits(
    config: RagConfig, preset: str, status: str, right: list[bool] | None
) -> None:
    (config.vault / "release.md").write_text("To roll back the release, ask two leads.\n", encoding="utf-8")
    index_vault(config)
    gold = (GoldSpan("release.md", 1, 1),)
    risky = Question(id="risky", kind="high_risk", question="Roll back the release, as two leads ask.", gold=gold)
    questions = [risky, replace(risky, id="paraphrase", kind="paraphrase"), QUESTIONS[0]]
    report = evaluate_config_answers(config.model_copy(update={"preset": preset}), questions)
    assert [result.status for result in report.results] == [status, status, "answered"]
    assert right is None or [result.ends_right for result in report.results[:2]] == right
    assert report.overall.leaked == 0
