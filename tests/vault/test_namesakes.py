"""Which of several files of one name is meant, against a plain reading of the rule."""

import sys

from hypothesis import given
from hypothesis import strategies as st

from obsirag.vault.names import NameIndex

FOLDERS = ["", "a/", "a/b/", "b/", "a/a/", "c/a/b/", "A/"]
PATHS = [f"{folder}{name}" for folder in FOLDERS for name in ("n.md", "N.md", "n.md.md", "n", "o.png", "o.png.md")]


def plain_reading(paths, target, source):
    """Look at every file for every link; return the path and whether others are as near."""
    names = [target, f"{target}.md"] if "." in target else [f"{target}.md", target]
    folder = source.rpartition("/")[0].casefold()
    inside = f"{folder}/" if folder else ""
    for name in (each.casefold() for each in names):
        fitting = [path for path in paths if f"/{path.casefold()}".endswith(f"/{name}")]
        nearness = [
            [path for path in fitting if path.casefold() == inside + name],
            [path for path in fitting if folder and path.casefold().startswith(inside)],
            [path for path in fitting if path.casefold() == name],
            fitting,
        ]
        for near in filter(None, nearness):
            shortest = min((len(path), path.casefold()) for path in near)[1]
            same = [path for path in near if path.casefold() == shortest]
            spelled = [path for path in same if f"/{path}".endswith((f"/{target}", f"/{target}.md"))]
            chosen = sorted(spelled or same)[0]
            others = [path for path in near if path != chosen and not (spelled and path.casefold() == shortest)]
            return chosen, bool(others)
    return None, False


@given(
    st.sets(st.sampled_from(PATHS)),
    st.sampled_from(["n", "N", "n.md", "a/n", "b/N", "a/b/n.md", "o.png", "a/o.png", "o", "A/n"]),
    st.sampled_from(["x.md", "a/x.md", "a/b/x.md", "b/x.md", "d/x.md"]),
)
def test_the_nearest_file_is_that_of_the_plain_rule(paths, target, source):
    found = NameIndex(sorted(paths)).resolve(target, source)
    assert (found.path, found.code == "ambiguous-name") == plain_reading(paths, target, source)


@given(st.sets(st.sampled_from([path for path in PATHS if path.endswith("n.md")]), min_size=1))
def test_an_alias_of_several_notes_means_the_nearest(paths):
    index = NameIndex(sorted(paths), read_aliases=lambda: {"Other Name": sorted(paths)})
    for folder in ("", "a", "a/b", "b", "d"):
        found = index.resolve("other name", f"{folder}/x.md".lstrip("/"))
        inside = f"{folder}/" if folder else ""
        below = [path for path in paths if path.casefold().startswith(inside)]
        here = [path for path in below if path.casefold().rpartition("/")[0] == folder]
        near = here or below or paths
        assert found.path in near
        assert len(found.path) == min(map(len, near))
        assert (found.code is None) == (len(near) == 1)


def calls_to_resolve(notes):
    """Return how many functions are called for links from each of many folders to a name that all of them have."""
    paths = ["README.md", *(f"f{at}/deep/README.md" for at in range(notes))]
    index = NameIndex(paths, read_aliases=lambda: {"start": paths})
    calls = 0

    def count(frame, event, argument):
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        for at in range(notes):
            expected = f"f{at}/deep/README.md"
            assert index.resolve("README", f"f{at}/x.md").path == expected
            assert index.resolve(f"f{at}/deep/README", "x.md").path == expected
            assert index.resolve("start", f"f{at}/deep/x.md").path == expected
            assert index.resolve("deep/readme", f"f{at}/x.md").path == expected
            assert index.resolve("README", f"g{at}/x.md").path == "README.md"
    finally:
        sys.setprofile(None)
    return calls


def test_a_link_to_a_name_of_many_notes_does_not_look_at_all_of_them():
    assert calls_to_resolve(400) < 2.5 * calls_to_resolve(200)
