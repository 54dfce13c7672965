"""Glossaries in files."""

import pytest

from obsirag.errors import ConfigError
from obsirag.glossary import Term, read_glossary

TERMS = [Term("Montage", ("连招", "combo"), area="Animation"), Term("Hitch", ("卡一下",))]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", "- {term: Montage, synonyms: [连招, combo], area: Animation}\n- {术语: Hitch, 俗称: 卡一下}\n"),
        ("a.yml", "Montage: {synonyms: [连招, combo], area: Animation}\nHitch: 卡一下\n"),
        ("a.json", '{"Montage": {"synonyms": ["连招", "combo"], "area": "Animation"}, "Hitch": ["卡一下"]}'),
        ("a.csv", '术语,同义词,模块\nMontage,"连招, combo",Animation\nHitch,卡一下,\n'),
        ("a.md", "---\ntags: x\n---\n- Hitch: x\n## Animation\n- **Montage**: 连招, combo\n"),
    ],
)
def test_each_kind_of_file_is_read(tmp_path, name, text):
    (tmp_path / name).write_text(text, encoding="utf-8-sig")
    assert read_glossary(tmp_path / name) == (TERMS[:1] if name == "a.md" else TERMS)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.txt", b"", "ends in"),
        ("a.yaml", b"- 5", "entry 1"),
        ("a.yaml", b"- {term: A}\n- {synonyms: b}", "entry 2: names no term"),
        ("a.yaml", b"- {term: A, colour: b}", "colour"),
        ("a.yaml", b"A: 5", "'A'"),
        ("a.yaml", b"5", "a list of terms"),
        ("a.yaml", b"- {a: b\n- c", "a.yaml:2"),
        ("a.yaml", b"a: 2001-99-99", "cannot be read"),
        ("a.json", b"{", "cannot be read"),
        ("a.json", b"\xff\xfe", "UTF-8"),
        ("b/a.json", None, "cannot be read"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path, name, content, said):
    file = tmp_path / name
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ConfigError, match=said) as raised:
        read_glossary(file)
    assert str(file) in str(raised.value)


def test_an_empty_file_has_no_terms(tmp_path):
    for name in ("a.yaml", "a.csv", "a.md"):
        (tmp_path / name).write_text("", encoding="utf-8")
        assert read_glossary(tmp_path / name) == []
