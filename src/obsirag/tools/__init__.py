"""The notes as tools of another agent: search them, read one, ask a question.

Whoever makes a tool says with which labels it reads; the model that calls it has no say in that.
"""

from obsirag.tools.making import ask_tool, note_tools, read_note_tool, search_tool
from obsirag.tools.results import AskResult, NoteReading, Passage, SearchResults

__all__ = [
    "AskResult",
    "NoteReading",
    "Passage",
    "SearchResults",
    "ask_tool",
    "note_tools",
    "read_note_tool",
    "search_tool",
]
