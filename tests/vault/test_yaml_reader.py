import contextlib
from datetime import date, datetime

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from obsirag.vault import yaml_reader
from obsirag.vault.yaml_reader import UnusableYamlError, read_yaml


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: 2024-01-05", date(2024, 1, 5)),
        ("a: 2024-01-05 10:30:00", datetime(2024, 1, 5, 10, 30)),
        ("a: 2024-02-30", "2024-02-30"),
        ("a: 12:30", "12:30"),
        ("a: yes", "yes"),
        ("a: off", "off"),
        ("a: true", True),
        ("a: 4", 4),
        ("a: 0x1F", 31),
        ("a: 1.5", 1.5),
        ("a: 1e3", 1000.0),
        ("a:", None),
        ("a: ~", None),
        ("a: [[Home]]", [["Home"]]),
        ("a: '[[pics/pad.svg|Pad]]'", "[[pics/pad.svg|Pad]]"),
        ("a: {b: {c: [1, x]}}", {"b": {"c": [1, "x"]}}),
        ("a: {2024-01-01: x, 1: y}", {"2024-01-01": "x", "1": "y"}),
        ("a: " + "1" * 5000, "1" * 5000),
        (
            "a: {1: w, true: x, null: y, 2024.10: z, 0x1F: q, yes: r, '1 ': s}",
            {
                "1": "w",
                "true": "x",
                "null": "y",
                "2024.10": "z",
                "0x1F": "q",
                "yes": "r",
                "1 ": "s",
            },
        ),
        ("a: 2024-01-05T10:30:00+25:00", "2024-01-05T10:30:00+25:00"),
        ("a: 0000-01-01", "0000-01-01"),
        ("a: [1e999, -123e456, .inf, 1e300]", ["1e999", "-123e456", float("inf"), 1e300]),
        ("a: x\u2028y\u2029z\u0085", "x\u2028y\u2029z\u0085"),
        ('a: "q\u2028\x0b"', "q\u2028\x0b"),
        ("a: x\x07\x7f\U0010f000", "x\x07\x7f\U0010f000"),
        ("a: [\ue000, \U0010f000, \u200b, \U0001f680]", ["\ue000", "\U0010f000", "\u200b", "\U0001f680"]),
        ("a: {\x0bb: 1}", {"\x0bb": 1}),
        ("a: &x [1]\r\n# comment\r\n", [1]),
        ("a: {b: &x {c: 1}, d: {<<: *x, e: 2}}", {"b": {"c": 1}, "d": {"<<": {"c": 1}, "e": 2}}),
        ("a: !!set {x, y}", ["x", "y"]),
    ],
)
def test_values_are_those_of_yaml_1_2_and_dates(text, value):
    assert read_yaml(text) == {"a": value}


BOMB = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]\n" for before, name in zip("abcde", "bcdef", strict=True)
)


@pytest.mark.parametrize(
    "text",
    [
        BOMB,
        "a: &a [*a]",
        "a: " + "[" * 5000,
        "a: " + "[" * 60 + "]" * 60,
        "- " * 5000,
        "a: 1\nb: 2\na: 3",
        "a: {b: 1, b: 2}",
        "a: {{x}",
        "? [1]\n: 2",
        "a: !!python/object/apply:os.system ['true']",
        "a: !unknown x",
        "a: b: c",
        "a: [1",
        "a: 1\n---\nb: 2",
        "\tb: 1",
        "x: " + "y" * 300_000,
    ],
    ids=range(16),
)
def test_what_cannot_be_used_is_refused_without_quoting_it(text):
    with pytest.raises(UnusableYamlError) as caught:
        read_yaml(text)
    assert len(str(caught.value)) < 200
    assert "os.system" not in str(caught.value)


def is_plain(value):
    if isinstance(value, dict):
        return all(type(key) is str and is_plain(each) for key, each in value.items())
    if isinstance(value, list):
        return all(map(is_plain, value))
    return value is None or type(value) in {str, bool, int, float, date, datetime}


@given(st.text() | st.text(st.sampled_from("a:-[]{}&*!|>'\"%@`#,?~ \n\t0")))
def test_any_text_is_read_or_refused(text):
    with contextlib.suppress(UnusableYamlError):
        assert is_plain(read_yaml(text))


def test_values_of_the_python_reader_hold_no_half_characters(monkeypatch):
    # libyaml refuses such escapes, the reader in Python lets them through.
    monkeypatch.setattr(yaml_reader.yaml, "load", lambda *_, **__: {"\ud800": ["\udc00", {"a"}, "\ud83d\ude00"]})
    assert read_yaml("a: b") == {"\ufffd": ["\ufffd", ["a"], "\U0001f600"]}


@pytest.mark.parametrize(
    "character", [*map(chr, {*range(0x20)} - {0xA, 0xD}), "\x7f", "\x85", "\u2028", "\u2029", "\ufffe", "\uffff"]
)
def test_no_single_character_costs_the_other_fields(character):
    kept = "\ufffd" if character == "\0" else character  # many stores refuse a NUL
    assert read_yaml(f"a: 1\nb: x{character}y\nc: 3") == {"a": 1, "b": f"x{kept}y", "c": 3}


def test_a_fault_is_told_with_its_line_whatever_stands_before():
    for before in ("a: x\u2028y", "a: \x07", "a: |\n  z", "# c"):
        lines = before.count("\n") + 2
        with pytest.raises(UnusableYamlError) as caught:
            read_yaml(f"{before}\nb: [}}")
        assert caught.value.line == lines


def test_loaders_of_others_keep_their_meaning():
    assert read_yaml("a: [yes, 12:30]") == {"a": ["yes", "12:30"]}
    assert yaml.safe_load("a: [yes, 12:30]") == {"a": [True, 750]}


@pytest.mark.parametrize("number", ["f" * 4000, "0x" + "f" * 4000, "0o" + "7" * 9000, "-" + "9" * 4000, "9" * 3400])
@pytest.mark.parametrize("form", ["a: [{}]", "a: !!int '{}'", "{}: a", "a: !!set {{{}: }}"])
def test_numbers_that_cannot_be_written_out_are_no_numbers(number, form):
    with contextlib.suppress(UnusableYamlError):
        assert str(read_yaml(form.format(number)))
