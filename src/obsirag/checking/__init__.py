"""Words of a vault that look misspelt, as a chat model sees it, as far as what it says can be right."""

from obsirag.checking.report import Typo, TypoReport, Unchecked
from obsirag.checking.report_files import check_report_folder, write_typo_report
from obsirag.checking.typos import check_typos

__all__ = ["Typo", "TypoReport", "Unchecked", "check_report_folder", "check_typos", "write_typo_report"]
