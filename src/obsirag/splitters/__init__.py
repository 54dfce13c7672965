"""Notes cut into chunks along their structure."""

from obsirag.splitters.sections import outline
from obsirag.splitters.splitter import ObsidianSplitter

__all__ = ["ObsidianSplitter", "outline"]
