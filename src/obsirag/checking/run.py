"""The sentences of a vault put to a chat model, as far as it hasn't seen them and its bounds allow."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from obsirag.catalogue import ModelAnswers, chat_model_id, digest
from obsirag.checking.asking import Answer, ask_about, prompt_texts
from obsirag.checking.sentences import Sentence
from obsirag.errors import reason_of
from obsirag.graphs.language import Language, language_of
from obsirag.graphs.model_calls import BudgetSpentError, ModelCalls
from obsirag.graphs.prompts import Prompts
from obsirag.graphs.usage import NOTHING, Usage, add_usage

__all__ = ["Progress", "Said", "TypoRun"]

Progress = Callable[[int, int, str], None]
Said = list[tuple[str, str]]
"""What a model said of a sentence: words, each with what it would write."""

MOST_SENTENCES = 10
MOST_CHARACTERS = 900
"""Of a batch: what a middling model still reads word by word."""
MOST_IN_VAIN = 8
"""Batches in a row of which nothing usable came before the model isn't asked any more; one sentence that no model
answers costs five of them."""


@dataclass(slots=True)
class TypoRun:
    """Asks a chat model about sentences, and keeps what it says.

    Args:
        calls: Calls the model, within its budget.
        prompts: Says what to tell of an answer that isn't of the form.
        kept: The answers of earlier runs, and of this one.
        progress: Called with the number of sentences done, the number of all, and a note's path.

    Attributes:
        usage: What it has cost.
        reason: Why some weren't answered; empty if all were.
    """

    calls: ModelCalls
    prompts: Prompts
    kept: ModelAnswers
    progress: Progress | None = None
    usage: Usage = field(default_factory=lambda: NOTHING)
    reason: str = ""

    def answers(self, sentences: Sequence[Sentence]) -> dict[str, Said]:
        """Return what the model says of sentences, by what they show; what it doesn't answer is left out."""
        known = self._known({each.shown for each in sentences})
        new = {each.shown: each for each in sentences if each.shown not in known}
        total, in_vain = len(known) + len(new), 0
        waiting = deque(_batches(new.values()))
        self._tell(len(known), total, waiting)
        while waiting and in_vain < MOST_IN_VAIN:
            batch = waiting.popleft()
            shown = [each.shown for each in batch]
            answer = ask_about(shown, language_of(shown[0]), self.calls, self.prompts, self.usage)
            self.usage = add_usage(self.usage, answer.usage)
            if answer.suspicions is not None:
                in_vain = 0
                said = _by_sentence(shown, answer)
                known.update(said)
                self.kept.put({self._key(each): json.dumps(pairs, ensure_ascii=False) for each, pairs in said.items()})
            elif isinstance(answer.failure, BudgetSpentError):
                self.reason = "the bound on calls or tokens of the chat model was reached"
                break
            else:
                in_vain += 1
                self.reason = _reason(answer)
                if answer.failure is None and len(batch) > 1:
                    middle = len(batch) // 2
                    waiting.extendleft((batch[middle:], batch[:middle]))
            self._tell(len(known), total, waiting)
        return known

    def _known(self, shown: set[str]) -> dict[str, Said]:
        keys = {self._key(each): each for each in sorted(shown)}
        found: dict[str, Said] = {}
        for key, answer in self.kept.get(list(keys)).items():
            found[keys[key]] = [(word, suggestion) for word, suggestion in json.loads(answer)]
        return found

    def _key(self, shown: str) -> str:
        # The prompts are their own version.
        return digest("typos", chat_model_id(self.calls.model), *prompt_texts(language_of(shown)), shown)

    def _tell(self, done: int, total: int, waiting: Sequence[Sequence[Sentence]]) -> None:
        if self.progress is not None:
            self.progress(done, total, waiting[0][0].note.path if waiting else "")


def _by_sentence(shown: Sequence[str], answer: Answer) -> dict[str, Said]:
    said: dict[str, Said] = {each: [] for each in shown}
    for each in answer.suspicions or ():
        if 1 <= each.number <= len(shown):
            said[shown[each.number - 1]].append((each.word, each.suggestion))
    return said


def _reason(answer: Answer) -> str:
    if answer.failure is None:
        return "the chat model gave no answer of the form that it was asked for"
    return f"the chat model failed ({reason_of(answer.failure)})"


def _batches(sentences: Iterable[Sentence]) -> Iterator[list[Sentence]]:
    """Yield sentences of one language together, few at a time, in their order."""
    open_batches: dict[Language, list[Sentence]] = {}
    for sentence in sentences:
        batch = open_batches.setdefault(language_of(sentence.shown), [])
        length = sum(len(each.shown) for each in batch) + len(sentence.shown)
        if batch and (len(batch) == MOST_SENTENCES or length > MOST_CHARACTERS):
            yield batch[:]
            batch.clear()
        batch.append(sentence)
    yield from (batch for batch in open_batches.values() if batch)
