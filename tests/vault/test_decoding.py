import pytest

from obsirag.vault.decoding import decode


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("text", ["", "plain", "中文 é 🚀\r\nnext\rlast\n"])
def test_marked_encodings_and_utf8_give_the_text_itself(text, encoding):
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize(("mark", "encoding"), [(b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")])
def test_both_byte_orders_of_utf16(mark, encoding):
    assert decode(mark + "笔记".encode(encoding)) == "笔记"


@pytest.mark.parametrize(
    "data", ["中文".encode("gb18030"), "é".encode("latin-1"), b"\xff\xfea", "笔记".encode("utf-16-le")]
)
def test_nothing_is_guessed(data):
    with pytest.raises(UnicodeDecodeError):
        decode(data)
