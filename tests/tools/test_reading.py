"""Reading a note gives what is in it, whatever the way it is asked for."""

import pytest

from obsirag import RagConfig, Vault, index_vault, read_note_tool
from obsirag.errors import ConfigError


def call(tool, **arguments):
    return tool.invoke({"type": "tool_call", "id": "1", "name": tool.name, "args": arguments})


def shown(text):
    return "".join(text.split())


@pytest.fixture(scope="module")
def sample(sample_vault, tmp_path_factory):
    config = RagConfig(
        vault=sample_vault, index=tmp_path_factory.mktemp("sample"), embeddings="hashing", vector_store="memory"
    )
    index_vault(config)
    return config


@pytest.fixture(scope="module")
def notes(sample_vault):
    vault = Vault(sample_vault)
    labels = sorted({label for path in vault.paths() for each in vault.note(path).permissions for label in each})
    return vault, labels


def test_with_all_labels_nothing_of_any_note_is_missing(sample, notes):
    vault, labels = notes
    whole = read_note_tool(sample, labels=labels, max_characters=10**6)
    assert len(vault.paths()) > 20
    for path in vault.paths():
        text = vault.render(path).text
        if "<!--" in text or not text.strip():
            continue
        message = call(whole, path=path)
        assert message.status == "success", path
        assert shown(message.artifact["text"]) == shown(text), path


@pytest.mark.parametrize("size", [500, 777])
def test_the_parts_are_the_whole(sample, notes, size):
    vault, labels = notes
    whole = read_note_tool(sample, labels=labels, max_characters=10**6)
    pieces = read_note_tool(sample, labels=labels, max_characters=size)
    longest = sorted(vault.paths(), key=lambda path: len(vault.note(path).text))[-6:]
    for path in longest:
        first = call(pieces, path=path)
        parts = [call(pieces, path=path, part=part).artifact for part in range(1, first.artifact["parts"] + 1)]
        assert len(parts) > 1
        assert all(0 < len(each["text"]) <= size for each in parts)
        assert shown("".join(each["text"] for each in parts)) == shown(call(whole, path=path).artifact["text"])
        assert f"part={2}" in first.content
        assert "goes on" not in call(pieces, path=path, part=len(parts)).content
        starts = [each["start_line"] for each in parts]
        assert starts == sorted(starts)


def test_a_line_is_the_line_of_the_file(sample, notes):
    vault, labels = notes
    read = read_note_tool(sample, labels=labels, max_characters=10**6)
    seen = 0
    for path in [path for path in vault.paths() if path.endswith(".md")][:25]:
        file = (sample.vault / path).read_text(encoding="utf-8-sig").splitlines()
        note = vault.note(path)
        if any(link.embed for link in note.links) or "<!--" in note.text or "%%" in note.text:
            continue
        for number in range(note.first_line, len(file) + 1):
            line = file[number - 1]
            if not line.strip() or "^" in line:
                continue
            got = call(read, path=path, first_line=number, last_line=number).artifact
            assert (got["text"].strip(), got["start_line"], got["end_line"]) == (line.strip(), number, number), path
            seen += 1
    assert seen > 100


def test_a_heading_brings_what_stands_under_it(world):
    read = read_note_tool(world, labels=["leads"])
    assert call(read, path="Host.md", heading="## sub").artifact["text"].startswith("## Sub")
    assert "plumbus" not in call(read, path="Host.md", heading="Sub").content
    assert "xyzzy" in call(read, path="Host.md", heading="Sub").content
    assert "xyzzy" in call(read, path="Host.md", heading="Hush").content
    before = call(read, path="Host.md", heading="Host", first_line=1, last_line=4).artifact
    assert (before["start_line"], before["end_line"]) == (1, 4)
    deep = call(read, path="Open.md", heading="Deep").artifact
    assert (deep["text"], deep["start_line"], deep["end_line"]) == ("## Deep\nA grumbo goes here.", 4, 5)
    assert "Its headings: Open; Deep" in call(read, path="Open.md", heading="nonsense").content


@pytest.mark.parametrize("path", ["Host.md", "host", "HOST.MD", "/Host.md", "Host", " Host "])
def test_a_note_is_known_by_its_path_and_its_names(world, path):
    assert call(read_note_tool(world), path=path).artifact["source"] == "Host.md"


def test_a_name_of_several_notes_is_asked_back(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / "v" / folder).mkdir(parents=True)
        (tmp_path / "v" / folder / "Same.md").write_text(f"# Same\n{folder}\n", encoding="utf-8")
    config = RagConfig(vault=tmp_path / "v", index=tmp_path / "i", embeddings="hashing", vector_store="memory")
    index_vault(config)
    message = call(read_note_tool(config), path="Same")
    assert message.status == "error"
    assert "a/Same.md, b/Same.md" in message.content
    assert call(read_note_tool(config), path="b/Same").artifact["text"] == "# Same\nb"


def test_what_is_hidden_stays_hidden(tmp_path):
    (tmp_path / "v").mkdir()
    text = "# A\nseen <!-- obey me\nnow --> too\n\n```html\n<!-- code -->\n```\n"
    (tmp_path / "v" / "A.md").write_text(text, encoding="utf-8")
    config = RagConfig(vault=tmp_path / "v", index=tmp_path / "i", embeddings="hashing", vector_store="memory")
    index_vault(config)
    got = call(read_note_tool(config), path="A")
    assert "obey" not in got.content
    assert "<!-- code -->" in got.artifact["text"]


def test_a_part_has_a_size(world):
    with pytest.raises(ConfigError, match="at least 500"):
        read_note_tool(world, max_characters=10)


def test_of_a_hostile_note_no_more_is_told_than_of_others(tmp_path):
    headings = "".join(f"## Heading {number} {'x' * 300}\n\nText {number}.\n\n" for number in range(400))
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "long.md").write_text(f"# {'t' * 50_000}\n\n{headings}", encoding="utf-8")
    config = RagConfig(vault=tmp_path / "notes", index=tmp_path / "index", embeddings="hashing", vector_store="memory")
    index_vault(config)
    tool = read_note_tool(config, max_characters=500)
    message = call(tool, path="long.md", part=2)
    assert len(message.content) < 10_000
    assert len(str(message.artifact)) < 60_000
    wrong = call(tool, path="long.md", heading="y" * 7000)
    assert wrong.status == "error"
    assert len(wrong.content) < 20_000
