"""How fast loaders are by themselves, in this process and without a jail: documents made here, by processor time.

Prints a line for each kind's measure: the best of three runs. A kind is a line in `MEASURES`.
"""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Callable
from typing import Final, NamedTuple

from fumehood import kinds
from fumehood.sandbox.loading import read_in_process

_RUNS: Final = 3
_MAIN: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006"


class Made(NamedTuple):
    """A document of that many `units` (cells, slides, ...) from that many bytes of XML, or of whatever it is made of."""

    data: bytes
    units: int
    size: int


class Measure(NamedTuple):
    kind: str
    what: str
    unit: str
    make: Callable[[], Made]


def workbook(rows: int, columns: int) -> Made:
    """A third each of shared strings, numbers as they are, and numbers with two decimals."""
    letters = [chr(65 + column) for column in range(columns)]
    sheet = [f'<worksheet xmlns="{_MAIN}"><sheetData>']
    for row in range(1, rows + 1):
        sheet.append(f'<row r="{row}">')
        sheet += [_cell(letters[column], row, column) for column in range(columns)]
        sheet.append("</row>")
    sheet.append("</sheetData></worksheet>")
    strings = "".join(f"<si><t>vessel {number}</t></si>" for number in range(5_000))
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
        "_rels/.rels": _relationships(("officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets><sheet name="A" sheetId="1" r:id="r0"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": _relationships(
            ("worksheet", "sheet.xml"), ("sharedStrings", "strings.xml"), ("styles", "styles.xml")
        ),
        "xl/sheet.xml": "".join(sheet),
        "xl/strings.xml": f'<sst xmlns="{_MAIN}">{strings}</sst>',
        "xl/styles.xml": f'<styleSheet xmlns="{_MAIN}"><cellXfs><xf numFmtId="0"/><xf numFmtId="4"/></cellXfs></styleSheet>',
    }
    return Made(_archive(parts), rows * columns, sum(map(len, parts.values())))


def _cell(letter: str, row: int, column: int) -> str:
    if column % 3 == 0:
        return f'<c r="{letter}{row}" t="s"><v>{row * (column + 1) % 5_000}</v></c>'
    if column % 3 == 1:
        return f'<c r="{letter}{row}" s="1"><v>{row * column * 1.37}</v></c>'
    return f'<c r="{letter}{row}"><v>{row * column}</v></c>'


def _relationships(*targets: tuple[str, str]) -> str:
    arrows = "".join(
        f'<Relationship Id="r{at}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for at, (kind, target) in enumerate(targets)
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{arrows}</Relationships>'


def _archive(parts: dict[str, str]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as writer:
        for name, content in parts.items():
            writer.writestr(name, content)
    return file.getvalue()


MEASURES: Final = (
    Measure("xlsx", "20,000 rows of 10", "cells", lambda: workbook(20_000, 10)),
    Measure("xlsx", "100,000 rows of 10", "cells", lambda: workbook(100_000, 10)),
)


def seconds(kind: str, data: bytes) -> float:
    """Processor time of the fastest read."""
    best = float("inf")
    for _ in range(_RUNS):
        start = time.process_time()
        read_in_process(kinds.get(kind), data)
        best = min(best, time.process_time() - start)
    return best


def main() -> None:
    registered = {kind.name for kind in kinds.kinds()}
    print(f"{'kind':8} {'document':24} {'CPU s':>7} {'units/s':>12} {'MB/s':>7}")
    for measure in MEASURES:
        if measure.kind not in registered:
            continue
        made = measure.make()
        taken = seconds(measure.kind, made.data)
        print(
            f"{measure.kind:8} {measure.what:24} {taken:7.2f} {made.units / taken:12,.0f} {made.size / taken / 1e6:7.1f}"
            f"  {measure.unit}"
        )


if __name__ == "__main__":
    main()
