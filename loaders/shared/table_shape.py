"""The delimiter of delimited text, and whether text is delimited at all."""

from __future__ import annotations

import csv
import re
from collections import Counter
from typing import Final, NamedTuple

DELIMITERS: Final = ",;\t|"

_SEPARATOR_LINE: Final = re.compile(r"\"?sep=([^\w\s\"]|\t)\"?[ ]*(?:\r\n|\r|\n|\Z)", re.IGNORECASE)
_NEAR: Final = 0.9
_COMMA: Final = re.compile(",")
_DECIMAL_COMMA: Final = re.compile(r"(?<=[0-9]),(?=[0-9])")
_PROSE_COMMA: Final = re.compile(r",[ \t]+[^\s\d\"'+-]")
_MIN_ROWS: Final = 2
_SURE_ROWS: Final = 3
_MANY_ROWS: Final = 20
_MANY_AGREE: Final = 0.95


class _Shape(NamedTuple):
    """Of a sample under one delimiter: the most frequent number of cells above one, and the share of rows that have it.

    `divided` is the share of rows that have more than one cell, however many.
    """

    agreement: float
    width: int
    rows: int
    divided: float = 0.0


def separator_line(text: str) -> re.Match[str] | None:
    """The line `sep=;` that declares a delimiter, its first group, to Excel, which shows it to nobody."""
    return _SEPARATOR_LINE.match(text)


def delimiter_of(sample: str, *, whole: bool) -> str:
    """The delimiter of the table that `sample` starts; a comma if it has but one column.

    The one under which most rows have the same number of cells wins; of several, the one with most cells,
    but never a comma that only stands within numbers. `whole` says that the sample is not cut.
    """
    shapes = {delimiter: _shape(sample, delimiter, whole) for delimiter in DELIMITERS}
    best = max(shape.agreement for shape in shapes.values())
    if not best:
        return ","
    near = [delimiter for delimiter in DELIMITERS if shapes[delimiter].agreement >= best * _NEAR]
    if len(near) > 1 and "," in near and len(_COMMA.findall(sample)) == len(_DECIMAL_COMMA.findall(sample)):
        near.remove(",")
    # Where no number of cells is frequent, one odd row is as good as any: but a delimiter stands in every row.
    divided = max(shapes[delimiter].divided for delimiter in near)
    near = [delimiter for delimiter in near if shapes[delimiter].divided >= divided * _NEAR]
    return max(near, key=lambda delimiter: shapes[delimiter].width)


def table_delimiter(sample: str, *, whole: bool) -> str | None:
    """The delimiter if `sample` is the start of a table, else None.

    It is if every row, or nearly every one of many, has the same number of cells, and commas are not those of prose.
    """
    declared = separator_line(sample)
    if declared:
        return declared[1]
    delimiter = delimiter_of(sample, whole=whole)
    shape = _shape(sample, delimiter, whole)
    wanted = _MANY_AGREE if shape.rows >= _MANY_ROWS else 1
    if shape.agreement < wanted or shape.rows < _MIN_ROWS:
        return None
    if delimiter == "\t":
        return delimiter
    prose = delimiter == "," and len(_PROSE_COMMA.findall(sample)) * 2 > sample.count(",")
    # A Markdown table starts its lines with a pipe.
    markdown = delimiter == "|" and sample.lstrip().startswith("|")
    sure = shape.width > 2 or shape.rows >= _SURE_ROWS
    return delimiter if sure and not prose and not markdown else None


def _shape(sample: str, delimiter: str, whole: bool) -> _Shape:
    lines = sample.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    widths = [len(row) for row in csv.reader(lines, delimiter=delimiter) if row]
    if not whole and len(widths) > 1:
        widths.pop()
    width, rows = max(Counter(widths).items(), key=lambda item: (item[0] > 1, item[1]), default=(1, 0))
    if width == 1:
        return _Shape(0.0, 1, len(widths))
    divided = sum(width > 1 for width in widths) / len(widths)
    return _Shape(rows / len(widths), width, len(widths), divided)
