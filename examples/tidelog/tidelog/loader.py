"""Reads a log: days as headings, readings as a table for each run of them, remarks as notes.

    TIDELOG 1
    station: Harwich

    [2026-03-01]
    06:12 3.41 high
    ! The gauge was cleaned at noon.

A line that is none of these is kept as it stands, with a notice.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from typing import Final

from fumehood.document import Locator
from fumehood.errors import refusal
from fumehood.kinds import ReadOptions
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.builder import Builder

ENGINES: Final[Mapping[str, str]] = {}

_FIRST_LINE: Final = "TIDELOG 1"
_COLUMNS: Final = ("time", "height", "tide")
_DAY: Final = re.compile(r"\[([0-9]{4}-[0-9]{2}-[0-9]{2})\]")
_READING: Final = re.compile(r"([0-9]{2}:[0-9]{2}) +([0-9]{1,3}\.[0-9]{2}) +(high|low)")
_FIELD: Final = re.compile(r"(station|keeper): +(\S.*)")


def warm() -> None:
    """Old gauges write code page 850, the specimen does not: its codec must be loaded before nothing can be any more."""
    codecs.lookup("cp850")


def load(data: bytes, out: Builder, budget: Budget, options: ReadOptions) -> None:
    """Raises the refusals `kind-mismatch` for what is no log, and `nodes` for too many lines."""
    if not data.strip():
        return
    lines = _text(data, out).split("\n")
    if lines[0].strip() != _FIRST_LINE:
        raise refusal("kind-mismatch")
    table: int | None = None
    for number, line in enumerate(lines[1:], 2):
        budget.spend("nodes")
        table = _line(line.strip(), Locator(line=number), table, out)


def _text(data: bytes, out: Builder) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        out.notice("encoding-guessed", detail="cp850")
        return data.decode("cp850", "replace")


def _line(line: str, place: Locator, table: int | None, out: Builder) -> int | None:
    """Adds what `line` says; `table` is the one that stands open before it, and what is returned the one behind it."""
    if not line:
        return table
    if reading := _READING.fullmatch(line):
        if table is None:
            table = out.new_group()
            out.table_row(_COLUMNS, table, len(_COLUMNS), header=True, locator=place)
        out.table_row(reading.groups(), table, len(_COLUMNS), locator=place)
        return table
    if day := _DAY.fullmatch(line):
        out.heading(day[1], 1, locator=place)
    elif line.startswith("!"):
        out.paragraph(line[1:], role="note", locator=place)
    elif field := _FIELD.fullmatch(line):
        _field(field[1], field[2], out)
    else:
        out.notice("unparsed", place)
        out.paragraph(line, locator=place)
    return None


def _field(name: str, value: str, out: Builder) -> None:
    if name == "station":
        out.set_title(value)
    else:
        out.set_metadata("author", value)
