"""What a cell's value is shown as, by its type and style (ECMA-376 part 1, 18.3.1.4, 18.8 and 18.18.11)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from fumehood.limits.budget import Budget
from fumehood.loaders.shared import serial_dates
from fumehood.loaders.shared.number_format import BUILT_IN, GENERAL, NumberFormat, Show, compiled
from fumehood.loaders.shared.ooxml_names import Element, names
from fumehood.loaders.shared.ooxml_xml import release, stream
from fumehood.loaders.shared.xlsx_looks import Looks
from fumehood.loaders.shared.xlsx_strings import unescaped

_NUMBER_FORMAT: Final = names("s:numFmt")
_CELL_FORMATS: Final = names("s:cellXfs")
_FORMAT: Final = names("s:xf")
_FONTS: Final = frozenset(names("s:fonts"))
_FONT: Final = names("s:font")
_FILLS: Final = frozenset(names("s:fills"))
_FILL: Final = names("s:fill")

Style = str
"""A cell's attribute `s`; empty if it has none."""


class Styles:
    """Number formats by the cell formats that name them; each is compiled when a value first asks for it."""

    def __init__(self) -> None:
        self.date1904 = False
        self._codes: dict[int, str] = dict(BUILT_IN)
        self._formats: list[int] = []
        self._compiled: dict[str, NumberFormat] = {}
        self._texts: dict[str, Show] | None = None
        self._looks = Looks()
        self.unseen: set[Style] = set()
        """Of cells whose text has the colour that is behind it."""

    def read(self, part: bytes, budget: Budget) -> None:
        """Reads the styles part. Raises `BrokenXml`, with what came before kept."""
        inside = False
        for event, element in stream(part, budget, (*_NUMBER_FORMAT, *_CELL_FORMATS, *_FORMAT, *_FONT, *_FILL)):
            if element.tag in _CELL_FORMATS:
                inside = event == "start"
            elif event == "end":
                if element.tag in _NUMBER_FORMAT:
                    identifier = _whole(element.get("numFmtId"))
                    if identifier is not None:
                        self._codes[identifier] = element.get("formatCode") or ""
                elif element.tag in _FORMAT:
                    if inside:
                        self._add_format(element)
                else:
                    self._add_look(element)
                release(element)

    def _add_format(self, element: Element) -> None:
        if self._looks.is_unseen(_whole(element.get("fontId")), _whole(element.get("fillId"))):
            self.unseen.add(str(len(self._formats)))
        self._formats.append(_whole(element.get("numFmtId")) or 0)

    def _add_look(self, element: Element) -> None:
        """Fonts and fills stand in front of the formats; those elsewhere are of conditions and tables (18.8.14)."""
        parent = element.getparent()
        if parent is None:
            return
        if parent.tag in _FONTS:
            self._looks.add_font(element)
        elif parent.tag in _FILLS:
            self._looks.add_fill(element)

    def format_of(self, style: Style) -> NumberFormat:
        """The number format of a cell of that style; `General` where there is none."""
        at = _whole(style) or 0
        if at >= len(self._formats):
            return GENERAL
        return self._of_code(self._codes.get(self._formats[at], "General"))

    def of_text(self) -> dict[str, Show]:
        """How cells of those styles show text whose formats do more than show it; looked for once, not for each sheet."""
        if self._texts is None:
            self._texts = {}
            for at, identifier in enumerate(self._formats):
                code = self._codes.get(identifier, "")
                if ("@" in code or ";" in code) and (show := self._of_code(code).text) is not None:
                    self._texts[str(at)] = show
        return self._texts

    def _of_code(self, code: str) -> NumberFormat:
        found = self._compiled.get(code)
        if found is None:
            found = self._compiled[code] = compiled(code, date1904=self.date1904)
        return found


class Values:
    """Shows cells' values; one for each sheet. `strings`: the shared ones; `unseen`: styles of cells that nobody can read."""

    def __init__(self, styles: Styles, strings: Sequence[str], unseen: Collection[Style] = ()) -> None:
        self.numbers = _Numbers(styles)
        self.strings = _Strings(strings)
        self.unseen = unseen
        self._texts = styles.of_text()
        self._by_type: Mapping[str, Callable[[str, Show], str]] = {
            "": _number,
            "n": _number,
            "b": _boolean,
            "e": _as_it_is,
            "d": _date,
        }

    @property
    def formats_text(self) -> bool:
        """Whether cells of any style show text otherwise than as it is."""
        return bool(self._texts)

    def shown(self, kind: str, style: Style, raw: str) -> str:
        """The text that a cell shows; empty where its format hides the value. `kind` is its type, empty for a number."""
        if kind == "s":
            text = self.strings[raw]
        elif kind in ("str", "inlineStr"):
            text = unescaped(raw)
        else:
            return self._by_type.get(kind, _as_it_is)(raw, self.numbers[style])
        if self._texts and (show := self._texts.get(style or "0")) is not None:
            return show(text)
        return text

    def unformatted(self, kind: str, raw: str) -> str:
        """The value of a cell whose format hides it."""
        return self.strings[raw] if kind == "s" else raw


class _Numbers(dict[Style, Show]):
    """How cells of each style show a number."""

    def __init__(self, styles: Styles) -> None:
        self._styles = styles

    def __missing__(self, style: Style) -> Show:
        show = self[style] = self._styles.format_of(style).number
        return show


class _Strings(dict[str, str]):
    """Shared strings by what a cell names them by. One that does not exist is empty, and counted."""

    def __init__(self, strings: Sequence[str]) -> None:
        self._strings = strings
        self.lost = 0

    def __missing__(self, raw: str) -> str:
        at = _whole(raw)
        exists = at is not None and at < len(self._strings)
        self.lost += not exists
        text = self[raw] = self._strings[at or 0] if exists else ""
        return text


def _number(raw: str, show: Show) -> str:
    return show(raw)


def _boolean(raw: str, _show: Show) -> str:
    return {"1": "TRUE", "0": "FALSE", "true": "TRUE", "false": "FALSE"}.get(raw.strip(), raw)


def _as_it_is(raw: str, _show: Show) -> str:
    return raw


def _date(raw: str, show: Show) -> str:
    """A date as ISO 8601 writes it (18.18.11, type `d`), in the cell's format if that is one for numbers."""
    days = None if show is GENERAL.number else serial_dates.serial(raw)
    return raw if days is None else show(repr(days))


def _whole(text: str | None) -> int | None:
    """A number that is not negative, of at most nine digits; None for anything else."""
    if text is None:
        return None
    text = text.strip()
    return int(text) if len(text) <= 9 and text.isascii() and text.isdigit() else None
