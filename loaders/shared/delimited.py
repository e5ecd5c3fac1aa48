"""Delimited text (RFC 4180, with the other delimiters in use) as one table: csv and tsv.

The bytes are decoded once and everything is sniffed on the text: a delimiter found in the bytes is wrong
for UTF-16. The first row that holds something is the header. A quote that is never closed would make the
rest of the file one cell, so from its row on quotes are read as ordinary characters.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Final, NamedTuple

from fumehood.document import Locator
from fumehood.kinds import ReadOptions
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.encoding import decode
from fumehood.loaders.shared.plain import plain
from fumehood.loaders.shared.table_shape import delimiter_of, separator_line

_SAMPLE: Final = 16_384


class _Row(NamedTuple):
    """A record without the empty cells at its end. `width` counts them; lines count from 1 and are inclusive."""

    cells: list[str]
    width: int
    line: int
    line_end: int


def read_delimited(
    data: bytes, out: Builder, budget: Budget, options: ReadOptions, *, preferred: str | None = None
) -> None:
    """Reads `data`; the delimiter `preferred` is taken wherever the start of the text holds it.

    Raises the refusals `kind-mismatch` for what is no text, `nodes` and `table-cells` for too much of it.
    """
    source = decode(data, out, options.charset)
    # The module's cap on a field is one for the process, so it is only ever raised. The input is bounded already.
    csv.field_size_limit(max(csv.field_size_limit(), len(source) + 1))
    text = source.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")
    declared = separator_line(text)
    if declared:
        delimiter = declared[1]
    elif preferred is not None and preferred in text[:_SAMPLE]:
        delimiter = preferred
    else:
        delimiter = delimiter_of(text[:_SAMPLE], whole=len(text) <= _SAMPLE)
    start = declared.end() if declared else 0
    rows, open_quote = _read(text, start, delimiter, budget)
    if open_quote:
        if options.lenient:
            out.notice("unparsed")
            plain(source, out)
            return
        out.notice("repaired", detail="quote")
    _write(rows, out, budget)


class _Lines:
    """The lines of `text` from `start` on, with their ends; knows whether it was asked for one too many."""

    def __init__(self, text: str, start: int) -> None:
        self._text = text
        self._at = start
        self.exhausted = False

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        at = self._at
        if at >= len(self._text):
            self.exhausted = True
            raise StopIteration
        end = self._text.find("\n", at) + 1 or len(self._text)
        self._at = end
        return self._text[at:end]

    @property
    def at(self) -> int:
        return self._at


def _read(text: str, start: int, delimiter: str, budget: Budget) -> tuple[list[_Row], bool]:
    """All rows that hold something, and whether a quote was left open. Two passes over `text` at most."""
    rows: list[_Row] = []
    lines = _Lines(text, start)
    line = 1 + text.count("\n", 0, start)
    before = start
    cells = 0
    reader = csv.reader(lines, delimiter=delimiter)
    first = line
    for record in reader:
        if lines.exhausted:
            # After a quote that nothing closes there are only doubled ones: nothing better can be read from them.
            for literal in csv.reader(_Lines(text, before), delimiter=delimiter, quoting=csv.QUOTE_NONE):
                cells += _keep(literal, line, line, rows, budget, cells)
                line += 1
            return rows, True
        ended = first + reader.line_num
        cells += _keep(record, line, ended - 1, rows, budget, cells)
        line, before = ended, lines.at
    return rows, False


def _keep(record: list[str], line: int, line_end: int, rows: list[_Row], budget: Budget, cells: int) -> int:
    """Adds the record to `rows` if it holds something; returns how many of its cells do."""
    budget.spend("nodes")
    width = len(record)
    while record and not record[-1].strip():
        record.pop()
    held = sum(1 for cell in record if cell.strip())
    if held:
        budget.check("table_cells", cells + held)
        budget.check("blocks", len(rows) + 1)
        rows.append(_Row(record, width, line, line_end))
    return held


def _write(rows: list[_Row], out: Builder, budget: Budget) -> None:
    if not rows:
        return
    if any(row.width != rows[0].width for row in rows):
        out.notice("repaired", detail="ragged-rows")
    columns = max(len(row.cells) for row in rows)
    # A header must be as wide as the widest row; shorter rows are filled up by whoever renders the table
    # (GFM 4.10). They are filled up here unless one endless row would make that the bulk of the text.
    padded = columns * len(rows) <= budget.limits.table_cells
    group = out.new_group()
    for index, row in enumerate(rows):
        out.table_row(
            row.cells,
            group,
            columns if padded or not index else len(row.cells),
            header=not index,
            locator=Locator(line=row.line, line_end=row.line_end if row.line_end > row.line else None),
        )
