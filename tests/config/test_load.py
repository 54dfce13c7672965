from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.config import RagConfig, load_config
from obsirag.errors import ConfigError

YAML = """
vault: ../notes
index: /var/index
splitter: {chunk_size: 600}
embeddings: hashing
chat_model:
  name: openai
  api_key: {env: KEY}
"""
TOML = """
vault = "../notes"
index = "/var/index"
embeddings = "hashing"
[splitter]
chunk_size = 600
[chat_model]
name = "openai"
api_key = {env = "KEY"}
"""


def write(folder: Path, text: str, name: str = "obsirag.yaml") -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("name", "text"), [("a.yaml", YAML), ("a.yml", YAML), ("a.TOML", TOML), ("a.toml", "\ufeff" + TOML)]
)
def test_yaml_and_toml_say_the_same(tmp_path, name, text):
    config = load_config(write(tmp_path, text, name))
    assert config == RagConfig(
        vault=tmp_path / "../notes",
        index="/var/index",
        splitter={"chunk_size": 600},
        embeddings="hashing",
        chat_model={"name": "openai", "api_key": {"env": "KEY"}},
    )


def test_paths_are_relative_to_the_file_not_to_the_working_directory(tmp_path, monkeypatch):
    file = write(tmp_path, "vault: notes\nindex: ~/index\n")
    monkeypatch.chdir(tmp_path.parent)
    config = load_config(str(file.relative_to(tmp_path.parent)))
    assert config.vault.resolve() == (tmp_path / "notes").resolve()
    assert config.index == Path.home() / "index"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.yaml", "vault: notes\nindex: [", r"a\.yaml:2: is not valid YAML"),
        ("a.yaml", "vault: notes\n\tindex: x", r"a\.yaml:2: is not valid YAML"),
        ("a.yaml", "vault: a\nindex: b\nvault: c\n", r"a\.yaml:3: .*'vault' is given twice"),
        ("a.yaml", "vault: a\nindex: b\nsplitter:\n  chunk_size: 1\n  chunk_size: 2\n", r"a\.yaml:5: .*twice"),
        ("a.yaml", "vault: !!python/object:os.system x\n", r"a\.yaml:1: is not valid YAML"),
        ("a.yaml", "- vault\n", "must hold keys"),
        ("a.yaml", "just text\n", "must hold keys"),
        ("a.yaml", "", "`vault` is missing"),
        ("a.yaml", "1: x\n", "the key 1 is not text"),
        (
            "a.yaml",
            "vault: a\nindex: b\nretreival: {}\n",
            r"a\.yaml: unknown key `retreival`; did you mean `retrieval`",
        ),
        ("a.yaml", "vault: a\nindex: b\nretrieval: {1: 2}\n", r"a\.yaml: .*`retrieval"),
        ("a.yaml", "vault: a\nindex: b\x00\n", r"is not valid YAML"),
        ("a.yaml", "vault: 2001-99-99\n", "is not valid YAML"),
        ("a.yaml", "vault: !!bool x\n", "is not valid YAML"),
        ("a.yaml", "[" * 5000, "is not valid YAML"),
        ("a.toml", "x = " + "[" * 5000, "is not valid TOML"),
        ("a.toml", "vault = \n", r"is not valid TOML: .*line 1"),
        ("a.toml", "vault = 'a'\nvault = 'b'\n", r"is not valid TOML: .*line 2"),
        ("a.json", "{}", r"ends in \.yaml, \.yml or \.toml"),
    ],
)
def test_a_broken_file_is_one_message_with_the_place(tmp_path, name, text, said):
    with pytest.raises(ConfigError, match=said):
        load_config(write(tmp_path, text, name))


def test_a_file_that_cannot_be_read_says_why(tmp_path):
    with pytest.raises(ConfigError, match="no such file"):
        load_config(tmp_path / "missing.yaml")
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(_folder(tmp_path))
    latin = tmp_path / "latin.yaml"
    latin.write_bytes("vault: caf\xe9".encode("latin-1"))
    with pytest.raises(ConfigError, match="not UTF-8"):
        load_config(latin)


def _folder(tmp_path: Path) -> Path:
    folder = tmp_path / "folder.yaml"
    folder.mkdir()
    return folder


@given(st.text(max_size=60), st.sampled_from(["a.yaml", "a.toml"]))
def test_no_text_leads_to_anything_but_a_config_or_a_config_error(tmp_path_factory, text, name):
    file = tmp_path_factory.mktemp("load") / name
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        config = load_config(file)
    except ConfigError as error:
        message = str(error)
    else:
        message = str(config.vault)
    assert str(file.parent) in message


def test_a_key_that_the_file_leaves_out_has_its_default(tmp_path):
    file = tmp_path / "c.yaml"
    file.write_text("vault: notes\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="`index`"):
        load_config(file)
    assert load_config(file, defaults={"index": "here"}).index == tmp_path / "here"
    file.write_text("vault: notes\nindex: there\n", encoding="utf-8")
    assert load_config(file, defaults={"index": "here"}).index == tmp_path / "there"
