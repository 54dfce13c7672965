from hypothesis import given
from hypothesis import strategies as st

from obsirag.markdown import Block
from obsirag.vault.sections import Section, Sections
from obsirag.vault.source import Source
from step_counts import steps_of

headings = st.lists(st.tuples(st.integers(1, 4), st.sampled_from("ABC")), max_size=10)
wanted = st.lists(st.sampled_from("ABC"), min_size=1, max_size=3)


def sections_of(levels_and_names):
    blocks = [Block("heading", 10 * at, 10 * at + 5, level, name) for at, (level, name) in enumerate(levels_and_names)]
    return Sections(blocks, 10 * len(blocks))


def expected(levels_and_names, names, start, end):
    """Return the index of the first heading that leads to the whole path, by trying them all."""
    for index in range(start, end):
        level, name = levels_and_names[index]
        if name != names[0]:
            continue
        if len(names) == 1:
            return index
        stop = next((at for at in range(index + 1, end) if levels_and_names[at][0] <= level), end)
        found = expected(levels_and_names, names[1:], index + 1, stop)
        if found is not None:
            return found
    return None


@given(headings, wanted)
def test_a_path_of_headings_leads_to_the_first_section_that_has_it(given_headings, names):
    found = sections_of(given_headings).find(names)
    index = expected(given_headings, names, 0, len(given_headings))
    if index is None:
        assert found is None
        return
    level = given_headings[index][0]
    stop = next(
        (at for at in range(index + 1, len(given_headings)) if given_headings[at][0] <= level), len(given_headings)
    )
    assert found == Section(10 * index, 10 * index + 5, 10 * stop)


def test_marks_case_and_block_ids_of_headings_do_not_count():
    source = Source("n.md", "# What: *is* it? ^id\n\ntext\n")
    assert source.sections.find(["what is it"]) is not None
    assert source.sections.find(["what"]) is None


def test_the_headings_of_a_note_are_looked_at_once():
    source = Source("n.md", "# A\n\n# B\n")
    assert source.sections is source.sections


def test_looking_for_many_paths_takes_steps_in_proportion():
    def steps(count):
        levels_and_names = [(1, "A"), (2, "B"), (3, "C")] * count
        sections = sections_of([*levels_and_names, (1, "D")])
        paths = [path for each in range(count) for path in (["A", "B", "C", "D"], ["C", "B"], ["A", f"x{each}", "C"])]
        return steps_of(lambda: [sections.find(path) for path in paths])

    assert steps(800) <= 6 * steps(200)
