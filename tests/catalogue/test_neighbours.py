from __future__ import annotations

from pathlib import Path

import pytest

from index_worlds import World
from obsirag.catalogue.neighbours import neighbours_of


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path)
    world.write("hub.md", "[[second]] then [[first]] then [[second]], [[hub]], [[nowhere]] and ![[embedded]]")
    for name in ("first", "second", "embedded"):
        world.write(f"{name}.md", f"about {name}")
    world.write("z.md", "see [[hub]] and [[hub#part]]")
    world.write("b.md", "see [[hub]]")
    world.write("host.md", "![[hub]]")
    world.sync()
    return world


@pytest.mark.parametrize(
    ("path", "limit", "expected"),
    [
        ("hub.md", 10, ["second.md", "first.md", "b.md", "z.md"]),
        ("hub.md", 1, ["second.md", "b.md"]),
        ("first.md", 10, ["hub.md"]),
        ("embedded.md", 10, []),
        ("host.md", 10, []),
        ("none.md", 10, []),
    ],
)
def test_links_in_order_then_back_links_by_path(world: World, path: str, limit: int, expected: list[str]) -> None:
    with world.catalogue.reading() as connection:
        assert neighbours_of(connection, path, limit=limit) == expected
