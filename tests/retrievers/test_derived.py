import json

from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document

from obsirag.retrievers.derived import below_originals
from obsirag.retrievers.grouping import source_of

ORIGINALS, DERIVED = "abcd", "xyz"


def chunk(source, number, originals):
    made = {"derived": "obsirag", "sources": json.dumps([{"note": each} for each in originals])}
    metadata = {"source": source, "chunk_id": f"{source}{number}", **(made if source in DERIVED else {})}
    return Document(id=f"{source}{number}", page_content="", metadata=metadata)


# A derived note may name another one, or itself, where a person edited it.
cases = st.fixed_dictionaries(
    {each: st.lists(st.sampled_from(ORIGINALS + DERIVED + "q"), max_size=3) for each in DERIVED}
)


@given(st.lists(st.sampled_from(ORIGINALS + DERIVED), max_size=15), cases)
def test_derived_notes_stand_below_their_originals_and_all_else_stays_in_order(sources, originals):
    chunks = [chunk(source, number, originals.get(source, ())) for number, source in enumerate(sources)]
    after = below_originals(chunks)
    assert sorted(each.id for each in after) == sorted(each.id for each in chunks)
    plain = [each.id for each in chunks if source_of(each) in ORIGINALS]
    assert [each.id for each in after if source_of(each) in ORIGINALS] == plain
    order = [source_of(each) for each in after]
    for place, source in enumerate(order):
        if source in DERIVED:
            assert not set(order[place:]) & set(originals[source]) & set(ORIGINALS)
    if not set(sources) & set(DERIVED):
        assert after == chunks


def test_what_people_made_of_the_front_matter_does_no_harm():
    for sources in ("no json", "{}", '["a"]', '[{"note": 3}]', 7, None):
        odd = Document(page_content="", metadata={"source": "x", "derived": "obsirag", "sources": sources})
        assert below_originals([odd, chunk("a", 1, ())])[0] is odd
