from datetime import UTC, datetime

import numpy as np
import pytest
from langchain_core.embeddings import Embeddings

from obsirag.components import index_vault, open_feedback, open_retriever
from obsirag.components.parts import Components
from obsirag.config import RagConfig
from obsirag.feedback import Mark, MarksFile
from obsirag.feedback.question_vectors import QuestionVector, QuestionVectors, cosine_of
from obsirag.plugins.hashing import HashingEmbeddings
from obsirag.retrievers.grouping import sources_of

SAME = {"where does the lamp get its fuel": "how is the lantern fed", "lamp 3 fuel": "lamp 4 fuel"}


class Knowing(HashingEmbeddings):
    """Gives the questions of ``SAME`` one vector by pairs."""

    calls = 0

    def embed_query(self, text):
        self.calls += 1
        return super().embed_query(SAME.get(text, text))


class Failing(Embeddings):
    def __init__(self, given):
        self.given = given

    def embed_documents(self, texts):
        return HashingEmbeddings().embed_documents(texts)

    def embed_query(self, text):
        if isinstance(self.given, Exception):
            raise self.given
        return self.given


@pytest.fixture
def config(tmp_path):
    vault = tmp_path / "vault"
    vault.mkdir()
    for number in range(6):
        (vault / f"{number}.md").write_text(f"The lantern is fed with fuel, lamp {number}.\n", encoding="utf-8")
    made = RagConfig(
        vault=vault,
        index=tmp_path / "index",
        vector_store="memory",
        embeddings="hashing",
        retrieval={"preferences": {"similarity": 0.9}, "cache": {"size": 5}},
    )
    index_vault(made)
    return made


def test_a_mark_counts_for_a_question_in_quite_other_words(config):
    given = Components(embeddings=Knowing())
    retriever, feedback = (make(config, components=given) for make in (open_retriever, open_feedback))
    before = retriever.invoke("how is the lantern fed")
    last = sources_of(before)[-1]
    mark = feedback.add("good", "where does the lamp get its fuel", sources=[last])
    after = retriever.invoke("how is the lantern fed")
    assert sources_of(after).index(last) < sources_of(before).index(last)
    assert [each.source for each in feedback.preferences("how is the lantern fed")] == [last]
    feedback.revoke(mark.id)
    assert retriever.invoke("how is the lantern fed") == before
    assert MarksFile(config.index / "feedback.sqlite").read_vectors() == {}


def test_questions_with_other_numbers_are_never_alike_by_vectors(config):
    config = config.model_copy(
        update={"retrieval": config.retrieval.model_copy(update={
            "preferences": config.retrieval.preferences.model_copy(update={"likeness": 1.0})
        })}
    )  # fmt: skip
    feedback = open_feedback(config, components=Components(embeddings=Knowing()))
    feedback.add("good", "lamp 3 fuel", sources=["3.md"])
    assert feedback.preferences("lamp 3 fuel")
    assert feedback.preferences("lamp 4 fuel") == ()


def test_without_marks_no_model_is_asked(config):
    model = Knowing()
    feedback = open_feedback(config, components=Components(embeddings=model))
    feedback.preferences("how is the lantern fed")
    assert model.calls == 0


@pytest.mark.parametrize("given", [ValueError("x"), [], [0.0, 0.0], [float("nan")], None, [[1.0]], "text"])
def test_a_model_that_gives_nothing_usable_leaves_terms(config, given):
    feedback = open_feedback(config, components=Components(embeddings=Failing(given)))
    feedback.add("good", "how is the lantern fed", sources=["1.md"])
    assert [each.source for each in feedback.preferences("how is a lantern fed")] == ["1.md"]


def test_vectors_of_different_models_say_nothing_to_each_other():
    one = QuestionVector("a", np.ones(1, dtype=np.float32))
    assert cosine_of(one, one) == 1
    assert cosine_of(one, one._replace(model="b")) == cosine_of(one, None) == cosine_of(None, one) == -1
    assert cosine_of(one, one._replace(values=np.ones(2, dtype=np.float32))) == -1


def test_vectors_come_back_as_they_were(tmp_path):
    file = MarksFile(tmp_path / "feedback.sqlite")
    vector = QuestionVectors(HashingEmbeddings, 0.9).of("问题")
    mark = Mark(id="a", kind="good", question="问题", sources=("a",), at=datetime(2026, 1, 1, tzinfo=UTC))
    file.add(mark, vector)
    known = file.read_vectors()["a"]
    assert known.model == vector.model
    assert np.array_equal(known.values, vector.values)
