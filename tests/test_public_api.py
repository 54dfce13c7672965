"""The public interface changes only when somebody means it to."""

from pathlib import Path

import pytest

import obsirag

pytest.importorskip("griffe")

from public_api import public_api

KEPT = Path(__file__).with_name("public_api.txt")


def test_the_interface_is_as_it_was_kept():
    assert public_api() == KEPT.read_text(encoding="utf-8"), (
        "the public interface has changed: if that is meant, run `make api`, and tell it in CHANGELOG.md"
    )


def test_every_public_name_is_kept():
    text = KEPT.read_text(encoding="utf-8")
    assert all(f"obsirag.{name}" in text for name in obsirag.__all__)
