"""Charts by their own parts: ECMA-376 part 1, 21.2, and the charts of 2014 and later, MS-ODRAWXML 2.24.3.

A chart keeps the values it last showed, so nothing of the workbook behind it is needed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.number_format import GENERAL, Show, compiled
from fumehood.loaders.shared.ooxml_drawing_text import read_text
from fumehood.loaders.shared.ooxml_graphic import Graphic, Rows
from fumehood.loaders.shared.ooxml_names import Element, attribute, by_name, names
from fumehood.loaders.shared.ooxml_xml import BrokenXml, release, stream
from fumehood.loaders.shared.tally import Tally

MAX_COLUMNS: Final = 255
"""Series of one table; Excel draws no more in a chart. A row of each is as wide as all of them, be they empty or not."""

_INDEX: Final = re.compile(r"[0-9]{1,9}")
_NUMBER: Final = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?")
_PRECISION: Final = 15
"""Digits that a spreadsheet shows of a number; caches hold up to 17, so that 0.2 stands there as 0.20000000000000001."""
_LONGEST: Final = 40
"""Characters of a cached number; what is longer was written by no spreadsheet."""
_FIELDS: Final = re.compile(r"(?:\[[A-Z ]{4,40}\][\s,;:]*)+")
"""What stands in a label for values that are in the table, such as `[CELLRANGE]`."""

_RICH: Final = names("c:rich", "cx:rich")
_VALUE: Final = names("c:v", "cx:v")
_SERIES: Final = frozenset(names("c:ser", "cx:series"))
_CHART: Final = frozenset(names("c:chart", "cx:chart"))
_TREND: Final = frozenset(names("c:trendline"))
_R_ID: Final = names("r:id")

_ROLES: Final = by_name(
    {
        "c:cat": "categories",
        "c:xVal": "categories",
        "c:val": "values",
        "c:yVal": "values",
        "c:bubbleSize": "values",
        "cx:strDim": "categories",
        "cx:numDim": "values",
        "c15:dlblRangeCache": "values",
    }
)

Points = dict[int, str]
"""What a cache holds, by its place; only what is there."""


@dataclass(slots=True)
class _Series:
    """`categories`: levels, the innermost first. `values`: one set; further ones for sizes of bubbles and labels of points."""

    name: str = ""
    categories: list[Points] = field(default_factory=list)
    values: list[Points] = field(default_factory=list)
    data_id: str | None = None


def read_chart(part: bytes, budget: Budget, tally: Tally) -> Graphic:
    """The chart's titles and cached values. `broken` where its XML is."""
    reader = _Reader(budget, tally)
    broken = False
    try:
        for what, element in stream(part, budget, _HANDLERS):
            _HANDLERS[element.tag](reader, what == "start", element)
    except BrokenXml:
        broken = True
    captions = [text for text in (reader.title, *reader.texts) if text.strip()]
    return Graphic(captions, _tables(reader.series(), budget), shapes=reader.shapes, broken=broken)


class _Reader:
    """Takes the events of one chart part."""

    def __init__(self, budget: Budget, tally: Tally) -> None:
        self._budget = budget
        self._tally = tally
        self._series: list[_Series] = []
        self._sets: dict[str, _Series] = {}  # of a chart of 2014, by identifier
        self._open: _Series | None = None
        self._levels: list[Points] | None = None  # of the categories or values at hand
        self._code = ""  # the number format of the values at hand
        self._formats: dict[str, Show] = {}
        self._date1904 = False
        self._titles = 0
        self.title = ""
        self.texts: list[str] = []
        self.shapes: str | None = None

    def series(self) -> list[_Series]:
        for series in self._series:
            found = self._sets.get(series.data_id or "")
            if found is not None:
                series.categories, series.values = found.categories, found.values
        return self._series

    def one_series(self, starts: bool, element: Element) -> None:
        if starts:
            self._open = _Series()
            self._series.append(self._open)
        else:
            self._open = None
            release(element)

    def one_set(self, starts: bool, element: Element) -> None:
        if starts:
            self._open = self._sets.setdefault(element.get("id") or "", _Series())
        else:
            self._open = None
            release(element)

    def data_id(self, starts: bool, element: Element) -> None:
        if starts and self._open is not None:
            self._open.data_id = element.get("val")

    def dates(self, starts: bool, element: Element) -> None:
        """Which epoch the dates are of (21.2.2.38); it stands before all charts."""
        self._date1904 = element.get("val") not in ("0", "false")

    def format_code(self, starts: bool, element: Element) -> None:
        """The number format of a cache (21.2.2.71), in front of its points."""
        if not starts:
            self._code = element.text or ""

    def role(self, starts: bool, element: Element) -> None:
        self._code = ""
        if not starts:
            self._levels = None
        elif self._open is not None and self._levels is None:
            series = self._open
            if _ROLES[element.tag] == "categories":
                self._levels = series.categories
            else:
                self._levels = series.values
                self._levels.append({})

    def level(self, starts: bool, element: Element) -> None:
        """A level of categories (21.2.2.98); numbers have but one, which says its format where the chart is of 2014."""
        if starts:
            self._code = element.get("formatCode") or ""
        if starts and self._open is not None and self._levels is self._open.categories:
            self._levels.append({})

    def point(self, starts: bool, element: Element) -> None:
        if starts or self._levels is None:
            return
        index = element.get("idx") or ""
        text = element.text or next((value.text for value in element.iterchildren(*_VALUE)), None) or ""
        if _INDEX.fullmatch(index) and text.strip():
            if not self._levels:
                self._levels.append({})
            self._levels[-1].setdefault(int(index), self._shown(text.strip(), element.get("formatCode") or self._code))
        release(element)

    def _shown(self, text: str, code: str) -> str:
        """A cached value in its number format. One that the format hides is drawn all the same, and shown as it is."""
        if not code or len(text) > _LONGEST:
            return _general(text)
        show = self._formats.get(code)
        if show is None:
            # Points may each have a format of their own, and compiling one costs many times what reading it does.
            self._budget.spend("nodes", len(code))
            chosen = compiled(code, date1904=self._date1904).number
            show = self._formats[code] = _general if chosen is GENERAL.number else chosen
        return show(text) or _general(text)

    def name(self, starts: bool, element: Element) -> None:
        """What a series is called (21.2.2.215); labels and titles have such a text too."""
        parent = element.getparent()
        if not starts and self._open is not None and parent is not None and parent.tag in _SERIES:
            self._open.name = self._text(element)

    def trend_name(self, starts: bool, element: Element) -> None:
        parent = element.getparent()
        if not starts and parent is not None and parent.tag in _TREND and element.text:
            self.texts.append(element.text)

    def one_title(self, starts: bool, element: Element) -> None:
        if starts:
            self._titles += 1
            return
        self._titles -= 1
        if self._titles:
            return
        text = self._text(element)
        parent = element.getparent()
        if parent is not None and parent.tag in _CHART and not self.title:
            self.title = text
        elif text:
            self.texts.append(text)

    def rich(self, starts: bool, element: Element) -> None:
        """A label that somebody wrote; titles are read whole."""
        if starts or self._titles or _is_name(element):
            return
        text = read_text(element, self._budget, self._tally)[0]
        if not _FIELDS.fullmatch(text.strip()):
            self.texts.append(text)

    def user_shapes(self, starts: bool, element: Element) -> None:
        if starts:
            self.shapes = attribute(element, _R_ID)

    def _text(self, element: Element) -> str:
        """Of a title or a name: written, or as the cell held it that it refers to (21.2.2.213)."""
        for rich in element.iter(*_RICH):
            return read_text(rich, self._budget, self._tally)[0]
        found = [value.text or "" for value in element.iter(*_VALUE)]
        return " ".join(text.strip() for text in found if text.strip())


_Handler = Callable[[_Reader, bool, Element], None]
_HANDLERS: Final[dict[str, _Handler]] = by_name(
    {
        "c:date1904": _Reader.dates,
        "c:formatCode": _Reader.format_code,
        "c:ser": _Reader.one_series,
        "cx:series": _Reader.one_series,
        "cx:data": _Reader.one_set,
        "cx:dataId": _Reader.data_id,
        "c:cat": _Reader.role,
        "c:xVal": _Reader.role,
        "c:val": _Reader.role,
        "c:yVal": _Reader.role,
        "c:bubbleSize": _Reader.role,
        "cx:strDim": _Reader.role,
        "cx:numDim": _Reader.role,
        "c15:dlblRangeCache": _Reader.role,
        "c:lvl": _Reader.level,
        "cx:lvl": _Reader.level,
        "c:pt": _Reader.point,
        "cx:pt": _Reader.point,
        "c:tx": _Reader.name,
        "cx:tx": _Reader.name,
        "c:name": _Reader.trend_name,
        "c:title": _Reader.one_title,
        "cx:title": _Reader.one_title,
        "c:rich": _Reader.rich,
        "cx:rich": _Reader.rich,
        "c:userShapes": _Reader.user_shapes,
    }
)


def _is_name(rich: Element) -> bool:
    """Whether it is the text of a series' name."""
    text = rich.getparent()
    holder = None if text is None else text.getparent()
    return holder is not None and holder.tag in _SERIES


def _general(text: str) -> str:
    """A cached value as a spreadsheet shows it where no format says otherwise."""
    if not _PRECISION < len(text) <= _LONGEST or not _NUMBER.fullmatch(text):
        return text
    number = float(text)
    return f"{number:.{_PRECISION}g}" if math.isfinite(number) else text


def _tables(series: list[_Series], budget: Budget) -> list[Rows]:
    """A table for each run of series that share their categories; those without any share those before.

    Spends `nodes` for its cells, empty ones included: series may be many, and share many points.
    """
    tables: list[Rows] = []
    group: list[_Series] = []
    for one in series:
        if group and (len(group) == MAX_COLUMNS or (one.categories and one.categories != group[0].categories)):
            tables.append(_table(group, budget))
            group = []
        group.append(one)
    if group:
        tables.append(_table(group, budget))
    return [table for table in tables if any(any(row) for row in table)]


def _table(group: list[_Series], budget: Budget) -> Rows:
    levels = group[0].categories[::-1]
    header = [""] * len(levels)
    columns = [*levels]
    for one in group:
        header += [one.name] + [""] * (len(one.values) - 1)
        columns += one.values or [{}]
    places = sorted(set().union(*columns))
    budget.spend("nodes", len(places) * len(columns))
    return [header, *([column.get(place, "") for column in columns] for place in places)]
