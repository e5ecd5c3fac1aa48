"""One worksheet (ECMA-376 part 1, 18.3), in one pass: the cells that hold something, and what bears on how they are seen."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from typing import Final

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.cell_names import LAST_COLUMN, LAST_ROW, Area, area, column_number
from fumehood.loaders.shared.ooxml_names import Element, attribute, names
from fumehood.loaders.shared.ooxml_xml import BrokenXml, release, stream
from fumehood.loaders.shared.sheet_rows import Row
from fumehood.loaders.shared.xlsx_rows import CellMarkup, cut, rows
from fumehood.loaders.shared.xlsx_strings import joined_runs
from fumehood.loaders.shared.xlsx_values import Values
from fumehood.loaders.shared.xml_references import Unusual

_ROW: Final = names("s:row")
_COLUMN: Final = names("s:col")
_MERGED: Final = names("s:mergeCell")
_HYPERLINK: Final = names("s:hyperlink")
_PAGE_TEXT: Final = names(
    "s:oddHeader", "s:evenHeader", "s:firstHeader", "s:oddFooter", "s:evenFooter", "s:firstFooter"
)
_DATA: Final = frozenset(names("s:sheetData"))
_CELL: Final = names("s:c")
_VALUE: Final = frozenset(names("s:v"))
_INLINE: Final = frozenset(names("s:is"))
_FORMULA: Final = frozenset(names("s:f"))
_PAGE_TEXTS: Final = names("s:headerFooter")
_OTHERS: Final = (*_COLUMN, *_MERGED, *_HYPERLINK, *_PAGE_TEXTS)
_R_ID: Final = names("r:id")
_DIGITS: Final = "0123456789"
_ROOT: Final = re.compile(rb"<([A-Za-z_][\w.-]{0,40}:)?worksheet[\s>]")
_ROOT_WITHIN: Final = 8_192
_LINK_FORMULA: Final = re.compile(r'>\s*=?HYPERLINK\(\s*"([^"]{1,4096})"')


@dataclass(frozen=True, slots=True)
class Hyperlink:
    """`relationship`: the identifier of where it points outside; `location`: a place in the workbook."""

    cells: Area
    relationship: str | None
    location: str | None


@dataclass(slots=True)
class Sheet:
    """`rows`: in order of their numbers, none twice.

    - `merged`: areas by name, as they are written.
    - `formula_links`: targets that formulas spell out, by row and column.
    - `page_texts`: codes of headers and footers, by the elements' names (18.3.1.46); only those that are used.
    - `without_value`: formulas whose value was not saved; `misplaced`: cells that are out of bounds or twice there.
    """

    rows: list[Row] = field(default_factory=list)
    hidden_columns: list[tuple[int, int]] = field(default_factory=list)
    merged: list[str] = field(default_factory=list)
    hyperlinks: list[Hyperlink] = field(default_factory=list)
    formula_links: dict[tuple[int, int], str] = field(default_factory=dict)
    page_texts: dict[str, str] = field(default_factory=dict)
    without_value: int = 0
    misplaced: int = 0


def read_sheet(part: bytes, values: Values, budget: Budget, sheet: Sheet) -> None:
    """Reads the part into `sheet`. Raises `BrokenXml`, with what came before kept in order.

    What holds a value is bounded by `table_cells` and `output_bytes` here already, long before it is written.
    """
    held = _Held(part)
    budget.check("table_cells", budget.used("table_cells") + held.cells(part))
    found = _by_patterns(part, values, budget)
    if found is not None:
        # What was read up to something unusual never reaches `sheet`.
        for each in fields(found):
            setattr(sheet, each.name, getattr(found, each.name))
        return
    reader = _Reader(values, budget, sheet)
    try:
        for event, element in stream(part, budget, (*_ROW, *_OTHERS), held.elements):
            if event == "end":
                reader.take(element)
                release(element)
    finally:
        reader.finish()


def _by_patterns(part: bytes, values: Values, budget: Budget) -> Sheet | None:
    """The sheet, if its rows are as usual; what stands around them is parsed all the same."""
    found = cut(part)
    if found is None:
        return None
    sheet = Sheet()
    reader = _Reader(values, budget, sheet)
    is_sheet = False
    try:
        for event, element in stream(found.rest, budget, (*_DATA, *_OTHERS)):
            if element.tag in _DATA:
                is_sheet = True
            elif event == "end":
                reader.take(element)
                release(element)
        if not is_sheet:
            return None
        budget.check("xml_elements", budget.used("xml_elements") + len(found.merged))
        for row in rows(part, found):
            reader.row(row.number, row.hidden, row.cells, row.blanks)
    except (BrokenXml, Unusual):
        return None
    budget.spend("xml_elements", reader.elements + len(found.merged))
    sheet.merged += found.merged
    reader.finish()
    return sheet


class _Held:
    """Counts cells that hold a value, in text that may be cut anywhere: never more of them than there are."""

    def __init__(self, part: bytes) -> None:
        root = _ROOT.search(part, 0, _ROOT_WITHIN)
        prefix = (root[1] or b"") if root else b""
        self._cell, self._bare = b"<" + prefix + b"c ", b"<" + prefix + b"c>"
        self._value, self._inline = b"<" + prefix + b"v>", b"<" + prefix + b"is>"

    def cells(self, text: bytes) -> int:
        values = text.count(self._value) + text.count(self._inline)
        return min(text.count(self._cell) + text.count(self._bare), values)

    def elements(self, text: bytes) -> int:
        """A cell and its value are two elements, and are spent as one cell."""
        return 2 * self.cells(text)


class _Reader:
    def __init__(self, values: Values, budget: Budget, sheet: Sheet) -> None:
        self._values = values
        self._budget = budget
        self._sheet = sheet
        self._columns: dict[str, int] = {}
        self._most_elements = budget.left("xml_elements")
        self.elements = 0
        """Rows, and cells that hold nothing: the others are spent as cells."""
        self._number = 0
        self._in_order = True
        self._cells = budget.used("table_cells")
        self._length = budget.used("output_bytes")
        self._takes: dict[str, Callable[[Element], None]] = {
            **dict.fromkeys(_ROW, self._row),
            **dict.fromkeys(_COLUMN, self._column_properties),
            **dict.fromkeys(_MERGED, self._merged),
            **dict.fromkeys(_HYPERLINK, self._hyperlink),
            **dict.fromkeys(_PAGE_TEXTS, self._page_texts),
        }

    def take(self, element: Element) -> None:
        self._takes[element.tag](element)

    def finish(self) -> None:
        """Puts rows into their order, and those of one number together."""
        if self._in_order:
            return
        together: dict[int, list[Row]] = {}
        for row in self._sheet.rows:
            together.setdefault(row.number, []).append(row)
        self._sheet.rows[:] = [self._united(together[number]) for number in sorted(together)]

    def _united(self, rows: list[Row]) -> Row:
        first, *others = rows
        if others:
            first.hidden = all(row.hidden for row in rows)
            first.concealed = {c: text for row in rows for c, text in (row.concealed or {}).items()} or None
            columns = [column for row in rows for column in row.columns]
            self._place(first, columns, [text for row in rows for text in row.texts])
        return first

    # ---- cells -----------------------------------------------------------------------------------

    def _row(self, element: Element) -> None:
        self.row(element.get("r"), _is_on(element.get("hidden")), map(_markup, element.iterchildren(*_CELL)))

    def row(self, number: str | None, hidden: bool, cells: Iterable[CellMarkup], blanks: int = 0) -> None:
        """Takes one row, with so many cells of nothing besides. Raises `Unusual` if what should be its cells is something else."""
        self._number = self._row_number(number)
        self.elements += 1 + blanks
        if self.elements > self._most_elements:
            raise self._budget.exceeded("xml_elements", self.elements)
        if not cells:
            return
        row = Row(self._number, hidden, [], [])
        self._cells_of(cells, row)
        if not row.columns and not row.concealed:
            return
        self._cells += len(row.columns)
        self._length += sum(map(len, row.texts))
        self._budget.check("table_cells", self._cells)
        self._budget.check("output_bytes", self._length)
        kept = self._sheet.rows
        self._in_order = self._in_order and (not kept or kept[-1].number < row.number)
        kept.append(row)

    def _row_number(self, written: str | None) -> int:
        """A row without a number follows the one before it; so does one out of bounds."""
        if written is None:
            return self._number + 1
        if written.isascii() and written.isdigit() and len(written) <= 7 and 1 <= int(written) <= LAST_ROW:
            return int(written)
        self._sheet.misplaced += 1
        return self._number + 1

    def _cells_of(self, cells: Iterable[CellMarkup], row: Row) -> None:
        column = last = 0
        columns, texts = row.columns, row.texts
        known, numbers, strings = self._columns, self._values.numbers, self._values.strings
        plain_text, unseen = not self._values.formats_text, self._values.unseen
        ordered = True
        for letters, style, kind, late_style, formula, raw, ended, inline, other in cells:
            if other:
                raise Unusual
            # Only the letters count: the row is the one that the cell stands in.
            column = known.get(letters) or self._column(letters, column)
            value = raw or inline
            if formula:
                # Only a text can be empty: programs that do not calculate leave the value of a number so.
                self._formula(formula, column, has_value=bool(value or (ended and kind == "str")))
            if not value:
                self.elements += 1
                continue
            if kind == "s" and plain_text:
                text = strings[value]
            elif not kind:
                text = numbers[style or late_style](value)
            else:
                text = self._values.shown(kind, style or late_style, value)
            if not text or text.isspace():
                self._conceal(row, column, self._values.unformatted(kind, value))
                continue
            if unseen and (style or late_style or "0") in unseen:
                self._conceal(row, column, text)
                continue
            ordered = ordered and column > last
            last = column
            columns.append(column)
            texts.append(text)
        if not ordered:
            self._place(row, columns, texts)

    def _column(self, letters: str, before: int) -> int:
        """The column of letters that are seen for the first time; the next one if there are none, or none such."""
        if not letters:
            return before + 1
        column = column_number(letters)
        if column is None:
            self._sheet.misplaced += 1
            return before + 1
        self._columns[letters] = column
        return column

    def _formula(self, formula: str, column: int, *, has_value: bool) -> None:
        if not has_value:
            self._sheet.without_value += 1
        elif "HYPERLINK(" in formula and (link := _LINK_FORMULA.search(formula)):
            self._sheet.formula_links[self._number, column] = link[1]

    def _conceal(self, row: Row, column: int, text: str) -> None:
        """What its format hides (18.8.31: a section that is empty), or its colour, is kept as text that nobody sees."""
        if text and not text.isspace():
            row.concealed = row.concealed or {}
            row.concealed[column] = text
            self._length += len(text)

    def _place(self, row: Row, columns: list[int], texts: list[str]) -> None:
        """Cells from left to right; of those in one place the last one counts, as in Excel."""
        cells = dict(zip(columns, texts, strict=True))
        self._sheet.misplaced += len(columns) - len(cells)
        row.columns = sorted(cells)
        row.texts = [cells[column] for column in row.columns]

    # ---- what bears on cells -----------------------------------------------------------------------

    def _column_properties(self, element: Element) -> None:
        first, last = _bounded(element.get("min")), _bounded(element.get("max"))
        hidden = _is_on(element.get("hidden")) or element.get("width") == "0"
        if hidden and first is not None and last is not None and first <= last:
            self._sheet.hidden_columns.append((first, min(last, LAST_COLUMN)))

    def _merged(self, element: Element) -> None:
        self._sheet.merged.append(element.get("ref") or "")

    def _hyperlink(self, element: Element) -> None:
        cells = area(element.get("ref") or "")
        if cells is not None:
            self._sheet.hyperlinks.append(Hyperlink(cells, attribute(element, _R_ID), element.get("location")))

    def _page_texts(self, element: Element) -> None:
        """Those of first and even pages count only where they are said to differ."""
        unused = {
            prefix
            for prefix, flag in (("first", "differentFirst"), ("even", "differentOddEven"))
            if not _is_on(element.get(flag))
        }
        for child in element.iterchildren(*_PAGE_TEXT):
            kind = child.tag.rpartition("}")[2]
            if not any(kind.startswith(prefix) for prefix in unused):
                self._sheet.page_texts.setdefault(kind, child.text or "")


def _markup(cell: Element) -> CellMarkup:
    """A cell that was parsed, as the patterns would give it."""
    formula = raw = ended = inline = ""
    for child in cell:
        tag = child.tag
        if tag in _VALUE:
            raw, ended = child.text or "", "</v>"
        elif tag in _FORMULA:
            formula = f"<f>{child.text or ''}</f>"
        elif tag in _INLINE:
            inline = joined_runs(child)
    letters = (cell.get("r") or "").rstrip(_DIGITS)
    return letters, cell.get("s") or "", cell.get("t") or "", "", formula, raw, ended, inline, ""


def _bounded(text: str | None) -> int | None:
    if text is None or not text.isascii() or not text.isdigit() or len(text) > 7:
        return None
    return int(text)


def _is_on(text: str | None) -> bool:
    """An `xsd:boolean`."""
    return text in ("1", "true")
