"""The page of a run: whatever it holds is text, and the page loads and runs nothing."""

import json
import re

import pytest

from graph_fakes import FakeSearch, ManyTasksChat, chunk
from hostile_pages import ALLOWED, EVIL, NAME, SET, Page
from obsirag.cli.run_page import run_page
from obsirag.graphs import RunRecorder
from watched_graphs import ask, watched_graph


@pytest.fixture
def record():
    recorder = RunRecorder()
    ask(watched_graph(recorder))
    return recorder.record()


def evil_record():
    hits = [
        chunk(f"{EVIL} The respawn timer of health is 77 seconds.", source=f"{NAME}.md", headings=[NAME]),
        chunk(EVIL, source="b.md", title=EVIL),
    ]
    scripts = {
        "grade": ['[{"id": 1, "score": 0.5}]', '[{"id": 1, "score": 0.9}]'],
        "rewrite": [EVIL],
        "answer": [f"The respawn timer of health is 77 seconds [1]. {EVIL}"],
    }
    recorder = RunRecorder()
    chat = ManyTasksChat(answers=[], prompts=[], scripts=scripts)
    graph = watched_graph(recorder, vector_search=FakeSearch(hits), keyword_search=None, chat_model=chat)
    graph.compile().invoke({"messages": [("user", f"How long is the timer? {EVIL}")]})
    return recorder.record()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_hostile_text_stays_text(language):
    page = run_page(evil_record(), language)
    page.encode()
    shown = Page(page)
    assert set(shown.tags) <= ALLOWED
    assert not [name for name, _ in shown.attributes if name.startswith("on") or name in ("src", "style", "srcdoc")]
    assert not set("\u202e\u202c\x00\ud800") & set(page)
    assert page.count("<style>") == page.count("</style>") == 1
    assert SET in "".join(shown.texts)


def test_whatever_stands_in_a_record_is_text(record):
    def evil(value):
        if isinstance(value, dict):
            return {key: evil(each) for key, each in value.items()}
        if isinstance(value, list):
            return [evil(each) for each in value]
        return EVIL if isinstance(value, str) else value

    shown = Page(run_page(evil(json.loads(json.dumps(record))), "en"))
    assert set(shown.tags) <= ALLOWED
    assert {value for name, value in shown.attributes if name == "href" and not value.startswith("#")} == set()


def test_only_links_that_open_notes_and_pages_are_links(record):
    for link, is_link in [
        ("obsidian://open?vault=v&file=x", True),
        ("https://example.org/?a=1&b=\"'><script>", True),
        (f"javascript:{SET}", False),
        ("data:text/html,<script>", False),
        (" javascript:1", False),
    ]:
        record["citations"][0]["link"] = link
        links = [value for name, value in Page(run_page(record, "en")).attributes if name == "href"]
        assert (link in links) == is_link
        assert all(each.startswith(("#", "obsidian://", "https://")) for each in links)


def test_nothing_is_loaded_and_nothing_may_run(record):
    page = run_page(record, "en")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "script-src" not in policy
    assert "url(" not in page
    assert "@import" not in page


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["Round 2", "cited as [1]", "judged useless", "past the limit of the fusion", "not covered", "lines"]),
        ("zh", ["第 2 轮", "被引用为 [1]", "被评为无用", "超出融合的数量上限", "未覆盖", "耗时"]),
    ],
)
def test_it_tells_what_became_of_hits_in_both_languages(record, language, words):
    text = "".join(Page(run_page(record, language)).texts)
    for word in words[:-1]:
        assert word in text
    for name in ("How many seconds is the health timer?", "vector_search", "verify_citations", "health.md"):
        assert name in text


def test_both_languages_say_the_same_things():
    from obsirag.cli.run_page.words import Words

    english, chinese = (Words(language)._words for language in ("en", "zh"))
    names = {word: set(re.findall(r"\$(\w+)", text)) for word, text in english.items()}
    assert names == {word: set(re.findall(r"\$(\w+)", text)) for word, text in chinese.items()}


def test_a_run_that_came_to_nothing_has_a_page():
    assert "There is no answer." in run_page(RunRecorder().record(), "en")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_in_a_real_browser_nothing_runs_and_nothing_is_wrong(load_page, language):
    shown, console = load_page(run_page(evil_record(), language), "#citation-1")
    root = re.search("<html[^>]*>", shown)[0]
    assert "data-owned" not in root
    assert console == ""
    assert set(Page(shown).tags) <= ALLOWED


def test_a_browser_runs_no_script_that_somebody_puts_into_the_page(load_page, record):
    page = run_page(record, "en").replace("<main>", f"<main><script>{SET}</script>")
    shown, console = load_page(page)
    assert "data-owned" not in re.search("<html[^>]*>", shown)[0]
    assert "Content Security Policy" in console
