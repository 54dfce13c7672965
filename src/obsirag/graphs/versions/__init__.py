"""Second versions of nodes; each module is a plugin, and its entry point's name is the version's."""

from __future__ import annotations

__all__ = ["BY_CHAT_MODEL"]

BY_CHAT_MODEL = "by-chat-model"
"""The version of ``compose`` that asks the chat model, by the name of its entry point."""
