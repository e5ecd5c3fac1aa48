"""`Builder`: how a loader says what it found, block by block, in reading order.

The text it makes is CommonMark 0.31 with GitHub's tables, block structure only: what would parse as
structure is escaped with a backslash, inline marks are left alone. Hygiene, separators, offsets and
the caps on output are kept here, so that no loader has to think of them.

Kinds whose text is the source itself (`text`, `markdown`) call :meth:`Builder.verbatim` once and add
their blocks as spans.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Protocol

from fumehood.document import (
    MAX_METADATA_VALUE,
    MAX_NOTICES,
    MAX_TITLE,
    Block,
    Link,
    Locator,
    Notice,
    Role,
    is_link_target,
    is_metadata_key,
)
from fumehood.errors import NoticeCode
from fumehood.hygiene import clean, clean_line
from fumehood.limits.budget import Budget
from fumehood.loaders.shared import escaping
from fumehood.loaders.shared.escaping import Edited, Mover, are_plain, escaped, fenced, prefixed

MAX_NAME: Final = 1_024

_LIST_MARKER: Final = re.compile(r"[0-9]{1,9}[.)]|-")
_PIECE: Final = 1024 * 1024
_MAX_INDENTED: Final = 32
"""Items within each other that are indented; deeper ones stand in the column of the last."""
LinkSpan = tuple[int, int, str]
"""`(start, end, target)` of a link, offsets into the text handed over, which must be clean already."""


class Nested(Protocol):
    """Reads a document that stands in another one, whose headings are to stand below one of `level`.

    `name`, `media_type` and `charset` are what the outer document says of it: hints. Raises a `Refusal`, which is of
    that document alone unless a cap on the whole was passed.
    """

    def __call__(
        self, data: bytes, *, level: int, name: str = "", media_type: str = "", charset: str = ""
    ) -> Builder: ...


class Builder:
    """Collects one document. Methods raise the budget's refusals once a cap on output is passed."""

    def __init__(self, budget: Budget, level: int = 0, nested: Nested | None = None) -> None:
        """`level`: of the heading that all headings here stand below; 0 for a document by itself."""
        self._budget = budget
        self.level = level
        self.nested = nested
        self._parts: list[str] = []
        self._length = 0
        self._groups = 0
        self._previous: tuple[Role, int | None] | None = None
        self._items: list[tuple[int, int]] = []  # the items around the next one: depth, and the column of their text
        self._verbatim: str | None = None
        self._removed = 0
        self.title: str | None = None
        self.metadata: dict[str, str] = {}
        self.blocks: list[Block] = []
        self.links: list[Link] = []
        self.notices: list[Notice] = []

    @property
    def is_within(self) -> bool:
        """Whether this is a section of another document, whose text is Markdown."""
        return self.level > 0

    @property
    def is_verbatim(self) -> bool:
        """Whether the text is the source itself."""
        return self._verbatim is not None

    # ---- what is not a block -------------------------------------------------------------------

    def set_title(self, title: str | None) -> None:
        """The format's own title; empty ones are ignored."""
        line = clean_line(title or "")[:MAX_TITLE]
        if line:
            self.title = line

    def set_metadata(self, key: str, value: object) -> None:
        """One metadata value as one clean line. Keys are the fixed vocabulary or start with `x-`.

        Raises `ValueError` for any other key, since that is a fault of the loader.
        """
        if not is_metadata_key(key):
            raise ValueError(f"metadata key {key!r} is neither of the vocabulary nor x-...")
        line = clean_line(str(value))[:MAX_METADATA_VALUE]
        if line:
            self._spend(line)
            self.metadata[key] = line

    def notice(self, code: NoticeCode, locator: Locator | None = None, detail: int | str | None = None) -> None:
        """Says that something was left out, repaired or guessed. Past 1,000 only their end is said."""
        if len(self.notices) < MAX_NOTICES:
            self._spend_names(locator)
            self.notices.append(Notice(code, locator, detail))
        elif len(self.notices) == MAX_NOTICES:
            self.notices.append(Notice("notices-truncated"))

    def new_group(self) -> int:
        """A number for the rows of one table or the items of one list."""
        self._groups += 1
        return self._groups

    # ---- blocks ----------------------------------------------------------------------------------

    def heading(
        self,
        text: str,
        level: int,
        *,
        locator: Locator | None = None,
        visible: bool = True,
        links: Iterable[LinkSpan] = (),
    ) -> None:
        """A heading of level 1 and up; Markdown has six, deeper ones keep their number in `level`."""
        edited = escaping.one_line(self._clean(text))
        if not edited.text.strip():
            return
        level = self.level + max(1, level)
        prefix = "#" * min(level, 6) + " "
        self._add(prefix, edited, "heading", level, None, locator, visible, links)

    def paragraph(
        self,
        text: str,
        *,
        role: Role = "paragraph",
        locator: Locator | None = None,
        visible: bool = True,
        links: Iterable[LinkSpan] = (),
    ) -> None:
        """A paragraph, or a block of any role that has no marks of its own: caption, note, header, record."""
        edited = escaped(self._clean(text))
        self._add("", edited, role, None, None, locator, visible, links)

    def list_item(
        self,
        text: str,
        depth: int,
        group: int,
        *,
        marker: str = "-",
        locator: Locator | None = None,
        visible: bool = True,
        links: Iterable[LinkSpan] = (),
    ) -> None:
        """An item at `depth` (from 1). A marker Markdown does not know (`a)`, `§ 4`) stands in the text."""
        marker = clean_line(marker)
        width = len(marker) + 1
        if not _LIST_MARKER.fullmatch(marker):
            marker, width = f"- {escaping.escaped_marker(marker, text)}".rstrip(), 2
        edited = escaped(self._clean(text))
        if not edited.text:
            return
        column, first_inside = self._item_column(depth, width)
        edited = prefixed(edited, " " * (column + width))
        # Right below the text of the item around it, only an item that starts with 1 is no text (CommonMark 5.2).
        apart = first_inside and marker[0] != "-" and int(marker[:-1]) != 1
        indent = " " * column
        self._add(marker + " ", edited, "list-item", depth, group, locator, visible, links, indent=indent, apart=apart)

    def _item_column(self, depth: int, width: int) -> tuple[int, bool]:
        """Where an item's mark stands: where the text of the item around it does, and whether it is the first in there.

        More would make it code where a depth was skipped, less would take it out of an item with a wide mark.
        """
        if self._previous is None or self._previous[0] != "list-item":
            self._items.clear()
        first_inside = bool(self._items)
        while self._items and self._items[-1][0] >= depth:
            self._items.pop()
            first_inside = False
        column = self._items[-1][1] if self._items else 0
        if len(self._items) < _MAX_INDENTED:
            self._items.append((depth, column + width))
        return column, first_inside

    def table_row(
        self,
        cells: Sequence[str],
        group: int,
        columns: int,
        *,
        header: bool = False,
        locator: Locator | None = None,
        visible: bool = True,
        links: Mapping[int, Iterable[LinkSpan]] | None = None,
    ) -> None:
        """A row of `columns` cells; missing ones are empty. The first row of a group must be its header.

        `links`: those of some cells, by the cell's place in `cells`.
        """
        row = list(cells[:columns])
        if not are_plain(row):
            row = [cell if are_plain([cell]) else escaping.cell(self._clean(cell)) for cell in row]
        if len(row) < columns:
            row.extend([""] * (columns - len(row)))
        text = f"| {' | '.join(row)} |"
        if header:
            text += "\n|" + " --- |" * columns
        self._budget.spend("table_cells", len(row) - row.count(""))
        self._put("", text, "table-row", 1 if header else None, group, locator, visible)
        if links:
            self._add_cell_links(cells, row, links, locator)

    def _add_cell_links(
        self, cells: Sequence[str], row: Sequence[str], links: Mapping[int, Iterable[LinkSpan]], locator: Locator | None
    ) -> None:
        at = self.blocks[-1].start + len("| ")
        for place, cell in enumerate(row):
            if place in links:
                self._add_links(links[place], Edited(cell, escaping.cell_layers(cells[place])), at, locator)
            at += len(cell) + len(" | ")

    def code(self, text: str, language: str = "", *, locator: Locator | None = None, visible: bool = True) -> None:
        """Fenced code; the fence is longer than any run of backticks inside."""
        self._add("", Edited(fenced(self._clean(text), language)), "code", None, None, locator, visible, ())

    def quote(
        self,
        text: str,
        *,
        locator: Locator | None = None,
        visible: bool = True,
        links: Iterable[LinkSpan] = (),
    ) -> None:
        edited = prefixed(escaped(self._clean(text)), "> ")
        self._add("> ", edited, "quote", None, None, locator, visible, links)

    # ---- the source itself -----------------------------------------------------------------------

    def verbatim(self, text: str) -> str:
        """Makes the source the document's text. Returns it clean: spans count in what is returned."""
        if self._parts:
            raise RuntimeError("verbatim comes first and alone")
        self._verbatim = self._clean(text)
        self._spend(self._verbatim)
        self._parts.append(self._verbatim)
        self._length = len(self._verbatim)
        return self._verbatim

    def span(
        self,
        start: int,
        end: int,
        role: Role,
        *,
        level: int | None = None,
        group: int | None = None,
        locator: Locator | None = None,
        visible: bool = True,
    ) -> None:
        """A block over `start:end` of the verbatim text; must not be empty, nor start before the last one ended."""
        floor = self.blocks[-1].end if self.blocks else 0
        if not floor <= start < end <= self._length:
            raise RuntimeError("spans must be in order, disjoint, not empty and inside the text")
        self._budget.spend("blocks")
        self._spend_names(locator)
        self.blocks.append(Block(start, end, role, level, group, locator, visible))

    def span_link(self, start: int, end: int, target: str, locator: Locator | None = None) -> None:
        """A link over `start:end` of the verbatim text."""
        self._link(start, end, target, locator)

    # ---- a document within this one -----------------------------------------------------------------

    def append(self, inner: Builder, locate: Callable[[Locator | None], Locator | None]) -> None:
        """Says all that `inner` says after what is said already; title and metadata stay its own.

        `inner` has spent from the same budget. `locate` turns a place in it into one in this document.
        """
        if self._verbatim is not None:
            raise RuntimeError("a verbatim document takes spans only")
        separator = "\n\n" if self.blocks and inner.blocks else ""
        self._spend(separator)
        at = self._length + len(separator)
        if inner.blocks:
            self._parts.extend((separator, *inner.text_parts()))
            self._length = at + inner._length
        for block in inner.blocks:
            locator = locate(block.locator)
            self._spend_names(locator)
            group = None if block.group is None else block.group + self._groups
            level = block.level
            if inner._verbatim is not None and block.role == "heading":
                level = inner.level + (level or 1)
            self.blocks.append(
                Block(at + block.start, at + block.end, block.role, level, group, locator, block.visible)
            )
        self._groups += inner._groups
        self._removed += inner._removed
        self._previous = None
        self._budget.check("blocks", len(self.links) + len(inner.links))
        self.links.extend(Link(at + link.start, at + link.end, link.target) for link in inner.links)
        for notice in inner.notices:
            self.notice(notice.code, locate(notice.locator), notice.detail)

    # ---- the end -----------------------------------------------------------------------------------

    def finish(self) -> None:
        """Sets the title from the first level-1 heading where the format has none, and says what was cleaned."""
        if self._removed:
            self.notice("controls-removed", detail=self._removed)
            self._removed = 0
        if not self.blocks and not any(notice.code == "empty-document" for notice in self.notices):
            self.notice("empty-document")
        if self.title is None:
            self.set_title(self._first_heading())
        # It counts against the cap like the text it stands beside; the parent adds it as well.
        self._spend(self.title or "")

    def text_parts(self) -> list[str]:
        """The text in order, in pieces."""
        return self._parts

    def text(self) -> str:
        """The text in one piece; a loader has no need for it, tests do."""
        if len(self._parts) > 1:
            self._parts = ["".join(self._parts)]
        return self._parts[0] if self._parts else ""

    def _first_heading(self) -> str | None:
        for block in self.blocks:
            if block.role == "heading" and block.level == self.level + 1 and block.visible:
                line = self.text()[block.start : block.end].strip()
                line = line.split("\n")[0] if not line.startswith("#") else line.lstrip("#")
                return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", re.sub(r"(?:^|[ \t])#+$", "", line.strip()))
        return None

    # ---- the one place where text is added ----------------------------------------------------------

    def _clean(self, text: str) -> str:
        cleaned, removed = clean(text)
        self._removed += removed
        return cleaned

    def _spend(self, text: str) -> None:
        self._budget.spend("output_bytes", len(text) if text.isascii() else _utf8_length(text))

    def _spend_names(self, locator: Locator | None) -> None:
        """A locator's names are part of what is sent: thousands of long ones can outweigh the text."""
        if locator is not None and (locator.part or locator.path):
            self._spend((locator.part or "") + (locator.path or ""))

    def _add(
        self,
        prefix: str,
        edited: Edited,
        role: Role,
        level: int | None,
        group: int | None,
        locator: Locator | None,
        visible: bool,
        links: Iterable[LinkSpan],
        *,
        indent: str = "",
        apart: bool = False,
    ) -> None:
        if edited.text:
            start = self._put(indent, prefix + edited.text, role, level, group, locator, visible, apart=apart)
            self._add_links(links, edited, start + len(prefix), locator)

    def _put(
        self,
        indent: str,
        body: str,
        role: Role,
        level: int | None,
        group: int | None,
        locator: Locator | None,
        visible: bool,
        *,
        apart: bool = False,
    ) -> int:
        """Adds a block, and says where it starts."""
        if self._verbatim is not None:
            raise RuntimeError("a verbatim document takes spans only")
        previous = (role, group)
        together = group is not None and self._previous == previous and not apart
        before = ("\n" if together else "\n\n") + indent if self.blocks else indent
        text = before + body
        self._budget.spend("blocks")
        self._spend(text)
        self._spend_names(locator)
        self._parts.append(text)
        start = self._length + len(before)
        self._length = start + len(body)
        self._previous = previous
        self.blocks.append(Block(start, self._length, role, level, group, locator, visible))
        return start

    def _add_links(self, links: Iterable[LinkSpan], edited: Edited, shift: int, locator: Locator | None) -> None:
        movers: tuple[Mover, ...] | None = None
        for start, end, target in links:
            if movers is None:
                movers = edited.movers()
            for move in movers:
                start, end = move.start(start), move.end(end)
            self._link(shift + start, shift + end, target, locator)

    def _link(self, start: int, end: int, target: str, locator: Locator | None) -> None:
        """Only web, mail and internal targets: others could make a click run something (`file:`, `javascript:`)."""
        target = clean_line(target)
        end = min(end, self._length)  # A link over white space that a line's end does not keep.
        if start >= end:
            return
        if not is_link_target(target):
            self.notice("link-dropped", locator)
            return
        self._budget.check("blocks", len(self.links) + 1)
        self._spend(target)
        self.links.append(Link(start, end, target))


def _utf8_length(text: str) -> int:
    """Piece by piece: the encoder allocates four bytes a character first, which can be as much as the text itself."""
    return sum(len(text[at : at + _PIECE].encode("utf-8")) for at in range(0, len(text), _PIECE))


def name(text: str) -> str | None:
    """A source's name for `Locator.part` or `Locator.path`: clean, one line, cut; None if nothing is left."""
    return clean_line(text)[:MAX_NAME] or None
