import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.vault.names import NameIndex

PATHS = [
    "Note.md",
    "My Plan.md",
    "plan.md",
    "my-plan.md",
    "a/Note.md",
    "a/deep/Other.md",
    "a/deep/pic.png",
    "b/Note.md",
    "b/c/Other.md",
    "b/c/Other.md.md",
    "v1.2.md",
    "Straße.md",
    "Strasse.md",
    "e/Case.md",
    "e/case.md",
    "LICENSE",
    "e/LICENSE.md",
    "Trail .md",
    "f /n.md",
    "cover.png.md",
    "e/cover.png",
    "100%.md",
    "d/only.canvas",
]


@pytest.mark.parametrize(
    ("target", "source", "path"),
    [
        ("plan", "x.md", "plan.md"),
        ("PLAN.MD", "x.md", "plan.md"),
        ("my plan", "x.md", "My Plan.md"),
        ("lan", "x.md", None),
        ("-plan", "x.md", None),
        ("Note", "x.md", "Note.md"),
        ("Note", "a/x.md", "a/Note.md"),
        ("Note", "b/x.md", "b/Note.md"),
        ("Note", "b/c/x.md", "Note.md"),
        ("a/Note", "b/x.md", "a/Note.md"),
        ("deep/Other", "x.md", "a/deep/Other.md"),
        ("eep/Other", "x.md", None),
        ("./Note", "a/x.md", "a/Note.md"),
        ("../Note", "a/x.md", "Note.md"),
        ("../b/Note.md", "a/x.md", "b/Note.md"),
        ("./Note", "d/x.md", None),
        ("/Note", "a/x.md", "Note.md"),
        ("/a/deep/Other", "x.md", "a/deep/Other.md"),
        ("/deep/Other", "x.md", None),
        ("a\\deep\\Other", "x.md", "a/deep/Other.md"),
        ("b/../a/Note", "x.md", "a/Note.md"),
        ("v1.2", "x.md", "v1.2.md"),
        ("STRASSE", "x.md", "Strasse.md"),
        ("straße", "x.md", "Strasse.md"),
        ("Straße", "x.md", "Straße.md"),
        ("Case", "x.md", "e/Case.md"),
        ("case", "x.md", "e/case.md"),
        ("./case", "e/x.md", "e/case.md"),
        ("/e/case.md", "x.md", "e/case.md"),
        ("LICENSE", "x.md", "e/LICENSE.md"),
        ("cover.png", "x.md", "e/cover.png"),
        ("cover.png.md", "x.md", "cover.png.md"),
        ("Other.md", "x.md", "b/c/Other.md"),
        ("Other.md.md", "x.md", "b/c/Other.md.md"),
        ("Trail", "x.md", "Trail .md"),
        ("Trail ", "x.md", "Trail .md"),
        ("Trail .md", "x.md", "Trail .md"),
        ("f /n", "x.md", "f /n.md"),
        ("a//Note", "x.md", "a/Note.md"),
        ("a/./Note", "x.md", "a/Note.md"),
        ("Note/", "x.md", None),
        ("/a/", "x.md", None),
        ("./", "a/x.md", None),
        ("..", "a/b/x.md", None),
        ("a+b", "x.md", None),
        ("Note\0", "x.md", None),
        ("%00", "x.md", None),
        ("n" * 100_000, "x.md", None),
        ("pic.png", "x.md", "a/deep/pic.png"),
        ("pic", "x.md", None),
        ("only.canvas", "x.md", "d/only.canvas"),
        ("My%20Plan.md", "x.md", "My Plan.md"),
        ("100%", "x.md", "100%.md"),
        ("", "x.md", "x.md"),
        ("gone", "x.md", None),
    ],
)
def test_names_resolve_as_in_obsidian(target, source, path):
    assert NameIndex(PATHS).resolve(target, source).path == path


@pytest.mark.parametrize(
    ("target", "source", "code"),
    [
        ("Other", "x.md", "ambiguous-name"),
        ("Other", "a/x.md", None),
        ("Note", "x.md", None),
        ("Note", "d/x.md", None),
        ("plan", "x.md", None),
        ("gone", "x.md", None),
        ("Case", "x.md", None),
        ("CASE", "x.md", "ambiguous-name"),
        ("LICENSE", "x.md", None),
        ("b/c/Other.md", "x.md", None),
    ],
)
def test_a_name_is_ambiguous_if_neither_place_nor_path_decides(target, source, code):
    assert NameIndex(PATHS).resolve(target, source).code == code


OUTSIDE = [
    "../secret",
    "../../outside/secret.md",
    "./../../x",
    "a/../../secret",
    "/../secret",
    "/etc/hostname",
    "//server/share/x",
    "\\\\server\\share\\x",
    "..\\..\\secret",
    "C:\\secret.md",
    "c:/secret.md",
    "file:///etc/passwd",
    "..%2F..%2Fsecret",
    "%2e%2e/%2e%2e/secret",
    "C%3A%5Csecret",
]


@pytest.mark.parametrize("target", OUTSIDE)
def test_ways_out_of_the_vault_lead_nowhere(target):
    assert NameIndex([*PATHS, "secret.md", "etc.md"]).resolve(target, "x.md") == (None, "outside-vault")


@given(st.text(st.sampled_from("./\\%2eEfFcC:ab ~"), max_size=20), st.sampled_from(["x.md", "a/x.md"]))
def test_whatever_is_asked_only_known_files_come_back(target, source):
    found = NameIndex(["a/b.md", "b.md"]).resolve(target, source)
    assert found.path in (None, "a/b.md", "b.md", source)


def test_file_names_go_before_aliases_and_aliases_are_read_only_when_needed():
    asked = []

    def read_aliases():
        asked.append(1)
        return {"plan": ["Note.md"], "Home Page": ["a/Note.md"], "twice": ["Note.md", "b/Note.md"]}

    index = NameIndex(PATHS, read_aliases=read_aliases)
    assert index.resolve("plan", "x.md").path == "plan.md"
    assert not asked
    assert index.resolve("home page", "x.md").path == "a/Note.md"
    assert index.resolve("twice", "b/x.md") == ("b/Note.md", None)
    assert index.resolve("twice", "z/x.md") == ("Note.md", "ambiguous-name")
    assert len(asked) == 1
