"""What can be said about text without knowing Markdown: sentences, words, terms, lengths."""

from obsirag.text.graphemes import grapheme_end, grapheme_start
from obsirag.text.lengths import estimate_tokens, word_count
from obsirag.text.lines import line_start
from obsirag.text.sentences import sentence_ends
from obsirag.text.tokens import index_terms, query_terms
from obsirag.text.words import clause_ends, word_ends

__all__ = [
    "clause_ends",
    "estimate_tokens",
    "grapheme_end",
    "grapheme_start",
    "index_terms",
    "line_start",
    "query_terms",
    "sentence_ends",
    "word_count",
    "word_ends",
]
