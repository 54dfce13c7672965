"""What a question is after, by rule: one kind a file."""

from obsirag.graphs.intents.rules import Found, intent_by_rule
from obsirag.graphs.intents.small_talk import SmallTalk, small_talk

__all__ = ["Found", "SmallTalk", "intent_by_rule", "small_talk"]
