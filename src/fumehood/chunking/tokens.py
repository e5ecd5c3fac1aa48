"""Tokenizers: the protocol, adapters for two libraries, and a counter that needs none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    import tiktoken
    import tokenizers

_BYTES: Final = 4
"""Of UTF-8 in a token: what English has on average in the vocabularies in use; other scripts have fewer characters."""


class Tokenizer(Protocol):
    """What `max_tokens` is counted with. `name` is part of chunk ids: it tells one vocabulary from another."""

    @property
    def name(self) -> str: ...

    def encode(self, text: str) -> Sequence[int]: ...

    def decode(self, tokens: Sequence[int]) -> str: ...

    def count(self, text: str) -> int: ...


class ApproximateTokenizer:
    """Four bytes of UTF-8 are a token. Exact about itself, approximate about every model; needs no vocabulary."""

    name: Final = "approximate-4"

    def encode(self, text: str) -> list[int]:
        data = text.encode("utf-8")
        # A leading 1 keeps zero bytes and short groups apart.
        return [int.from_bytes(b"\1" + data[at : at + _BYTES], "big") for at in range(0, len(data), _BYTES)]

    def decode(self, tokens: Sequence[int]) -> str:
        return b"".join(token.to_bytes((token.bit_length() + 7) // 8, "big")[1:] for token in tokens).decode("utf-8")

    def count(self, text: str) -> int:
        size = len(text) if text.isascii() else len(text.encode("utf-8"))
        return -(-size // _BYTES)


class _Adapter:
    def __init__(
        self, name: str, encode: Callable[[str], Sequence[int]], decode: Callable[[Sequence[int]], str]
    ) -> None:
        self.name = name
        self._encode = encode
        self._decode = decode

    def encode(self, text: str) -> Sequence[int]:
        return self._encode(text)

    def decode(self, tokens: Sequence[int]) -> str:
        return self._decode(tokens)

    def count(self, text: str) -> int:
        return len(self._encode(text))


def from_tiktoken(encoding: tiktoken.Encoding) -> Tokenizer:
    """A `tiktoken` encoding; what looks like a special token is text (the extra `tiktoken`)."""
    return _Adapter(f"tiktoken:{encoding.name}", encoding.encode_ordinary, lambda tokens: encoding.decode(list(tokens)))


def from_tokenizers(tokenizer: tokenizers.Tokenizer, name: str) -> Tokenizer:
    """A tokenizer of Hugging Face's `tokenizers`, without special tokens (the extra `tokenizers`).

    It does not know its own name, so `name` says which vocabulary it is.
    """

    def encode(text: str) -> Sequence[int]:
        ids: Sequence[int] = tokenizer.encode(text, add_special_tokens=False).ids
        return ids

    def decode(tokens: Sequence[int]) -> str:
        return str(tokenizer.decode(list(tokens), skip_special_tokens=False))

    return _Adapter(f"tokenizers:{name}", encode, decode)
