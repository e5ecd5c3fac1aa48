"""JSON lines (jsonlines.org, ndjson): a record for each line, with its line number.

Values that stand one after the other without regard to lines are read as well, if the first is no line by itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from fumehood.document import line_locator
from fumehood.errors import refusal
from fumehood.kinds import ReadOptions
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.encoding import decode
from fumehood.loaders.shared.encoding import warm as warm
from fumehood.loaders.shared.flat import flat_lines
from fumehood.loaders.shared.json_text import measure, parsed, parsed_at
from fumehood.loaders.shared.plain import plain

ENGINES: Final[Mapping[str, str]] = {}

_LINE: Final = re.compile(r"[^\n]*\S[^\n]*")
_SPACE: Final = re.compile(r"[ \t\n]*")


def load(data: bytes, out: Builder, budget: Budget, options: ReadOptions) -> None:
    """Raises the refusals `kind-mismatch`, `nesting`, `nodes`, and `malformed` if there is no record and not `options.lenient`."""
    text = decode(data, out, options.charset).replace("\r\n", "\n").replace("\r", "\n")
    first = _LINE.search(text)
    if first is None:
        return
    try:
        if _is_value(first[0], budget):
            _read_lines(text, out, budget)
        else:
            _read_stream(text, first.start(), out, budget)
    except ValueError:
        if not options.lenient:
            raise refusal("malformed") from None
        out.notice("unparsed")
        plain(text, out)


def _is_value(line: str, budget: Budget) -> bool:
    measure(line, budget)
    try:
        parsed(line)
    except ValueError:
        return False
    return True


def _read_lines(text: str, out: Builder, budget: Budget) -> None:
    """A line that is no JSON, the last of a file that was cut for example, is kept as it stands, and said."""
    number, counted, broken = 1, 0, 0
    for line in _LINE.finditer(text):
        number += text.count("\n", counted, line.start())
        counted = line.start()
        measure(line[0], budget)
        locator = line_locator(number, number)
        try:
            lines = flat_lines(parsed(line[0]))
        except ValueError:
            broken += 1
            lines = [line[0]]
        out.paragraph("\n".join(lines), role="record", locator=locator)
    if broken:
        out.notice("unparsed", detail=broken)


def _read_stream(text: str, at: int, out: Builder, budget: Budget) -> None:
    """Raises `ValueError` where a value is broken, before anything is said of it."""
    measure(text, budget)
    records: list[tuple[int, int, str]] = []
    number, counted = 1, 0
    while at < len(text):
        value, end = parsed_at(text, at)
        first = number + text.count("\n", counted, at)
        number = first + text.count("\n", at, end)
        records.append((first, number, "\n".join(flat_lines(value))))
        counted = end
        at = _SPACE.match(text, end).end()  # type: ignore[union-attr]
    for first, last, record in records:
        out.paragraph(record, role="record", locator=line_locator(first, last))
