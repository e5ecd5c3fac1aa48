"""Our own reading of the fonts of a page, for glyphs of which PDFium knows no character."""

from __future__ import annotations

import re
from typing import Any, Final

from pdfminer.pdftypes import resolve1

from fumehood.loaders.shared.pdf_file import dictionary
from fumehood.loaders.shared.pdf_fonts import Face, Faces
from fumehood.loaders.shared.pdf_pages import Page
from fumehood.loaders.shared.pdfium_library import Unsure
from fumehood.loaders.shared.pdfium_typefaces import Font

_SUBSET: Final = re.compile(r"[A-Z]{6}\+")
"""9.9.2: what stands before the name of a font of which only some glyphs are there. PDFium may leave it out."""
_CODES: Final = 256
"""Character codes of a font whose codes are bytes."""
_MOST_FONTS: Final = 256
"""Of a page that are looked through for a name."""


class OwnFonts:
    """The fonts that one page's resources name."""

    def __init__(self, page: Page, faces: Faces) -> None:
        self._resources = page.resources
        self._faces = faces
        self._by_name: dict[str, list[Any]] | None = None

    def text(self, font: Font, code: int) -> str | None:
        """What the glyph of a character code means, None if the font does not say.

        Raises `Unsure` for a font that is not the only one of its name here, and for composite ones, whose glyphs
        PDFium names by another number.
        """
        face = self._face(font)
        if face.is_multibyte:
            raise Unsure
        return face.glyph(code).text

    def advance(self, font: Font, char: str) -> float | None:
        """How far the font goes on with all glyphs of a meaning, in ems; None where it has none or they differ.

        Raises `Unsure` like :meth:`text`.
        """
        face = self._face(font)
        if face.is_multibyte:
            return None
        found = {glyph.advance for glyph in map(face.glyph, range(_CODES)) if glyph.text == char}
        return found.pop() if len(found) == 1 else None

    def is_composite(self, font: Font) -> bool:
        """Raises `Unsure` like :meth:`text`."""
        return self._face(font).is_multibyte

    def _face(self, font: Font) -> Face:
        found = self._names().get(_SUBSET.sub("", font.name, count=1), [])
        if len(found) != 1:
            raise Unsure
        return self._faces.of(found[0])

    def _names(self) -> dict[str, list[Any]]:
        if self._by_name is None:
            self._by_name = {}
            for reference in list(dictionary(self._resources.get("Font")).values())[:_MOST_FONTS]:
                name = getattr(resolve1(dictionary(reference).get("BaseFont")), "name", "")
                self._by_name.setdefault(_SUBSET.sub("", name, count=1), []).append(reference)
        return self._by_name
