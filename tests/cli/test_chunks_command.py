import json

import pytest

NOTE = "GAS/伤害计算.md"


def test_a_note_is_shown_as_it_is_cut(run, indexed, sample_vault):
    result = run("chunks", NOTE, "--config", indexed)
    assert result.exit_code == 0
    assert "1 of " in result.stdout
    assert "lines " in result.stdout


def test_chunks_as_json_hold_text_and_metadata(run, indexed, sample_vault):
    found = json.loads(run("chunks", NOTE, "--config", indexed, "--json").stdout)
    assert [each["metadata"]["chunk_index"] for each in found] == list(range(len(found)))
    assert {each["metadata"]["source"] for each in found} == {NOTE}


def test_a_note_can_be_named_by_its_file(run, indexed, sample_vault):
    by_file = run("chunks", sample_vault / NOTE, "--config", indexed)
    assert by_file.stdout == run("chunks", NOTE, "--config", indexed).stdout


@pytest.mark.parametrize("note", ["no such note.md", "../secret.md", ""])
def test_a_note_that_is_not_there_is_one_message(run, indexed, note):
    result = run("chunks", note, "--config", indexed)
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: ")
