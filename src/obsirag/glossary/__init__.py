"""A vault's terms and what people call them, read from tables, lists and files."""

from obsirag.glossary.files import read_glossary
from obsirag.glossary.markdown_terms import terms_in_markdown
from obsirag.glossary.names import is_name
from obsirag.glossary.term import Term

__all__ = ["Term", "is_name", "read_glossary", "terms_in_markdown"]
