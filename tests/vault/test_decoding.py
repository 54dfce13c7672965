import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.vault.decoding import decode, storable


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


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("before", ["ab", "\u4e2d\U0001f680"])
def test_a_nul_is_no_text_in_any_encoding(encoding, before):
    data = f"{before}\0c\0".encode(encoding)
    with pytest.raises(UnicodeDecodeError, match="NUL") as caught:
        decode(data)
    assert data[: caught.value.start].decode(encoding) == before
    with pytest.raises(UnicodeDecodeError, match="NUL"):
        decode(bytes(4096))


@pytest.mark.parametrize(
    "data",
    [
        "\u4e2d".encode()[:2],
        b"\xed\xa0\x80",
        b"\xc0\xaf",
        "ab".encode("utf-16") + b"x",
        b"\xff\xfe\x00\xd8a\x00",
        b"\xff\xfe\0\0\xff\xff\xff\x7f",
    ],
)
def test_broken_ends_and_half_characters_are_told(data):
    with pytest.raises(UnicodeDecodeError):
        decode(data)


@given(st.text(alphabet=st.characters()))
def test_text_without_half_characters_and_nul_stays(text):
    whole = text.encode("utf-8", "replace").decode("utf-8").replace("\0", "")
    assert storable(whole) == whole


@given(st.lists(st.sampled_from(["a", "中", "\0", "\U0001f600", "\ud83d", "\ude00"])).map("".join))
def test_half_characters_are_joined_or_replaced_and_so_is_a_nul(text):
    found = storable(text)
    assert found.encode().decode() == found
    assert found == storable(found)
    expected = text.replace("\ud83d\ude00", "\U0001f600")
    assert found == "".join("\ufffd" if each == "\0" or "\ud800" <= each <= "\udfff" else each for each in expected)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le"])
def test_two_bytes_a_character_without_a_mark_are_not_taken_for_text(encoding):
    with pytest.raises(UnicodeDecodeError):
        decode("---\npermission: a\n---\ntext".encode(encoding))
