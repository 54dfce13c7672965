"""Notes cut into chunks along their structure."""

from obsirag.splitters.measuring import Limits, Measure
from obsirag.splitters.report import SplitReport
from obsirag.splitters.rule_splitter import RuleSplitter
from obsirag.splitters.rules import SplitterRule
from obsirag.splitters.sections import outline
from obsirag.splitters.splitter import ObsidianSplitter
from obsirag.splitters.topic_splitter import TopicSplitter
from obsirag.splitters.topics import FindTopics

__all__ = [
    "FindTopics",
    "Limits",
    "Measure",
    "ObsidianSplitter",
    "RuleSplitter",
    "SplitReport",
    "SplitterRule",
    "TopicSplitter",
    "outline",
]
