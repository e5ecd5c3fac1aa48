"""The outline (ISO 32000-2, 12.3.3): titles of the document's parts, and how deep they are."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from pdfminer.pdftypes import PDFObjRef

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.pdf_file import dictionary
from fumehood.loaders.shared.pdf_strings import text_string

_MOST_ENTRIES: Final = 10_000


class Entry(NamedTuple):
    """`level` from 1."""

    title: str
    level: int


def read(catalog: dict[str, Any], budget: Budget) -> list[Entry]:
    """The entries in order, each object once, as deep as `nesting` allows: what is deeper is not looked for. Spends `nodes`."""
    found: list[Entry] = []
    seen: set[int] = set()
    waiting = [(dictionary(catalog.get("Outlines")).get("First"), 1)]
    while waiting and len(found) < _MOST_ENTRIES:
        value, level = waiting.pop()
        if isinstance(value, PDFObjRef):
            if value.objid in seen:
                continue
            seen.add(value.objid)
        item = dictionary(value)
        if not item:
            continue
        budget.spend("nodes")
        found.append(Entry(text_string(item.get("Title")), level))
        waiting.append((item.get("Next"), level))
        if level < budget.limits.nesting:
            waiting.append((item.get("First"), level + 1))
    return found
