"""The fonts of a document as PDFium has them, kept from page to page with what was asked of each."""

from __future__ import annotations

import ctypes
from collections import OrderedDict
from typing import Final

import msgspec

from fumehood.loaders.shared import pdfium_library as pdfium
from fumehood.loaders.shared.pdf_fonts import is_bold, is_fixed, is_variable

_LONGEST_NAME: Final = 128
_MOST_FONTS: Final = 64
"""Kept at a time, with what they hold inflated: memory must not grow with the pages."""
_MOST_SIZES: Final = 64
_MOST_WORDS: Final = 4_096
"""Of one font and one of its sizes, kept from page to page."""


class Measures(msgspec.Struct, frozen=True, gc=False):
    """How long words of one font are, of one size and stretch, in points.

    `advances`: of words that were met before; for a space, how far the last one went. `spreads`: at least and at most if
    they are one word.
    """

    advances: dict[str, float]
    spreads: dict[str, tuple[float, float]]


class Font(msgspec.Struct, gc=False):
    """A font without a name draws glyphs of its own (Type 3), of a size that is its own."""

    handle: int
    name: str
    is_bold: bool
    is_fixed: bool
    is_variable: bool
    is_level: bool = False
    """Known to be set along the line, not down."""
    has_spaces: bool = False
    """Spaces of it are known to be some."""
    said: set[str] = msgspec.field(default_factory=set)
    """The characters that are known to be what the font says."""
    advances: dict[str, float] = msgspec.field(default_factory=dict)
    """How far characters go on, in ems; not a number where that is not known by what they mean."""
    beyond: dict[str, float | None] = msgspec.field(default_factory=dict)
    """How far characters go on whose shape reaches beyond that, in ems; None for others that were met."""
    measures: dict[tuple[float, float], Measures] = msgspec.field(default_factory=dict)
    """By size and stretch."""

    def measured(self, size: float, stretch: float) -> Measures:
        found = self.measures.get((size, stretch))
        if found is None:
            found = self.measures[size, stretch] = Measures({}, {})
        return found

    def forget_much(self) -> None:
        """Keeps what is known of words within its bounds."""
        if len(self.measures) > _MOST_SIZES:
            self.measures.clear()
        for measures in self.measures.values():
            if max(len(measures.advances), len(measures.spreads)) > _MOST_WORDS:
                measures.advances.clear()
                measures.spreads.clear()


class Typefaces:
    """The fonts of one document by their handles. To be closed before it."""

    def __init__(self, document: pdfium.Document) -> None:
        self._document = document
        self._kept: OrderedDict[int, tuple[Font, pdfium.Pointer]] = OrderedDict()
        """With a text that holds the font, without which PDFium frees it with its page and gives its handle to another."""

    def of(self, handle: int) -> Font:
        found = self._kept.get(handle)
        if found is None:
            font = _asked(handle)
            if handle:
                self._kept[handle] = font, self._document.text_in(handle)
            return font
        self._kept.move_to_end(handle)
        return found[0]

    def end_page(self) -> None:
        """Lets go of fonts beyond those that are kept, the ones used last, and of words beyond as many."""
        while len(self._kept) > _MOST_FONTS:
            pdfium.destroy_object(self._kept.popitem(last=False)[1][1])
        for font, _ in self._kept.values():
            font.forget_much()

    def close(self) -> None:
        for _, text in self._kept.values():
            pdfium.destroy_object(text)
        self._kept.clear()


def _asked(handle: int) -> Font:
    name = ctypes.create_string_buffer(_LONGEST_NAME)
    length = pdfium.font_name(handle, ctypes.addressof(name), _LONGEST_NAME) if handle else 0
    text = name.value.decode("utf-8", "replace") if length <= _LONGEST_NAME else "long"
    flags = pdfium.font_flags(handle) if handle else 0
    return Font(handle, text, is_bold(text, flags), is_fixed(text, flags), is_variable(text))
