"""Names of ZIP entries: how their bytes become text, and which of them no reader should be asked to agree on.

A name is the one thing by which a loader picks a part, so a name that two readers understand differently lets
one see another document than the other does. Nothing is ever written to a disk here; names that aim outside
of a folder are refused all the same, because a caller may pass the same bytes on.
"""

from __future__ import annotations

import codecs
import re
import zlib
from collections.abc import Iterable
from typing import Final

UTF8_FLAG: Final = 0x0800
"""General purpose bit 11: the name is UTF-8 (APPNOTE, 4.4.4 and appendix D)."""

# Looked up here, while modules may still be imported: a locked worker cannot load a codec.
_CP437: Final = codecs.lookup("cp437")

_UNICODE_PATH_VERSION: Final = 1

_FORBIDDEN: Final = re.compile(
    r"""
    [\\\x00]                # APPNOTE, 4.4.17.1: forward slashes only; some readers end a name at a NUL
    | ^/ | ^[A-Za-z]:       # the same section: no leading slash, no drive letter
    | (?:^|/)\.\.(?:/|$)    # out of the folder; ECMA-376 part 2, 6.2.2.2: no segment ends with a dot
    """,
    re.VERBOSE,
)


def decoded(raw: bytes, flags: int) -> str:
    """The name as APPNOTE's appendix D says: UTF-8 where flagged, else IBM code page 437.

    Raises `UnicodeDecodeError` for a name that is flagged as UTF-8 and is not.
    """
    if raw.isascii():
        return raw.decode("ascii")
    if flags & UTF8_FLAG:
        return raw.decode("utf-8")
    return _CP437.decode(raw)[0]


def as_utf8(raw: bytes) -> str | None:
    """The name read as UTF-8 whatever its flag says, or None: EPUB's names are UTF-8 (OCF 3.3, 4.2.2), flagged or not."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return None


def unicode_path(raw: bytes, field: bytes) -> str | None:
    """What the Info-ZIP Unicode Path extra field says the name is (APPNOTE, 4.6.9); None if it is out of date.

    Raises `UnicodeDecodeError` if it is not UTF-8.
    """
    if len(field) < 5 or field[0] != _UNICODE_PATH_VERSION:
        return None
    if int.from_bytes(field[1:5], "little") != zlib.crc32(raw):
        return None
    return field[5:].decode("utf-8")


def forbidden(name: str) -> bool:
    """Whether the name holds a backslash or a NUL, is absolute, or climbs out of its folder."""
    return _FORBIDDEN.search(name) is not None


def folded(name: str) -> str:
    """The form in which OPC compares names: ASCII letters without case (ECMA-376 part 2, 6.2.2.3)."""
    return name.lower() if name.isascii() else name.translate(_ASCII_LOWER)


_ASCII_LOWER: Final = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


def ambiguous(names: Iterable[str]) -> bool:
    """Whether two of the names are the same to a reader that ignores the case of ASCII letters."""
    seen: set[str] = set()
    for name in names:
        key = folded(name)
        if key in seen:
            return True
        seen.add(key)
    return False
