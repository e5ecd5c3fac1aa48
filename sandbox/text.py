"""A long text put together without holding the event loop.

One `str.join` of 32 MiB takes 90 ms on a small machine, nearly all of it the kernel handing out fresh
pages, and four times that if one character is wide. So the string is made once, at its full size, which
touches no page, and filled piece by piece (PyUnicode_New, PyUnicode_CopyCharacters: the C API's own way
to build a string). Other interpreters join.
"""

from __future__ import annotations

import re
import sys
from typing import Final

import anyio.lowlevel

_JOIN_UP_TO: Final = 1024 * 1024
"""Code points that one join handles in a few milliseconds."""
_GIVE_BACK_EACH: Final = 12 * 1024 * 1024
"""Code points: what shorter texts took is little enough to be kept."""
_BEYOND_LATIN_1: Final = re.compile("[^\x00-\xff]")
_BEYOND_BMP: Final = re.compile("[^\x00-\uffff]")


class Text:
    """Pieces of one text, in order."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._widest = 0x7F

    def __len__(self) -> int:
        """Code points so far."""
        return self._length

    def append(self, piece: str) -> None:
        self._pieces.append(piece)
        self._length += len(piece)
        self._widest = max(self._widest, _widest(piece))

    async def joined(self) -> str:
        """The whole text; the pieces are given up for it."""
        if self._length <= _JOIN_UP_TO or sys.implementation.name != "cpython":
            return "".join(self._pieces)
        return await _filled(self._pieces, self._length, self._widest)


def _widest(piece: str) -> int:
    """The largest code point of the storage that `piece` needs (PEP 393): a string must not be stored wider."""
    if piece.isascii():
        return 0x7F
    if _BEYOND_LATIN_1.search(piece) is None:
        return 0xFF
    return 0xFFFF if _BEYOND_BMP.search(piece) is None else 0x10FFFF


async def _filled(pieces: list[str], length: int, widest: int) -> str:
    import ctypes  # Only long texts need it.

    new, copy = ctypes.pythonapi.PyUnicode_New, ctypes.pythonapi.PyUnicode_CopyCharacters
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_ssize_t, ctypes.c_uint32]
    copy.restype = ctypes.c_ssize_t
    copy.argtypes = [ctypes.c_void_p, ctypes.c_ssize_t, ctypes.py_object, ctypes.c_ssize_t, ctypes.c_ssize_t]
    if length > _GIVE_BACK_EACH:
        give_back()  # What earlier documents left between the pieces.
    whole: str = new(length, widest)
    at = given_back = 0
    pieces.reverse()
    while pieces:
        # Given up one by one, so that the text is not held twice. By address: the string may be filled only
        # while nobody else refers to it.
        piece = pieces.pop()
        at += copy(id(whole), at, piece, 0, len(piece))
        if at - given_back > _GIVE_BACK_EACH:
            give_back()
            given_back = at
        await anyio.lowlevel.checkpoint()
    return whole


def give_back() -> None:
    """What was freed goes back to the system: other threads have other arenas, and could not use it (malloc_trim(3)).

    glibc would keep up to 64 MiB of it (mallopt(3), M_TRIM_THRESHOLD). Takes a few milliseconds; other C libraries do
    not know the call.
    """
    import ctypes

    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
