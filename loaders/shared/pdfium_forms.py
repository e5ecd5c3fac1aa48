"""How much a page draws, and how much its fonts hold, counted before PDFium opens them, which counts nothing.

A form that draws a form ten times, which draws another ten times, is small in the file and without end on the page.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Any, Final

from pdfminer.pdftypes import PDFObjRef, PDFStream, resolve1

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.pdf_content import Drawer
from fumehood.loaders.shared.pdf_file import array_of, dictionary
from fumehood.loaders.shared.pdf_operations import operations
from fumehood.loaders.shared.pdf_pages import Page
from fumehood.loaders.shared.pdf_syntax import name
from fumehood.loaders.shared.pdfium_fonts import FONT_FILES
from fumehood.loaders.shared.pdfium_library import Unsure

_DRAWN: Final = re.compile(rb"/([^\0\t\n\f\r ()<>\[\]{}/%]{1,127})[\0\t\n\f\r ]{1,8}Do(?![A-Za-z0-9])")
_DRAWS: Final = re.compile(rb"Do(?![A-Za-z0-9])")
_INLINE_IMAGE: Final = re.compile(rb"(?<![^\0\t\n\f\r ])BI[\0\t\n\f\r /]")
_CLIP: Final = re.compile(rb"W(?![A-Za-z])")
_BYTES_PER_NODE: Final = 32
_NODES_PER_FORM: Final = 8
_MOST_NODES: Final = 500_000
"""16 MB of operators on one page: who draws more is followed step by step."""
_LEVEL: Final = re.compile(r"(?:[A-Za-z0-9]+-){0,4}H")
"""Names of character maps that ISO 32000-2, table 116, gives a meaning; of any other PDFium makes up one."""
_HEX: Final = re.compile(rb"<[0-9A-Fa-f]{0,64}>")
_RTL: Final = re.compile(
    rb"<(?:05[9A-Fa-f]|0[67][0-9A-Fa-f]|08[0-9A-Fa-f]|[Ff][Bb][2-4]|[Ff][Dd][0-9A-Fa-f]|[Ff][Ee][7-9A-Fa-f])"
)
"""The first letter of a string in UTF-16, Hebrew to Arabic and their forms."""
_LONGEST_MAP: Final = 65_536
_MOST_FONTS: Final = 256
_MOST_SAVED: Final = 10_000
"""Graphics states that are saved (8.4.2) and not restored, about: letters of the text are among those counted."""
_MOST_STRINGS: Final = 20_000
"""Strings shown (9.4.3), about; PDFium keeps a kilobyte for each of one letter (measured)."""
_DEEPEST: Final = 16
"""Forms within each other; honest ones are three deep."""


class FormWeights:
    """Weighs the forms of a document, each once."""

    def __init__(self, drawer: Drawer, budget: Budget) -> None:
        self._drawer = drawer
        self._budget = budget
        self._known: dict[int, int] = {}
        self._fonts: set[int] = set()
        self._left: set[int] = set()
        """Fonts that draw glyphs of their own (9.6.4), or have mostly letters that run from right to left."""
        self.may_replace_text = False
        """Whether something of what was checked may say `ActualText`, which PDFium gives in place of what is seen."""
        self.may_mark = False
        """Whether something of what was checked may stand in marked content with properties (14.6)."""
        self.may_clip = False
        """Whether something that the page checked last draws may be clipped (8.5.4), as forms are by their boxes."""

    def check(self, page: Page) -> None:
        """Spends `nodes` for what the page draws. Raises `Unsure` for a page that draws too much, or forms in circles."""
        self.may_clip = False
        weight = self._of_data(self._drawer.contents(page), page.resources, ())
        if weight > _MOST_NODES:
            raise Unsure
        self._budget.spend("nodes", weight)

    def _of_data(self, data: bytes, resources: dict[str, Any], inside: tuple[int, ...]) -> int:
        # In the contents, in a name with escapes, or in properties (14.6.2), which a form without resources may use too.
        is_marked = b"BDC" in data
        self.may_mark |= is_marked
        self.may_clip = self.may_clip or _CLIP.search(data) is not None
        if resources.get("Properties") is not None or (is_marked and (b"ActualText" in data or b"#" in data)):
            self.may_replace_text = True
        # Operators are counted in what is long enough to hold so many.
        if len(data) > 2 * _MOST_SAVED and data.count(b"q") - data.count(b"Q") > _MOST_SAVED:
            raise Unsure  # each of which PDFium keeps
        if len(data) > 4 * _MOST_STRINGS and data.count(b"Tj") + data.count(b"TJ") > _MOST_STRINGS:
            raise Unsure
        if b"BI" in data and _INLINE_IMAGE.search(data):
            raise Unsure  # of which PDFium does not always find the end
        self._weigh_fonts(resources, data)
        weight = 1 + len(data) // _BYTES_PER_NODE
        objects = dictionary(resources.get("XObject"))
        if objects and b"Do" in data:
            names = _DRAWN.findall(data)
            _check_drawn(data, len(names))
            for drawn in names:
                weight += 1 + self._of_object(objects.get(name(drawn).name), resources, inside)
                if weight > _MOST_NODES:
                    break
        return weight

    def _weigh_fonts(self, resources: dict[str, Any], data: bytes) -> None:
        """Inflates what fonts hold, each once, so that it is counted.

        Raises `Unsure` for fonts of which PDFium is never sure and that are set in `data`, and like :func:`_check_encoding`.
        """
        for key, reference in islice(dictionary(resources.get("Font")).items(), _MOST_FONTS):
            if not isinstance(reference, PDFObjRef):
                continue
            if reference.objid not in self._fonts:
                self._weigh_font(reference)
            if reference.objid in self._left and f"/{key} ".encode() in data:
                raise Unsure

    def _weigh_font(self, reference: PDFObjRef) -> None:
        font = dictionary(reference)
        inner = dictionary((array_of(font.get("DescendantFonts")) or [font])[0])
        descriptor = dictionary(inner.get("FontDescriptor"))
        for holder, key in ((font, "ToUnicode"), *((descriptor, key) for key in FONT_FILES)):
            stream = resolve1(holder.get(key))
            if isinstance(stream, PDFStream):
                data = stream.get_data()
                if key == "ToUnicode" and _is_from_the_right(data):
                    self._left.add(reference.objid)
        subtype = getattr(resolve1(font.get("Subtype")), "name", "")
        if subtype == "Type0":
            _check_encoding(resolve1(font.get("Encoding")))
        elif subtype == "Type3":
            self._left.add(reference.objid)
        self._fonts.add(reference.objid)

    def _of_object(self, reference: Any, resources: dict[str, Any], inside: tuple[int, ...]) -> int:
        form = resolve1(reference)
        if not isinstance(form, PDFStream) or form.objid is None:
            return 0
        if getattr(resolve1(form.attrs.get("Subtype")), "name", "") != "Form":
            return 0
        self.may_clip = True
        known = self._known.get(form.objid)
        if known is not None:
            return known
        if form.objid in inside or len(inside) >= _DEEPEST:
            raise Unsure
        own = dictionary(form.attrs.get("Resources")) or resources
        weight = _NODES_PER_FORM + self._of_data(self._drawer.form_data(form), own, (*inside, form.objid))
        self._known[form.objid] = weight
        return weight


def _is_from_the_right(cmap: bytes) -> bool:
    """Whether most of what a ToUnicode map (9.10.3) says are letters of scripts that run from right to left.

    A guess that spares PDFium's work: it gives such pages in an order of its own, which is told by its text as well.
    """
    if not _RTL.search(cmap, 0, _LONGEST_MAP):
        return False
    count = found = 0
    for part in cmap[:_LONGEST_MAP].split(b"beginbf")[1:]:
        strings = _HEX.findall(part.partition(b"endbf")[0])
        meanings = strings[2::3] if part.startswith(b"range") else strings[1::2]
        count += len(meanings)
        found += sum(1 for meaning in meanings if _RTL.match(meaning))
    return 2 * found > count


def _check_drawn(data: bytes, found: int) -> None:
    """Raises `Unsure` if more is drawn than the objects that were `found`: an operator may be written in odd ways."""
    if len(_DRAWS.findall(data)) == found:
        return
    if sum(1 for operator, _ in operations(data) if operator == b"Do") != found:
        raise Unsure


def _check_encoding(encoding: Any) -> None:
    """Raises `Unsure` for a character map (9.7.5) that nobody knows, and for one of vertical text: PDFium reads lines."""
    if isinstance(encoding, PDFStream):
        if resolve1(encoding.attrs.get("WMode")) == 1:
            raise Unsure
    elif (known := getattr(encoding, "name", None)) is not None and not _LEVEL.fullmatch(known):
        raise Unsure
