"""The structure of a tagged PDF (ISO 32000-2, 14.7, 14.8), as far as the page alone does not show it.

Headings and items of lists by their marks, and the alternate texts of pictures.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from pdfminer.pdftypes import PDFObjRef, resolve1

from fumehood.loaders.shared import pdf_elements
from fumehood.loaders.shared.pdf_alternates import says_something
from fumehood.loaders.shared.pdf_elements import Content, Element
from fumehood.loaders.shared.pdf_file import PdfFile, dictionary
from fumehood.loaders.shared.pdf_strings import text_string
from fumehood.loaders.shared.pdf_syntax import Reference

_REFERENCE: Final = PDFObjRef | Reference
_LEVELS: Final = {"Title": 1} | {f"H{level}": level for level in range(1, 7)}


class _Inside(NamedTuple):
    """What an element is in."""

    level: int | None = None
    """Of a heading."""
    item: int | None = None
    """Of a list: items are numbered through the document."""


class Structure:
    """Read once; all are empty where the document is not tagged, or says that its tags are not to be trusted (14.7.1)."""

    def __init__(self, file: PdfFile) -> None:
        """Spends `nodes`."""
        self.headings: dict[int, dict[int, int]] = {}
        """Levels, by the number of their page's object and the marks of their text."""
        self.items: dict[int, dict[int, int]] = {}
        """Numbers of items of lists, by the number of their page's object and the marks of their text."""
        self.alternates: dict[int, list[str]] = {}
        """Alternate texts of pictures and formulas, by the number of their page's object."""
        self._file = file
        self._budget = file.budget
        self._item_count = 0
        self._begun_on: dict[int, int] = {}
        info = dictionary(file.catalog.get("MarkInfo"))
        if resolve1(info.get("Marked")) is True and resolve1(info.get("Suspects")) is not True:
            root = dictionary(file.catalog.get("StructTreeRoot"))
            self._roles = dictionary(root.get("RoleMap"))
            self._kinds: dict[str, str] = {}
            self._walk(root.get("K"))

    def _walk(self, root: Any) -> None:
        seen: set[int] = set()
        waiting: list[tuple[Any, int | None, _Inside]] = [(root, None, _Inside())]
        while waiting:
            value, page, inside = waiting.pop()
            if isinstance(value, _REFERENCE):
                number = value.objid if isinstance(value, PDFObjRef) else int(value)
                if number in seen:
                    continue
                seen.add(number)
                element = self._element_at(number)
                if element is not None:
                    page = page if element.page is None else element.page
                    inside = self._within(self._kind(element.kind), inside)
                    waiting += [(kid, page, inside) for kid in reversed(element.kids)]
                    self._budget.spend("nodes")
                    continue
                value = self._file.found(number)
            node = resolve1(value)
            self._budget.spend("nodes")
            if isinstance(node, Content):
                self._mark(page if node.page is None else node.page, node.mark, inside)
            elif isinstance(node, list):
                waiting.extend((kid, page, inside) for kid in reversed(node))
            elif isinstance(node, int) and not isinstance(node, bool):
                self._mark(page, node, inside)
            elif isinstance(node, dict):
                page = node["Pg"].objid if isinstance(node.get("Pg"), PDFObjRef) else page
                if "MCID" in node:
                    self._mark(page, resolve1(node["MCID"]), inside)
                else:
                    waiting.append((node.get("K"), page, self._element(node, page, inside)))

    def _element_at(self, number: int) -> Element | None:
        """The element that an object is, where it is written as most are, and nothing but its kids is asked for."""
        source = self._file.source(number)
        element = pdf_elements.element(*source) if source is not None else None
        if element is not None and source is not None:
            self._file.spend_for(element.end - source[1])
        return element

    def _element(self, node: dict[str, Any], page: int | None, inside: _Inside) -> _Inside:
        """What is in the element. Notes the element's alternate text."""
        kind = self._kind(getattr(resolve1(node.get("S")), "name", ""))
        if kind in ("Figure", "Formula"):
            alternate = text_string(node.get("Alt")).strip()
            page = page if page is not None else _page_below(node)
            if page is not None and alternate and says_something(alternate):
                self.alternates.setdefault(page, []).append(alternate)
        return self._within(kind, inside)

    def _kind(self, kind: str) -> str:
        """The standard kind that one of the document's own stands for (14.7.3)."""
        found = self._kinds.get(kind)
        if found is None:
            found = self._kinds[kind] = getattr(resolve1(self._roles.get(kind)), "name", kind)
        return found

    def _within(self, kind: str, inside: _Inside) -> _Inside:
        """What is in an element of a standard kind."""
        if kind == "LI":
            self._item_count += 1
            return inside._replace(item=self._item_count)
        return inside._replace(level=_LEVELS[kind]) if kind in _LEVELS else inside

    def _mark(self, page: int | None, number: Any, inside: _Inside) -> None:
        if page is None or not isinstance(number, int):
            return
        if inside.level is not None:
            self.headings.setdefault(page, {})[number] = inside.level
        # What goes on overleaf does not begin there.
        if inside.item is not None and self._begun_on.setdefault(inside.item, page) == page:
            self.items.setdefault(page, {})[number] = inside.item


def _page_below(node: dict[str, Any]) -> int | None:
    """The page that an element's first piece of content names, where the element itself names none."""
    kid = resolve1(node.get("K"))
    first = resolve1(kid[0]) if isinstance(kid, list) and kid else kid
    page = first.get("Pg") if isinstance(first, dict) else None
    return page.objid if isinstance(page, PDFObjRef) else None
