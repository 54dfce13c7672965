"""A first set of questions on a vault, to be corrected by people."""

from obsirag.evaluation.drafting.drafting import draft_questions
from obsirag.evaluation.drafting.rewording import reword
from obsirag.evaluation.drafting.writing import questions_as_lines

__all__ = ["draft_questions", "questions_as_lines", "reword"]
