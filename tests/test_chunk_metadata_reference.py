import re
from pathlib import Path

from obsirag.splitters.own_metadata import CHUNK_FIELDS

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "chunk-metadata.md"


def test_every_field_of_a_chunk_is_explained_and_no_other() -> None:
    rows = [line.split("|")[1] for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| `")]
    assert {name for row in rows for name in re.findall(r"`(\w+)`", row)} == CHUNK_FIELDS
