import time
from pathlib import Path

from obsirag.indexing.files import UNKNOWN_STATE, FileState, file_hash, file_state, lasting_state


def test_the_state_tells_writes_apart(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text("one")
    before = file_state(file.stat())
    assert before == file_state(file.stat())
    file.write_text("other")
    assert before != file_state(file.stat())


def test_the_hash_is_of_the_bytes() -> None:
    assert file_hash(b"x\r\n") != file_hash(b"x\n")
    assert file_hash(b"x\n") == file_hash(b"x\n")


def test_a_state_lasts_only_if_a_later_write_would_show() -> None:
    now = time.time_ns()
    old = FileState(1, now - 10**10 + 1, now - 10**10, 4)
    assert lasting_state(old, old) == old
    assert lasting_state(old, old._replace(size=2)) == UNKNOWN_STATE
    fresh = FileState(1, now, now, 4)
    assert lasting_state(fresh, fresh) == UNKNOWN_STATE
    second = (now // 10**9) * 10**9
    coarse = FileState(1, second, second, 4)
    assert lasting_state(coarse, coarse) == UNKNOWN_STATE
