"""The page of an evaluation: one page of HTML that needs nothing beside itself, and runs nothing."""

from obsirag.cli.eval_page.answers import AnswerFailures
from obsirag.cli.eval_page.page import eval_page
from obsirag.cli.eval_page.retrieval import RetrievalFailures

__all__ = ["AnswerFailures", "RetrievalFailures", "eval_page"]
