"""Rows of sheets whose cells hold a paragraph each, or nothing: cut at their marks, without a pattern for each cell.

Cells are taken apart by replacing and splitting, which takes a fifth less time than a pattern and gives a row's texts as
one list (measured). What the marks do not account for to the last character is none of these rows.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from fumehood.loaders.shared.odf_line import is_odd
from fumehood.loaders.shared.xml_references import Unusual, resolved

ATTRIBUTES: Final = r'((?:[ ][a-z0-9]{1,20}:[a-z-]{1,40}="[^"<]{0,8192}"){0,40})[ ]?'
"""Every repetition ends at a character that the next piece starts with, so that no text is tried twice."""

_FIRST: Final = "<table:table-cell"
_TEXT: Final = "><text:p>"
_LAST: Final = "</text:p></table:table-cell>"
_EMPTY: Final = "/>"
_END_OF_TEXT: Final = "\1"
_MARK: Final = "\0"
_MOST_KNOWN: Final = 4_000
_LONGEST_KNOWN: Final = 500
"""Characters of what is remembered."""

_VALUE: Final = re.compile(" office:value-type=| table:formula=")
_REPEATED: Final = re.compile(r' table:number-columns-repeated="([0-9]{1,9})"')
_BLANK: Final = re.compile(f"{_FIRST}{ATTRIBUTES}/>")
_ORDINARY: Final = re.compile(ATTRIBUTES)


class PlainRow(NamedTuple):
    """`texts`: of its first cells, one after another, empty where nothing is shown; `width`: its columns."""

    attributes: str
    texts: list[str]
    width: int


class PlainCells:
    """Reads the cells of rows, and remembers the attributes that it has judged."""

    def __init__(self, most_columns: int) -> None:
        self._most = most_columns
        self._ordinary: set[str] = set()
        self._names: set[str] = set()
        self._blanks: dict[str, int] = {}

    def read(self, attributes: str, cells: str) -> PlainRow | None:
        """The row with these attributes and the markup of these cells; None if it must be read in another way."""
        end, blank = len(cells), 0
        while cells.endswith(_EMPTY, 0, end):
            at = cells.rfind("<", 0, end)
            width = self._blank(cells[at:end])
            if not width:
                return None
            end, blank = at, blank + width
        texts = self._texts(cells[:end]) if end else []
        return None if texts is None else PlainRow(attributes, texts, len(texts) + blank)

    def _texts(self, cells: str) -> list[str] | None:
        if _EMPTY in cells:
            cells = cells.replace(_EMPTY, _TEXT + _LAST)
        if not (cells.startswith(_FIRST) and cells.endswith(_LAST)):
            return None
        inner = cells[len(_FIRST) : -len(_LAST)]
        marked = inner.replace(_LAST + _FIRST, _END_OF_TEXT + _MARK).replace(_TEXT, _MARK)
        if "<" in marked or "]]>" in marked:
            return None
        pieces = marked.split(_MARK)
        attributes = pieces[::2]
        texts = _MARK.join(pieces[1::2]).split(_END_OF_TEXT + _MARK)
        if len(texts) != len(attributes) or is_odd("_".join(texts)) or not self._are_ordinary(attributes):
            return None
        if "&" in marked:
            try:
                texts = list(map(resolved, texts))
            except Unusual:
                return None
        if " " in marked:
            texts = [text.strip(" ") for text in texts]
        return None if "" in texts and _hide_a_value(attributes, texts) else texts

    def _are_ordinary(self, attributes: list[str]) -> bool:
        """Whether these are attributes, and none makes a cell more than one or shows what cannot be resolved."""
        return self._ordinary.issuperset(attributes) or all(map(self._is_ordinary, attributes))

    def _is_ordinary(self, attributes: str) -> bool:
        if attributes in self._ordinary:
            return True
        # Values are many and names few: names are what stands outside of quotation marks.
        parts = attributes.split('"')
        names = '"'.join(parts[::2])
        if len(parts) % 2 == 0 or "number-" in names or not _are_resolved(attributes):
            return False
        if names not in self._names:
            if _ORDINARY.fullmatch(attributes) is None:
                return False
            _remember(self._names, names)
        _remember(self._ordinary, attributes)
        return True

    def _blank(self, cell: str) -> int:
        """How many columns an empty cell takes; none if it is no cell, or has a value."""
        width = self._blanks.get(cell)
        if width is None:
            width = min(_blank_width(cell), self._most)
            if len(self._blanks) < _MOST_KNOWN and len(cell) < _LONGEST_KNOWN:
                self._blanks[cell] = width
        return width


def _remember(known: set[str], text: str) -> None:
    if len(known) < _MOST_KNOWN and len(text) < _LONGEST_KNOWN:
        known.add(text)


def _are_resolved(attributes: str) -> bool:
    try:
        resolved(attributes)
    except Unusual:
        return False
    return True


def _blank_width(cell: str) -> int:
    blank = _BLANK.fullmatch(cell)
    if blank is None or _VALUE.search(blank[1]) or not _are_resolved(blank[1]):
        return 0
    repeated = _REPEATED.search(blank[1])
    if repeated is None:
        return 0 if "number-columns-repeated" in blank[1] else 1
    return max(1, int(repeated[1]))


def _hide_a_value(attributes: list[str], texts: list[str]) -> bool:
    """Whether a cell without a text has a value to be shown, or should have."""
    return any(not text and _VALUE.search(named) for named, text in zip(attributes, texts, strict=True))
