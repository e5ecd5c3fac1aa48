"""What a cell's value is shown as, by its type and style (ECMA-376 part 1, 18.3.1.4, 18.8 and 18.18.11)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from fumehood.limits.budget import Budget
from fumehood.loaders.shared import serial_dates
from fumehood.loaders.shared.number_format import BUILT_IN, GENERAL, NumberFormat, compiled
from fumehood.loaders.shared.ooxml_names import names
from fumehood.loaders.shared.ooxml_xml import release, stream
from fumehood.loaders.shared.xlsx_strings import unescaped

_NUMBER_FORMAT: Final = names("s:numFmt")
_CELL_FORMATS: Final = names("s:cellXfs")
_FORMAT: Final = names("s:xf")

Style = str | None
"""A cell's attribute `s`."""


class Styles:
    """Number formats by the cell formats that name them; each is compiled when a value first asks for it."""

    def __init__(self) -> None:
        self.date1904 = False
        self._codes: dict[int, str] = dict(BUILT_IN)
        self._formats: list[int] = []
        self._compiled: dict[str, NumberFormat] = {}

    def read(self, part: bytes, budget: Budget) -> None:
        """Reads the styles part. Raises `BrokenXml`, with what came before kept."""
        inside = False
        for event, element in stream(part, budget, (*_NUMBER_FORMAT, *_CELL_FORMATS, *_FORMAT)):
            if element.tag in _CELL_FORMATS:
                inside = event == "start"
            elif event == "end":
                if element.tag in _NUMBER_FORMAT:
                    identifier = _whole(element.get("numFmtId"))
                    if identifier is not None:
                        self._codes[identifier] = element.get("formatCode") or ""
                elif inside:
                    self._formats.append(_whole(element.get("numFmtId")) or 0)
                release(element)

    def format_of(self, style: Style) -> NumberFormat:
        """The number format of a cell of that style; `General` where there is none."""
        at = _whole(style) or 0
        if at >= len(self._formats):
            return GENERAL
        code = self._codes.get(self._formats[at], "General")
        found = self._compiled.get(code)
        if found is None:
            found = self._compiled[code] = compiled(code, date1904=self.date1904)
        return found


class Values:
    """Shows cells' values. `strings`: the shared ones."""

    def __init__(self, styles: Styles, strings: Sequence[str]) -> None:
        self._styles = styles
        self._strings = strings
        self._formats: dict[Style, NumberFormat] = {}
        self.lost_strings = 0
        """References to shared strings that do not exist."""
        self._by_type: Mapping[str, Callable[[str, NumberFormat], str]] = {
            "s": self._shared,
            "n": _number,
            "b": _boolean,
            "e": _as_it_is,
            "str": _formula_string,
            "inlineStr": _text,
            "d": _date,
        }

    def shown(self, kind: str | None, style: Style, raw: str) -> str:
        """The text that a cell shows; empty where its format hides the value."""
        found = self._formats.get(style)
        if found is None:
            found = self._formats[style] = self._styles.format_of(style)
        if kind is None:
            return found.number(raw)
        return self._by_type.get(kind, _as_it_is)(raw, found)

    def unformatted(self, kind: str | None, raw: str) -> str:
        """The value of a cell whose format hides it."""
        return self._by_type.get(kind or "n", _as_it_is)(raw, GENERAL)

    def _shared(self, raw: str, shown: NumberFormat) -> str:
        at = _whole(raw)
        if at is None or at >= len(self._strings):
            self.lost_strings += 1
            return ""
        text = self._strings[at]
        return text if shown.text is None else shown.text(text)


def _number(raw: str, shown: NumberFormat) -> str:
    return shown.number(raw)


def _boolean(raw: str, _shown: NumberFormat) -> str:
    return {"1": "TRUE", "0": "FALSE", "true": "TRUE", "false": "FALSE"}.get(raw.strip(), raw)


def _as_it_is(raw: str, _shown: NumberFormat) -> str:
    return raw


def _text(raw: str, shown: NumberFormat) -> str:
    return raw if shown.text is None else shown.text(raw)


def _formula_string(raw: str, shown: NumberFormat) -> str:
    return _text(unescaped(raw), shown)


def _date(raw: str, shown: NumberFormat) -> str:
    """A date as ISO 8601 writes it (18.18.11, type `d`), in the cell's format if that is one for numbers."""
    days = None if shown.number is GENERAL.number else serial_dates.serial(raw)
    return raw if days is None else shown.number(repr(days))


def _whole(text: str | None) -> int | None:
    """A number that is not negative, of at most nine digits; None for anything else."""
    if text is None:
        return None
    text = text.strip()
    return int(text) if len(text) <= 9 and text.isascii() and text.isdigit() else None
