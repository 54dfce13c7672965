"""The examples of the how-to do what it says."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/how-to/use-the-question-graph.md").read_text(encoding="utf-8")


def test_the_examples_print_what_the_page_says(tmp_path, capsys):
    blocks = re.findall(r"```(python|text)\n(.*?)```", PAGE, re.DOTALL)
    names = {}
    seen = 0
    for kind, block in blocks:
        if kind == "python":
            code = block.replace('"examples/ue-notes"', repr(str(ROOT / "examples/ue-notes")))
            code = code.replace('index=".obsirag"', f"index={str(tmp_path / 'index')!r}, embeddings='hashing'")
            exec(code, names)
        else:
            seen += 1
            printed = capsys.readouterr().out.splitlines()
            expected = block.splitlines()
            # Searches run side by side: which one begins first isn't said.
            assert sorted(printed) == sorted(expected)
    assert seen == PAGE.count("```text") > 0


def test_every_node_is_told():
    from graph_fakes import FakeSearch, ManyTasksChat
    from obsirag.config import ReviewOptions
    from obsirag.graphs.parts import RagParts
    from obsirag.graphs.rag import wire_rag_graph
    from obsirag.graphs.vocabulary import Vocabulary
    from obsirag.retrievers import ScoringReranker, WebSearch, WebSearchProvider

    class Reranker(ScoringReranker):
        def score(self, query, texts):
            return [0.0 for _ in texts]

    class Web(WebSearchProvider):
        def search(self, query, *, limit, allow_domains=(), block_domains=()):
            return []

        def extract(self, urls):
            return []

    parts = RagParts(
        vector_search=FakeSearch(),
        keyword_search=FakeSearch(),
        chat_model=ManyTasksChat(answers=[], prompts=[], scripts={}),
        reranker=Reranker(),
        web=WebSearch(Web()),
        select=lambda chunks, labels: chunks,
        looks_into_intent=True,
        vocabulary=lambda labels: Vocabulary([]),
        rewrites_follow_ups=True,
        grades=True,
        plans=True,
        review=ReviewOptions(mode="always"),
    )
    table = PAGE.partition("## What a question goes through")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    nodes = {name for name in wire_rag_graph(parts).nodes if not name.startswith("__")}
    assert nodes == set(re.findall(r"`(\w+)`", "\n".join(rows)))
