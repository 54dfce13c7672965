"""People's marks on answers and sources, and what they say of later questions."""

from obsirag.feedback.feedback import Feedback
from obsirag.feedback.mark import KINDS, Mark, MarkKind
from obsirag.feedback.marks_file import FILE_NAME, MarksFile
from obsirag.feedback.preference import Preference
from obsirag.feedback.question_vectors import QuestionVectors

__all__ = ["FILE_NAME", "KINDS", "Feedback", "Mark", "MarkKind", "MarksFile", "Preference", "QuestionVectors"]
