"""Lengths in tokens, as tiktoken and Hugging Face's tokenizers count them."""

from __future__ import annotations

from collections.abc import Callable, Sized
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any

__all__ = ["TokenLength", "huggingface_length", "tiktoken_length"]


@dataclass(frozen=True, slots=True)
class TokenLength:
    """Tells how many tokens a text has; it can be copied and pickled where its tokenizer can.

    Args:
        name: What stands for the tokenizer where settings are compared: another tokenizer has another name.
        tokenize: Returns something as long as the text has tokens, marks at its start and end not counted.
    """

    name: str
    tokenize: Callable[[str], Sized]

    def __call__(self, text: str) -> int:
        """Return the number of tokens."""
        # Tokenizers take UTF-8, which half a surrogate pair doesn't have.
        return len(self.tokenize(text.encode("utf-8", "replace").decode("utf-8")))


def tiktoken_length(
    encoding_name: str, model_name: str | None, allowed_special: Any, disallowed_special: Any
) -> TokenLength:
    """Return the length by a tiktoken encoding.

    Args:
        encoding_name: The encoding.
        model_name: A model, whose encoding is taken instead.
        allowed_special: Special marks that count as one token.
        disallowed_special: Special marks that are an error.

    Raises:
        ImportError: If tiktoken is not installed.
    """
    try:
        import tiktoken
    except ImportError as error:
        raise ImportError(
            "from_tiktoken_encoder needs the package tiktoken. Install it with: pip install tiktoken"
        ) from error
    allowed: Any = "all" if allowed_special == "all" else set(allowed_special or ())
    encoding = tiktoken.encoding_for_model(model_name) if model_name else tiktoken.get_encoding(encoding_name)
    return TokenLength(
        f"tiktoken:{encoding.name}:{allowed if allowed == 'all' else sorted(allowed)}",
        partial(encoding.encode, allowed_special=allowed, disallowed_special=disallowed_special),
    )


def huggingface_length(tokenizer: Any) -> TokenLength:
    """Return the length by a tokenizer of ``transformers`` or of ``tokenizers``.

    Raises:
        TypeError: If it is neither.
    """
    if callable(getattr(tokenizer, "tokenize", None)):
        name = getattr(tokenizer, "name_or_path", "") or type(tokenizer).__qualname__
        return TokenLength(f"transformers:{name}", tokenizer.tokenize)
    if callable(getattr(tokenizer, "encode", None)) and hasattr(tokenizer, "no_truncation"):
        # Files of tokenizers often say to cut texts at a length and to fill them up to it: all would be equally long.
        own = deepcopy(tokenizer)
        own.no_truncation()
        own.no_padding()
        name = sha256(own.to_str().encode()).hexdigest()[:16]
        return TokenLength(f"tokenizers:{name}", partial(own.encode, add_special_tokens=False))
    raise TypeError(
        "from_huggingface_tokenizer takes a tokenizer of the package transformers or tokenizers, not "
        f"{type(tokenizer).__qualname__}; for another one pass `length_function`, which returns a text's length"
    )
