"""Placeholders of templates are text: in front matter, where YAML has another meaning for them, and in links."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.vault import Vault
from obsirag.vault.placeholders import holds_placeholder, placeholders_in, substitute
from obsirag.vault.properties import UNREADABLE_PERMISSIONS, read_front_matter

PLACEHOLDERS = [
    "{{date}}",
    "{{ title }}",
    "{{date:YYYY-MM-DD}}",
    "{{{raw}}}",
    "{{a|replace:'x: y':'# z'}}",
    "{{f {b} }}",
    "<% tp.file.title %>",
    '<% tp.date.now("dddd, MMMM Do: h # a", 1, [2], {a: 3}) %>',
    "<%* tR += 'x: y' -%>",
    "{{标题：x}}",
    "{{a\u2028\x07b}}",
]


@pytest.mark.parametrize("placeholder", PLACEHOLDERS)
@pytest.mark.parametrize(
    ("yaml", "value"),
    [
        ("v: P", "P"),
        ("v: P extra", "P extra"),
        ("v: before P", "before P"),
        ("v: P-P", "P-P"),
        ("v: [P, a]", ["P", "a"]),
        ("v: [a, P b]", ["a", "P b"]),
        ("v:\n- P\n- a", ["P", "a"]),
        ("v:\n  - P", ["P"]),
        ("v: {b: P}", {"b": "P"}),
        ("v: {b: {c: P}}", {"b": {"c": "P"}}),
        ("v: {P: b}", {"P": "b"}),
        ("v: |-\n  P\n  b", "P\nb"),
        ("v: >-\n  P\n  b", "P b"),
        ("v: P  # comment", "P"),
        ("v: a  # P", "a"),
        ("# P\nv: a", "a"),
        ("# it's 'P\nv: P", "P"),
        ("v: it's P, isn't it", "it's P, isn't it"),
        ("v: 20P", "20P"),
        ("P\nv: a\nP P\nw: b", "a"),
        ("v: &a P\nw: *a", "P"),
    ],
)
def test_a_placeholder_is_text_and_costs_no_field(placeholder, yaml, value):
    read = read_front_matter(f"before: 1\n{yaml.replace('P', placeholder)}\nafter: [x]\n")
    assert read.fault is None
    assert (read.metadata["before"], read.metadata["after"]) == (1, ["x"])
    assert read.metadata["v"] == json.loads(json.dumps(value).replace("P", json.dumps(placeholder)[1:-1]))


@pytest.mark.parametrize(
    ("yaml", "value"),
    [
        (r'''v: "<% f(\"x\") %>\n"''', '<% f("x") %>\n'),
        ("v: '<% f(''x'') %>'", "<% f('x') %>"),
        ('v: "{{x}}"', "{{x}}"),
        # Quotes within quotes: no YAML, but what people write.
        ('v: "<% f("x: y") %>"', '<% f("x: y") %>'),
        ("v: '<% f('x') %>'", "<% f('x') %>"),
    ],
)
@pytest.mark.parametrize("other", ["", "w: {{y}}\n"])
def test_quoted_values_keep_their_meaning(yaml, value, other):
    read = read_front_matter(f"{other}{yaml}\nz: 1")
    assert read.fault is None
    assert (read.metadata["v"], read.metadata["z"]) == (value, 1)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_commands_on_lines_of_their_own_are_no_fields_and_leave_the_lines_where_they_are(newline):
    yaml = newline.join(["<%*", "let x = 1;", "-%>", "a: {{x}}", "{{#if b}}", "b: [}", "{{/if}}"])
    read = read_front_matter(yaml)
    assert read.fault_line == 6
    mended = read_front_matter(yaml.replace("[}", "[]"))
    assert (mended.metadata, mended.fault) == ({"a": "{{x}}", "b": []}, None)


def test_equal_and_different_placeholders_in_keys():
    assert read_front_matter("{{a}}: 1\n{{b}}: 2").metadata == {"{{a}}": 1, "{{b}}": 2}
    assert read_front_matter("{{a}}: 1\n{{a}}: 2").fault == "a key is repeated"


@pytest.mark.parametrize(
    ("yaml", "permissions"),
    [
        ("permission: {{x}}", (("{{x}}",),)),
        ("permission: [{{x}}, a]", (("a", "{{x}}"),)),
        ("title: {{x}}\npermission: a", (("a",),)),
        ("{{#if x}}\npermission: a\n{{/if}}", (("a",),)),
        ("title: {{x}}", ()),
        ("title: {{permission}} note", ()),
        ("{title: <% a %>, permission: b}", (("b",),)),
    ],
)
def test_permissions_beside_placeholders_count(yaml, permissions):
    assert read_front_matter(yaml).permissions == permissions


@pytest.mark.parametrize(
    "yaml",
    [
        "<% if (x) %>permission: a",
        "{{#if x}}permission: a",
        "{{x}}permissions: a\ntitle: b",
        "{{permission: a}}",
        "a: b\n<%* tR += 'per\u00admission: a' %>\n",
        "<%*\ntR += 'permission: a'\n%>\na: b",
        "{ {{x, permission: a}} }",
        "a: {{b\npermission: c\nd: e}}",
        "title: <% a\npermission: b\nc %>",
        "{title: <% a, permission: b, c: %>}",
        "title: <% a, 'Permissions' : b %>",
    ],
)
def test_a_note_is_hidden_where_a_template_may_state_its_permissions(yaml):
    read = read_front_matter(yaml)
    assert (read.permissions, read.metadata) == (UNREADABLE_PERMISSIONS, {})
    assert read.fault


NAMES = st.sampled_from(["a", "b", "tags", "created", "permission", "标题"])
SCALARS = st.sampled_from(
    ["w", "a b", "it's", "1", "true", "2024-01-05", "'q # r'", '"q: \\n"', "", "~", "P", "P x", "x-P"]
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda parts: f"[{', '.join(part or '~' for part in parts)}]")
        | st.dictionaries(NAMES, inner, max_size=2).map(
            lambda fields: "{" + ", ".join(f"{name}: {value or '~'}" for name, value in fields.items()) + "}"
        )
    ),
    max_leaves=5,
)
BLOCKS = st.lists(SCALARS, min_size=1, max_size=3).map(lambda parts: "".join(f"\n  - {part}" for part in parts))
FIELDS = st.dictionaries(NAMES, VALUES | BLOCKS, min_size=1, max_size=5)
LINES = FIELDS.map(lambda fields: "".join(f"{name}: {value}\n" for name, value in fields.items()))


def with_word(value):
    """Return a value with a word in the place of the placeholder."""
    if isinstance(value, dict):
        return {with_word(key): with_word(each) for key, each in value.items()}
    if isinstance(value, list):
        return [with_word(each) for each in value]
    return re.sub(r"\{\{.*?\}\}|<%.*?%>", "word", value) if isinstance(value, str) else value


@given(LINES, st.sampled_from(["{{date}}", "<% x %>", "{{ a, b }}", "<% f(a, [b: c]) # d %>"]))
def test_all_fields_are_those_read_with_a_word_instead(yaml, placeholder):
    expected = read_front_matter(yaml.replace("P", "word"))
    read = read_front_matter(yaml.replace("P", placeholder))
    assert read.fault == expected.fault
    assert with_word(read.metadata) == expected.metadata


@given(st.text(st.sampled_from("a:-[]{}&*!|>'\"%@`#,?~< \n\r\t0")) | LINES)
def test_yaml_without_placeholders_is_read_as_it_is(yaml):
    yaml = yaml.replace("{{", "{ {").replace("<%", "< %").replace("P", "p")
    assert not holds_placeholder(yaml)
    for in_quotes in (False, True):
        assert substitute(yaml, lambda _: "?", in_quotes=in_quotes) == yaml
    assert list(placeholders_in(yaml)) == []


@given(st.text(st.sampled_from("a:-[]{}|>'\"%#,< \n0"), max_size=60))
def test_nothing_but_placeholders_is_replaced_and_all_lines_stay(yaml):
    for in_quotes in (False, True):
        given_back: list[str] = []
        replaced = substitute(yaml, lambda written, seen=given_back: seen.append(written) or "?", in_quotes=in_quotes)
        assert all(re.fullmatch(r"\{\{.*\}\}|<%.*%>", written) for written in given_back)
        assert replaced.count("\n") == yaml.count("\n")


@pytest.mark.parametrize(
    "unit", ["{{", "<%", "{{a}}", "{{a{{", "{{{", "}}", '"{{', "'<%", "{{a}}\n", "<%\n", " #{{", "{ {"]
)
def test_hostile_front_matter_is_looked_at_once(unit):
    yaml = f"a: {unit * (60_000 // len(unit))}"
    replaced = substitute(yaml, lambda _: "?", in_quotes=False)
    assert len(replaced) <= len(yaml)
    assert read_front_matter(yaml).permissions == ()


def test_more_different_placeholders_than_a_plane_has_room_for():
    values = [f"{{{{{number:x}}}}}" for number in range(9_000)]
    assert read_front_matter(f"v: [{', '.join(values)}]").metadata == {"v": values}


def test_the_templates_of_a_real_vault_keep_their_fields(test_data):
    vault = Vault(test_data / "vaults" / "kepano")
    templates = [path for path in vault.paths() if path.startswith("Templates/")]
    with_placeholder = [
        path for path in templates if any("{{" in str(value) for value in vault.note(path).metadata.values())
    ]
    assert len(with_placeholder) >= 28
    assert all(len(vault.note(path).metadata) > 1 for path in with_placeholder)
    assert "bad-front-matter" not in {each.code for each in vault.diagnostics}


EMBEDS = [
    "![[{{title}}]]",
    "![[<% tp.file.title %>]]",
    "![[{{folder}}/{{title}}#Heading]]",
    "![[/{{folder}}/x]]",
    "![[../../{{title}}]]",
    "![[{{picture}}.png|300]]",
    "![[Other#{{heading}}]]",
    "![[Other#^{{id}}]]",
    '![[<% f("a|b") %>]]',
    "[[{{title}}]]",
    "[[Other#<% heading %>]]",
]


@pytest.mark.parametrize("embed", EMBEDS)
def test_what_a_template_will_lead_to_is_not_missing(make_vault, embed):
    vault = make_vault({"n.md": f"Before {embed} after.\n\n{embed}\n", "Other.md": "# Other\n"})
    assert vault.render("n.md").text == f"Before {embed} after.\n\n{embed}\n"
    assert vault.diagnostics == []


def test_the_alias_of_a_template_names_no_note(make_vault):
    vault = make_vault({"t.md": "---\naliases: ['{{title}}', T]\n---\n![[{{title}}]]"})
    assert vault.render("t.md").diagnostics == ()
    assert vault.resolve("T", source="t.md") == "t.md"
    assert vault.note("t.md").aliases == ("{{title}}", "T")


def test_a_note_that_is_called_like_a_placeholder_is_embedded(make_vault):
    vault = make_vault({"n.md": "![[{{x}}]]", "{{x}}.md": "content"})
    assert vault.render("n.md").text == "content"
