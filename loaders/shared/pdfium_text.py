"""The text of a page as PDFium has it, a character for each glyph.

Glyphs of which PDFium knows no character go by their codes. It leaves out of its text what looks like a control character,
which then is none but the code of a glyph; here something stands for it.
"""

from __future__ import annotations

import ctypes
import re
from itertools import repeat
from typing import Final

from fumehood.loaders.shared import pdfium_library as pdfium
from fumehood.loaders.shared.pdf_fonts import RTL
from fumehood.loaders.shared.pdfium_library import Unsure

HYPHEN: Final = "\ufffe"
"""What PDFium says for a dash of any kind at the end of a line; U+0002 in older versions."""
_FIRST: Final = "\u0700"
_LAST: Final = "\u07ff"
"""What stands for a glyph of which only the code is known, from 0 to 255: letters from right to left, which no text has that
is read here."""
CODE: Final = re.compile(f"[{_FIRST}-{_LAST}]")
_CONTROLS: Final = frozenset({0, 2, 3, 10, 13, 0x93, 0x94, 0x96, 0x97, 0x98})
"""Characters that PDFium leaves out of a page's text, and breaks."""
_ODD: Final = re.compile("\r(?!\n)|(?<!\r)\n")
"""Breaks that PDFium would not have made itself: glyphs with such codes."""
_NO_CHARACTER: Final = 0xFFFE
"""From here on: what are no units of UTF-16 but codes of several bytes."""


def page_text(letters: pdfium.Reference, count: int) -> str:
    """The text of a page by the handle of its letters, a character for each that PDFium counts.

    Raises `Unsure` for scripts that run from right to left, which PDFium puts in an order of its own, and for glyphs
    that are no text to it.
    """
    units = (ctypes.c_ushort * (count + 1))()
    written = pdfium.text_of(letters, 0, count, pdfium.Pointer(ctypes.addressof(units))) - 1
    text = bytes(units)[: 2 * max(0, written)].decode("utf-16-le", "surrogatepass")
    if RTL.search(text):
        raise Unsure
    if written < count or _ODD.search(text):
        codes = map(pdfium.unicode_at, repeat(letters, count), range(count))
        return "".join([_character(letters, index, code) for index, code in enumerate(codes)])
    if len(text) < count:
        # PDFium counts the two units of a character beyond the first plane one by one.
        text = "".join(map(chr, units[:count]))
    return text.replace("\x02", HYPHEN)


def _character(letters: pdfium.Reference, index: int, code: int) -> str:
    """The character at an index, or what stands for the code of its glyph."""
    if code >= _NO_CHARACTER:
        raise Unsure
    if code not in _CONTROLS:
        return chr(code)
    if pdfium.is_hyphen(letters, index):
        return HYPHEN
    if pdfium.is_generated(letters, index) > 0:
        return chr(code)
    is_code = pdfium.has_map_error(letters, index) > 0 if code else pdfium.text_index(letters, index) < 0
    if not is_code:
        raise Unsure  # a font that says its glyph means nothing that could be written
    return chr(ord(_FIRST) + code)


def stands_for_code(char: str) -> bool:
    """Whether it is no character, but stands for a glyph's code."""
    return _FIRST <= char <= _LAST


def code_of(char: str) -> int:
    """The code of a glyph of which PDFium knows no character."""
    return ord(char) - ord(_FIRST) if stands_for_code(char) else ord(char)
