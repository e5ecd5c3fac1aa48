"""The free places between a zygote's objects are filled before it forks, so that a worker's new objects stand together.

Imports and specimens leave small holes all over the heap. A worker that allocates from them writes to one page for
each few objects, and every page that it writes to for the first time is copied by the kernel; where the holes are
filled it writes to whole fresh pages instead. Of the page faults of a docx worker that saves a fifth (measured).

What is filled was free and mostly resident, so the zygote hardly grows by it.
"""

from __future__ import annotations

import bisect
import contextlib
from collections.abc import Iterable
from typing import Final

from fumehood.sandbox import system

_LARGEST_SMALL: Final = 512
"""Larger objects are the C library's (Objects/obmalloc.c)."""
_ALIGNMENT: Final = 16
_BYTES_HEADER: Final = b"".__sizeof__()
_MOST_SMALL: Final = 32 * 1024 * 1024
"""A build with another allocator than CPython's own has no pools to fill; this ends the attempt."""
_LARGEST_CHUNK: Final = 1024 * 1024
_LINEAR_FROM: Final = 4096


def fill() -> list[object]:
    """Fills the holes of CPython's allocator and of the C library's; what it returns must be kept until the process ends.

    Needs `/proc`, so before the root is emptied.
    """
    ballast = _fill_pools(_mapped())
    with contextlib.suppress(OSError):  # Not glibc, or not a new one.
        system.fill_free_chunks(_chunk_sizes())
    return ballast


def _mapped() -> list[int]:
    """The bounds of all writable memory that is mapped by now, in order: start, end, start, end (proc_pid_maps(5))."""
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as lines:
        areas = [line.split(maxsplit=2)[:2] for line in lines]
    return [
        int(bound, 16)
        for addresses, permissions in areas
        if permissions.startswith("rw")
        for bound in addresses.split("-")
    ]


def _fill_pools(mapped: list[int]) -> list[object]:
    """Objects of every size until each comes from memory not mapped before; the largest use up what is empty."""
    ballast: list[object] = []
    spent = 0
    for size in range(_LARGEST_SMALL, 0, -_ALIGNMENT):
        while spent < _MOST_SMALL:
            piece = _piece(size)
            ballast.append(piece)
            spent += size
            if bisect.bisect(mapped, id(piece)) % 2 == 0:
                break
    return ballast


def _piece(size: int) -> object:
    """A new object of `size` bytes."""
    if size > _BYTES_HEADER:
        return bytes(size - _BYTES_HEADER)
    return complex(size) if size > _ALIGNMENT else object()


def _chunk_sizes() -> Iterable[int]:
    """Largest first, so that the rest of a chunk that is not quite used up is filled by the sizes after it."""
    size = _LARGEST_CHUNK
    while size > _LINEAR_FROM:
        yield size
        size = size * 9 // 10
    yield from range(_LINEAR_FROM, 0, -_ALIGNMENT)
