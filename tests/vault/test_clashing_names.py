import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from obsirag.vault.clashing_names import find_collisions, find_duplicate_names


def told(findings):
    return [(each.path, each.line, each.code) for each in findings]


def test_a_name_in_several_folders_is_told_once_with_all_paths(make_vault):
    vault = make_vault({"a/Note.md": "", "b/note.md": "", "c/NOTE.md": "", "note.canvas": "", "other.md": ""})
    (finding,) = vault.diagnostics
    assert (finding.path, finding.line, finding.code) == ("a/Note.md", 0, "duplicate-name")
    assert "b/note.md" in finding.message
    assert "c/NOTE.md" in finding.message


def test_attachments_and_canvases_share_no_names_with_notes(make_vault):
    assert make_vault({"a/x.png": "", "b/x.png": "", "x.md": "", "x.canvas": "{}", "c/x.txt": ""}).diagnostics == []


def test_paths_that_differ_in_case_or_unicode_form_collide(make_vault):
    composed, decomposed = "caf\u00e9.md", "cafe\u0301.md"
    vault = make_vault({"A.md": "", "a.md": "", composed: "", decomposed: "", "p.PNG": "", "p.png": ""})
    assert told(vault.diagnostics) == [
        ("A.md", 0, "name-collision"),
        (decomposed, 0, "name-collision"),
        ("p.PNG", 0, "name-collision"),
    ]
    # What looks alike is told apart in the message.
    assert ascii(decomposed) in vault.diagnostics[1].message


def test_folders_collide_once_and_not_with_all_that_lies_in_them():
    files = ["Docs/a.md", "docs/b.md", "docs/c/d.md", "Docs/c/e.md"]
    assert sorted(told(find_collisions(files))) == [("Docs", 0, "name-collision")]
    assert sorted(told(find_collisions(["Docs/a.md", "docs/A.md"]))) == [
        ("Docs", 0, "name-collision"),
        ("Docs/a.md", 0, "name-collision"),
    ]


def test_names_that_only_a_dictionary_takes_for_one_do_not_collide():
    assert list(find_collisions(["Straße.md", "Strasse.md", "ﬁle.md", "file.md"])) == []


@given(
    st.lists(
        st.text("aAbB/éE", min_size=1).map(lambda path: "/".join(filter(None, path.split("/"))) or "x"), unique=True
    )
)
def test_collisions_are_found_exactly(files):
    def form(path):
        return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).lower())

    paths = {
        path[: path.index("/", start)] if "/" in path[start:] else path for path in files for start in range(len(path))
    }
    colliding = {
        (form(one))
        for one in paths
        for other in paths
        if form(one) == form(other) and one.rpartition("/")[2] != other.rpartition("/")[2]
    }
    assert {form(each.path) for each in find_collisions(files)} == colliding


@given(
    st.lists(st.tuples(st.sampled_from(["", "a/", "b/", "b/c/"]), st.sampled_from(["x", "X", "y", "é"])), unique=True)
)
def test_duplicate_names_are_found_exactly(names):
    paths = [f"{folder}{name}.md" for folder, name in names]
    expected = {
        name.casefold()
        for folder, name in names
        for other, same in names
        if name.casefold() == same.casefold() and folder != other
    }
    found = list(find_duplicate_names(paths))
    assert {each.path.rpartition("/")[2].removesuffix(".md").casefold() for each in found} == expected
    assert len(found) == len(expected)
    for each in found:
        others = [
            path
            for path in paths
            if path != each.path and path.rpartition("/")[2].casefold() == each.path.rpartition("/")[2].casefold()
        ]
        assert each.message.endswith(", ".join(sorted(others)))
