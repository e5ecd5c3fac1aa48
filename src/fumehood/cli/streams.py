"""Standard input and output, by descriptor: whole, in UTF-8 whatever the locale, however slow the other end is."""

from __future__ import annotations

import contextlib
import os
import select
from typing import Final

IN: Final = 0
OUT: Final = 1
ERR: Final = 2
_PIECE: Final = 1024 * 1024


def take(descriptor: int, most: int) -> bytearray:
    """What can be read, at most `most` bytes. Raises `OSError`."""
    data = bytearray()
    while len(data) < most:
        try:
            piece = os.read(descriptor, min(most - len(data), _PIECE))
        except BlockingIOError:
            # Whoever shares the file description may have made it non-blocking (fcntl(2), O_NONBLOCK).
            select.select([descriptor], [], [])
            continue
        if not piece:
            break
        data += piece
    return data


def put(data: bytes, descriptor: int = OUT) -> None:
    """Writes all of `data`. Raises `BrokenPipeError` and other `OSError`."""
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(descriptor, view) :]
        except BlockingIOError:
            select.select([], [descriptor], [])


def put_text(text: str) -> None:
    """Writes a text and a newline to standard output. Raises `OSError`."""
    put(text.encode("utf-8") + b"\n")


def cannot_write(error: OSError) -> None:
    """Says so on standard error."""
    remark(f"fumehood: the output cannot be written: {error.strerror}\n".encode())


def remark(data: bytes) -> None:
    """Writes to standard error; if nobody listens there, nothing can be said about it."""
    with contextlib.suppress(OSError):
        put(data, ERR)
