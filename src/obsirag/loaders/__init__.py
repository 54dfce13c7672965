"""Files that are no notes as Markdown: PDF, Word, PowerPoint, Excel, HTML, CSV and, by OCR, images."""

from obsirag.loaders.file_loader import FileLoader
from obsirag.loaders.limits import Limits

__all__ = ["FileLoader", "Limits"]
