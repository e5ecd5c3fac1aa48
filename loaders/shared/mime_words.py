"""Text of header fields: encoded words (RFC 2047), and bytes as they stand (RFC 6532)."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from fumehood.charsets import charset as charset_name
from fumehood.loaders.shared.mime_transfer import base64_of

# RFC 2047, 2 allows neither space nor question mark in a word's text; mailers that write one mean it. They are counted,
# so that no text is gone through more than a few times.
_WORD: Final = re.compile(r"=\?([^?\s*]+)(?:\*[^?\s]*)?\?([QqBb])\?([^?]*(?:(?<!=)\?(?!=)[^?]*){0,8})\?=")
_ESCAPES: Final = b"\x1b$"


def text_of(raw: bytes, fallback: str | None = None) -> str:
    """The text of a field's body, its encoded words decoded; line ends are as they stand.

    `fallback` is the encoding of bytes that are neither ASCII nor UTF-8, where one is known. Linear in `raw`.
    """
    text = _raw_text(raw, fallback)
    return text if "=?" not in text else "".join(_decoded(text))


def _raw_text(raw: bytes, fallback: str | None) -> str:
    if _ESCAPES in raw:
        # Seven-bit text with escapes, as Japanese mail had it before MIME (RFC 1468).
        return raw.decode("iso2022-jp", "replace")
    for name in ("utf-8", fallback):
        try:
            if name is not None:
                return raw.decode(name)
        except UnicodeDecodeError:
            continue
    return raw.decode("cp1252", "replace")


def _decoded(text: str) -> Iterator[str]:
    """Pieces of `text` in order. Space between words is none (6.2), and a character may be cut between two (5)."""
    at = 0
    label = ""
    pending = bytearray()
    for word in _WORD.finditer(text):
        between = text[at : word.start()]
        goes_on = bool(pending) and (not between or between.isspace())
        if pending and not (goes_on and word[1] == label):
            yield _characters(bytes(pending), label)
            pending = bytearray()
        if not goes_on:
            yield between
        label = word[1]
        pending += _bytes(word[2], word[3])
        at = word.end()
    yield _characters(bytes(pending), label)
    yield text[at:]


def _bytes(encoding: str, text: str) -> bytes:
    raw = text.encode("utf-8")
    if encoding not in "bB":
        return binascii.a2b_qp(raw, header=True)
    try:
        return binascii.a2b_base64(raw, strict_mode=True)
    except binascii.Error:
        return base64_of(raw)[0]


@lru_cache(maxsize=64)
def _encoding(label: str) -> str | None:
    """The encoding of a word, None where it has to be seen: UTF-8 is written on other things."""
    try:
        name = charset_name(label)
    except ValueError:
        return None
    return None if name == "utf-8" else name


def _characters(data: bytes, label: str) -> str:
    name = _encoding(label)
    return _raw_text(data, None) if name is None else data.decode(name, "replace")
