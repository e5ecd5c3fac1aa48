"""Nested data (objects, arrays, scalars) as readable Markdown. Every key and every value stands in the text.

    object          its scalars as `key: value` lines of one `record`; a heading for each member that is nested
    array           of small flat objects: a table; of objects: a record each; of anything else: a list
    long string     paragraphs
    deeper down     a nested list

Locators are JSON pointers (RFC 6901). Nothing here recurses: depth is the parser's business, not the stack's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

from fumehood.document import Locator
from fumehood.hygiene import is_clean
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.builder import MAX_NAME, Builder

TOP_LEVEL: Final = 2
"""Headings start here: a level-1 heading would become the document's title."""
MAX_LEVEL: Final = 6

_LONG: Final = 200
"""Characters from which a string is prose and no field."""
_LINES_OF_A_RECORD: Final = 20
_NUMBERS_OF_A_LINE: Final = 100
_COLUMNS: Final = 64
_FILLED: Final = 0.5
"""A table with more gaps than cells reads worse than records."""

_BLANK_LINES: Final = re.compile(r"\n(?:[^\S\n]*+\n)++")


class Number(str):
    """A number as its digits: exact, and never converted, which takes quadratic time for a million of them."""

    __slots__ = ()


class Members:
    """An object's members in source order; `repeated` if a key stands twice."""

    __slots__ = ("pairs", "repeated")

    def __init__(self, pairs: list[tuple[str, Value]]) -> None:
        self.pairs = pairs
        self.repeated = len({key for key, _ in pairs}) != len(pairs)


Value: TypeAlias = "str | bool | list[Value] | Members | None"
_Task: TypeAlias = Iterator["_Task"]


class _Pointer(NamedTuple):
    """A JSON pointer; that of the nearest ancestor where the own one is too long or no clean text."""

    text: str = ""
    exact: bool = True

    def to(self, token: str | int) -> _Pointer:
        if not self.exact:
            return self
        text = f"{self.text}/{str(token).replace('~', '~0').replace('/', '~1')}"
        fits = len(text) <= MAX_NAME and is_clean(text) and "\n" not in text
        return _Pointer(text) if fits else _Pointer(self.text, exact=False)


def write_tree(value: Value, out: Builder, budget: Budget, *, pointer: str = "") -> None:
    """Says `value` to `out`, depth first. Linear in what it holds, however deep it is nested.

    `pointer` is that of `value` itself, where it is one of several.
    """
    stack: list[_Task] = [_Writer(out, budget).start(value, _Pointer(pointer))]
    while stack:
        child = next(stack[-1], None)
        if child is None:
            stack.pop()
        else:
            stack.append(child)


class _Writer:
    """Each method writes one shape and yields what is nested in it, to be written before it goes on."""

    def __init__(self, out: Builder, budget: Budget) -> None:
        self._out = out
        self._budget = budget

    def start(self, value: Value, here: _Pointer) -> _Task:
        text = inline(value)
        if text is not None:
            self._prose(text, here)
        elif isinstance(value, Members):
            yield self._object(value, here, TOP_LEVEL)
        elif isinstance(value, list):
            yield self._array(value, here)

    # ---- sections: objects under headings --------------------------------------------------------

    def _object(self, members: Members, here: _Pointer, level: int | None) -> _Task:
        """Records and prose, then a heading of `level` for each nested member; with None, a list for it.

        Objects have no order (RFC 8259, section 4), and a scalar after a nested member would stand under the
        wrong heading.
        """
        self._note_repeated(members, here)
        self._scalars(members, here)
        for key, value in members.pairs:
            if inline(value) is None:
                yield self._nested(key, value, here.to(key), level)

    def _scalars(self, members: Members, here: _Pointer) -> None:
        record: list[str] = []
        for key, value in members.pairs:
            text = inline(value)
            if text is None:
                continue
            long = len(text) > _LONG or "\n" in text or "\r" in text
            if long or len(record) == _LINES_OF_A_RECORD:
                self._record(record, here)
                record = []
            if long:
                self._prose(_field(key, text), here.to(key))
            else:
                record.append(_field(key, text))
        self._record(record, here)

    def _nested(self, key: str, value: Value, there: _Pointer, level: int | None) -> _Task:
        if level is None or level > MAX_LEVEL:
            group = self._out.new_group()
            self._item(f"{_label(key)}:", 1, group, there)
            yield self._items(value, there, 2, group)
            return
        self._out.heading(_label(key), level, locator=self._locator(there))
        if isinstance(value, Members):
            yield self._object(value, there, level + 1)
        elif isinstance(value, list):
            yield self._array(value, there)

    def _array(self, values: list[Value], here: _Pointer) -> _Task:
        columns = _columns(values)
        if columns:
            self._table(values, columns, here)
        elif all(isinstance(value, Members) and value.pairs for value in values):
            for index, value in enumerate(values):
                if isinstance(value, Members):
                    yield self._object(value, here.to(index), None)
        else:
            yield self._items(values, here, 1, self._out.new_group())

    # ---- lists: everything deeper -------------------------------------------------------------------

    def _items(self, value: Value, here: _Pointer, depth: int, group: int) -> _Task:
        if isinstance(value, Members):
            self._note_repeated(value, here)
            yield self._member_items(value, 0, here, depth, group)
        elif isinstance(value, list):
            yield self._element_items(value, here, depth, group)

    def _member_items(self, members: Members, first: int, here: _Pointer, depth: int, group: int) -> _Task:
        for key, value in islice(members.pairs, first, None):
            there = here.to(key)
            text = inline(value)
            if text is not None:
                self._item(_field(key, text), depth, group, there)
            else:
                self._item(f"{_label(key)}:", depth, group, there)
                yield self._items(value, there, depth + 1, group)

    def _element_items(self, values: list[Value], here: _Pointer, depth: int, group: int) -> _Task:
        if all(isinstance(value, Number) for value in values):
            for at in range(0, len(values), _NUMBERS_OF_A_LINE):
                self._item(_numbers(values[at : at + _NUMBERS_OF_A_LINE]), depth, group, here)
            return
        for index, value in enumerate(values):
            there = here.to(index)
            text = inline(value)
            if text is not None:
                self._item(text, depth, group, there)
            elif isinstance(value, Members):
                yield self._object_item(value, index, there, depth, group)
            else:
                self._item(f"{index}:", depth, group, there)
                yield self._items(value, there, depth + 1, group)

    def _object_item(self, members: Members, index: int, here: _Pointer, depth: int, group: int) -> _Task:
        """The leading scalars as the lines of one item, the rest below it; its index where no scalar leads."""
        self._note_repeated(members, here)
        lines: list[str] = []
        for key, value in members.pairs[:_LINES_OF_A_RECORD]:
            text = inline(value)
            if text is None:
                break
            lines.append(_field(key, text))
        self._item("\n".join(lines) or f"{index}:", depth, group, here)
        yield self._member_items(members, len(lines), here, depth + 1, group)

    # ---- blocks ---------------------------------------------------------------------------------------

    def _record(self, lines: list[str], here: _Pointer) -> None:
        self._out.paragraph("\n".join(lines), role="record", locator=self._locator(here))

    def _prose(self, text: str, here: _Pointer) -> None:
        for paragraph in _BLANK_LINES.split(text.replace("\r\n", "\n").replace("\r", "\n")):
            self._out.paragraph(paragraph, locator=self._locator(here))

    def _item(self, text: str, depth: int, group: int, here: _Pointer) -> None:
        self._out.list_item(text, depth, group, locator=self._locator(here))

    def _table(self, values: list[Value], columns: dict[str, int], here: _Pointer) -> None:
        group = self._out.new_group()
        header = [_label(key) for key in columns]
        self._out.table_row(header, group, len(columns), header=True, locator=self._locator(here))
        for index, value in enumerate(values):
            row = [""] * len(columns)
            if isinstance(value, Members):
                for key, member in value.pairs:
                    row[columns[key]] = inline(member) or ""
            self._out.table_row(row, group, len(columns), locator=self._locator(here.to(index)))

    def _note_repeated(self, members: Members, here: _Pointer) -> None:
        if members.repeated:
            self._out.notice("repaired", self._locator(here), "duplicate-key")

    def _locator(self, here: _Pointer) -> Locator | None:
        """The whole document has no locator. Pointers are text of the reply and are paid for as such."""
        if not here.text:
            return None
        self._budget.spend("output_bytes", len(here.text))
        return Locator(path=here.text)


def inline(value: Value) -> str | None:
    """What fits on a line by its nature: scalars, a few numbers, what is empty; None for everything nested."""
    if isinstance(value, str):
        return value or '""'
    if isinstance(value, Members):
        return None if value.pairs else "{}"
    if isinstance(value, list):
        few = len(value) <= _NUMBERS_OF_A_LINE and all(isinstance(item, Number) for item in value)
        return (_numbers(value) or "[]") if few else None
    return {None: "null", True: "true", False: "false"}[value]


def _numbers(values: Sequence[Value]) -> str:
    return ", ".join(value for value in values if isinstance(value, Number))


def _label(key: str) -> str:
    return " ".join(key.split()) or '""'


def _field(key: str, text: str) -> str:
    return f"{_label(key)}: {text}"


def _columns(values: list[Value]) -> dict[str, int] | None:
    """The columns, each with its place, if `values` are at least two objects that make a table."""
    columns: dict[str, int] = {}
    filled = 0
    for value in values:
        if not isinstance(value, Members) or value.repeated or not _is_row(value):
            return None
        for key, _ in value.pairs:
            columns.setdefault(key, len(columns))
        filled += len(value.pairs)
        if len(columns) > _COLUMNS:
            return None
    return columns if len(values) > 1 and filled >= _FILLED * len(columns) * len(values) > 0 else None


def _is_row(members: Members) -> bool:
    return all((text := inline(value)) is not None and len(text) <= _LONG for _, value in members.pairs)
