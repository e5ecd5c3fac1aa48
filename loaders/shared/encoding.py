"""Bytes to text, for every kind whose bytes are text.

In this order: a byte order mark; the charset that the caller knows; UTF-16 and UTF-32 without a mark, by
the pattern of their zero bytes; the escapes of ISO 2022; UTF-8, also with a few wrong bytes; a guess. A byte
order mark wins over what was declared (WHATWG Encoding Standard, section 6, "decode"). What is no text is
refused, never decoded.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from typing import Final

from fumehood.charsets import charset as charset_name
from fumehood.errors import CHARSETS, refusal
from fumehood.loaders.shared import guessing
from fumehood.loaders.shared.binary import has_binary_magic, is_binary
from fumehood.loaders.shared.builder import Builder

# The mark of UTF-32-LE starts with that of UTF-16-LE.
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_SAMPLE: Final = 4_096
_MIN_ZEROS: Final = 2
_ZERO_SHARE: Final = 0.04
"""Of the code units of text without Latin letters, spaces and line ends alone have a zero byte: one in 20."""
_ODD_CATEGORIES: Final = frozenset({"Cc", "Cn", "Co", "Cs"})
_MAX_ODD_SHARE: Final = 0.02
_ZEROS_OF_ASCII: Final = 0.4
_ASCII_TEXT: Final = b"\t\n\r" + bytes(range(0x20, 0x7F))

_ISO_2022: Final = (
    # RFC 1468 and its extensions; RFC 1557.
    (
        re.compile(rb"\x1b(?:\$[@AB]|\$\([CDOPQ]|\([IJ])"),
        ("iso2022-jp", "iso2022-jp-ext", "iso2022-jp-2", "iso2022-jp-2004"),
    ),
    (re.compile(rb"\x1b\$\)C"), ("iso2022-kr",)),
)

_UTF8_CHARACTER: Final = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_CUT_CHARACTER: Final = re.compile(rb"(?:[\xc2-\xf4]|[\xe0-\xf4][\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{2})\Z")
_HIGH_RUN: Final = re.compile(rb"[\x80-\xff]+")
_GOOD_FOR_A_BAD: Final = 4
"""In text of another encoding, one run in ten at most is UTF-8 by chance (EUC); Latin text has next to none."""


def decode(data: bytes, out: Builder, charset: str | None = None) -> str:
    r"""The text of `data`, without a byte order mark; line ends and controls as they stand.

    `charset` is what the caller knows: a label of the WHATWG or the name of a Python codec. Bytes that are
    wrong in the encoding become U+FFFD, with the notice `repaired` (`encoding`). A guess is the notice
    `encoding-guessed` with the encoding's name.

    Raises `ValueError` for a charset nobody knows, and the refusal `kind-mismatch` for what is no text.
    """
    declared = None if charset is None else charset_name(charset)
    for mark, name in _MARKS:
        if data.startswith(mark) and _holds(data[len(mark) :], name):
            return _decoded(data[len(mark) :], name, out)
    if has_binary_magic(data):
        raise refusal("kind-mismatch")
    if declared is not None:
        return _decoded(data, declared, out)
    name, guessed = _detected(data)
    if guessed:
        out.notice("encoding-guessed", detail=name)
    return _decoded(data, name, out)


def structure(data: bytes) -> str:
    """The start of `data` as text that is right in its ASCII characters at least: to recognise a format by.

    `data` is a sample that may end anywhere. Says nothing of the encoding and takes well under a millisecond.
    """
    for mark, name in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(name, "replace")
    wide = wide_encoding(data)
    if wide is not None:
        return data.decode(wide, "replace")
    return data.decode("utf-8", "replace")


def is_text(data: bytes) -> bool:
    """Whether `decode` would take `data` for text, by a bounded sample."""
    if any(data.startswith(mark) for mark, _ in _MARKS):
        return True
    return not has_binary_magic(data) and (wide_encoding(data) is not None or not is_binary(data))


def _holds(data: bytes, name: str) -> bool:
    """Whether `data`, which follows a mark, can be of the mark's encoding: a UTF-16 text may start with NUL."""
    if not name.startswith("utf-32"):
        return True
    sample = data[: _SAMPLE - _SAMPLE % 4]
    return len(data) % 4 == 0 and "\N{REPLACEMENT CHARACTER}" not in sample.decode(name, "replace")


def _decoded(data: bytes, name: str, out: Builder) -> str:
    try:
        return data.decode(name)
    except UnicodeDecodeError:
        out.notice("repaired", detail="encoding")
        return data.decode(name, "replace")


def _detected(data: bytes) -> tuple[str, bool]:
    """The encoding's name, and whether it is a guess. Raises `kind-mismatch` if `data` is no text."""
    wide = wide_encoding(data)
    if wide is not None:
        return wide, True
    if is_binary(data):
        raise refusal("kind-mismatch")
    escaped = _iso_2022(data)
    if escaped is not None:
        return escaped, True
    if _is_utf8(data):
        return "utf-8", False
    return guessing.guess(data), True


def wide_encoding(data: bytes) -> str | None:
    """UTF-16 or UTF-32 without a mark, by the zero bytes of the first 4 KiB; never text of single bytes with NULs in it."""
    sample = data[: min(_SAMPLE, len(data) - len(data) % 2)]
    zeros = [sample[at::4].count(0) for at in range(4)]
    if sum(zeros) < _MIN_ZEROS:
        return None
    quads = len(sample) // 4
    if quads and len(data) % 4 == 0:
        for name, top in (("utf-32-le", 3), ("utf-32-be", 0)):
            if zeros[top] == quads and _reads_well(sample, name):
                return name
    even, odd = zeros[0] + zeros[2], zeros[1] + zeros[3]
    name, many, few = ("utf-16-le", odd, even) if odd > even else ("utf-16-be", even, odd)
    if many < max(_MIN_ZEROS, _ZERO_SHARE * len(sample) / 2) or few > many * _MAX_ODD_SHARE:
        return None
    return name if not _is_ascii_with_nuls(sample) and _reads_well(sample, name) else None


def _is_ascii_with_nuls(sample: bytes) -> bool:
    """Whether `sample` is ASCII with NULs between, records for example: UTF-16 of ASCII alone is half zeros."""
    rest = sample.translate(None, b"\0")
    return not rest.translate(None, _ASCII_TEXT) and len(sample) - len(rest) < _ZEROS_OF_ASCII * len(sample)


def _reads_well(sample: bytes, name: str) -> bool:
    """Whether `sample` decodes to characters that exist and are no controls."""
    text = sample.decode(name, "ignore")
    odd = sum(1 for char in text if unicodedata.category(char) in _ODD_CATEGORIES and char not in "\t\n\r\f\v")
    return bool(text) and odd <= _MAX_ODD_SHARE * len(text)


def _iso_2022(data: bytes) -> str | None:
    """ISO 2022 is seven-bit text with escapes, which UTF-8 would take for ASCII."""
    if b"\x1b" not in data:
        return None
    for escape, names in _ISO_2022:
        if escape.search(data):
            return next((name for name in names if _decodes(data, name)), None)
    return None


def _decodes(data: bytes, name: str) -> bool:
    try:
        codecs.getincrementaldecoder(name)().decode(data)
    except UnicodeDecodeError:
        return False
    return True


def _is_utf8(data: bytes) -> bool:
    """Whether `data` is UTF-8, be it with a few wrong bytes or cut in the middle of a character.

    A large file with a few wrong bytes is better read with a few U+FFFD than as mojibake from end to end.
    """
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        sample = guessing.sample_of(data)
    else:
        return True
    good = len(_UTF8_CHARACTER.findall(sample))
    rest = _UTF8_CHARACTER.sub(b" ", _CUT_CHARACTER.sub(b"", sample))
    return good > 0 and good >= _GOOD_FOR_A_BAD * len(_HIGH_RUN.findall(rest))


def warm() -> None:
    """Loads every codec and every table there is a use for: a worker can open no file."""
    for name in sorted(CHARSETS):
        codecs.getincrementaldecoder(name)()
        # Tables of East Asian sets load when the first character outside ASCII is met.
        bytes(range(0x20, 0x100)).decode(name, "replace")
    for name in ("iso2022-jp-2004", "iso2022-jp-ext", "iso2022-kr", "euc-jis-2004", "johab", "big5hkscs"):
        b'\x1b$B$"\x1b(J\\\x1b(I1\x1b$(D\x22\x2f\x1b$(Q\x2e\x21\x1b$)C\x0e!!\x0f'.decode(name, "replace")
    guessing.warm()
