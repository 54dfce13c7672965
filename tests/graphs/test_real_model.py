"""The graph with a real chat model: run by hand, with a server's address in ``OBSIRAG_TEST_CHAT_URL``."""

import os
from pathlib import Path
from random import Random

import pytest

from obsirag import RagConfig, Vault, build_rag_graph, index_vault
from obsirag.config import Part
from obsirag.evaluation import evaluate_answers, load_question_sets

NOTES = Path(__file__).parents[2] / "examples" / "ue-notes"


@pytest.mark.parametrize("preset", ["naive", "corrective"])
def test_no_answer_without_good_citations_or_an_honest_ending(preset, tmp_path):
    address, data = os.environ.get("OBSIRAG_TEST_CHAT_URL"), os.environ.get("OBSIRAG_TEST_DATA")
    if not address or not data:
        pytest.skip("OBSIRAG_TEST_CHAT_URL or OBSIRAG_TEST_DATA is not set")
    questions = [*load_question_sets([Path(data) / "questions" / "ue-notes.jsonl"])]
    # Several minutes are needed for all of them.
    asked = Random(1).sample(questions, int(os.environ.get("OBSIRAG_TEST_CHAT_QUESTIONS", "5")))
    model = Part(name="openai", model="any", base_url=address, temperature=0.0, max_tokens=300, read_timeout=300.0)
    config = RagConfig(vault=NOTES, index=tmp_path, embeddings=Part(name="none"), chat_model=model, preset=preset)
    index_vault(config)
    report = evaluate_answers(build_rag_graph(config).compile(), asked, vault=Vault(NOTES))
    assert len(report.results) == len(asked)
    for result in report.results:
        assert not result.degraded_parts, result
        assert not result.leaked, result
        if result.status == "answered":
            assert result.citations, result
            assert result.citation_validity == 1, result
        else:
            assert (result.status, result.citations) == ("not_found", ()), result
            assert result.answer, result
