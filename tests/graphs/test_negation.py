import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.graphs.negation import clauses_of


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("不要长期持有,用句柄", ["要长期持有"]),
        ("压力大于 0.7 时停止", []),
        ("服务器不会触发；客户端触发。", ["会触发"]),
        ("是不是要重启", []),
        ("有没有缓存", []),
        ("两种不同的写法", []),
        ("特别的写法", []),
        ("没有 UPROPERTY 就不追踪", ["UPROPERTY 就不追踪"]),
        ("并非默认开启", ["默认开启"]),
        ("非空时才写", ["空时才写"]),
        ("非常快", []),
        ("除非重启", []),
        ("It fails to start", ["start"]),
        ("It does not hide the key, but the value", ["hide the key"]),
        ("It doesn't work when offline", ["work"]),
        ("Not only tags but links", []),
        ("Whether or not it is done", []),
        ("the filter `not done` finds it", []),
        ("It is not available (since it is slow)", ["available"]),
    ],
)
def test_what_is_denied_reaches_to_the_end_of_its_clause(text: str, denied: list[str]) -> None:
    assert [clause.denied.strip() for clause in clauses_of(text) if clause.denies] == denied


@given(st.text(max_size=200))
def test_any_text_has_clauses(text: str) -> None:
    for clause in clauses_of(text):
        assert clause.text.strip() or clause.denies
