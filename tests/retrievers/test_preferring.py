from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document

from obsirag.feedback import Preference
from obsirag.retrievers.grouping import source_of, sources_of
from obsirag.retrievers.preferring import reorder

SOURCES = "abcdefgh"


def chunk(source, number):
    return Document(
        id=f"{source}{number}", page_content="", metadata={"source": source, "chunk_id": f"{source}{number}"}
    )


def chunks_of(sources):
    return [chunk(source, number) for number, source in enumerate(sources)]


def preferences_of(shares):
    return {source: Preference(source, share, ("m",)) for source, share in shares.items()}


in_rows = st.permutations(SOURCES).flatmap(
    lambda order: st.lists(st.integers(1, 3), min_size=len(order), max_size=len(order)).map(
        lambda counts: chunks_of([source for source, count in zip(order, counts, strict=True) for _ in range(count)])
    )
)
mixed = st.lists(st.sampled_from(SOURCES), max_size=20).map(chunks_of)
some_shares = st.dictionaries(st.sampled_from(SOURCES + "xyz"), st.floats(-1, 1, exclude_min=True, exclude_max=True))


@given(in_rows, some_shares, st.integers(0, 9))
def test_no_document_moves_further_than_max_shift(chunks, shares, max_shift):
    before, after = sources_of(chunks), sources_of(reorder(chunks, preferences_of(shares), max_shift))
    assert sorted(before) == sorted(after)
    assert all(abs(before.index(each) - after.index(each)) <= max_shift for each in before)


@given(mixed, some_shares, st.integers(0, 9))
def test_nothing_comes_in_and_nothing_goes(chunks, shares, max_shift):
    after = reorder(chunks, preferences_of(shares), max_shift)
    assert sorted(each.id for each in after) == sorted(each.id for each in chunks)


@given(in_rows, some_shares, st.integers(0, 9))
def test_the_chunks_of_a_document_stay_in_a_row_and_in_order(chunks, shares, max_shift):
    after = reorder(chunks, preferences_of(shares), max_shift)
    for source in SOURCES:
        places = [place for place, each in enumerate(after) if source_of(each) == source]
        assert places == list(range(places[0], places[-1] + 1))
        assert [after[place].id for place in places] == [each.id for each in chunks if source_of(each) == source]


@given(mixed, st.dictionaries(st.sampled_from("xyz"), st.floats(-0.9, 0.9)), st.integers(0, 9))
def test_what_is_said_of_others_changes_nothing(chunks, shares, max_shift):
    assert reorder(chunks, preferences_of(shares), max_shift) == chunks


@given(mixed, some_shares)
def test_without_room_to_move_the_order_stays(chunks, shares):
    assert [each.id for each in reorder(chunks, preferences_of(shares), 0)] == [each.id for each in chunks]


@given(in_rows, st.sampled_from(SOURCES), st.floats(0.01, 0.99), st.integers(0, 9))
def test_a_document_that_is_liked_never_falls_and_one_that_is_not_never_rises(chunks, source, share, max_shift):
    before = sources_of(chunks).index(source)
    assert sources_of(reorder(chunks, preferences_of({source: share}), max_shift)).index(source) <= before
    assert sources_of(reorder(chunks, preferences_of({source: -share}), max_shift)).index(source) >= before


def test_a_lone_vote_moves_one_place_and_tells_so():
    (first, second) = reorder(chunks_of("ab"), preferences_of({"b": 0.5}), 4)
    assert (first.metadata["source"], first.metadata["preference"]) == ("b", 1.25)
    assert first.metadata["preference_marks"] == ["m"]
    assert "preference" not in second.metadata


def test_what_was_given_stays_as_it_was():
    given_chunks = chunks_of("ab")
    reorder(given_chunks, preferences_of({"b": 0.9}), 4)
    assert given_chunks == chunks_of("ab")
