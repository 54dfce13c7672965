"""A vault checked by chat models that say anything."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from obsirag import Components, RagConfig
from obsirag.checking import check_typos, write_typo_report
from obsirag.errors import ConfigError

NOTES = {
    "a.md": "---\ntitle: teh recieve\n---\n# One\n\nYou recieve teh letter. `recieve` stays.\n",
    "b.md": "这个问题以经好了。\n\n所已不用再看。\n",
    "c.md": "Nothing is wrong here.\n",
    "d.canvas": "{}",
}
WRONG = {"recieve": "receive", "teh": "the", "以经": "已经", "所已": "所以"}


class Speller(BaseChatModel):
    """Knows these mistakes; what it says may be spoilt."""

    asked: list[list[str]]
    spoil: Any = None
    model: str = "speller"

    @property
    def _llm_type(self) -> str:
        return "speller"

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        lines = re.findall(r"^\[(\d+)\] (.*)$", next(m.text for m in messages if "<data>" in m.text), re.MULTILINE)
        self.asked.append([text for _, text in lines])
        typos = [
            {"number": int(number), "word": word, "suggestion": right}
            for number, text in lines
            for word, right in WRONG.items()
            if word in text
        ]
        said = json.dumps({"typos": typos}, ensure_ascii=False)
        if self.spoil is not None:
            said = self.spoil(said, len(self.asked))
        return ChatResult(generations=[ChatGeneration(message=AIMessage(said))])


@pytest.fixture
def vault(tmp_path):
    folder = tmp_path / "vault"
    folder.mkdir()
    for name, text in NOTES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def check(vault, tmp_path):
    config = RagConfig(vault=vault, index=tmp_path / "index")

    def checked(model, **options):
        return check_typos(config, components=Components(chat_model=model), **options)

    return checked


def speller(spoil=None, **values):
    return Speller(asked=[], spoil=spoil, **values)


def words(report):
    return [(typo.path, typo.line, typo.word, typo.suggestion) for typo in report.typos]


FOUND = [
    ("a.md", 6, "recieve", "receive"),
    ("a.md", 6, "teh", "the"),
    ("b.md", 1, "以经", "已经"),
    ("b.md", 3, "所已", "所以"),
]


def test_words_are_found_and_nothing_is_asked_twice(check, vault):
    model = speller()
    report = check(model)
    assert words(report) == FOUND
    assert (report.notes, report.calls, report.unchecked, report.reason) == (3, 2, (), "")
    assert all("title" not in text and "```" not in text for batch in model.asked for text in batch)
    again = check(model)
    assert (words(again), again.calls, again.tokens) == (FOUND, 0, 0)
    (vault / "c.md").write_text("Nothing is wrong here.\n\nBut teh end.\n", encoding="utf-8")
    more = check(model)
    assert model.asked[2:] == [["But teh end."]]
    assert words(more) == [*FOUND, ("c.md", 3, "teh", "the")]
    assert check(speller(model="other")).calls == 2, "another model is asked anew"


def test_the_vault_stays_as_it_was(check, vault, tmp_path):
    check(speller())
    assert {file.name: file.read_text(encoding="utf-8") for file in vault.iterdir()} == NOTES
    with pytest.raises(ConfigError, match="lies in the vault"):
        check(speller(), cache=vault / "cache")
    assert len(list(vault.iterdir())) == len(NOTES)


def test_a_bound_ends_in_a_report_of_the_rest_and_the_next_run_goes_on(check):
    none = check(speller(), max_calls=0)
    assert (none.typos, none.calls, sum(each.sentences for each in none.unchecked)) == ((), 0, none.sentences)
    first = check(speller(), max_calls=1)
    assert (first.calls, first.is_complete) == (1, False)
    assert "bound" in first.reason
    model = speller()
    second = check(model, max_calls=1)
    assert (words(second), second.is_complete, len(model.asked)) == (FOUND, True, 1)
    assert check(speller(model="third"), max_tokens=10).calls == 0


def raising(said, count):
    raise ConnectionError("secret text of a note")


@pytest.mark.parametrize(
    "spoil", [raising, lambda said, count: "", lambda said, count: "I am fine.", lambda *_: "[" * 999]
)
def test_a_model_that_fails_ends_in_a_partial_report(check, spoil):
    model = speller(spoil)
    report = check(model)
    assert report.typos == ()
    assert sum(each.sentences for each in report.unchecked) == report.sentences == 6
    assert "secret" not in report.reason
    assert report.reason
    assert len(model.asked) <= 3 * 8
    assert words(check(speller())) == FOUND, "what failed is asked again"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda said, count: f"<think>hm {{}}</think>```json\n{said}\n```",
        lambda said, count: "I beg your pardon?" if count == 2 else said,
        lambda said, count: json.dumps(json.loads(said)["typos"]),
        lambda said, count: said.replace('"number": ', '"number": "').replace(', "word"', '", "word"'),
        lambda said, count: json.dumps({"typos": [7, None, {"number": []}, *json.loads(said)["typos"]], "more": 1}),
    ],
    ids=["thinking", "one in vain", "list", "texts", "odd items"],
)
def test_answers_are_read_as_far_as_they_can_be(check, spoil):
    assert words(check(speller(spoil))) == FOUND


def test_a_sentence_that_no_model_answers_costs_only_itself(check):
    class Choking(Speller):
        def _generate(self, messages, *rest, **more):
            answer = super()._generate(messages, *rest, **more)
            if any("teh" in text for text in self.asked[-1]):
                return ChatResult(generations=[ChatGeneration(message=AIMessage("no"))])
            return answer

    report = check(Choking(asked=[]))
    assert words(report) == FOUND[2:]
    assert [(each.path, each.sentences) for each in report.unchecked] == [("a.md", 1)]


ITEMS = st.fixed_dictionaries(
    {},
    optional={
        "number": st.one_of(st.integers(-2, 9), st.just("1"), st.none(), st.just(True)),
        "word": st.sampled_from(["teh", "recieve", "以经", "好了", "letter", "", "x" * 99, None, "`recieve`"]),
        "suggestion": st.sampled_from(["the", "receive", "已经", "better", "", "x" * 99, None, "teh"]),
    },
)
SAID = st.one_of(
    st.text(max_size=30),
    st.lists(ITEMS, max_size=30).map(lambda items: json.dumps({"typos": items})),
    st.lists(ITEMS, max_size=3).map(json.dumps),
    st.recursive(st.none() | st.integers() | st.text(max_size=3), lambda inner: st.lists(inner), max_leaves=5).map(
        json.dumps
    ),
)


@given(st.lists(SAID, min_size=1, max_size=5))
@settings(max_examples=60, deadline=None)
def test_whatever_a_model_says_only_what_can_be_right_is_told(tmp_path_factory, answers):
    folder = tmp_path_factory.mktemp("vault")
    for name, text in NOTES.items():
        (folder / name).write_text(text, encoding="utf-8")
    config = RagConfig(vault=folder, index=tmp_path_factory.mktemp("index"))
    model = speller(lambda said, count: answers[count % len(answers)])
    report = check_typos(config, components=Components(chat_model=model))
    for typo in report.typos:
        assert (typo.word, typo.suggestion) in {*WRONG.items(), ("letter", "better"), ("teh", "the")}
        line = NOTES[typo.path].split("\n")[typo.line - 1]
        assert line[typo.column - 1 :].startswith(typo.word)
    assert (report.reason == "") == report.is_complete


def test_terms_of_glossaries_and_names_of_notes_are_no_typos(vault, tmp_path):
    (vault / "Teh.md").write_text("---\naliases: [所已]\n---\nIt is short for tea house.\n", encoding="utf-8")
    (vault / "words.md").write_text("---\ntags: [glossary/own]\n---\n- **recieve**: get\n", encoding="utf-8")
    config = RagConfig(vault=vault, index=tmp_path / "index", terms={"glossary": ["#glossary"]})
    report = check_typos(config, components=Components(chat_model=speller()))
    assert [typo.word for typo in report.typos] == ["以经"]


def test_without_a_chat_model_it_says_how_to_get_one(vault, tmp_path):
    with pytest.raises(ConfigError, match=r"chat_model: \{name: openai"):
        check_typos(RagConfig(vault=vault, index=tmp_path / "index"))


def test_progress_is_told(check):
    told = []
    check(speller(), progress=lambda *step: told.append(step))
    assert told[0] == (0, 6, "a.md")
    assert told[-1] == (6, 6, "")


def test_a_report_is_written_and_never_into_the_vault(check, vault, tmp_path):
    report = check(speller())
    markdown, data = write_typo_report(report, tmp_path / "out" / "report")
    text = markdown.read_text(encoding="utf-8")
    assert "## `a.md`" in text
    assert "- line 6, column 5: `recieve` → `receive` in `You ⟦recieve⟧ teh letter.`" in text
    told = json.loads(data.read_text(encoding="utf-8"))
    assert (told["complete"], len(told["typos"]), told["typos"][0]["line"]) == (True, 4, 6)
    for folder in (vault, vault / "sub" / "dir", vault / ".." / "vault" / "x"):
        with pytest.raises(ConfigError, match="lies in the vault"):
            write_typo_report(report, folder)
    link = tmp_path / "link"
    link.symlink_to(vault, target_is_directory=True)
    with pytest.raises(ConfigError, match="lies in the vault"):
        write_typo_report(report, link / "x")
    markdown.unlink()
    markdown.symlink_to(vault / "c.md")
    write_typo_report(report, tmp_path / "out" / "report")
    assert {file.name: file.read_text(encoding="utf-8") for file in vault.iterdir()} == NOTES
    with pytest.raises(ConfigError, match="no folder"):
        write_typo_report(report, data)


def test_nothing_in_a_note_breaks_out_of_the_report(check, vault, tmp_path):
    (vault / "c.md").write_text("You recieve ``x` [[evil]] <script> \u202eabc of it\n", encoding="utf-8")
    markdown, _ = write_typo_report(check(speller()), tmp_path / "out")
    (line,) = [each for each in markdown.read_text(encoding="utf-8").splitlines() if "evil" in each]
    assert line.endswith(" ```")
    assert "\u202e" not in line
