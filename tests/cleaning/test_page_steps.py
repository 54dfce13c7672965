import pytest

from obsirag.cleaning import clean
from obsirag.config import CleaningOptions
from obsirag.errors import ConfigError
from obsirag.records import RenderedNote
from obsirag.vault import Vault

NOTHING_ELSE = {name: False for name, field in CleaningOptions.model_fields.items() if field.annotation is bool}


def cleaned(text, **options):
    return clean(RenderedNote("n.md", text), CleaningOptions(**{**NOTHING_ELSE, **options})).text


def pages(count, make):
    return "\f".join(make(number) for number in range(1, count + 1))


def body(number):
    """Lines of which no page has one in common with another."""
    return "\n".join(f"{word} {number * number * 7 + place * place}" for place, word in enumerate(["alpha", "beta"]))


@pytest.mark.parametrize(
    ("header", "footer"),
    [
        ("Acme Corp", "- {n} -"),
        ("Acme Corp — Annual Report 2024", "Page {n} of 30"),
        ("星河科技有限公司　内部资料", "第 {n} 页 共 7 页"),
        ("第{n}页", "{n}/7"),
        ("![](logo.png)", "{n}"),
        ("ACME", "[{n}]"),
        ("**Acme**", "２０２４ {n}"),
    ],
)
def test_a_header_and_a_footer_go_whatever_the_page_number(header, footer):
    def make(number):
        return f"{header}\n\n{body(number)}\n\n{footer}\n".replace("{n}", str(number))

    result = cleaned(pages(7, make), headers_footers=True)
    assert [line for line in result.replace("\f", "\n").split("\n") if line] == "\n".join(map(body, range(1, 8))).split(
        "\n"
    )


def test_headers_of_left_and_right_pages_may_differ():
    result = cleaned(pages(7, lambda n: f"{'Left' if n % 2 else 'Right'} side\n\n{body(n)}\n"), headers_footers=True)
    assert "side" not in result


def test_a_header_is_the_same_in_other_blanks_case_and_width():
    lines = ["Acme Corp 2024", "ACME  CORP 2024", "Ａｃｍｅ Corp\u200b ２０２４"]
    assert (
        cleaned("\f".join(f"{line}\n{body(7 * len(line))}" for line in lines), headers_footers=True).count("2024") == 0
    )


@pytest.mark.parametrize(
    "line",
    [
        "| row | 5 |",  # a table that goes on
        "---",
        "</td>",
        "> quoted",
        "***",
    ],
)
def test_structure_that_comes_again_stays(line):
    text = pages(7, lambda n: f"{line}\n\n{body(n)}\n\n{line}\n")
    assert cleaned(text, headers_footers=True, watermarks=True) == text


def test_numbers_that_are_no_page_numbers_make_another_line():
    values = [3, 1, 4, 15, 92, 65, 35]
    text = pages(7, lambda n: f"Total {values[n - 1]}\n\n{body(n)}\n")
    assert cleaned(text, headers_footers=True) == text


def test_headings_with_numbers_stay_but_the_same_heading_goes():
    text = pages(7, lambda n: f"## Step {n}\n\n{body(n)}\n")
    assert cleaned(text, headers_footers=True) == text
    assert "Report" not in cleaned(text.replace("## Step", "# Report\n\n## Step"), headers_footers=True)


def test_far_from_the_borders_a_line_may_come_again():
    def make(number):
        return "\n".join([f"a{number * number}", f"b{number * number}", "same", f"c{number**3}", f"d{number**3}"])

    text = pages(5, make)
    assert cleaned(text, headers_footers={"border_lines": 2}) == text
    assert "same" not in cleaned(text, headers_footers={"border_lines": 3})
    assert "same" not in cleaned(text, watermarks=True)


def on_some(count, of):
    return pages(of, lambda n: f"{'HEAD' if n <= count else f'other{n * n}'}\n\n{body(n)}\n")


@pytest.mark.parametrize(
    ("options", "count", "of", "goes"),
    [
        ({}, 4, 10, True),
        ({}, 3, 10, False),
        ({}, 2, 2, False),
        ({"min_pages": 2}, 2, 2, True),
        ({"min_share": 0.55}, 11, 20, True),
        ({"min_share": 0.55}, 10, 20, False),
        ({"min_share": 1}, 9, 10, False),
        ({"min_share": 1.0}, 10, 10, True),
        ({"repeated": False}, 10, 10, False),
    ],
)
def test_share_and_number_of_pages_decide(options, count, of, goes):
    assert ("HEAD" not in cleaned(on_some(count, of), headers_footers=options)) == goes


def test_lines_go_by_their_position():
    text = pages(3, lambda n: f"\ntop{n}\n\n  \nnext{n}\nmiddle{n}\nbottom{n}\n\n")
    result = cleaned(text, headers_footers={"repeated": False, "first_lines": 2, "last_lines": 1})
    assert result.split() == ["middle1", "middle2", "middle3"]
    everything = cleaned(text, headers_footers={"repeated": False, "first_lines": 3, "last_lines": 3})
    assert everything.split() == []


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("border", "options"),
    [
        ("\f", {}),
        ("\f\f", {}),
        ("<!-- page 3 -->", {"page_breaks": ["^<!-- page"]}),
        ("\f-----", {"page_breaks": ["^-+$"]}),
    ],
)
def test_a_border_is_a_form_feed_or_a_line_of_ones_own(border, options, ends):
    text = ends.join(["top1", "one", border, "top2", "two", border, "top3", "three"])
    result = cleaned(text, headers_footers={"first_lines": 1}, control_characters=True, **options)
    assert result.split() == ["one", "two", "three"]


def test_page_breaks_go_even_alone_but_not_in_code():
    text = "a\n<!-- page -->\nb\n\n```\n<!-- page -->\n```\n"
    assert cleaned(text, page_breaks=["^<!-- page"]) == "a\nb\n\n```\n<!-- page -->\n```\n"


@pytest.mark.parametrize("code", ["", "```\na\fb\n```\n", "```\n<!-- page -->\n```\n", "`<!-- page -->`"])
def test_a_note_without_page_borders_is_left_alone(code):
    text = "HEAD\n\ntext\n\nHEAD\n" * 10 + code
    options = {"min_pages": 2, "min_share": 0.1}
    for step in ({"headers_footers": {**options, "first_lines": 2, "last_lines": 2}}, {"watermarks": options}):
        assert cleaned(text, **step, page_breaks=["<!-- page"]) == text


@pytest.mark.parametrize("step", ["headers_footers", "watermarks"])
def test_by_pattern_lines_go_with_or_without_pages(step):
    options = {step: {"patterns": ["^Confidential", "机密"], "repeated": False}}
    assert cleaned("Confidential 1\na\n\n机密 x\nb Confidential\n`机密`", **options) == "a\n\nb Confidential\n`机密`"
    assert cleaned("a\n\fConfidential\nb", **options) == "a\n\fb"


def test_a_watermark_stands_anywhere_and_counts_its_numbers():
    text = pages(5, lambda n: f"{body(n)}\n\n{'CONFIDENTIAL 2024'}\n\nFigure {n}\n\n{body(n + 99)}\n")
    result = cleaned(text, watermarks=True)
    assert "CONFIDENTIAL" not in result
    assert result.count("Figure") == 5
    rare = text.replace("CONFIDENTIAL", "x", 2)
    assert cleaned(rare, watermarks=True) == rare


def test_code_that_goes_on_over_a_page_border_stays_whole_and_the_pages_are_counted():
    def make(number):
        text = {3: "```\ncode a", 4: "code b\n```", 5: "```\ncode c\n```"}.get(number, body(number))
        return f"Acme\n{text}\nPage {number}\n"

    result = cleaned(pages(7, make), headers_footers=True, watermarks=True, control_characters=True)
    assert "```\ncode a\nPage 3\n\fAcme\ncode b\n```" in result
    assert "```\ncode c\n```" in result
    assert (result.count("Acme"), result.count("Page")) == (1, 1)


def test_a_fence_at_the_top_of_a_page_is_code():
    text = pages(4, lambda n: f"Acme\n```\nＡ{n}  \n```\nＢ{n * n}  \n\n")
    result = cleaned(text, headers_footers=True, control_characters=True, full_width=True, trailing_spaces=True)
    assert result == "".join(f"```\nＡ{n}  \n```\nB{n * n}\n\n" for n in range(1, 5))


def test_each_embed_has_pages_of_its_own(tmp_path):
    manual = pages(4, lambda n: f"Manual\n\nStep {n * n}\n\n{n}\n")
    (tmp_path / "manual.md").write_text(manual, encoding="utf-8")
    (tmp_path / "host.md").write_text("Manual\n\nfirst\n\n![[manual]]\n\nlast\n\nManual\n", encoding="utf-8")
    rendered = Vault(tmp_path).render("host.md")
    options = CleaningOptions(headers_footers={"first_lines": 1, "last_lines": 1})
    result = clean(rendered, options)
    assert " ".join(result.text.split()) == "Manual first Step 1 Step 4 Step 9 Step 16 last Manual"
    assert result.locate(result.text.index("Step 16")) == (
        "manual.md",
        manual[: manual.index("Step 16")].count("\n") + 1,
    )
    assert result.locate(result.text.index("last")) == ("host.md", 7)
    assert [embed.path for embed in result.embeds] == ["manual.md"]


def test_a_host_of_pages_goes_on_after_its_embeds(tmp_path):
    (tmp_path / "part.md").write_text("Acme\n\npart\n\nAcme\n", encoding="utf-8")
    host = pages(4, lambda n: f"Acme\n\nhost{n * n}\n\n![[part]]\n\nmore{n * n}\n\n{n}\n")
    (tmp_path / "host.md").write_text(host, encoding="utf-8")
    result = clean(Vault(tmp_path).render("host.md"), CleaningOptions(headers_footers={"border_lines": 1}))
    expected = [f"host{n * n} Acme part Acme more{n * n}" for n in range(1, 5)]
    assert result.text.split() == " ".join(expected).split()
    assert len(result.embeds) == 4


@pytest.mark.parametrize(
    ("options", "place"),
    [
        ({"headers_footers": {"patterns": ["a", "("]}}, r"`headers_footers\.patterns\.1`.*no regular expression"),
        ({"headers_footers": {"min_share": 0}}, r"`headers_footers\.min_share`"),
        ({"headers_footers": {"min_pages": 1}}, r"`headers_footers\.min_pages`"),
        ({"headers_footers": {"pattern": []}}, r"`headers_footers\.pattern`; did you mean `patterns`"),
        ({"watermarks": {"min_share": 2}}, r"`watermarks\.min_share`"),
        ({"watermarks": "yes"}, r"`watermarks`: must be true, false or a mapping of options"),
        ({"page_breaks": [""]}, r"`page_breaks\.0`"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(options, place):
    with pytest.raises(ConfigError, match=place):
        CleaningOptions(**options)
