"""A small vault under labels, and a chat model that calls tools."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolCall
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import Field

from obsirag import RagConfig, index_vault

NOTES = {
    "Host.md": "# Host\nThe plumbus is public.\n\n## Sub\nBefore.\n\n![[Open]]\n\n![[Secret]]\n\nAfter them.\n",
    "Open.md": "# Open\nThe dinglebop is open to everybody.\n\n## Deep\nA grumbo goes here.\n",
    "Secret.md": "---\npermission: leads\ntitle: Project Zanzibar\naliases: [Codename]\n---\n# Hush\n"
    "The password of the vault is xyzzy.\n",
    "人事.md": "---\npermissions: [hr]\n---\n# 薪酬\n架构师的月薪是九万八千元。\n",
    "值班.md": "# 值班\n回滚 release 流需要两位主管的书面同意。\n",
    "Both.md": "---\npermission: hr\n---\n# Both\nOf hr alone: frobnicate.\n\n![[Secret]]\n",
}
"""Notes by their paths."""

WORDS_OF = {
    "xyzzy": ({"leads"},),
    "Zanzibar": ({"leads"},),
    "Secret.md": ({"leads"},),
    "Codename": ({"leads"},),
    "Hush": ({"leads"},),
    "九万八千": ({"hr"},),
    "薪酬": ({"hr"},),
    "人事": ({"hr"},),
    "frobnicate": ({"hr"},),
    "Both": ({"hr"},),
}
"""Words that stand under labels alone: one label of each set is needed."""


def small_world(folder: Path, **settings: Any) -> RagConfig:
    """Return the configuration of the small vault, indexed."""
    vault = folder / "vault"
    for path, text in NOTES.items():
        file = vault / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    parts = {"embeddings": "hashing", "vector_store": "memory", "chat_model": None, **settings}
    config = RagConfig(vault=vault, index=folder / "index", **parts)
    index_vault(config)
    return config


def forbidden_words(labels: Sequence[str]) -> list[str]:
    """Return the words that nothing may hold which is given under these labels."""
    return [word for word, sets in WORDS_OF.items() if not all(needed & set(labels) for needed in sets)]


class ToolCallingChat(BaseChatModel):
    """A chat model that makes its calls of tools, all of a turn at once, and then says what it was told."""

    turns: list[list[tuple[str, dict[str, Any]]]]
    seen: list[list[BaseMessage]] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "tool-calling"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        self.seen.append(messages)
        done = sum(message.type == "ai" for message in messages)
        if done < len(self.turns):
            calls = [
                ToolCall(name=name, args=arguments, id=f"{done}-{number}")
                for number, (name, arguments) in enumerate(self.turns[done])
            ]
            message = AIMessage("", tool_calls=calls)
        else:
            message = AIMessage("\n".join(str(each.content) for each in messages if each.type == "tool"))
        return ChatResult(generations=[ChatGeneration(message=message)])
