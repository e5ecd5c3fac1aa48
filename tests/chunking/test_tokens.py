"""Tokenizers: the counter of our own, and the adapters."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.chunking import ApproximateTokenizer, from_tiktoken, from_tokenizers


@given(st.text())
def test_the_approximate_one_is_exact_about_itself(text: str) -> None:
    tokenizer = ApproximateTokenizer()
    tokens = tokenizer.encode(text)
    assert len(tokens) == tokenizer.count(text)
    assert tokenizer.decode(tokens) == text


class Words:
    """What both libraries' objects look like from here."""

    name = "words"

    def encode_ordinary(self, text: str) -> list[int]:
        return [len(word) for word in text.split()]

    def decode(self, tokens: list[int], skip_special_tokens: bool = True) -> str:
        return " ".join("x" * token for token in tokens)

    def encode(self, text: str, add_special_tokens: bool = True) -> Any:
        made = type("Encoding", (), {})()
        made.ids = self.encode_ordinary(text) + ([0] if add_special_tokens else [])
        return made


@pytest.mark.parametrize("adapter", ["tiktoken", "tokenizers"])
def test_adapters(adapter: str) -> None:
    library: Any = Words()
    tokenizer = from_tiktoken(library) if adapter == "tiktoken" else from_tokenizers(library, "words")
    assert tokenizer.name == f"{adapter}:words"
    assert tokenizer.count("a bb ccc") == 3
    assert list(tokenizer.encode("a bb")) == [1, 2]
    assert tokenizer.decode([1, 2]) == "x xx"
