"""How well questions are served: question sets, what is found and answered, and two configurations side by side."""

from obsirag.evaluation.answer_report import AnswerReport
from obsirag.evaluation.answer_results import AnswerResult
from obsirag.evaluation.answers import evaluate_answers
from obsirag.evaluation.bootstrap import Interval, paired_bootstrap
from obsirag.evaluation.comparison import Comparison, GroupDifference, compare, show_interval
from obsirag.evaluation.configured import evaluate_config, evaluate_config_answers
from obsirag.evaluation.drafting import draft_questions, questions_as_lines, reword
from obsirag.evaluation.faults import Fault, faults_of, find_faults
from obsirag.evaluation.hits import is_hit
from obsirag.evaluation.key_points import Judge, judge_by_rule, states
from obsirag.evaluation.lines import LineScores, score_lines
from obsirag.evaluation.measures import discounted_gain, retrieval_measures
from obsirag.evaluation.question_sets import find_missing_gold, load_question_sets
from obsirag.evaluation.questions import GoldSpan, Question, Turn, load_questions, search_text
from obsirag.evaluation.report import Report, RetrievalReport
from obsirag.evaluation.results import QuestionResult, Result
from obsirag.evaluation.retrieval import evaluate_retrieval, score_documents
from obsirag.evaluation.scores import GroupScore, Measure
from obsirag.evaluation.summary import EvaluationSummary
from obsirag.evaluation.tables import show_difference, show_figure, show_seconds, to_markdown
from obsirag.evaluation.thresholds import Threshold, check_measure, parse_threshold

__all__ = [
    "AnswerReport",
    "AnswerResult",
    "Comparison",
    "EvaluationSummary",
    "Fault",
    "GoldSpan",
    "GroupDifference",
    "GroupScore",
    "Interval",
    "Judge",
    "LineScores",
    "Measure",
    "Question",
    "QuestionResult",
    "Report",
    "Result",
    "RetrievalReport",
    "Threshold",
    "Turn",
    "check_measure",
    "compare",
    "discounted_gain",
    "draft_questions",
    "evaluate_answers",
    "evaluate_config",
    "evaluate_config_answers",
    "evaluate_retrieval",
    "faults_of",
    "find_faults",
    "find_missing_gold",
    "is_hit",
    "judge_by_rule",
    "load_question_sets",
    "load_questions",
    "paired_bootstrap",
    "parse_threshold",
    "questions_as_lines",
    "retrieval_measures",
    "reword",
    "score_documents",
    "score_lines",
    "search_text",
    "show_difference",
    "show_figure",
    "show_interval",
    "show_seconds",
    "states",
    "to_markdown",
]
