"""Whether passages can answer a question."""

import pytest

from obsirag.graphs.support import atoms_of, is_supported
from obsirag.graphs.terms import words_of

NOTES = [
    words_of("The respawn timer is 8 seconds."),
    words_of("Health regenerates slowly after a fight; see FTableRowBase."),
    words_of("发版窗口是每周四下午，由构建组负责。"),
    words_of("存档的第一个字段是版本号。"),
]


@pytest.mark.parametrize(
    "question",
    [
        "How long is the respawn timer?",
        "Does health regenerate in fights?",
        "What is `FTableRowBase`?",
        "发版窗口是什么时候？",
        "FTableRowBase 在哪里？",
        "存档的版本号放在哪个字段？",
    ],
)
def test_supported(question):
    assert is_supported(question, NOTES, NOTES)


@pytest.mark.parametrize(
    "question",
    [
        "",
        "?",
        "How are you?",
        "你好呀",
        "今天会下雨吗？",
        "Recommend a good noodle place near the office.",
        "What is the respawn timer of `FGameMode`?",
        "How long is the respawn timer in Fortnite?",
        "Beta 的发版窗口是什么时候？",
    ],
)
def test_not_supported(question):
    assert not is_supported(question, NOTES, NOTES)


def test_nothing_found_supports_nothing():
    assert not is_supported("How long is the respawn timer?", [], [])


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What does `hide backlink` do on Friday in Google Calendar?", ["hide", "googl", "calendar"]),
        ("Where is GE_Damage and LNK2019?", ["ge_damage", "lnk2019"]),
        ("Perforce 的 admin 权限怎么开？", ["perforc", "admin"]),
        ("Weapons recoil how?", []),
    ],
)
def test_names_are_seen(question, names):
    assert [atom.whole[0] for atom in atoms_of(question) if atom.is_name] == names
