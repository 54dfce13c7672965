def test_links_embeds_backlinks_unresolved_and_tags(make_vault):
    vault = make_vault(
        {
            "a.md": "[[b]] [[b#H|x]] ![[c]] [[gone]] [[#own]] #t1 #T2",
            "b.md": "---\ntags: [t2]\n---\n[a](a.md) `[[c]]` %%[[c]]%% ![[p.png]] [w](https://e.org/a.md)",
            "c.md": "",
            "p.png": "",
            "x.canvas": '{"nodes": [{"type": "file", "file": "c.md"}]}',
        }
    )
    links = vault.links
    assert links.outgoing == {"a.md": ("b.md", "c.md"), "b.md": ("a.md", "p.png"), "c.md": (), "x.canvas": ("c.md",)}
    assert links.embeds == {"a.md": ("c.md",), "b.md": ("p.png",), "c.md": (), "x.canvas": ()}
    assert links.unresolved == {"a.md": ("gone",), "b.md": (), "c.md": (), "x.canvas": ()}
    assert links.backlinks["a.md"] == ("b.md",)
    assert links.backlinks["c.md"] == ("a.md", "x.canvas")
    assert links.backlinks["p.png"] == ("b.md",)
    assert links.tags == {"t1": ("a.md",), "T2": ("a.md", "b.md")}
    assert vault.links is links


def test_links_by_alias_and_by_path_are_the_same_note(make_vault):
    vault = make_vault({"d/n.md": "---\naliases: [Other name]\n---\n", "m.md": "[[other NAME]] [[d/n]] [x](d/n.md)"})
    assert vault.links.outgoing["m.md"] == ("d/n.md",)
    assert vault.links.backlinks["d/n.md"] == ("m.md",)
