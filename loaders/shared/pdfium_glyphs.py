"""Where the characters of a page stand, as PDFium tells it of each."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from math import inf, isnan, nan
from typing import Final

from fumehood.loaders.shared import pdfium_library as pdfium
from fumehood.loaders.shared.pdf_geometry import Matrix
from fumehood.loaders.shared.pdf_glyphs import BACK, VARIABLE_GAP, WIDEST_SPACING, WORD_GAP
from fumehood.loaders.shared.pdfium_fonts import OwnFonts
from fumehood.loaders.shared.pdfium_objects import Look, places
from fumehood.loaders.shared.pdfium_text import HYPHEN, code_of
from fumehood.loaders.shared.pdfium_typefaces import Font

_TOUCHING: Final = 0.002
"""Of the size, by how much a character's shape and its box end at the same place."""
_FARTHEST_BEYOND: Final = 0.35
"""Of the size, how far the shape of a character reaches beyond its advance."""
_LEAST: Final = 0.1
"""Of the size, how much longer than its letters a word is at least that may be several: kerning takes some away."""
_DASHES: Final = {HYPHEN: "-"}
"""What PDFium says for a hyphen at the end of a line."""


class Glyphs:
    """The characters of a page by their places in its `text`, and the handle of its letters."""

    def __init__(self, handle: pdfium.Reference, text: str, fonts: OwnFonts, matrix: Matrix) -> None:
        """`matrix`: what leads from the page's coordinates to the canvas's."""
        self._handle = handle
        self._text = text
        self._fonts = fonts
        self._matrix = matrix
        self._is_upright = matrix[:4] == (1.0, 0.0, 0.0, 1.0)
        self._origin = array("d", bytes(16))
        self._x, self._y = places(self._origin)
        self._box = array("f", bytes(16))
        self._box_at = places(self._box)[0]
        self._shape = array("d", bytes(32))
        self._shape_at = places(self._shape)
        self._width = array("f", bytes(4))
        self._width_at = places(self._width)[0]
        self.spacing = 0.0
        """How far the letters of the last word were spaced out, in points: a word of two letters does not tell itself."""

    def left(self, index: int) -> float:
        """Where the origin of a character of level text is, as far as it goes to the right."""
        pdfium.char_origin(self._handle, index, self._x, self._y)
        return self._origin[0] + self._matrix[4]

    def right(self, look: Look, index: int) -> float:
        """Where the advance of a character of level text ends.

        Its loose box says so, unless its shape reaches beyond, as slanted ones do: the box is around both.
        """
        beyond = look.font.beyond
        char = self._text[index]
        if char not in beyond:
            beyond[char] = self._advance_within(look, index, char)
        advance = beyond[char]
        if advance is not None:
            return self.left(index) + advance * look.stretch
        pdfium.loose_box(self._handle, index, self._box_at)
        return self._box[2] + self._matrix[4]

    def _advance_within(self, look: Look, index: int, char: str) -> float | None:
        """The advance of a character whose shape reaches beyond it, in ems; None for all others."""
        pdfium.loose_box(self._handle, index, self._box_at)
        reach = self._box[2]
        pdfium.tight_box(self._handle, index, *self._shape_at)
        if self._shape[1] < reach - _TOUCHING * look.size:
            return None
        advance = self.advance(look.font, char)
        ahead = reach + self._matrix[4] - self.left(index) - advance * look.stretch
        if abs(ahead) <= _TOUCHING * look.size:
            return None
        if 0 < ahead <= _FARTHEST_BEYOND * look.size:
            return advance
        with suppress(pdfium.Unsure):  # the font has no such character, or it goes on by nothing
            return self._fonts.advance(look.font, char)
        return None

    def advance(self, font: Font, char: str) -> float:
        """How far a font goes on with a character, in ems; not a number where it is not known by its meaning."""
        known = font.advances
        if char not in known:
            pdfium.glyph_width(font.handle, code_of(_DASHES.get(char, char)), 1.0, self._width_at)
            known[char] = self._width[0] or nan
        return known[char]

    def origin_of(self, index: int) -> tuple[float, float]:
        """Where the origin of a character of level text is, on a page that is upright."""
        pdfium.char_origin(self._handle, index, self._x, self._y)
        x, y = self._origin
        return x + self._matrix[4], y + self._matrix[5]

    def are_one(self, index: int) -> bool:
        """Whether a character and the next are parts of one glyph, as the letters of a ligature are."""
        return self.origin_of(index) == self.origin_of(index + 1)

    def place(self, look: Look, index: int) -> tuple[float, float]:
        """Where a character's origin is, along the line and across it."""
        pdfium.char_origin(self._handle, index, self._x, self._y)
        x, y = self._origin
        if self._is_upright and not look.frame.degrees:
            along, across = x + self._matrix[4], y + self._matrix[5]
        else:
            along, across = self._turned(look, x, y)
        return along, across - (along - look.level) * look.lean if look.lean else across

    def _turned(self, look: Look, x: float, y: float) -> tuple[float, float]:
        a, b, c, d, e, f = self._matrix
        x, y = a * x + c * y + e, b * x + d * y + f
        return look.frame.along(x, y), look.frame.across(x, y)

    def end(self, look: Look, start: int, end: int, along: float) -> float:
        """Where the advance of the last character ends."""
        frame = look.frame
        if self._is_upright and not frame.degrees and frame.x_along >= 0:
            return self.right(look, end - 1)
        last = self.place(look, end - 1)[0]
        advance = self.advance(look.font, self._text[end - 1])
        if not isnan(advance):
            return last + advance * look.stretch
        if frame.degrees % 90:
            # Leaning text has boxes around it: the last character is taken to be as wide as the others.
            return last + ((last - along) / (end - 1 - start) if end - start > 1 else look.size / 2)
        pdfium.loose_box(self._handle, end - 1, self._box_at)
        left, top, right, bottom = self._box
        ends = (self._turned(look, left, bottom)[0], self._turned(look, right, top)[0])
        return max(ends) if frame.x_along >= 0 else min(ends)

    # ---- words -----------------------------------------------------------------------------------

    def is_usual(self, look: Look, word: str, length: float) -> bool:
        """Whether a word is surely one, by how far its letters go on; False where that is not known of all of them."""
        try:
            more = length - sum(map(look.font.advances.__getitem__, word)) * look.stretch
        except KeyError:
            return False
        return -BACK * look.size <= more <= _LEAST * look.size

    def pieces(self, look: Look, start: int, end: int, length: float) -> Sequence[tuple[int, int]]:
        """The words that one word of PDFium's is, which is so long; none if it is one indeed.

        PDFium takes gaps for none that the layout takes for some.
        """
        word = self._text[start:end]
        spreads = look.measures.spreads
        spread = spreads.get(word)
        if spread is None:
            spread = spreads[word] = self._spread(look, word)
        least, most = spread
        if least <= length <= most:
            return ()
        breaks = self._breaks(look, start, end)
        if breaks:
            return list(pairwise([start, *breaks, end]))
        spreads[word] = min(least, length), max(most, length)
        return ()

    def _spread(self, look: Look, word: str) -> tuple[float, float]:
        """How long a word is at least and at most if none of its letters is to be looked at, by how far each goes on."""
        try:
            natural = sum(map(look.font.advances.__getitem__, word)) * abs(look.stretch)
        except KeyError:
            natural = sum([self.advance(look.font, char) for char in word]) * abs(look.stretch)
        if isnan(natural):
            return -inf, inf
        return natural - BACK * look.size, natural + _LEAST * look.size

    def _breaks(self, look: Look, start: int, end: int) -> list[int]:
        """Where in a word a letter stands too far from the one before, or too far back, to go on with it."""
        origins = [self.place(look, index)[0] for index in range(start, end)]
        if look.stretch < 0:
            origins = [-origin for origin in origins]
        ends = [
            origin + self.advance(look.font, char) * abs(look.stretch)
            for origin, char in zip(origins, self._text[start:end], strict=True)
        ]
        gaps = [origin - before for before, origin in zip(ends, origins[1:], strict=False)]
        if len(gaps) > 1:
            self.spacing = _spacing(gaps, look.size)
        back = min(0.0, self.spacing) - BACK * look.size
        ahead = self.spacing if 0.0 < self.spacing <= WIDEST_SPACING * look.size else 0.0
        found = []
        for at, gap in enumerate(gaps):
            is_variable = look.style.is_variable and self._text[start + at].isalpha()
            most = ahead + (VARIABLE_GAP if is_variable else WORD_GAP) * look.size
            if back <= gap <= most or origins[at] == origins[at + 1]:
                continue  # near, or letters of a ligature, which have one place
            if look.is_plain:  # a font may have several glyphs that mean the same, which only their boxes tell apart
                gap = origins[at + 1] - self.right(look, start + at)
            if not back <= gap <= most:
                found.append(start + at + 1)
        return found


def _spacing(gaps: Sequence[float], size: float) -> float:
    """How far the letters of a word are spaced out (9.3.2), by the gaps between them, of which kerning narrows some."""
    widest = max(gaps)
    return widest if widest < -BACK * size else max(0.0, sorted(gaps)[len(gaps) // 4])
