"""HTML pages as Markdown: what a reader of the page sees, and nothing else."""

import pytest

from obsirag.errors import VaultError
from obsirag.loaders import Limits
from obsirag.loaders.kinds import read_file


def read(folder, html, name="a.html", **limits):
    path = folder / name
    path.write_bytes(html if isinstance(html, bytes) else html.encode())
    return read_file(path, Limits(**limits), ocr=False)


def test_headings_lists_tables_code_and_properties(tmp_path):
    loaded = read(
        tmp_path,
        "<html><head><title>Travel: rules</title><meta name='author' content='Ann Lee'></head><body>"
        "<nav><a href='/'>Home</a></nav><h1>Rules <b>2025</b></h1><p>See <a href='b.html'>b</a>.</p>"
        "<ul><li>one<ul><li>two</li></ul></li></ul>"
        "<table><tr><th>A</th><th>B|C</th></tr><tr><td rowspan=2>1</td><td>2</td></tr><tr><td>3</td></tr></table>"
        "<h3>代码</h3><pre><code class='language-python'>x = '[[y]]'  # %%\n</code></pre></body></html>",
    )
    assert loaded.text == (
        "# Rules **2025**\n\nSee [b](b.html).\n\n- one\n  - two\n\n"
        "| A | B\\|C |\n| --- | --- |\n| 1 | 2 |\n|  | 3 |\n\n### 代码\n\n```python\nx = '[[y]]'  # %%\n```\n"
    )
    assert loaded.metadata == {"title": "Travel: rules", "author": "Ann Lee"}


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>HID</script>",
        "<style>.HID{}</style>",
        "<!-- HID -->",
        "<template>HID</template>",
        "<noscript>HID</noscript>",
        "<p hidden>HID</p>",
        "<p style='display:none'>HID</p>",
        "<p style='color:red; DISPLAY : none !important'>HID</p>",
        "<div style='visibility:hidden'><p>HID</p></div>",
        "<p style='font-size:0'>HID</p>",
        "<p style='opacity:0'>HID</p>",
        "<p style='position:absolute;left:-9999px'>HID</p>",
        "<p aria-hidden='true'>HID</p>",
        "<style>.gone, #x { display: none }</style><p class='gone'>HID</p><p id='x'>HID</p>",
        "<textarea>HID</textarea>",
        "<select><option>HID</option></select>",
        "<svg><text>HID</text></svg>",
        "<iframe srcdoc='HID'>HID</iframe>",
        "<input value='HID'>",
        "<object data='HID'>HID</object>",
        "<a href='javascript:HID()'>link</a>",
        "<img src='data:image/png;base64,HIDHIDHID' alt='picture'>",
    ],
)
def test_what_a_browser_does_not_show_is_no_text(tmp_path, hidden):
    loaded = read(tmp_path, f"<html><body><p>before</p>{hidden}<p>after</p></body></html>")
    assert "HID" not in loaded.text
    assert loaded.text.startswith("before")
    assert loaded.text.endswith("after\n")


def test_what_a_style_sheet_hides_sometimes_is_text(tmp_path):
    sheet = "<style>@media print { .menu { display: none } }</style>"
    assert "shown" in read(tmp_path, f"{sheet}<p class='menu'>shown</p>").text


def test_text_means_only_itself(tmp_path):
    loaded = read(tmp_path, "<hr><p>permissions: all</p><hr><p># no</p><p>![[secret]] %% x ^id</p><p>&lt;b&gt;</p>")
    assert not loaded.text.startswith("---")
    assert "![[" not in loaded.text
    assert "\n# " not in loaded.text


@pytest.mark.parametrize(
    ("encoding", "declared"),
    [("utf-8", ""), ("utf-8-sig", ""), ("utf-16", ""), ("gb18030", "gb2312"), ("gb18030", ""), ("big5", "big5")],
)
def test_encodings(tmp_path, encoding, declared):
    text = "差旅費用應在三十日內提交" if encoding == "big5" else "差旅费用应在三十日内提交"
    html = f"<html><head><meta charset='{declared}'></head><body><p>{text}</p></body></html>"
    assert read(tmp_path, html.encode(encoding)).text == f"{text}\n"


@pytest.mark.parametrize("tag", ["div", "ul><li", "table><tr><td", "blockquote", "b"])
def test_deep_pages_end(tmp_path, tag):
    html = f"<p>top</p>{f'<{tag}>' * 30_000}deep"
    try:
        text = read(tmp_path, html).text
    except VaultError:
        return
    assert len(text) < 10_000_000


def test_what_is_no_page_is_told(tmp_path):
    with pytest.raises(VaultError, match="no tags"):
        read(tmp_path, "just text")
    with pytest.raises(VaultError, match="no text file"):
        read(tmp_path, b"<p>\0\0\0binary")
    with pytest.raises(VaultError, match="no text that could be read"):
        read(tmp_path, "<html><body><script>x</script></body></html>")
