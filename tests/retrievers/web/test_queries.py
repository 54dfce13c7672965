import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.retrievers.web.queries import LONGEST_QUERY, plain_sentence

PIECES = st.lists(
    st.sampled_from(
        ["site:a.org", "-site:a.org", "-word", '-"a phrase"', '"a phrase"', "AND", "OR", "NOT", "(OR", "intitle:word",
         "inurl:site:x", "+word", "+-word", "|", "||", "&", "*", "AROUND(3)", "filetype:pdf", "word", "word.", "\n",
         "\t", "什么是？", "C++", "-5", "--upgrade", "x" * 300, "OR-" + "y" * 300, "\0", "\ud800", '"', "-", "“引号”"]
    )
    | st.text(max_size=8),
    max_size=40,
)  # fmt: skip


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("How does a data table load its rows?", "How does a data table load its rows?"),
        ("  two\n\n lines\tof   it ", "two lines of it"),
        ("asyncio timeouts site:docs.python.org", "asyncio timeouts"),
        ("asyncio -site:example.org SITE:a.org FileType:pdf", "asyncio"),
        ('what is a "frozen dataclass"', "what is a frozen dataclass"),
        ("什么是 “蓝图”？", "什么是 蓝图 ？"),
        ("jaguar -car −cat", "jaguar"),
        ('jaguar -"sports car" speed', "jaguar speed"),
        ("cats OR dogs AND birds NOT fish", "cats or dogs and birds not fish"),
        ("cats | dogs && birds", "cats dogs birds"),
        ("intitle:nanite allinurl:docs +lumen", "nanite docs lumen"),
        ("tea AROUND(3) milk NEAR/2 sugar", "tea milk sugar"),
        ("site:example.org", ""),
        ("", ""),
    ],
)
def test_operators_go_and_words_stay(query, sentence):
    assert plain_sentence(query) == sentence


@pytest.mark.parametrize(
    "query",
    [
        "Is C++ faster than C# at -5 degrees?",
        "What does pip install --upgrade do, and git log -p?",
        "What is at https://example.org/site:map today?",
        "Note: the well-known state-of-the-art answer",
        "Does a site: prefix alone do anything?",
        "Is android an oracle or a notary?",
    ],
)
def test_what_only_looks_like_an_operator_stays(query):
    assert plain_sentence(query) == query


@given(PIECES)
def test_nothing_is_an_operator_and_nothing_is_too_long(pieces):
    sentence = plain_sentence(" ".join(pieces))
    words = sentence.split(" ")
    assert len(sentence) <= LONGEST_QUERY
    assert sentence == " ".join(sentence.split())
    assert not {"AND", "OR", "NOT", "|", "&", "*"} & set(words)
    assert '"' not in sentence
    assert not any(word.lower().startswith(("site:a", "-site", "-word", "intitle:", "filetype:p")) for word in words)
    sentence.encode()  # no half of a character


@given(PIECES)
def test_a_plain_sentence_is_left_alone(pieces):
    sentence = plain_sentence(" ".join(pieces))
    assert plain_sentence(sentence) == sentence


def test_a_long_query_ends_behind_a_sentence():
    query = "The first sentence is short. " * 30
    assert plain_sentence(query).endswith("short.")
    assert len(plain_sentence(query)) > LONGEST_QUERY // 2
    assert plain_sentence("intitle:" * 100_000 + "word") == "word"
