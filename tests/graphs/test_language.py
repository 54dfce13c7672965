import pytest

from obsirag.graphs.language import language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("What is it?", "en"),
        ("LNK2019?", "en"),
        ("", "en"),
        ("这是什么？", "zh"),
        ("LNK2019 先查什么？", "zh"),
        ("`BindWidgetOptional` 什么时候用？", "zh"),
        ("Nanite 材质限制", "zh"),
        ("What does 伤害计算 say about the crit factor?", "en"),
        ("What is in [[版本管理规则]]?", "en"),
        ("`伤害`", "zh"),
    ],
)
def test_language(text, language):
    assert language_of(text) == language
