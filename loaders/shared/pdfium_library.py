"""PDFium (BSD-3-Clause, by pypdfium2's raw bindings): opened without fonts of the system, without scripts, without files.

Only what reads pages is bound here. The library is native code that a document may take over; that is what the
worker it runs in is for. Its own notion of what is too much is none: the caps on memory and time are the kernel's.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeAlias

import pypdfium2_raw as raw

_INT: Final = ctypes.c_int
_HANDLE: Final = ctypes.c_void_p


class Pointer(ctypes.c_void_p):
    """A handle, or a place in memory."""


Reference: TypeAlias = Any
"""The same, made once for many calls: ctypes converts a `Pointer` at each of them, which takes up to a third of it."""


def reference(address: int | None) -> Reference:
    """A reference to a place in memory, or to what a handle stands for."""
    return ctypes.byref(ctypes.c_char.from_address(address or 0))


_CONFIG_VERSION: Final = 2


def _bound(function: Any, result: Any, *arguments: Any) -> Callable[..., Any]:
    """`function` without the bindings' own pointer types.

    Called for every word of a document: with these a call takes nearly twice as long (measured). There is but one
    thread, so the interpreter's lock is kept.
    """
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None
    return ctypes.PYFUNCTYPE(result, *arguments)(address)


# With no types to convert to, calls of several arguments take two thirds of the time: handles and places in memory are
# to be `Pointer`s or references, numbers `int`.
text_object: Final = _bound(raw.FPDFText_GetTextObject, _HANDLE)
has_map_error: Final = _bound(raw.FPDFText_HasUnicodeMapError, _INT)
tight_box: Final = _bound(raw.FPDFText_GetCharBox, _INT)
loose_box: Final = _bound(raw.FPDFText_GetLooseCharBox, _INT)
char_origin: Final = _bound(raw.FPDFText_GetCharOrigin, _INT)
is_generated: Final = _bound(raw.FPDFText_IsGenerated, _INT)
text_of: Final = _bound(raw.FPDFText_GetText, _INT)
is_hyphen: Final = _bound(raw.FPDFText_IsHyphen, _INT)
unicode_at: Final = _bound(raw.FPDFText_GetUnicode, ctypes.c_uint)
text_index: Final = _bound(raw.FPDFText_GetTextIndexFromCharIndex, _INT)
count_chars: Final = _bound(raw.FPDFText_CountChars, _INT)

count_objects: Final = _bound(raw.FPDFPage_CountObjects, _INT)
page_object: Final = _bound(raw.FPDFPage_GetObject, Pointer)
count_in_form: Final = _bound(raw.FPDFFormObj_CountObjects, _INT)
object_in_form: Final = _bound(raw.FPDFFormObj_GetObject, Pointer, _HANDLE, ctypes.c_ulong)
object_type: Final = _bound(raw.FPDFPageObj_GetType, _INT)
object_matrix: Final = _bound(raw.FPDFPageObj_GetMatrix, _INT)
object_bounds: Final = _bound(raw.FPDFPageObj_GetBounds, _INT)
move_object: Final = _bound(raw.FPDFPageObj_Transform, None, _HANDLE, *[ctypes.c_double] * 6)
set_active: Final = _bound(raw.FPDFPageObj_SetIsActive, _INT)
object_mark: Final = _bound(raw.FPDFPageObj_GetMarkedContentID, _INT)
count_marks: Final = _bound(raw.FPDFPageObj_CountMarks, _INT)
mark_at: Final = _bound(raw.FPDFPageObj_GetMark, Pointer, _HANDLE, ctypes.c_ulong)
remove_parameter: Final = _bound(raw.FPDFPageObjMark_RemoveParam, _INT, _HANDLE, _HANDLE, ctypes.c_char_p)
fill_colour: Final = _bound(raw.FPDFPageObj_GetFillColor, _INT)
stroke_colour: Final = _bound(raw.FPDFPageObj_GetStrokeColor, _INT)
clip_path: Final = _bound(raw.FPDFPageObj_GetClipPath, Pointer)
count_clips: Final = _bound(raw.FPDFClipPath_CountPaths, _INT)
count_clip_segments: Final = _bound(raw.FPDFClipPath_CountPathSegments, _INT)
clip_segment: Final = _bound(raw.FPDFClipPath_GetPathSegment, Pointer)
count_segments: Final = _bound(raw.FPDFPath_CountSegments, _INT)
path_segment: Final = _bound(raw.FPDFPath_GetPathSegment, Pointer)
draw_mode: Final = _bound(raw.FPDFPath_GetDrawMode, _INT)
segment_point: Final = _bound(raw.FPDFPathSegment_GetPoint, _INT)
segment_type: Final = _bound(raw.FPDFPathSegment_GetType, _INT)
segment_closes: Final = _bound(raw.FPDFPathSegment_GetClose, _INT)

render_mode: Final = _bound(raw.FPDFTextObj_GetTextRenderMode, _INT)
create_text: Final = _bound(raw.FPDFPageObj_CreateTextObj, Pointer, _HANDLE, _HANDLE, ctypes.c_float)
destroy_object: Final = _bound(raw.FPDFPageObj_Destroy, None)
font_size: Final = _bound(raw.FPDFTextObj_GetFontSize, _INT)
text_font: Final = _bound(raw.FPDFTextObj_GetFont, _HANDLE)
font_name: Final = _bound(raw.FPDFFont_GetBaseFontName, ctypes.c_size_t, _HANDLE, _HANDLE, ctypes.c_size_t)
font_is_embedded: Final = _bound(raw.FPDFFont_GetIsEmbedded, _INT, _HANDLE)
glyph_width: Final = _bound(raw.FPDFFont_GetGlyphWidth, _INT, _HANDLE, ctypes.c_uint32, ctypes.c_float, _HANDLE)
font_flags: Final = _bound(raw.FPDFFont_GetFlags, _INT, _HANDLE)

TEXT, PATH, IMAGE, SHADING, FORM = 1, 2, 3, 4, 5
"""`FPDF_PAGEOBJ_*` (fpdf_edit.h)."""


class Unsure(Exception):
    """What PDFium tells of a page is not to be relied on."""


@functools.cache
def start() -> None:
    """Starts the library, once. The list of font folders is there and empty, else it would look through the system's."""
    folders = (ctypes.POINTER(ctypes.c_char) * 1)()
    config = raw.FPDF_LIBRARY_CONFIG()
    config.version = _CONFIG_VERSION
    config.m_pUserFontPaths = folders
    raw.FPDF_InitLibraryWithConfig(ctypes.byref(config))


class Document:
    """A document that PDFium has opened. To be closed."""

    def __init__(self, data: bytes, password: str | None) -> None:
        """Raises `ValueError` if PDFium cannot open it."""
        start()
        self._data = data  # not copied: it must be there as long as the document
        word = None if password is None else password.encode("utf-8", "replace")
        self._handle = raw.FPDF_LoadMemDocument64(data, len(data), word)
        if not self._handle:
            raise ValueError("not opened by PDFium")
        self.page_count: int = raw.FPDF_GetPageCount(self._handle)

    def close(self) -> None:
        raw.FPDF_CloseDocument(self._handle)

    def text_in(self, font: int) -> Pointer:
        """A text of no page, set in a font by its handle. To be destroyed before the document is closed."""
        text: Pointer = create_text(self._handle, font, 1.0)
        return text

    @contextmanager
    def page(self, index: int) -> Iterator[Page | None]:
        """The page, from 0; None if PDFium cannot read it."""
        page = raw.FPDF_LoadPage(self._handle, index)
        if not page:
            yield None
            return
        try:
            yield Page(page)
        finally:
            raw.FPDF_ClosePage(page)


class Page:
    """Handle of a page, and the size that PDFium takes it to have, in points, not turned."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self.handle = reference(ctypes.cast(page, Pointer).value)
        self.width: float = raw.FPDF_GetPageWidthF(page)
        self.height: float = raw.FPDF_GetPageHeightF(page)

    @contextmanager
    def letters(self) -> Iterator[Reference]:
        """The handle of its text, made of its objects as they are now. Raises `Unsure` if PDFium cannot make it."""
        text = raw.FPDFText_LoadPage(self._page)
        if not text:
            raise Unsure
        try:
            yield reference(ctypes.cast(text, Pointer).value)
        finally:
            raw.FPDFText_ClosePage(text)
