"""The export that the documentation shows does what is said of it."""

import re
from pathlib import Path

import pytest
import yaml

from obsirag import Vault

HOW_TO = (Path(__file__).parents[1] / "docs" / "how-to" / "export-a-vault.md").read_text(encoding="utf-8")


@pytest.fixture
def export():
    (source,) = re.findall(r"```python\n(.*?)```", HOW_TO, re.DOTALL)
    definitions, call, _ = source.rpartition("\nexport(")
    assert call
    names = {}
    exec(definitions, names)
    return names["export"]


def write(folder, **notes):
    for name, text in notes.items():
        file = folder / name.replace("__", "/").replace("_", " ")
        file = file.with_name(f"{file.name}.md") if not file.suffix else file
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())


def test_links_lead_to_the_exported_files_wherever_they_came_from(tmp_path, export):
    vault, out = tmp_path / "vault", tmp_path / "out"
    write(
        vault, a="[[c d#H|see]] `[[c d]]` [[none]]\n\n![[sub/b]]\n", sub__b="[[b#^x]] and [[#H]] ^x\n", sub__c_d="# H"
    )
    export(Vault(vault), out)
    text = (out / "a.md").read_text(encoding="utf-8")
    assert text.startswith("[see](sub/c%20d.md) `[[c d]]` [[none]]\n")
    assert "[b > ^x](sub/b.md) and [H](sub/b.md)" in text
    assert "[b > ^x](b.md) and [H](b.md)" in (out / "sub" / "b.md").read_text(encoding="utf-8")
    for file in out.rglob("*.md"):
        for address in re.findall(r"\]\(([^)]+)\)", file.read_text(encoding="utf-8")):
            assert (file.parent / address.replace("%20", " ")).is_file()


def test_front_matter_and_line_ends_are_kept(tmp_path, export):
    vault, out = tmp_path / "vault", tmp_path / "out"
    write(vault, a="---\ndate: 2025-03-14\n标题: 甲\nlist: [b, a]\n---\r\nx\r\ny\n")
    export(Vault(vault), out)
    _, fields, body = (out / "a.md").read_bytes().decode().split("---\n")
    assert yaml.safe_load(fields) == dict(Vault(vault).note("a.md").metadata)
    assert list(yaml.safe_load(fields)) == ["date", "标题", "list"]
    assert body == "x\r\ny\n"


def test_restricted_text_is_left_out_however_it_comes(tmp_path, export):
    vault, out = tmp_path / "vault", tmp_path / "out"
    write(vault, secret="---\npermission: [leads]\n---\nhush\n", by_embed="![[secret]]\n", free="[[secret]]\n")
    export(Vault(vault), out)
    assert [file.name for file in out.rglob("*.md")] == ["free.md"]
    export(Vault(vault), out, labels=["leads"])
    assert {file.name for file in out.rglob("*.md")} == {"free.md", "secret.md", "by embed.md"}


def test_attachments_come_along(tmp_path, export):
    vault, out = tmp_path / "vault", tmp_path / "out"
    write(vault, a="x\n")
    (vault / "img").mkdir()
    (vault / "img" / "p.png").write_bytes(b"\x89PNG")
    (vault / "board.canvas").write_text('{"nodes": [{"id": "1", "type": "text", "text": "card"}]}')
    export(Vault(vault), out)
    assert (out / "img" / "p.png").read_bytes() == b"\x89PNG"
    assert "card" in (out / "board.canvas.md").read_text(encoding="utf-8")
