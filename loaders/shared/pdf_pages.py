"""The pages of a PDF in order (ISO 32000-2, 7.7.3), whatever its page tree looks like."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from pdfminer.pdfexceptions import PDFObjectNotFound
from pdfminer.pdftypes import PDFObjRef, PDFStream, resolve1
from pdfminer.psparser import LIT

from fumehood.limits.budget import Budget
from fumehood.loaders.shared import pdf_session
from fumehood.loaders.shared.pdf_file import PdfFile, array_of, dictionary
from fumehood.loaders.shared.pdf_glyphs import Rectangle

_PAGE: Final = LIT("Page")
_LETTER: Final[Rectangle] = (0.0, 0.0, 612.0, 792.0)
"""Where no page size is given, readers take US Letter."""


class Page(NamedTuple):
    """One page: what it draws, and the rectangle of its own coordinates that is seen, turned by `rotate` degrees."""

    attributes: dict[str, Any]
    resources: dict[str, Any]
    box: Rectangle
    rotate: int
    number: int | None = None
    """Of its object."""

    def contents(self) -> Iterator[PDFStream]:
        """Its content streams, which are read as one (7.8.2)."""
        found = resolve1(self.attributes.get("Contents"))
        for part in found if isinstance(found, list) else [found]:
            stream = resolve1(part)
            if isinstance(stream, PDFStream):
                yield stream


class _Inherited(NamedTuple):
    """Attributes that kids take over from their tree nodes (7.7.3.4)."""

    resources: Any = None
    media: Any = None
    crop: Any = None
    rotate: Any = None

    def below(self, node: dict[str, Any]) -> _Inherited:
        return _Inherited(
            node.get("Resources", self.resources),
            node.get("MediaBox", self.media),
            node.get("CropBox", self.crop),
            node.get("Rotate", self.rotate),
        )


def pages(file: PdfFile, budget: Budget) -> Iterator[Page]:
    """Each page once. Where the tree gives none, every page object in the order of the file. Spends `pages`."""
    count = 0
    for page in _of_tree(file, budget):
        count += 1
        yield page
    if not count:
        yield from _of_objects(file, budget)


def _of_tree(file: PdfFile, budget: Budget) -> Iterator[Page]:
    waiting: list[tuple[Any, _Inherited, int]] = [(file.catalog.get("Pages"), _Inherited(), 1)]
    seen: set[int] = set()
    while waiting:
        value, inherited, depth = waiting.pop()
        if isinstance(value, PDFObjRef):
            if value.objid in seen:
                pdf_session.current().cycles += 1
                continue
            seen.add(value.objid)
        node = dictionary(value)
        if not node and isinstance(value, PDFObjRef) and not file.repaired:
            # A page that the cross-references do not have may be in the file all the same.
            file.repair()
            node = dictionary(value)
        inherited = inherited.below(node)
        kids = array_of(node.get("Kids"))
        if kids:
            budget.check("nesting", depth)
            budget.spend("nodes", 1 + len(kids) // 16)
            waiting.extend((kid, inherited, depth + 1) for kid in reversed(kids))
        elif node.get("Type") is _PAGE or "Contents" in node or "MediaBox" in node:
            budget.spend("pages")
            yield _page(node, inherited, value.objid if isinstance(value, PDFObjRef) else None)


def _of_objects(file: PdfFile, budget: Budget) -> Iterator[Page]:
    for number in sorted(file.places):
        try:
            node = file.getobj(number)
        except PDFObjectNotFound:
            continue
        if isinstance(node, dict) and node.get("Type") is _PAGE:
            budget.spend("pages")
            yield _page(node, _Inherited().below(node), number)


def _page(node: dict[str, Any], inherited: _Inherited, number: int | None) -> Page:
    media = rectangle(inherited.media) or _LETTER
    crop = rectangle(inherited.crop) or media
    # 14.11.2: the crop box is cut to the media box; one that misses it altogether is damage.
    box = (max(media[0], crop[0]), max(media[1], crop[1]), min(media[2], crop[2]), min(media[3], crop[3]))
    if box[0] >= box[2] or box[1] >= box[3]:
        box = media
    turned = resolve1(inherited.rotate)
    rotate = int(turned) % 360 if isinstance(turned, int | float) else 0
    return Page(node, dictionary(inherited.resources), box, rotate, number)


def rectangle(value: Any) -> Rectangle | None:
    """A rectangle (7.9.5) by any two opposite corners; None for what is none, or has no area."""
    corners = [resolve1(part) for part in array_of(value)[:4]]
    if len(corners) != 4 or not all(isinstance(part, int | float) and math.isfinite(part) for part in corners):
        return None
    left, bottom, right, top = (float(part) for part in corners)
    found = (min(left, right), min(bottom, top), max(left, right), max(bottom, top))
    return found if found[0] < found[2] and found[1] < found[3] else None
