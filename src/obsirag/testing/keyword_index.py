"""What obsirag needs of an index of words."""

from __future__ import annotations

from functools import partial
from math import isfinite
from typing import Any

from obsirag.testing.checks import check, expect
from obsirag.testing.keyword_kit import KeywordAbilities

__all__ = ["KeywordIndexConformance"]

_UNFOUND = "a note isn't found by the words that stand in it"
_LEAKS = "a caller's search comes back with what they may not read, or without what they may"


class KeywordIndexConformance(KeywordAbilities):
    """Checks of an ``obsirag.records.KeywordIndex``; a subclass has the method :meth:`make`."""

    @check(harm="the first question to a new index fails")
    def test_an_empty_index_finds_nothing(self) -> None:
        index = self.opened()
        expect(list(index.search("anything", 5)) == [], "no hits from an empty index", index.search("anything", 5))
        expect(list(index.ids()) == [], "no ids from an empty index", index.ids())

    @check(harm=_UNFOUND)
    def test_a_text_is_found_at_once_by_each_of_its_words(self) -> None:
        index = self.filled("The respawn timer is eight seconds", "Bread needs flour and yeast")
        for word, expected in (("respawn", 0), ("timer", 0), ("RESPAWN", 0), ("flour", 1), ("yeast bread", 1)):
            found = self.found(index, word)
            expect(found == [str(expected)], f"text {expected} for {word!r}", found)

    @check(harm="Chinese notes are found by chance")
    def test_chinese_words_are_found_within_a_sentence(self) -> None:
        index = self.filled("存档系统会在关卡切换时自动保存进度", "渲染管线负责绘制场景中的模型")
        for word, expected in (("存档", 0), ("关卡", 0), ("自动保存", 0), ("渲染", 1), ("模型", 1)):
            found = self.found(index, word)
            expect(found[:1] == [str(expected)], f"text {expected} first for {word!r}", found)

    @check(harm="the best notes are cut off")
    def test_the_best_come_first(self) -> None:
        index = self.filled("apple pear", "apple apple pear plum", "apple", "something else", "plum")
        hits = list(index.search("apple pear plum", 10))
        scores = [score for _, score in hits]
        finite = all(isinstance(each, int | float) and isfinite(each) for each in scores)
        expect(finite, "scores that are finite numbers", scores)
        expect(scores == sorted(scores, reverse=True), "the highest score first", scores)
        expect(hits[0][0] == "1", "the text with all the words first", hits)
        expect("3" not in [each for each, _ in hits], "no text without any of the words", hits)

    @check(harm="searches cost more than they are to")
    def test_no_more_come_than_were_asked_for(self) -> None:
        index = self.filled(*(f"apple number {number}" for number in range(30)))
        for limit, most in ((1, 1), (7, 7), (100, 30)):
            found = self.found(index, "apple", limit)
            expect(len(set(found)) == len(found) == most, f"{most} different ids for limit={limit}", found)

    @check(harm="an ordinary question, typed with a mark or the word NOT, fails or finds other notes")
    def test_nothing_in_a_query_is_an_operator(self) -> None:
        index = self.filled("apple not banana and or near pie", "application", "cherry")
        for query in ("apple -banana", "apple NOT banana", "apple AND pie", "+apple !banana", "apple NEAR pie"):
            found = self.found(index, query)
            expect(found == ["0"], f"the text that holds the words of {query!r}", found)
        for query in (
            '"apple',
            "apple OR",
            "(apple",
            "apple^",
            "title:apple",
            "{apple}",
            "apple;--",
            "\\apple",
            "apple'",
        ):
            found = self.found(index, query)
            expect("0" in found, f"the text with the word in {query!r}", found)
        found = self.found(index, "app*")
        expect("1" not in found, "no text for the beginning of a word with a star behind", found)

    @check(harm="a question of marks alone fails")
    def test_a_query_without_words_finds_nothing(self) -> None:
        index = self.filled("apple")
        for query in ("", "  \n", "?!", "*", '""', "unknownword"):
            found = self.found(index, query)
            expect(found == [], f"nothing for {query!r}", found)

    @check(harm="long questions fail")
    def test_a_long_query_is_taken(self) -> None:
        index = self.filled("apple", "cherry")
        # How much of it is looked for is the index's own affair: the known word comes first.
        found = self.found(index, "apple " + " ".join(f"word{number} 词{number}" for number in range(300)))
        expect(found == ["0"], "the one text with a word of a query of 600 words", found)

    @check(harm="a changed note is found by its old words, or twice")
    def test_a_known_id_is_replaced(self) -> None:
        index = self.filled("old words", "other")
        self.add(index, {"0": "new text"})
        for query, expected in (("old", []), ("new", ["0"]), ("other", ["1"])):
            found = self.found(index, query)
            expect(found == expected, f"{expected} for {query!r}", found)

    @check(harm=_LEAKS)
    def test_a_replaced_text_has_its_new_access(self) -> None:
        index = self.opened()
        self.add(index, {"0": "apple"}, {"0": {"access": "open", "source": "a.md"}})
        self.add(index, {"0": "apple"}, {"0": {"access": "secret", "source": "a.md"}})
        found = self.found(index, "apple", filter={"$and": [{"access": {"$in": ["open"]}}]})
        expect(found == [], "nothing under the access that the text had before", found)

    @check(harm="deleted notes are found")
    def test_what_was_deleted_is_gone(self) -> None:
        index = self.filled("apple", "apple pie", "apple tart")
        index.delete(["0", "unknown"])
        index.delete(iter(["2"]))
        index.delete([])
        found = self.found(index, "apple")
        expect(found == ["1"], "only what was not deleted", found)

    @check(harm="a sync deletes what is needed, or leaves behind what isn't")
    def test_all_ids_are_listed(self) -> None:
        index = self.filled(*(f"text {number}" for number in range(600)))
        self.add(index, {"0": "again"})
        index.delete(["1", "2"])
        came = list(index.ids())
        expected = sorted(str(number) for number in range(600) if number not in (1, 2))
        expect(sorted(came) == expected, f"{len(expected)} ids, each once", f"{len(came)}, {len(set(came))} different")

    @check(harm=_LEAKS)
    def test_a_filter_lets_through_what_it_names_and_nothing_else(self) -> None:
        index = self.opened()
        given = {
            f"{access}/{source}": {"access": access, "source": source} for access in ("", "a", "b") for source in "xyz"
        }
        self.add(index, dict.fromkeys(given, "apple"), given)
        of_a: dict[str, Any] = {"access": {"$in": ["a"]}}
        cases: list[tuple[Any, set[str]]] = [
            (None, set(given)),
            ({"$and": [of_a]}, {"a/x", "a/y", "a/z"}),
            ({"$and": [{"access": {"$in": [""]}}]}, {"/x", "/y", "/z"}),
            ({"$and": [of_a, {"source": {"$in": ["x", "z"]}}]}, {"a/x", "a/z"}),
            ({"$and": [{"access": {"$in": []}}]}, set()),
            ({"$and": [of_a, {"source": {"$in": ["unknown"]}}]}, set()),
        ]
        for wanted, expected in cases:
            found = set(self.found(index, "apple", 50, filter=wanted))
            expect(found == expected, f"{sorted(expected)} for the filter {wanted}", sorted(found))

    @check(harm=_LEAKS)
    def test_nothing_in_a_filter_is_an_operator(self) -> None:
        values = ["it's", 'a "b"', "a\\b", "50%", "a_b", "笔记/存档.md", "x' or '1'='1", '") or ("" in [""']
        index = self.opened()
        self.add(index, dict.fromkeys(values, "apple"), {value: {"access": value, "source": value} for value in values})
        for value in values:
            for field in ("access", "source"):
                found = self.found(index, "apple", 50, filter={"$and": [{field: {"$in": [value]}}]})
                expect(found == [value], f"the one text whose {field} is {value!r}", found)

    @check(harm="a caller with few rights finds nothing, since hits are thrown away after they were counted")
    def test_the_filter_is_part_of_the_search(self) -> None:
        index = self.opened()
        texts = {str(number): "apple" if number < 3 else "apple pie" for number in range(60)}
        given = {each: {"access": "few" if int(each) < 3 else "many", "source": "a.md"} for each in texts}
        self.add(index, texts, given)
        found = set(self.found(index, "apple pie", 3, filter={"$and": [{"access": {"$in": ["few"]}}]}))
        expect(found == {"0", "1", "2"}, "the three texts that the filter admits", sorted(found))

    @check(harm="two people who ask at the same time get errors, or each other's hits")
    def test_several_threads_may_search(self) -> None:
        words = ("apple", "cherry", "plum", "pear")
        index = self.filled(*words)

        def search(word: str) -> list[list[str]]:
            return [self.found(index, word) for _ in range(5)]

        came = self.side_by_side([partial(search, word) for word in words])
        expect(came == [[[str(n)]] * 5 for n in range(4)], "in each thread the hits of its own query", came)

    @check(harm="two people's questions fail while the vault is indexed")
    def test_threads_may_write_and_search_together(self) -> None:
        index = self.filled("apple")

        def write() -> list[str]:
            for number in range(10):
                self.add(index, {f"new {number}": f"cherry {number}"})
            return ["0"]

        came = self.side_by_side([write, *[lambda: self.found(index, "apple")] * 3])
        expect(came == [["0"]] * 4, "the text that was there before, while others are written", came)
        expect(
            len(self.found(index, "cherry", 50)) == 10,
            "all that was written meanwhile",
            self.found(index, "cherry", 50),
        )
