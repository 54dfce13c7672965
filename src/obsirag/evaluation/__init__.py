"""How well questions are served: question sets, and what retrieval finds of them."""

from obsirag.evaluation.hits import is_hit
from obsirag.evaluation.questions import GoldSpan, Question, Turn, load_questions, search_text
from obsirag.evaluation.report import KindScore, QuestionResult, RetrievalReport
from obsirag.evaluation.retrieval import evaluate_retrieval, score_documents

__all__ = [
    "GoldSpan",
    "KindScore",
    "Question",
    "QuestionResult",
    "RetrievalReport",
    "Turn",
    "evaluate_retrieval",
    "is_hit",
    "load_questions",
    "score_documents",
    "search_text",
]
