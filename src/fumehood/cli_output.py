"""What the commands print: whole, in order, safe for a terminal, and no wider than it."""

from __future__ import annotations

import os
import select
import shutil
import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

OUT: Final = 1
ERR: Final = 2
_WIDEST: Final = 100
_NARROWEST: Final = 40
_GAP: Final = "  "


def put(descriptor: int, data: bytes) -> None:
    """Writes all of `data`, however slowly it is taken. Raises `BrokenPipeError` and other `OSError`."""
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(descriptor, view) :]
        except BlockingIOError:
            # Whoever shares the file description may have made it non-blocking (fcntl(2), O_NONBLOCK).
            select.select([], [descriptor], [])


def put_text(text: str) -> None:
    """Writes to standard output, in UTF-8 whatever the locale. Raises `OSError`."""
    put(OUT, text.encode("utf-8"))


def discard_output() -> None:
    """Sends what is still to come to nowhere: nobody reads it any more."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, OUT)
    os.close(nowhere)


def width() -> int:
    """Columns to fill: the terminal's, at most 100 and at least 40."""
    return max(_NARROWEST, min(_WIDEST, shutil.get_terminal_size((_WIDEST, 24)).columns))


def paragraph(text: str, columns: int, indent: str = "") -> str:
    return textwrap.fill(text, columns, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], columns: int) -> str:
    """Rows of cells under heads; the cells that do not fit are wrapped, the widest column first."""
    widths = [max(len(row[at]) for row in (heads, *rows)) for at in range(len(heads))]
    room = columns - len(_GAP) * (len(heads) - 1)
    while sum(widths) > room and max(widths) > 1:
        widths[widths.index(max(widths))] -= 1
    return "\n".join(line for row in (heads, *rows) for line in _lines(row, widths))


def _lines(row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    cells = [textwrap.wrap(cell, size, break_on_hyphens=False) for cell, size in zip(row, widths, strict=True)]
    for number in range(max(1, *map(len, cells))):
        line = [cell[number] if number < len(cell) else "" for cell in cells]
        yield _GAP.join(text.ljust(size) for text, size in zip(line, widths, strict=True)).rstrip()
