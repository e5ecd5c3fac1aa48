"""Diagrams (SmartArt) by their data model: ECMA-376 part 1, 21.4.2.

The layout decides what is drawn where; the model alone says what stands below what, and in which order.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Final

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.ooxml_drawing_text import read_text
from fumehood.loaders.shared.ooxml_graphic import Graphic
from fumehood.loaders.shared.ooxml_names import Element, names
from fumehood.loaders.shared.ooxml_xml import BrokenXml, release, stream
from fumehood.loaders.shared.tally import Tally

_POINT: Final = names("dgm:pt")
_CONNECTION: Final = names("dgm:cxn")
_TEXT: Final = names("dgm:t")
_ORDER: Final = re.compile(r"[0-9]{1,9}")


def read_diagram(part: bytes, budget: Budget, tally: Tally) -> Graphic:
    """The text of a diagram's data part, points below each other as items within each other. `broken` where its XML is."""
    model = _Model(budget, tally)
    broken = False
    try:
        for what, element in stream(part, budget, (*_POINT, *_CONNECTION)):
            if what == "end":
                model.take(element)
                release(element)
    except BrokenXml:
        broken = True
    return Graphic(items=model.items(), broken=broken)


class _Model:
    """Points, and which of them stand below which."""

    def __init__(self, budget: Budget, tally: Tally) -> None:
        self._budget = budget
        self._tally = tally
        self._texts: dict[str, str] = {}
        self._roots: list[str] = []
        self._below: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)

    def take(self, element: Element) -> None:
        if element.tag in _POINT:
            self._point(element)
        # 21.4.7.23: of the kinds of connections only the default one is between a point and those below it.
        elif (element.get("type") or "parOf") == "parOf":
            order = element.get("srcOrd") or ""
            place = int(order) if _ORDER.fullmatch(order) else 0
            self._below[element.get("srcId") or ""].append((place, element.get("destId") or ""))

    def _point(self, element: Element) -> None:
        identifier = element.get("modelId") or ""
        kind = element.get("type") or "node"
        if kind == "doc":
            self._roots.append(identifier)
        # 21.4.7.51: points of presentation stand for others in the drawing.
        if kind != "pres":
            texts = (read_text(body, self._budget, self._tally)[0] for body in element.iterchildren(*_TEXT))
            if identifier in self._texts:
                # An identifier of two points: nothing can hang on the second one, but its text is there.
                identifier = f"{identifier} {len(self._texts)}"
            self._texts[identifier] = "\n".join(text for text in texts if text)

    def items(self) -> list[tuple[int, str]]:
        """Each text once: those that hang on the document in the order of their connections, then all others."""
        for below in self._below.values():
            below.sort(key=lambda one: one[0])
        found: list[tuple[int, str]] = []
        seen: set[str] = set()
        for start in (*self._roots, *self._texts):
            self._descend(start, seen, found)
        return found

    def _descend(self, start: str, seen: set[str], found: list[tuple[int, str]]) -> None:
        waiting = [(0, start)]
        while waiting:
            depth, identifier = waiting.pop()
            if identifier in seen:
                continue
            seen.add(identifier)
            text = self._texts.get(identifier)
            if text:
                depth += 1
                found.append((depth, text))
            waiting += [(depth, below) for _, below in reversed(self._below.get(identifier, ()))]
