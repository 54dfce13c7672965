"""Texts such as notes hold, and that parts stumble over."""

from __future__ import annotations

__all__ = ["HARD_QUERIES", "HARD_TEXTS", "LONG_TEXT"]

HARD_TEXTS = {
    "Chinese": "存档系统会在关卡切换时自动保存玩家的进度。",
    "emoji": "Shipping 👩‍👩‍👧‍👦 the 🚀 release 🇨🇳 today",
    "quotes": "He said \"it's 'done'\" and wrote C:\\notes\\a.md; DROP TABLE notes; --",
    "marks": '{"a": [1, null]} <b>bold</b> $\\frac{1}{2}$ %s {0} ${HOME} `code`',
    "lines": "first line\nsecond line\r\n\tthird line\n\n\nlast line",
    "other scripts": "naïve Ærøskøbing Ω ﬁ 日本語 한국어 العربية עברית",
    "one character": "猫",
}
"""Texts by what is hard in them."""

LONG_TEXT = "".join(f"第{number}节：引擎在第{number}帧加载场景 scene_{number}。" for number in range(60))
"""Some 1,400 characters, half of them Chinese: longer than most chunks, shorter than the longest."""

HARD_QUERIES = ("如何保存进度？", 'what\'s "this"?', "🚀", "a AND (b OR", "x" * 400)
"""Questions as people type them."""
