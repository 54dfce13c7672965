"""Lines of text with their places on pages, put into the order in which people read them, as Markdown."""

from obsirag.loaders.layout.blocks import page_blocks
from obsirag.loaders.layout.furniture import without_furniture
from obsirag.loaders.layout.line import Line, Page
from obsirag.loaders.layout.sizes import Sizes

__all__ = ["Line", "Page", "Sizes", "page_blocks", "without_furniture"]
