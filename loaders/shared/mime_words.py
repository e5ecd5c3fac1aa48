"""Text of header fields: encoded words (RFC 2047), and bytes as they stand (RFC 6532)."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
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
    charset = ""
    pending = bytearray()
    for word in _WORD.finditer(text):
        between = text[at : word.start()]
        label = word[1].lower()
        if pending and (between.strip() or label != charset):
            yield _characters(bytes(pending), charset)
            pending = bytearray()
        if between.strip() or not at:
            yield between
        charset = label
        pending += _bytes(word[2], word[3])
        at = word.end()
    yield _characters(bytes(pending), charset)
    yield text[at:]


def _bytes(encoding: str, text: str) -> bytes:
    raw = text.encode("utf-8")
    return base64_of(raw)[0] if encoding in "bB" else binascii.a2b_qp(raw, header=True)


def _characters(data: bytes, label: str) -> str:
    if not data:
        return ""
    try:
        name: str | None = charset_name(label)
    except ValueError:
        name = None
    if name is None or name == "utf-8":
        return _raw_text(data, None)
    return data.decode(name, "replace")
