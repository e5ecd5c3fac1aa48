"""Text laid out for a terminal: columns that wrap, and paragraphs, no wider than it and at most 100 columns."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

WIDEST: Final = 100
_NARROWEST: Final = 40
_GAP: Final = "  "


def width() -> int:
    """Columns to fill: the terminal's, at most 100 and at least 40; 100 where there is no terminal."""
    return max(_NARROWEST, min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns))


def paragraph(text: str, columns: int, first: str = "", rest: str = "") -> str:
    """`text` wrapped; `first` and `rest` stand before its first and its other lines."""
    return textwrap.fill(text, columns, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], columns: int) -> str:
    """Rows of cells under heads. Cells that do not fit are wrapped, the widest column first."""
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
