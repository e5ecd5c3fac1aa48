"""The structure of a tagged PDF (ISO 32000-2, 14.7, 14.8), as far as the page alone does not show it.

Headings by their marks, and the alternate texts of pictures.
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from pdfminer.pdftypes import PDFObjRef, resolve1

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.pdf_file import dictionary
from fumehood.loaders.shared.pdf_strings import text_string

_HEADING: Final = re.compile("H([1-6])")
_TITLE: Final = 1


class Mark(NamedTuple):
    """Marked content: the number of its page's object, and its own number in that page."""

    page: int
    number: int


class Structure:
    """Read once; both are empty where the document is not tagged, or says that its tags are not to be trusted (14.7.1)."""

    def __init__(self, catalog: dict[str, Any], budget: Budget) -> None:
        """Spends `nodes`."""
        self.headings: dict[Mark, int] = {}
        """Levels, by the marks of their text."""
        self.alternates: dict[int, list[str]] = {}
        """Alternate texts of pictures and formulas, by the number of their page's object."""
        self._budget = budget
        info = dictionary(catalog.get("MarkInfo"))
        if resolve1(info.get("Marked")) is True and resolve1(info.get("Suspects")) is not True:
            root = dictionary(catalog.get("StructTreeRoot"))
            self._roles = dictionary(root.get("RoleMap"))
            self._walk(root.get("K"))

    def _walk(self, root: Any) -> None:
        seen: set[int] = set()
        waiting: list[tuple[Any, int | None, int | None]] = [(root, None, None)]
        while waiting:
            value, page, level = waiting.pop()
            if isinstance(value, PDFObjRef):
                if value.objid in seen:
                    continue
                seen.add(value.objid)
            node = resolve1(value)
            self._budget.spend("nodes")
            if isinstance(node, list):
                waiting.extend((kid, page, level) for kid in reversed(node))
            elif isinstance(node, int) and not isinstance(node, bool):
                self._mark(page, node, level)
            elif isinstance(node, dict):
                page = node["Pg"].objid if isinstance(node.get("Pg"), PDFObjRef) else page
                if "MCID" in node:
                    self._mark(page, resolve1(node["MCID"]), level)
                else:
                    waiting.append((node.get("K"), page, self._element(node, page, level)))

    def _element(self, node: dict[str, Any], page: int | None, level: int | None) -> int | None:
        """The level of the heading that an element is in. Notes the element's alternate text."""
        kind = getattr(resolve1(node.get("S")), "name", "")
        kind = getattr(resolve1(self._roles.get(kind)), "name", kind)
        if kind in ("Figure", "Formula"):
            alternate = text_string(node.get("Alt")).strip()
            page = page if page is not None else _page_below(node)
            if alternate and page is not None:
                self.alternates.setdefault(page, []).append(alternate)
        if kind == "Title":
            return _TITLE
        heading = _HEADING.fullmatch(kind)
        return int(heading[1]) if heading else level

    def _mark(self, page: int | None, number: Any, level: int | None) -> None:
        if level is not None and page is not None and isinstance(number, int):
            self.headings[Mark(page, number)] = level


def _page_below(node: dict[str, Any]) -> int | None:
    """The page that an element's first piece of content names, where the element itself names none."""
    kid = resolve1(node.get("K"))
    first = resolve1(kid[0]) if isinstance(kid, list) and kid else kid
    page = first.get("Pg") if isinstance(first, dict) else None
    return page.objid if isinstance(page, PDFObjRef) else None
