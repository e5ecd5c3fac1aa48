"""From items to blocks: headings, lists, tables, and behind each block what it anchors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fumehood.document import Locator, Role
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.grid import write_rows
from fumehood.loaders.shared.story_items import (
    Aside,
    AsideKind,
    Hiding,
    Item,
    Lines,
    Paragraph,
    Reference,
    Table,
    labelled,
)

_MARKLESS: Final[Mapping[str, Role]] = {
    "caption": "caption",
    "formula": "formula",
    "header": "header",
    "footer": "footer",
}


class Writer:
    """Writes one document. `asides`: what references point to; each is written where it is first referred to."""

    def __init__(self, out: Builder, asides: Mapping[AsideKind, Mapping[str, Aside]]) -> None:
        self._out = out
        self._asides = asides
        self._written: set[tuple[AsideKind, str]] = set()
        self._group: int | None = None
        self._list_id: str | None = None
        self._code: list[str] = []
        self._code_locator: Locator | None = None
        self._hidden_asides = 0

    def write(self, item: Item) -> None:
        """One item of the body and all that is anchored in it."""
        if isinstance(item, Table):
            self._table(item)
        else:
            self._paragraph(item)

    def finish(self) -> None:
        """Writes what is held back, and what nothing refers to: comments are shown all the same, notes are not."""
        self._end_code()
        for kind, asides in self._asides.items():
            for identifier in asides:
                self._aside(Reference(kind, identifier, kind == "comment"))
        if self._hidden_asides:
            self._out.notice("hidden-text", detail=self._hidden_asides)

    def lines(self, lines: Lines, role: Role, *, visible: bool, locator: Locator | None) -> None:
        """Text of a role that has no marks, and all that is anchored in it."""
        self._end_code()
        self._group = None
        self._out.paragraph(lines.text, role=role, locator=locator, visible=visible, links=lines.links)
        self._behind(lines.hidden, lines.references, locator)

    # ---- paragraphs ------------------------------------------------------------------------------

    def _paragraph(self, item: Paragraph) -> None:
        if item.text.strip():
            self._visible(item)
        if item.hidden or item.references:
            self._end_code()
            self._behind(item.hidden, item.references, item.locator)

    def _visible(self, item: Paragraph) -> None:
        out = self._out
        if item.role == "code" and item.heading is None and item.visible:
            self._group = None
            self._code.append(labelled(item)[0])
            self._code_locator = self._code_locator or item.locator
            return
        self._end_code()
        if item.heading is not None:
            self._group = None
            text, links = labelled(item)
            out.heading(text, item.heading, locator=item.locator, visible=item.visible, links=links)
        elif item.label is not None:
            group = self._list(item)
            out.list_item(
                item.text,
                item.depth,
                group,
                marker=item.label,
                locator=item.locator,
                visible=item.visible,
                links=item.links,
            )
        else:
            self._group = None
            self._plain(item)

    def _plain(self, item: Paragraph) -> None:
        if item.role == "quote":
            self._out.quote(item.text, locator=item.locator, visible=item.visible, links=item.links)
        else:
            role = _MARKLESS.get(item.role, "paragraph")
            self._out.paragraph(item.text, role=role, locator=item.locator, visible=item.visible, links=item.links)

    def _list(self, item: Paragraph) -> int:
        """Items that follow each other are of one list, until another one starts at its first level."""
        if self._group is None or (item.depth == 1 and item.list_id != self._list_id):
            self._group = self._out.new_group()
            self._list_id = item.list_id
        return self._group

    def _end_code(self) -> None:
        if self._code:
            self._out.code("\n".join(self._code), locator=self._code_locator)
            self._code, self._code_locator = [], None

    # ---- tables ----------------------------------------------------------------------------------

    def _table(self, table: Table) -> None:
        self._end_code()
        self._group = None
        write_rows(table.rows, table.columns, self._out, visible=table.visible)
        for item in table.after:
            self.write(item)

    # ---- what is anchored ------------------------------------------------------------------------

    def _behind(self, hidden: list[tuple[Hiding, str]], references: list[Reference], locator: Locator | None) -> None:
        for _, text in hidden:
            self._out.paragraph(text, locator=locator, visible=False)
        for reference in references:
            self._aside(reference)

    def _aside(self, reference: Reference) -> None:
        key = (reference.kind, reference.id)
        aside = self._asides.get(reference.kind, {}).get(reference.id)
        if aside is None or key in self._written:
            return
        self._written.add(key)
        lines = aside.lines
        if lines.text and not reference.visible:
            self._hidden_asides += 1
        self._out.paragraph(
            lines.text, role=aside.role, locator=aside.locator, visible=reference.visible, links=lines.links
        )
        self._behind(lines.hidden, lines.references, aside.locator)
