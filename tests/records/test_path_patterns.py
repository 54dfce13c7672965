import pytest

from obsirag.records.path_patterns import compile_patterns


@pytest.mark.parametrize("pattern", ["a\\b", "a\\", "C:\\notes", "a\\*", "x\ny\\z"])
def test_a_separator_of_windows_is_refused(pattern):
    with pytest.raises(ValueError, match=r"^pattern .* has a backslash between folders; write / instead"):
        compile_patterns([pattern])


@pytest.mark.parametrize("pattern", ["\\#a", "\\!a", "a\\ ", "\\*.md"])
def test_a_backslash_that_makes_a_sign_plain_is_none(pattern):
    assert compile_patterns([pattern], must_match=True).match_file(pattern.replace("\\", "").rstrip("\n"))


def test_what_is_no_gitignore_syntax_is_refused():
    with pytest.raises(ValueError, match=r"^pattern '!' is not valid gitignore syntax"):
        compile_patterns(["!"])


@pytest.mark.parametrize("patterns", [[], [""], ["# a", "!b"]])
def test_patterns_that_match_nothing_are_a_fault_only_if_one_must_match(patterns):
    assert not compile_patterns(patterns).match_file("a")
    with pytest.raises(ValueError, match=r"^pattern .*can match no path"):
        compile_patterns(patterns, must_match=True)
