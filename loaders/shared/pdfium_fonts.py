"""Our own reading of the fonts of a page, for glyphs of which PDFium knows no character."""

from __future__ import annotations

import re
from typing import Any, Final, TypeVar

from pdfminer.pdftypes import resolve1

from fumehood.loaders.shared.pdf_file import array_of, dictionary
from fumehood.loaders.shared.pdf_fonts import Faces, Glyph
from fumehood.loaders.shared.pdf_pages import Page
from fumehood.loaders.shared.pdfium_library import Unsure
from fumehood.loaders.shared.pdfium_typefaces import Font

_SUBSET: Final = re.compile(r"[A-Z]{6}\+")
"""9.9.2: what stands before the name of a font of which only some glyphs are there."""
_CODES: Final = 256
"""Character codes of a font whose codes are bytes."""
_IDENTITY: Final = "Identity-H"
"""The encoding (9.7.5.2) of composite fonts whose character codes are the numbers of their glyphs."""
_MOST_FONTS: Final = 256
"""Of a page that are looked through for a name."""

FONT_FILES: Final = frozenset({"FontFile", "FontFile2", "FontFile3"})
"""Entries of a font descriptor (9.9) for the font itself."""

_Answer = TypeVar("_Answer")


class OwnFonts:
    """The fonts that one page's resources name."""

    def __init__(self, page: Page, faces: Faces) -> None:
        self._resources = page.resources
        self._faces = faces
        self._by_name: dict[str, list[Any]] | None = None

    def text(self, font: Font, code: int) -> str | None:
        """What the glyph of a character code means, None if the font does not say.

        Raises `Unsure` for fonts of one name here that differ in that, and for composite ones whose glyphs PDFium names by
        another number.
        """
        return _agreed({self._glyph(reference, code).text for reference in self._named(font)})

    def advance_of(self, font: Font, code: int) -> float:
        """How far the font goes on with the glyph of a character code, in ems. Raises `Unsure` like :meth:`text`."""
        return _agreed({self._glyph(reference, code).advance for reference in self._named(font)})

    def advance(self, font: Font, char: str) -> float | None:
        """How far the font goes on with all glyphs of a meaning, in ems; None where it has none or they differ.

        Raises `Unsure` for a font that is not the only one of its name here.
        """
        face = self._faces.of(_only(self._named(font)))
        if face.is_multibyte:
            return None
        found = {glyph.advance for glyph in map(face.glyph, range(_CODES)) if glyph.text == char}
        return found.pop() if len(found) == 1 else None

    def means(self, font: Font, char: str) -> bool:
        """Whether a glyph of the font means a character. Raises `Unsure` for fonts of one name that differ in that.

        Those that say themselves what their codes mean (9.10.3), or have more than 256, are believed.
        """
        return _agreed({self._means(reference, char) for reference in self._named(font)})

    def _means(self, reference: Any, char: str) -> bool:
        if "ToUnicode" in dictionary(reference):
            return True
        face = self._faces.of(reference)
        return face.is_multibyte or any(face.glyph(code).text == char for code in range(_CODES))

    def is_composite(self, font: Font, embedded: int) -> bool:
        """Whether a font is composite that PDFium has not from the file, as it has so many others of that name here.

        Raises `Unsure` for fonts of one name that differ in that.
        """
        fonts = [dictionary(reference) for reference in self._named(font)]
        others = [other for other in fonts if not _is_embedded(other)]
        if len(fonts) - len(others) == embedded:  # all that are in the file are loaded: it is none of them
            fonts = others
        return _agreed({_is_composite(other) for other in fonts})

    def _glyph(self, reference: Any, code: int) -> Glyph:
        face = self._faces.of(reference)
        if face.is_multibyte and getattr(resolve1(dictionary(reference).get("Encoding")), "name", "") != _IDENTITY:
            raise Unsure
        return face.glyph(code)

    def _named(self, font: Font) -> list[Any]:
        return self._names().get(font.name, [])

    def _names(self) -> dict[str, list[Any]]:
        if self._by_name is None:
            self._by_name = {}
            fonts = list(dictionary(self._resources.get("Font")).values())[:_MOST_FONTS]
            # One that has several names in the resources is one all the same.
            for reference in {getattr(font, "objid", id(font)): font for font in fonts}.values():
                for name in _names(dictionary(reference)):
                    self._by_name.setdefault(name, []).append(reference)
        return self._by_name


def _is_composite(font: dict[str, Any]) -> bool:
    return getattr(resolve1(font.get("Subtype")), "name", "") == "Type0"


def _described(font: dict[str, Any]) -> dict[str, Any]:
    """What has the name and the descriptor of a font: of a composite one, its descendant (9.7.4)."""
    return dictionary((array_of(font.get("DescendantFonts")) or [None])[0]) if _is_composite(font) else font


def _is_embedded(font: dict[str, Any]) -> bool:
    return not FONT_FILES.isdisjoint(dictionary(_described(font).get("FontDescriptor")))


def _names(font: dict[str, Any]) -> set[str]:
    """What PDFium may call a font: a composite one by the name of its descendant, others without their prefix too."""
    name = getattr(resolve1(_described(font).get("BaseFont")), "name", "")
    return {name} if _is_composite(font) else {name, _SUBSET.sub("", name, count=1)}


def _agreed(answers: set[_Answer]) -> _Answer:
    """What fonts of one name all say. Raises `Unsure` if they differ, or there are none."""
    return _only(list(answers))


def _only(found: list[_Answer]) -> _Answer:
    if len(found) != 1:
        raise Unsure
    return found[0]
