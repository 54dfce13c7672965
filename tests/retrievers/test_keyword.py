from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index_worlds import World
from obsirag.catalogue import MOST_MATCHES, TermCounts
from obsirag.catalogue.keywords import keyword_hits, match_expressions
from obsirag.errors import ConfigError
from obsirag.retrievers import KeywordSearch


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, "memory")


def found(world: World, query: str, **options: object) -> list[str]:
    documents = world.keywords().search(query, **options)  # type: ignore[arg-type]
    scores = [document.metadata["score"] for document in documents]
    assert scores == sorted(scores, reverse=True)
    assert all(score > 0 for score in scores)
    return [document.metadata["source"] for document in documents]


def test_chinese_words_are_found_and_nothing_else_comes(world: World) -> None:
    for number, text in enumerate(["春天播种小麦", "秋天收获玉米", "小麦磨成面粉", "今天火车晚点"], start=1):
        world.write(f"{number}.md", text)
    world.sync()
    assert found(world, "火车") == ["4.md"]
    assert set(found(world, "小麦")) == {"1.md", "3.md"}
    assert found(world, "飞机") == []


def test_short_words_mixed_scripts_and_wide_letters(world: World) -> None:
    world.write("a.md", "操作系统的内存管理")
    world.write("b.md", "菜谱")
    world.write("c.md", "UE5 的反射系统，先加锁")
    world.write("d.md", "ＵＥ５ 全角")
    world.sync()
    assert set(found(world, "系统")) == {"a.md", "c.md"}
    assert found(world, "锁") == ["c.md"]
    assert found(world, "菜") == found(world, "谱") == ["b.md"]
    assert found(world, "UE5 反射")[0] == "c.md"
    assert set(found(world, "UE5")) == set(found(world, "ＵＥ５")) == {"c.md", "d.md"}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("ABC-200", ["a.md"]),
        ("FTableRowBase", ["b.md"]),
        ("TableRow", ["b.md"]),
        ("GE_Damage", ["c.md"]),
        ("C4996", ["d.md"]),
        ("Config/DefaultEngine.ini", ["e.md"]),
        ("defaultengine", ["e.md"]),
    ],
)
def test_identifiers_are_found_whole_and_in_parts(world: World, query: str, expected: list[str]) -> None:
    world.write("a.md", "the part ABC-200 is out of stock, ABC-300 is not")
    world.write("b.md", "struct FItem : public FTableRowBase")
    world.write("c.md", "apply GE_Damage to the target")
    world.write("d.md", "error C4996 again")
    world.write("e.md", "see Config/DefaultEngine.ini")
    world.sync()
    assert found(world, query)[:1] == expected


def test_a_word_of_the_file_name_or_a_heading_above_is_enough(world: World) -> None:
    world.write("zebra.md", "first\n\n# Habitat\n\n" + "many words. " * 200)
    world.sync()
    assert len(found(world, "zebra")) >= 2
    assert len(found(world, "habitat")) >= 2


def test_a_note_is_found_by_each_of_its_names(world: World) -> None:
    world.write("storage.md", "---\ntitle: Where things lie\naliases: [Zebrafink, 零件仓库]\n---\nnothing of it")
    world.write("parts.md", "---\nalias: Quagga, Zebrafinken\n---\n" + "other text. " * 300)
    world.sync()
    assert found(world, "storage") == found(world, "things") == found(world, "zebrafink") == ["storage.md"]
    assert found(world, "仓库") == ["storage.md"]
    assert set(found(world, "quagga")) == {"parts.md"}
    assert len(found(world, "quagga")) > 1
    world.write("parts.md", "---\nalias: Tarpan\n---\n" + "other text. " * 300)
    world.sync()
    assert found(world, "quagga") == []
    assert set(found(world, "tarpan")) == {"parts.md"}


def test_in_a_tiny_vault_a_word_of_every_note_still_counts(world: World) -> None:
    world.write("a.md", "cat cat cat")
    world.write("b.md", "cat and dog")
    world.sync()
    assert found(world, "cat")[0] == "a.md"
    assert len(found(world, "cat")) == 2


def test_limit_and_no_results(world: World) -> None:
    for number in range(5):
        world.write(f"{number}.md", "same word")
    world.sync()
    assert found(world, "word", limit=2) == ["0.md", "1.md"]
    assert found(world, "word", limit=0) == found(world, "") == found(world, "   ") == found(world, "?!。") == []


def test_labels_that_are_none_are_refused_without_a_word_of_them(world: World) -> None:
    world.write("a.md", "x")
    world.sync()
    with pytest.raises(ConfigError, match="Labels") as refusal:
        world.keywords().search("x", labels={"boss": 1})  # type: ignore[arg-type]
    assert "boss" not in str(refusal.value)


def test_weights_are_three(world: World) -> None:
    with pytest.raises(ValueError, match="three"):
        KeywordSearch(world.catalogue, weights=[1.0])


def test_any_text_can_be_asked(tmp_path: Path) -> None:
    world = World(tmp_path, "memory")
    world.write("a.md", 'AND OR NOT NEAR title body it\'s "quoted" (x) a* ^b c:d - + 100% 锁')
    world.sync()
    search = world.keywords()

    @given(
        st.text()
        | st.lists(st.sampled_from(['"', "'", "AND", "NEAR(", "*", "^", ":", "(", "锁", "\0", "x"])).map(" ".join)
    )
    def ask(query: str) -> None:
        search.search(query)

    ask()
    for query in ('"', "AND", "NEAR(a b)", "title:x", "it's", '"quoted"', "a*", "锁"):
        search.search(query)
    assert search.search('it\'s "quoted"')


def test_a_single_character_finds_what_came_and_not_what_went(world: World) -> None:
    world.write("a.md", "铁锁 and 钥匙")
    world.sync()
    search = world.keywords()
    assert [each.metadata["source"] for each in search.search("锁")] == ["a.md"]
    world.write("b.md", "锁门")
    world.remove("a.md")
    world.sync()
    assert [each.metadata["source"] for each in search.search("锁")] == ["b.md"]
    assert search.search("钥") == []


def test_a_single_letter_with_an_accent_is_a_word_and_no_part_of_one(world: World) -> None:
    world.write("a.md", "il est né")
    world.write("b.md", "é")
    world.sync()
    assert found(world, "é") == ["b.md"]


def test_a_filter_leaves_the_order_and_the_scores_as_they_are(world: World) -> None:
    for number in range(60):
        label = f"---\npermissions: [{'abc'[number % 3]}]\nkind: {number % 2}\n---\n"
        world.write(f"{number}.md", label + "word " * (1 + number % 7) + "other " * (number % 5))
    world.sync()
    search = world.keywords()
    every = [(each.id, each.metadata) for each in search.search("word other", labels=["a", "b", "c"], limit=100)]
    assert len(every) == 60
    for labels in ("a", "ab", "c"):
        for kind in (0, 1):
            some = search.search("word other", labels=list(labels), filter={"kind": kind}, limit=7)
            expected = [
                (name, metadata)
                for name, metadata in every
                if metadata["kind"] == kind and metadata["permissions"][0] in [json.dumps([label]) for label in labels]
            ]
            assert [(each.id, each.metadata) for each in some] == expected[:7]


def test_a_filter_does_not_start_a_search_for_each_chunk(world: World) -> None:
    world.write("a.md", "---\npermissions: [a]\nkind: 1\n---\nword")
    world.write("b.md", "---\nkind: 1\n---\nword")
    world.sync()
    statements: list[str] = []
    with world.catalogue._pool.connection() as connection:  # the one that the search is lent next
        connection.set_trace_callback(statements.append)
    assert len(world.keywords().search("word", filter={"kind": 1})) == 1
    with world.catalogue._pool.connection() as connection:
        connection.set_trace_callback(None)
        (search,) = [each for each in statements if "bm25" in each]
        plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {search}")]
    (scan,) = [step for step in plan if "terms" in step]
    assert "=" not in scan.rpartition("INDEX")[2]  # FTS5 names there what it looks up by


@pytest.mark.parametrize("query", ["锁 " * 5000, " ".join(map(chr, range(0x4E00, 0x4E00 + 5000))), "it's don't " * 900])
def test_however_long_a_query_is_it_has_few_terms(world: World, query: str) -> None:
    first = map(chr, range(0x4E00, 0x4E00 + 300))
    world.write("a.md", " ".join(f"{one}{chr(0x4E00 + number)}" for one in first for number in range(9)))
    world.sync()
    with world.catalogue.reading() as connection:
        expressions = [*match_expressions(connection, query, TermCounts(MOST_MATCHES))]
    assert len(expressions) <= 2
    assert all(expression.count(" OR ") < 64 + 200 for expression in expressions)


@pytest.mark.parametrize("query", ["common", "common absent", "common rare", "common usual rare absent"])
@pytest.mark.parametrize("labels", [[], ["a"]])
def test_common_words_are_left_out_only_where_something_else_is_found(
    world: World, query: str, labels: list[str]
) -> None:
    for number in range(8):
        world.write(f"{number}.md", "common usual" if number else "usual")
    world.write("rare.md", "---\npermissions: [a]\n---\ncommon rare usual")
    world.sync()
    access = world.catalogue.readable_access_keys(labels)
    with world.catalogue.reading() as connection:
        found = keyword_hits(
            connection, query, counts=TermCounts(3), access=access, everything=False, weights=(1, 1, 1), limit=9
        )
    sources = {document.metadata["source"] for document, _ in found}
    if labels and "rare" in query:
        assert sources == {"rare.md"}
    else:
        assert sources == {f"{number}.md" for number in range(1, 8)} | ({"rare.md"} if labels else set())


def test_terms_are_counted_up_to_a_bound(world: World) -> None:
    for number in range(8):
        world.write(f"{number}.md", "common" if number else "common rare 春天 it's")
    world.sync()
    counts = TermCounts(3)
    with world.catalogue.reading() as connection:
        for _ in range(2):
            asked = ("common", "rare", "it's", "none", '"', "春天")
            assert [counts.count(connection, term) for term in asked] == [4, 1, 1, 0, 0, 1]
        assert counts.pairs(connection, "春", 9) == counts.pairs(connection, "天", 9) == {"春天": 1}
        assert counts.pairs(connection, "春", 0) == counts.pairs(connection, "x", 9) == {}
