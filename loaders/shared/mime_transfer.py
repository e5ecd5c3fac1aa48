"""Content transfer encodings (RFC 2045, 6) and uuencode, read as far as they can be.

Every decoder is linear and takes anything: what is not of the encoding is passed over, and the caller is told.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

_NOT_BASE64: Final = bytes(set(range(256)) - set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="))
_SPACE: Final = b" \t\r\n"
_PADDED: Final = re.compile(rb"=+")
_ENDED: Final = re.compile(rb"=+|\n[ \t]*\r?\n")
# Starts at the first white space of a run only, so that a long run is looked at once.
_TRAILING: Final = re.compile(rb"(?<![ \t])[ \t]+(?=\r?\n)")
_NOT_QUOTED: Final = re.compile(rb"=(?![0-9A-Fa-f]{2}|\r?\n)")
_UU_BEGIN: Final = re.compile(rb"^begin[ \t]+[0-7]{3,4}[ \t]+([^\r\n]*)\r?\n", re.MULTILINE)


class Decoded(NamedTuple):
    """What was encoded, whether some of it was wrong, and text that stood behind it."""

    data: bytes
    repaired: bool = False
    trailing: bytes = b""


def decode(data: bytes, encoding: str) -> Decoded:
    """`data` without its transfer `encoding`; one that is unknown, or none, leaves it as it is."""
    decoder = _DECODERS.get(encoding.strip().lower())
    return Decoded(data) if decoder is None else decoder(data)


def is_encoded(encoding: str) -> bool:
    """Whether a body in `encoding` has to be decoded before it is read."""
    return encoding.strip().lower() in _DECODERS


def _base64(data: bytes) -> Decoded:
    """Padding ends the data (RFC 2045, 6.8); behind it, or a blank line, mailing lists put a footer in plain text."""
    data = data.strip(_SPACE)
    ended = _ENDED.search(data)
    trailing = b""
    if ended is not None:
        rest = data[ended.end() :].strip(_SPACE)
        if len(rest.translate(None, _SPACE)) != len(rest.translate(None, _NOT_BASE64)):
            data, trailing = data[: ended.end()], rest
    decoded, repaired = base64_of(data)
    return Decoded(decoded, repaired or bool(trailing), trailing)


def base64_of(data: bytes) -> tuple[bytes, bool]:
    """The bytes, and whether some of `data` was wrong. Padding is not needed; more may follow it."""
    alphabet = data.translate(None, _NOT_BASE64)
    repaired = len(alphabet) != len(data.translate(None, _SPACE))
    # Joined by multiples of four the pieces could be decoded at once, but each has its own padding.
    pieces: list[bytes] = []
    for piece in _PADDED.split(alphabet):
        odd = len(piece) % 4
        if odd == 1:
            piece, repaired = piece[:-1], True
        pieces.append(binascii.a2b_base64(piece + b"==="[: -len(piece) % 4]))
    return b"".join(pieces), repaired


def _quoted_printable(data: bytes) -> Decoded:
    """White space at a line's end was added on the way (6.7, rule 3); what is no escape stands for itself."""
    data = _TRAILING.sub(b"", data)
    return Decoded(binascii.a2b_qp(data), _NOT_QUOTED.search(data) is not None)


class UuFile(NamedTuple):
    """A file in a text, as uuencode(1) writes it: its name, its data, and where it stands."""

    name: bytes
    data: bytes
    start: int
    end: int
    repaired: bool


def uu_file(data: bytes, at: int = 0) -> UuFile | None:
    """The first file in `data` from `at` on, or None. A `begin` that no line of data follows is text."""
    for begin in _UU_BEGIN.finditer(data, at):
        end = begin.end()
        pieces: list[bytes] = []
        repaired = True
        while end < len(data):
            stop = data.find(b"\n", end)
            line, following = (data[end:], len(data)) if stop < 0 else (data[end:stop], stop + 1)
            line = line.rstrip(b"\r")
            if line == b"end":
                end, repaired = following, False
                break
            piece = _uu_line(line)
            if piece is None:
                break
            pieces.append(piece)
            end = following
        if pieces:
            return UuFile(begin[1], b"".join(pieces), begin.start(), end, repaired)
    return None


def _uu_line(line: bytes) -> bytes | None:
    try:
        return binascii.a2b_uu(line) if line else None
    except binascii.Error:
        return None


def _uuencode(data: bytes) -> Decoded:
    found = uu_file(data)
    return Decoded(data, True) if found is None else Decoded(found.data, found.repaired)


_DECODERS: Final[Mapping[str, Callable[[bytes], Decoded]]] = {
    "base64": _base64,
    "quoted-printable": _quoted_printable,
    **dict.fromkeys(("x-uuencode", "uuencode", "x-uue", "x-uu"), _uuencode),
}
