"""Where links and bookmarks lead within a document (ISO 32000-2, 12.3.2, 12.6.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pdfminer.pdftypes import PDFObjRef, resolve1

from fumehood.loaders.shared import pdf_trees
from fumehood.loaders.shared.pdf_file import PdfFile, dictionary
from fumehood.loaders.shared.pdf_strings import text_string


class Destinations:
    """`numbers`: those of pages, from 1, by their objects' numbers. `count`: of all pages."""

    def __init__(self, file: PdfFile, numbers: Mapping[int, int], count: int) -> None:
        self._file = file
        self._count = count
        self._numbers = numbers
        self._named: dict[bytes, Any] | None = None

    def page(self, value: Any) -> int | None:
        """The page that a destination is on; None where that is none of the document's."""
        found = resolve1(value)
        if isinstance(found, bytes):
            found = resolve1(self._names().get(found))
        elif isinstance(getattr(found, "name", None), str):
            found = resolve1(dictionary(self._file.catalog.get("Dests")).get(found.name))
        if isinstance(found, dict):
            found = resolve1(found.get("D"))
        first = found[0] if isinstance(found, list) and found else None
        if isinstance(first, PDFObjRef):
            return self._numbers.get(first.objid)
        # An index from 0 is meant for other files' pages (12.3.2.2), but is often written for the file's own.
        return first + 1 if type(first) is int and 0 <= first < self._count else None

    def target(self, annotation: Mapping[str, Any]) -> str | None:
        """What a link or a bookmark leads to: an address, or `#page=N`; None for anything else."""
        action = dictionary(annotation.get("A"))
        kind = getattr(resolve1(action.get("S")), "name", "")
        if kind == "URI":
            return text_string(action.get("URI")) or None
        destination = action.get("D") if kind == "GoTo" else annotation.get("Dest")
        page = self.page(destination)
        return None if page is None else f"#page={page}"

    def _names(self) -> dict[bytes, Any]:
        if self._named is None:
            tree = dictionary(self._file.catalog.get("Names")).get("Dests")
            self._named = {
                name: value
                for key, value in pdf_trees.entries(tree, "Names", self._file.budget)
                if isinstance(name := resolve1(key), bytes)
            }
        return self._named


def page_numbers(objects: list[int | None]) -> dict[int, int]:
    """Numbers of pages by their objects' numbers, from those objects in the order of the pages."""
    return {number: page for page, number in enumerate(objects, start=1) if number is not None}
