"""Vaults made for a test."""

from collections.abc import Callable
from pathlib import Path

import pytest

from obsirag.vault import Vault


@pytest.fixture
def make_vault(tmp_path: Path) -> Callable[..., Vault]:
    """Write files (text, or bytes as they are) and return the vault that holds them."""

    def make(files: dict[str, str | bytes], **options) -> Vault:
        root = tmp_path / "vault"
        root.mkdir(exist_ok=True)
        for name, content in files.items():
            file = root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return Vault(root, **options)

    return make


@pytest.fixture
def codes() -> Callable[..., list[tuple[str, int, str]]]:
    """Return the diagnostics of a rendered note without their messages."""
    return lambda rendered: [(each.path, each.line, each.code) for each in rendered.diagnostics]
