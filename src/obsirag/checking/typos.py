"""A vault checked for typos by a chat model: what is new is asked, in small batches, and every answer is kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from obsirag.catalogue import ModelAnswers
from obsirag.checking.accepting import accept
from obsirag.checking.names import known_names
from obsirag.checking.places import refuse_in_vault
from obsirag.checking.report import TypoReport, Unchecked
from obsirag.checking.run import Progress, TypoRun
from obsirag.checking.sentences import NoteText, Sentence, sentences_of
from obsirag.components import Components, build_components
from obsirag.config import BudgetOptions, RagConfig
from obsirag.errors import ConfigError
from obsirag.graphs.model_calls import ModelCalls
from obsirag.graphs.prompts import Prompts
from obsirag.plugins import Kind
from obsirag.vault import Vault

__all__ = ["check_typos"]

_UNLIMITED = 2**31 - 1
_KINDS: tuple[Kind, ...] = ("chat_model",)


def check_typos(
    config: RagConfig,
    *,
    components: Components | None = None,
    cache: Path | None = None,
    max_calls: int | None = None,
    max_tokens: int | None = None,
    progress: Progress | None = None,
) -> TypoReport:
    """Return the words of a vault that look misspelt to the chat model, as far as that can be right.

    The vault is read whole, whatever labels its notes carry, and nothing is written into it. Answers are kept, so that
    a run asks only about sentences that are new, and one that was stopped goes on. If the model fails, or its bounds
    are reached, the report says what wasn't checked.

    Args:
        config: The configuration.
        components: Ready parts, instead of those that the configuration describes.
        cache: The folder in which answers are kept; the index's if None.
        max_calls: Most calls of the chat model; no limit if None.
        max_tokens: Most tokens that it reads and writes; no limit if None.
        progress: Called with the number of sentences done, the number of all, and the note's path.

    Raises:
        ConfigError: If there is no chat model, a value is wrong, or answers would be kept in the vault.
        PluginError: If the chat model cannot be made.
        VaultError: If there is no such vault.
        CatalogueError: If answers cannot be kept.
    """
    for name, value in (("max_calls", max_calls), ("max_tokens", max_tokens)):
        if value is not None and not 0 <= value <= _UNLIMITED:
            raise ConfigError(f"{name} is {value}, but must be at least 0")
    vault = Vault(config.vault, **config.vault_options.model_dump())
    folder = config.index if cache is None else cache
    refuse_in_vault(folder, vault.root, "the folder in which answers are kept")
    budget = BudgetOptions(
        model_calls=_UNLIMITED if max_calls is None else max_calls,
        tokens=_UNLIMITED if max_tokens is None else max(1, max_tokens),
        call_timeout=config.budget.call_timeout,
    )
    model = build_components(config, components, kinds=_KINDS).chat_model
    if model is None:
        raise ConfigError(
            "typos are looked for by a chat model, and the configuration names none: add one to obsirag.yaml, such as "
            "`chat_model: {name: openai, model: …, base_url: …}`, and run with --config obsirag.yaml"
        )
    notes = [vault.note(path) for path in vault.paths() if path.endswith(".md")]
    names = known_names(config, notes)
    sentences = [sentence for note in notes for sentence in sentences_of(NoteText(note))]
    run = TypoRun(ModelCalls(model, budget), Prompts(config.prompts), ModelAnswers(folder), progress)
    said = run.answers(sentences)
    typos = {
        typo
        for sentence in sentences
        for word, suggestion in said.get(sentence.shown, ())
        for typo in accept(sentence, word, suggestion, names)
    }
    unchecked = tuple(_unchecked(each for each in sentences if each.shown not in said))
    return TypoReport(
        vault=str(vault.root),
        notes=len(notes),
        sentences=len(sentences),
        typos=tuple(sorted(typos)),
        unchecked=unchecked,
        reason=run.reason if unchecked else "",
        calls=run.usage["calls"],
        tokens=run.usage["input_tokens"] + run.usage["output_tokens"],
    )


def _unchecked(sentences: Iterable[Sentence]) -> Iterator[Unchecked]:
    """Yield the notes of sentences that weren't checked, which stand in the order of the notes."""
    for path, some in groupby(sentences, key=lambda each: each.note.path):
        first, *others = some
        yield Unchecked(path, first.note.place(first.start)[0], 1 + len(others))
