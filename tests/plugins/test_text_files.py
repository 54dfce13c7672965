import pytest

from obsirag.errors import ConfigError, VaultError
from obsirag.plugins import Registry
from obsirag.vault import Vault

TEXT = "# Tea\r\n\r\n绿茶用八十度的水。\n"


def make(**options):
    return Registry().build("loader", "text", options)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_text_is_read_character_for_character_in_the_encodings_of_notes(tmp_path, encoding):
    (tmp_path / "a.txt").write_bytes(TEXT.encode(encoding))
    assert make().load(tmp_path / "a.txt").text == TEXT
    assert Vault(tmp_path, loaders=[make()]).note("a.txt").text == TEXT


@pytest.mark.parametrize("content", [b"\xff\xff", b"a\0b", "绿茶".encode("gbk")])
def test_what_is_no_text_is_not_guessed_at(tmp_path, content):
    (tmp_path / "a.txt").write_bytes(content)
    with pytest.raises(VaultError, match="save the file as UTF-8"):
        make().load(tmp_path / "a.txt")
    (found,) = Vault(tmp_path, loaders=[make()]).render("a.txt").diagnostics
    assert found.code == "not-loaded"


def test_a_file_that_is_gone_is_told(tmp_path):
    with pytest.raises(VaultError, match="No such file"):
        make().load(tmp_path / "a.txt")


def test_which_files_are_text_can_be_said(tmp_path):
    (tmp_path / "a.rst").write_text("Tea")
    (tmp_path / "b.txt").write_text("Tea")
    assert Vault(tmp_path, loaders=[make(suffixes=[".rst", ".log"])]).paths() == ["a.rst"]


@pytest.mark.parametrize("options", [{"suffixes": []}, {"suffixes": ["txt"]}, {"suffixes": [".TXT"]}, {"suffix": ".x"}])
def test_a_wrong_option_is_named(options):
    with pytest.raises(ConfigError, match=r"loader \(text\)"):
        make(**options)
