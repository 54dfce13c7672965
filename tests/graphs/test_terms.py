import pytest

from obsirag.graphs.terms import content_terms, credit, stem_of, term_weights, words_of


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("How do I submit the files?", ["submit", "file"]),
        ("我们用哪家的反作弊？怎么接？", ["反作", "作弊"]),
        ("什么是软引用？", ["软引", "引用"]),
        ("what is it?", []),
    ],
)
def test_only_what_tells_something_is_a_term(text, terms):
    assert [term for term in content_terms(text) if term in terms] == terms
    assert not set(content_terms(text)) & {"how", "what", "什么", "怎么", "我们", "的反"}


@pytest.mark.parametrize(
    "forms",
    [
        "submit submits submitted submitting",
        "phone phones",
        "file files",
        "property properties",
        "cache caches cached",
        "rule rules",
        "class classes",
        "slow slowly",
        "shader shaders",
        "pass",
    ],
)
def test_forms_of_a_word_share_their_stem(forms):
    assert len({stem_of(form) for form in forms.split()}) == 1


def test_other_terms_have_no_stem():
    assert [stem_of(term) for term in ("lnk2019", "引用", "ge_damage", "r.nanites")] == [
        "lnk2019",
        "引用",
        "ge_damage",
        "r.nanites",
    ]


def test_a_text_holds_a_term_whole_or_scattered():
    assert credit("刷怪", words_of("刷怪点")) == 1.0
    assert 0 < credit("怪刷", words_of("刷怪点")) < 1
    assert credit("怪刷", words_of("刷新")) == 0


def test_rare_terms_weigh_more():
    weights = term_weights(["a1", "b1"], [words_of("a1 x"), words_of("a1 b1"), words_of("a1")])
    assert weights["b1"] > weights["a1"] > 0
