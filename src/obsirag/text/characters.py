"""Which characters belong to scripts that are written without blanks between words."""

from __future__ import annotations

__all__ = ["CJK"]

CJK = (
    "\u3005-\u3007"  # 々〆〇
    "\u3040-\u30ff"  # hiragana, katakana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # ideographs
    "\uac00-\ud7af"  # hangul
    "\U00020000-\U0003ffff"  # rare ideographs
)
"""The inside of a regular expression's character class."""
