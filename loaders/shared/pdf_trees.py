"""Name trees and number trees (ISO 32000-2, 7.9.6 and 7.9.7), each node visited once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pdfminer.pdftypes import PDFObjRef

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.pdf_file import array_of, dictionary


def entries(tree: Any, key: str, budget: Budget) -> Iterator[tuple[Any, Any]]:
    """The pairs of a tree in order; `key` is `Names` or `Nums`. Spends `nodes`."""
    waiting, seen = [tree], set[int]()
    while waiting:
        value = waiting.pop()
        if isinstance(value, PDFObjRef):
            if value.objid in seen:
                continue
            seen.add(value.objid)
        node = dictionary(value)
        pairs, kids = array_of(node.get(key)), array_of(node.get("Kids"))
        budget.spend("nodes", 1 + (len(pairs) + len(kids)) // 16)
        yield from zip(pairs[::2], pairs[1::2], strict=False)
        waiting.extend(reversed(kids))
