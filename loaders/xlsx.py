"""Workbooks (ECMA-376 part 1, 18, Transitional and Strict) on our own reader of the package, one pass over each sheet."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Final, NamedTuple

from lxml import etree

from fumehood.document import Locator, Role
from fumehood.errors import refusal
from fumehood.kinds import ReadOptions
from fumehood.limits.budget import Budget
from fumehood.limits.zip import BadEntry
from fumehood.loaders.shared.builder import Builder, LinkSpan, name
from fumehood.loaders.shared.cell_names import Area, area
from fumehood.loaders.shared.ooxml_container import MainPart, find_main, judge_container, say_macros, warm_xml
from fumehood.loaders.shared.ooxml_graphic import write_graphic
from fumehood.loaders.shared.ooxml_graphic_parts import GraphicParts
from fumehood.loaders.shared.ooxml_names import attribute, names
from fumehood.loaders.shared.ooxml_properties import describe
from fumehood.loaders.shared.ooxml_xml import BrokenXml, release, stream
from fumehood.loaders.shared.opc import Package, Relationship
from fumehood.loaders.shared.sheet_regions import regions
from fumehood.loaders.shared.sheet_writer import Anchored, SheetWriter
from fumehood.loaders.shared.tally import Tally
from fumehood.loaders.shared.xlsx_comments import Comments, read_comments, read_persons, read_threads
from fumehood.loaders.shared.xlsx_drawing import DrawingReader, Drawn
from fumehood.loaders.shared.xlsx_merged import cover
from fumehood.loaders.shared.xlsx_page_text import page_text
from fumehood.loaders.shared.xlsx_sheet import Sheet, read_sheet
from fumehood.loaders.shared.xlsx_strings import read_strings
from fumehood.loaders.shared.xlsx_values import Style, Styles, Values

ENGINES: Final[Mapping[str, str]] = {"lxml": ".".join(map(str, etree.LXML_VERSION[:3]))}

_TYPE: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_MAIN: Final = MainPart(
    "xl/workbook.xml",
    ("spreadsheetml", "ms-excel"),
    (
        f"{_TYPE}.sheet.main+xml",
        f"{_TYPE}.template.main+xml",
        "application/vnd.ms-excel.sheet.macroenabled.main+xml",
        "application/vnd.ms-excel.template.macroenabled.main+xml",
    ),
)
_BINARY: Final = "application/vnd.ms-excel.sheet.binary"
_WORKBOOK: Final = names("s:workbook")
_PROPERTIES: Final = names("s:workbookPr")
_SHEET: Final = names("s:sheet")
_TABLE: Final = names("s:table")
_R_ID: Final = names("r:id")
_SHEET_LEVEL: Final = 2
_HIDDEN: Final = frozenset({"hidden", "veryhidden"})
_MACRO_SHEETS: Final = frozenset({"xlMacrosheet", "xlIntlMacrosheet"})
_OBJECTS: Final = frozenset({"oleObject", "package", "control"})
_PAINTS: Final = frozenset({"table", "pivotTable", "image"})
_CONDITIONS: Final = b"conditionalFormatting"
_ON: Final = frozenset({"1", "true"})


class _Entry(NamedTuple):
    """A sheet as the workbook lists it. `number` counts from 1; `id`: of its relationship."""

    number: int
    title: str
    visible: bool
    id: str


def load(data: bytes, out: Builder, budget: Budget, options: ReadOptions) -> None:
    """Raises the refusals of the archive's and the XML's prechecks, `kind-mismatch`, `encrypted` and `unsupported-kind`."""
    judge_container(data, "xlsx", "xls")
    package = Package(data, out, budget)
    arrows = package.relationships()
    main = find_main(package, arrows, _MAIN)
    if package.content_type(main).startswith(_BINARY):
        raise refusal("unsupported-kind", stage="precheck", detail="xlsb")
    describe(package, arrows, out, budget)
    _Workbook(package, main, out, budget).read()


def warm() -> None:
    warm_xml()


class _Workbook:
    """One workbook while it is read."""

    def __init__(self, package: Package, main: str, out: Builder, budget: Budget) -> None:
        self._package = package
        self._main = main
        self._out = out
        self._budget = budget
        self._arrows = package.relationships(main)
        self._styles = Styles()
        self._strings: list[str] = []
        self._persons: dict[str, str] = {}
        self._entries: list[_Entry] = []
        self._empty: list[_Entry] = []

    def read(self) -> None:
        """Raises the refusals `kind-mismatch` if the main part is no workbook, `malformed` if nothing of it can be read."""
        self._read_entries()
        self._read_each(self._arrows, "styles", lambda part: self._styles.read(part, self._budget))
        self._read_each(self._arrows, "sharedStrings", lambda part: read_strings(part, self._budget, self._strings))
        self._read_each(self._arrows, "person", lambda part: read_persons(part, self._budget, self._persons))
        self._out.set_metadata("sheets", len(self._entries))
        for entry in self._entries:
            self._read_sheet(entry)
        if self._out.blocks:
            self._head(None)
        say_macros(self._package, self._out)

    # ---- the workbook ----------------------------------------------------------------------------

    def _read_entries(self) -> None:
        try:
            part = self._package.read(self._main)
        except BadEntry:
            raise refusal("malformed") from None
        is_workbook = False
        try:
            for event, element in stream(part, self._budget, (*_WORKBOOK, *_PROPERTIES, *_SHEET)):
                if event == "end":
                    continue
                if element.tag in _WORKBOOK:
                    is_workbook = True
                elif element.tag in _PROPERTIES:
                    self._styles.date1904 = element.get("date1904") in _ON
                else:
                    self._budget.spend("pages")
                    visible = (element.get("state") or "").lower() not in _HIDDEN
                    identifier = attribute(element, _R_ID) or ""
                    self._entries.append(_Entry(len(self._entries) + 1, element.get("name") or "", visible, identifier))
        except BrokenXml:
            if not self._entries:
                raise refusal("malformed") from None
            self._package.say_unreadable(self._main)
        if not is_workbook:
            raise refusal("kind-mismatch")

    def _read_each(self, arrows: Mapping[str, Relationship], kind: str, reader: Callable[[bytes], None]) -> None:
        """Gives every part that `arrows` name as `kind` to `reader`; one that is missing or breaks is a notice."""
        for arrow in arrows.values():
            if _kind(arrow) != kind or not arrow.is_part or not self._package.has(arrow.target):
                continue
            part = self._package.read_if_there(arrow.target)
            if part is not None:
                try:
                    reader(part)
                except BrokenXml:
                    self._package.say_unreadable(arrow.target)

    def _head(self, entry: _Entry | None) -> None:
        """The heading of a sheet that holds something, and before it those of empty ones, unless all are."""
        for each in (*self._empty, *([] if entry is None else [entry])):
            locator = Locator(sheet=each.number)
            self._out.heading(each.title, _SHEET_LEVEL, locator=locator, visible=each.visible)
        self._empty.clear()

    # ---- a sheet ---------------------------------------------------------------------------------

    def _read_sheet(self, entry: _Entry) -> None:
        arrow = self._arrows.get(entry.id)
        if arrow is None or not arrow.is_part or not self._package.has(arrow.target):
            if arrow is None:
                self._out.notice("part-missing", Locator(sheet=entry.number))
            self._empty.append(entry)
            return
        if not entry.visible:
            self._out.notice("hidden-part", Locator(sheet=entry.number))
        self._say_kind(entry, arrow)
        arrows = self._package.relationships(arrow.target)
        sheet = Sheet()
        part = self._package.read_if_there(arrow.target)
        values = Values(self._styles, self._strings, self._unseen(part or b"", arrows))
        if part is not None:
            try:
                read_sheet(part, values, self._budget, sheet)
            except BrokenXml:
                self._package.say_unreadable(arrow.target)
        del part
        self._write_sheet(entry, sheet, arrows)
        self._say(entry, sheet, values, arrows)

    def _unseen(self, part: bytes, arrows: Mapping[str, Relationship]) -> Collection[Style]:
        """Styles whose text nobody sees; none where conditions, styles of tables or a picture give cells other colours."""
        styles = self._styles.unseen
        if styles and (_CONDITIONS in part or any(_kind(arrow) in _PAINTS for arrow in arrows.values())):
            return ()
        return styles

    def _say_kind(self, entry: _Entry, arrow: Relationship) -> None:
        if _kind(arrow) in _MACRO_SHEETS:
            self._out.notice("macro-present", Locator(sheet=entry.number))
        elif _kind(arrow) == "dialogsheet":
            self._out.notice("object-not-read", Locator(sheet=entry.number))

    def _write_sheet(self, entry: _Entry, sheet: Sheet, arrows: Mapping[str, Relationship]) -> None:
        comments: Comments = {}
        threads: Comments = {}
        self._read_each(
            arrows, "threadedComment", lambda part: read_threads(part, self._persons, self._budget, threads)
        )
        self._read_each(arrows, "comments", lambda part: read_comments(part, threads, self._budget, comments))
        for place, remarks in threads.items():
            comments.setdefault(place, []).extend(remarks)
        drawn = self._drawings(entry, arrows)
        if not (sheet.rows or comments or drawn or any(sheet.page_texts.values())):
            self._empty.append(entry)
            return
        self._head(entry)
        self._page_texts(entry, sheet, "Header")
        self._write_cells(entry, sheet, arrows, comments)
        for one in drawn:
            self._write_drawn(entry, one)
        self._page_texts(entry, sheet, "Footer")

    def _write_cells(self, entry: _Entry, sheet: Sheet, arrows: Mapping[str, Relationship], comments: Comments) -> None:
        tables: dict[Area, str] = {}
        self._read_each(arrows, "table", lambda part: _read_table(part, self._budget, tables))
        titles = {(table.top, table.left): [title] for table, title in tables.items()}
        # Of a sheet that holds nothing there is nothing to cover.
        merged = [cells for written in sheet.merged if (cells := area(written))] if sheet.rows else []
        spans = cover(sheet.rows, merged)
        writer = SheetWriter(
            self._out,
            self._budget,
            entry.number,
            visible=entry.visible,
            hidden_columns=_united(sheet.hidden_columns),
            links=_links(sheet, _targets(sheet, arrows)),
            before=[Anchored(titles, self._budget, partial(self._write_remark, entry, "caption"))],
            behind=[Anchored(comments, self._budget, partial(self._write_remark, entry, "comment"))],
        )
        writer.write(regions(sheet.rows, spans, tables))
        if writer.hidden_cells:
            self._out.notice("hidden-text", Locator(sheet=entry.number), writer.hidden_cells)

    def _write_remark(self, entry: _Entry, role: Role, cell: Area, text: str) -> None:
        locator = Locator(sheet=entry.number, cells=cell.name)
        self._out.paragraph(text, role=role, locator=locator, visible=entry.visible)

    def _drawings(self, entry: _Entry, arrows: Mapping[str, Relationship]) -> list[Drawn]:
        found: list[Drawn] = []
        for arrow in arrows.values():
            if _kind(arrow) != "drawing" or not arrow.is_part or not self._package.has(arrow.target):
                continue
            tally = Tally(name(arrow.target))
            graphics = GraphicParts(self._package, self._budget, tally)
            reader = DrawingReader(self._budget, tally, graphics, self._package.relationships(arrow.target))
            part = self._package.read_if_there(arrow.target)
            if part is not None:
                try:
                    reader.read(part)
                except BrokenXml:
                    self._package.say_unreadable(arrow.target)
            tally.say(self._out)
            found += reader.found
        return found

    def _write_drawn(self, entry: _Entry, drawn: Drawn) -> None:
        cell = None if drawn.cell is None else drawn.cell.name
        locator = Locator(sheet=entry.number, cells=cell)
        visible = entry.visible and not drawn.hidden
        if drawn.graphic is not None:
            write_graphic(drawn.graphic, self._out, locator, visible=visible)
        else:
            self._out.paragraph(drawn.text, locator=locator, visible=visible, links=drawn.links)

    def _page_texts(self, entry: _Entry, sheet: Sheet, kind: str) -> None:
        for element, code in sheet.page_texts.items():
            if element.endswith(kind):
                self._out.paragraph(
                    page_text(code, entry.title),
                    role="header" if kind == "Header" else "footer",
                    locator=Locator(sheet=entry.number),
                    visible=entry.visible,
                )

    def _say(self, entry: _Entry, sheet: Sheet, values: Values, arrows: Mapping[str, Relationship]) -> None:
        locator = Locator(sheet=entry.number)
        if sheet.without_value:
            self._out.notice("formula-without-value", locator, sheet.without_value)
        if repaired := sheet.misplaced + values.strings.lost:
            self._out.notice("repaired", locator, repaired)
        objects = sum(_kind(arrow) in _OBJECTS for arrow in arrows.values())
        if objects:
            self._out.notice("object-not-read", locator, objects)


def _kind(arrow: Relationship) -> str:
    """The relationship's type without its base, those of Microsoft's own extensions as well (MS-XLSX, 2.1)."""
    return arrow.type.rpartition("/")[2]


def _read_table(part: bytes, budget: Budget, found: dict[Area, str]) -> None:
    for event, element in stream(part, budget, _TABLE):
        if event == "end":
            cells = area(element.get("ref") or "")
            title = element.get("displayName") or element.get("name") or ""
            if cells is not None and title:
                found.setdefault(cells, title)
            release(element)


def _united(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    united: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if united and first <= united[-1][1] + 1:
            united[-1] = (united[-1][0], max(united[-1][1], last))
        else:
            united.append((first, last))
    return united


def _targets(sheet: Sheet, arrows: Mapping[str, Relationship]) -> dict[int, dict[int, str]]:
    """Where cells link to, by row and column: what formulas spell out, and hyperlinks, which win."""
    found: dict[int, dict[int, str]] = {}
    for (row, column), target in sheet.formula_links.items():
        found.setdefault(row, {})[column] = target
    for link in sheet.hyperlinks:
        arrow = arrows.get(link.relationship or "")
        target = arrow.target if arrow is not None and not arrow.is_part else ""
        if link.location:
            target += "#" + link.location.lstrip("#").replace(" ", "%20")
        if target:
            found.setdefault(link.cells.top, {})[link.cells.left] = target
    return found


def _links(sheet: Sheet, targets: Mapping[int, Mapping[int, str]]) -> dict[int, dict[int, list[LinkSpan]]]:
    """The same as links over the whole texts of the cells that hold something."""
    found: dict[int, dict[int, list[LinkSpan]]] = {}
    for row in sheet.rows if targets else ():
        here = targets.get(row.number)
        if here:
            found[row.number] = {
                column: [(0, len(text), here[column])]
                for column, text in zip(row.columns, row.texts, strict=True)
                if column in here
            }
    return found
