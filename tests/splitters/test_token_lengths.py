from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Callable

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers

from obsidian_texts import texts
from obsirag.splitters import ObsidianSplitter
from obsirag.splitters.token_lengths import huggingface_length
from obsirag.text import grapheme_start

TEXT = "# Tea\n\n" + "Leaves and water, 茶叶和水。 " * 100


def byte_pairs() -> Tokenizer:
    """A byte-level tokenizer with merges, as models have it: text that is added may take tokens away."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=400, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False
    )
    tokenizer.train_from_iterator([TEXT, "alpha beta gamma"], trainer)
    return tokenizer


BYTE_PAIRS = byte_pairs()


def tokens(text: str) -> int:
    return len(BYTE_PAIRS.encode(text.encode("utf-8", "replace").decode()).ids)


@pytest.fixture
def every_byte(monkeypatch: pytest.MonkeyPatch) -> tiktoken.Encoding:
    """A real encoding, each byte a token, under a name of its own: the usual ones are fetched from the network."""
    encoding = tiktoken.Encoding(
        "every_byte",
        pat_str=r"(?s:.)",
        mergeable_ranks={bytes([each]): each for each in range(256)},
        special_tokens={"<|endoftext|>": 256},
    )
    monkeypatch.setitem(tiktoken.registry.ENCODINGS, "every_byte", encoding)
    monkeypatch.setitem(tiktoken.model.MODEL_TO_ENCODING, "small-model", "every_byte")
    return encoding


class Counted:
    """A tokenizer with the interface of the package transformers: words."""

    name_or_path = "words"

    def tokenize(self, text: str) -> list[str]:
        return text.split()


@given(texts(), st.integers(5, 60))
def test_no_chunk_has_more_tokens_than_asked_for(text: str, size: int) -> None:
    splitter = ObsidianSplitter.from_huggingface_tokenizer(BYTE_PAIRS, chunk_size=size, max_chunk_size=size)
    for chunk in splitter.create_documents([text]):
        content = chunk.page_content
        one_grapheme = grapheme_start(content, len(content) - 1, 0) == 0
        assert one_grapheme or tokens(content) <= size


def test_chunks_are_about_as_long_as_asked_for() -> None:
    chunks = ObsidianSplitter.from_huggingface_tokenizer(BYTE_PAIRS, chunk_size=50, chunk_overlap=0).split_text(TEXT)
    lengths = [tokens(chunk) for chunk in chunks]
    assert max(lengths) <= 50
    assert min(lengths[:-1]) > 25


def test_truncation_and_padding_of_a_tokenizer_do_not_count_and_it_stays_as_it_is() -> None:
    tokenizer = byte_pairs()
    tokenizer.enable_truncation(16)
    tokenizer.enable_padding(length=16)
    before = tokenizer.to_str()
    splitter = ObsidianSplitter.from_huggingface_tokenizer(tokenizer, chunk_size=50)
    assert splitter.split_text(TEXT) == ObsidianSplitter.from_huggingface_tokenizer(
        byte_pairs(), chunk_size=50
    ).split_text(TEXT)
    assert tokenizer.to_str() == before


def test_marks_at_a_texts_start_and_end_do_not_count() -> None:
    tokenizer = byte_pairs()
    tokenizer.add_special_tokens(["[S]"])
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[S] $A [S]", special_tokens=[("[S]", tokenizer.token_to_id("[S]"))]
    )
    assert len(tokenizer.encode("a").ids) == 3
    assert huggingface_length(tokenizer)("a") == 1


def test_a_tokenizer_of_transformers_counts_by_its_own_method() -> None:
    splitter = ObsidianSplitter.from_huggingface_tokenizer(Counted(), chunk_size=20, max_chunk_size=20)
    assert max(len(chunk.split()) for chunk in splitter.split_text(TEXT)) <= 20


@pytest.mark.parametrize("wrong", [len, "gpt2", None, tiktoken])
def test_what_is_no_tokenizer_is_refused(wrong: object) -> None:
    with pytest.raises(TypeError, match=r"takes a tokenizer of the package.*pass `length_function`"):
        ObsidianSplitter.from_huggingface_tokenizer(wrong)


@pytest.mark.parametrize("chosen", [{"encoding_name": "every_byte"}, {"model_name": "small-model"}])
def test_tiktoken_counts_by_encoding_or_model(every_byte: tiktoken.Encoding, chosen: dict[str, str]) -> None:
    splitter = ObsidianSplitter.from_tiktoken_encoder(**chosen, chunk_size=80, max_chunk_size=80)
    bytewise = ObsidianSplitter(chunk_size=80, max_chunk_size=80, length_function=lambda text: len(text.encode()))
    assert splitter.create_documents([TEXT]) == bytewise.create_documents([TEXT])


def test_special_marks_are_text_unless_asked_otherwise(every_byte: tiktoken.Encoding) -> None:
    def length(**options: object) -> int:
        splitter = ObsidianSplitter.from_tiktoken_encoder("every_byte", **options)  # type: ignore[arg-type]
        return splitter._length_function("<|endoftext|>")

    assert length() == 13
    assert length(allowed_special={"<|endoftext|>"}) == length(allowed_special="all") == 1
    with pytest.raises(ValueError, match="endoftext"):
        length(disallowed_special="all")


def test_without_tiktoken_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    with pytest.raises(ImportError, match="pip install tiktoken"):
        ObsidianSplitter.from_tiktoken_encoder()


def test_half_a_surrogate_pair_is_no_error(every_byte: tiktoken.Encoding) -> None:
    for splitter in (
        ObsidianSplitter.from_huggingface_tokenizer(BYTE_PAIRS),
        ObsidianSplitter.from_tiktoken_encoder("every_byte"),
    ):
        assert splitter.split_text("a\ud800b") == ["a\ud800b"]


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda made: pickle.loads(pickle.dumps(made))])
def test_splitters_by_tokens_can_be_copied(
    every_byte: tiktoken.Encoding, again: Callable[[ObsidianSplitter], ObsidianSplitter]
) -> None:
    for splitter in (
        ObsidianSplitter.from_huggingface_tokenizer(BYTE_PAIRS, chunk_size=60),
        ObsidianSplitter.from_huggingface_tokenizer(Counted(), chunk_size=60),
        ObsidianSplitter.from_tiktoken_encoder("every_byte", chunk_size=60),
    ):
        assert again(splitter).create_documents([TEXT]) == splitter.create_documents([TEXT])


def test_a_subclass_makes_its_own_kind() -> None:
    class Mine(ObsidianSplitter):
        pass

    assert type(Mine.from_huggingface_tokenizer(BYTE_PAIRS)) is Mine
