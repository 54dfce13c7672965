from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index_worlds import World
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
