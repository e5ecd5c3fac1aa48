"""The words of a page as PDFium finds them, placed for the layout."""

from __future__ import annotations

import ctypes
import re
from array import array
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from fumehood.loaders.shared import pdfium_library as pdfium
from fumehood.loaders.shared.pdf_fonts import LIGATURES, RTL
from fumehood.loaders.shared.pdf_geometry import Matrix
from fumehood.loaders.shared.pdf_glyphs import Canvas, GlyphRun
from fumehood.loaders.shared.pdfium_fonts import OwnFonts
from fumehood.loaders.shared.pdfium_library import Unsure
from fumehood.loaders.shared.pdfium_objects import Font, Look, Objects, places

_LINE: Final = re.compile(r"[^ \r\n\xa0](?:[^\r\n]*[^ \r\n\xa0])?")
_SPACE: Final = 32
_SPACES: Final = " \xa0"
_WORD: Final = re.compile(r"[^ \r\n\xa0]+")
_ODD: Final = re.compile("\r(?!\n)|(?<!\r)\n")
"""Breaks that PDFium would not have made itself: glyphs with such codes."""
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_HYPHEN: Final = "\ufffe"
"""What PDFium says for a dash of any kind at the end of a line; U+0002 in older versions."""
_HYPHEN_WIDTH: Final = 0.45
"""Of the size: wider ones are dashes, which part words instead of joining them."""
_WIDEST: Final = 1.5
"""Of the size, how wide the characters of a word are at most on average."""
_LEVEL: Final = 0.05
"""Of the size: glyphs of one line differ by less from its base line."""
_EXACT: Final = 0.01
"""Of the size, by how much words may end elsewhere than their letters say: numbers in files are rounded."""


def page_text(letters: pdfium.Pointer, count: int) -> str:
    """The text of a page by the handle of its letters, a character for each that PDFium counts.

    Raises `Unsure` for scripts that run from right to left, which PDFium puts in an order of its own, and for glyphs
    that are no text to it.
    """
    units = (ctypes.c_ushort * (count + 1))()
    written = pdfium.text_of(letters, 0, count, pdfium.Pointer(ctypes.addressof(units))) - 1
    text = bytes(units)[: 2 * max(0, written)].decode("utf-16-le", "surrogatepass")
    if written < count or "\0" in text:
        raise Unsure  # a glyph that PDFium knows nothing of
    if RTL.search(text) or _ODD.search(text):
        raise Unsure
    if len(text) < count:
        # PDFium counts the two units of a character beyond the first plane one by one.
        text = "".join(map(chr, units[:count]))
    return text.replace("\x02", _HYPHEN)


def _whole(text: str) -> str:
    """`text` with pairs of surrogates as the characters that they stand for."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")


class Words:
    """Puts a page's words onto the canvas, by the handle of its `letters`."""

    def __init__(
        self, letters: pdfium.Pointer, objects: Objects, fonts: OwnFonts, canvas: Canvas, matrix: Matrix
    ) -> None:
        self._letters = letters
        self._objects = objects
        self._looks = objects.looks
        self._fonts = fonts
        self._canvas = canvas
        self._matrix = matrix
        self._is_upright = matrix[:4] == (1.0, 0.0, 0.0, 1.0)
        self._has_surrogates = False
        self._runs: defaultdict[int, list[GlyphRun]] = defaultdict(list)
        self._shown: set[int] = set()
        self._said: defaultdict[int, set[str]] = defaultdict(set)
        """By font, the characters that are known to be what the font says."""
        self._spaced: set[int] = set()
        """Fonts whose spaces are known to be some."""
        self._level: set[int] = set()
        """Fonts that are known to be set along the line, not down."""
        self._origin = array("d", bytes(16))
        self._x, self._y = places(self._origin)
        self._box = array("f", bytes(16))
        self._box_at = places(self._box)[0]

    def put(self, text: str) -> None:
        """Raises `Unsure` where a glyph's character is not known, or text runs otherwise than along a line."""
        self._has_surrogates = _SURROGATE.search(text) is not None
        for line in _LINE.finditer(text):
            start, end = line.span()
            shown = pdfium.text_object(self._letters, start)
            if end - start == 1 or pdfium.text_object(self._letters, end - 1) == shown:
                # All of it was shown at once, as most lines are: characters of one object stand together.
                spans = [match.span() for match in _WORD.finditer(text, start, end)]
                self._put_part(shown, text, spans, has_space=False)
            else:
                self._put_parts(text, start, end)
        self._put_what_is_left(text)
        self._canvas.runs.update(self._runs)

    def _put_what_is_left(self, text: str) -> None:
        """Puts spaces that are in no word. Raises `Unsure` for a text that is in none and not just spaces.

        PDFium leaves out what it takes to be printed twice, and glyphs of fonts that it does not have.
        """
        fonts = {look.font.number for handle, look in self._looks.items() if handle in self._shown}
        spaces: dict[int, int] | None = None
        left, bottom, right, top = places(self._box)
        for handle, look in self._looks.items():
            if handle in self._shown:
                continue
            if (
                not pdfium.object_bounds(pdfium.Pointer(handle), left, bottom, right, top)
                or self._box[3] > self._box[1]
            ):
                # Spaces have no height, but for those that are to be seen.
                spaces = self._spaces(text) if spaces is None else spaces
                if handle not in spaces:
                    raise Unsure
                self._check_space(look, spaces[handle])
            elif look.font.number not in fonts and self._may_lack_glyphs(look.font):
                raise Unsure  # nor have glyphs of a font that PDFium does not have
            self._put_space(look, *self._objects.origin(handle))

    def _spaces(self, text: str) -> dict[int, int]:
        """By the text object that it was shown by, where a space is in the page's text."""
        places = (index for index, char in enumerate(text) if char in _SPACES)
        return {shown: index for index in places if (shown := pdfium.text_object(self._letters, index))}

    def _may_lack_glyphs(self, font: Font) -> bool:
        """PDFium has a font of its own in place of a simple one, but none for most of the scripts of composite ones."""
        return pdfium.font_is_embedded(font.number) != 1 and self._fonts.is_composite(font)

    def _put_space(self, look: Look, x: float, y: float) -> None:
        """One that PDFium leaves out, since nothing else was shown with it: it may be narrower than the gap of two words."""
        along, across = look.frame.along(x, y), look.frame.across(x, y)
        run = GlyphRun(along, along, across, look.size, " ", look.style)
        self._runs[look.frame.degrees].append(run.clipped(look.clip, *look.middle(along, across)))

    def _put_parts(self, text: str, start: int, end: int) -> None:
        """A line that was shown in several steps."""
        letters, object_at = self._letters, pdfium.text_object
        current: int | None = None
        spans: list[tuple[int, int]] = []
        """Of `current`, not put yet."""
        for match in _WORD.finditer(text, start, end):
            first, behind = span = match.span()
            last = object_at(letters, behind - 1)
            if last == current and last:  # most words go on with the object before them
                spans.append(span)
                continue
            is_whole = behind - first == 1 or object_at(letters, first) == last
            for shown, part in ((last, span),) if is_whole else self._by_object(first, behind):
                if spans and shown != current:
                    self._put_part(current, text, spans, has_space=self._has_space(text, spans[-1][1]))
                    spans = []
                current = shown
                spans.append(part)
        self._put_part(current, text, spans, has_space=False)

    def _by_object(self, start: int, end: int) -> list[tuple[int | None, tuple[int, int]]]:
        """A word's parts, each of one text object."""
        parts: list[tuple[int | None, tuple[int, int]]] = []
        for index in range(start, end):
            shown = pdfium.text_object(self._letters, index)
            if parts and parts[-1][0] == shown:
                parts[-1] = shown, (parts[-1][1][0], index + 1)
            else:
                parts.append((shown, (index, index + 1)))
        return parts

    def _has_space(self, text: str, index: int) -> bool:
        """Whether a space was shown there. Where there is no object, PDFium has seen a gap, as the layout does."""
        if text[index] not in _SPACES or not (shown := pdfium.text_object(self._letters, index)):
            return False
        look = self._looks.get(shown)
        if look is None:
            raise Unsure
        self._check_space(look, index)
        return True

    def _put_part(self, handle: int | None, text: str, spans: Sequence[tuple[int, int]], *, has_space: bool) -> None:
        """Words of one text object; `has_space`: behind the last of them as well."""
        look = self._looks.get(handle or 0)
        if handle is None or look is None or not look.font.name:
            raise Unsure
        self._shown.add(handle)
        if len(spans) > 1:
            self._check_space(look, spans[0][1])
            if look.is_plain and self._put_known(look, text, spans, has_space=has_space):
                return
        last = spans[-1]
        for span in spans:
            start, end = span
            self._put(look, start, end, text[start:end], " " if has_space or span is not last else "")

    def _put_known(self, look: Look, text: str, spans: Sequence[tuple[int, int]], *, has_space: bool) -> bool:
        """Puts words of level text, without asking for each that was met before where it ends; whether it could."""
        advances = look.advances
        words = [text[start:end] for start, end in spans]
        for word, span in zip(words, spans, strict=True):
            if word not in advances:
                if not self._is_plain_word(look, span, word):
                    return False
                advance = self._right(span[1] - 1) - self._left(span[0])
                if advance > _WIDEST * look.size * len(word):
                    return False
                advances[word] = advance
        along, base = self._origin_of(spans[0][0])
        end = self._right(spans[-1][1] - 1)
        size, style = look.size, look.style
        is_inside = self._is_inside(look, along, end, base)
        starts = self._starts(spans, words, advances, along, end, _EXACT * size)
        if not starts or not is_inside:
            return False
        shown = [word + " " for word in words]
        if not has_space:
            shown[-1] = words[-1]
        self._runs[0] += [
            GlyphRun(start, start + advances[word], base, size, written, style)
            for start, word, written in zip(starts, words, shown, strict=True)
        ]
        return True

    def _starts(
        self,
        spans: Sequence[tuple[int, int]],
        words: Sequence[str],
        advances: dict[str, float],
        along: float,
        end: float,
        tolerance: float,
    ) -> list[float]:
        """Where words begin of which the first does so at `along`, and the last ends at `end`; none if letters are spaced."""
        space = advances.get(" ", 0.0)
        starts = [along]
        for word in words[:-1]:
            starts.append(starts[-1] + advances[word] + space)
        if abs(starts[-1] + advances[words[-1]] - end) <= tolerance:
            return starts
        # Lines are justified by wider spaces, and tables set with them: each word is asked where it begins.
        starts[1:] = [self._left(start) for start, _ in spans[1:]]
        if abs(starts[-1] + advances[words[-1]] - end) > tolerance:
            return []
        advances[" "] = starts[1] - starts[0] - advances[words[0]]
        return starts

    def _check_space(self, look: Look, index: int) -> None:
        """Raises `Unsure` for a font with a glyph that has the code of a space and is none; asked once for each font."""
        if look.font.number not in self._spaced:
            if pdfium.has_map_error(self._letters, index) > 0 and self._fonts.text(look.font, _SPACE) != " ":
                raise Unsure
            self._spaced.add(look.font.number)

    def _is_plain_word(self, look: Look, span: tuple[int, int], word: str) -> bool:
        """Whether it is what the font says, as it stands, in a font that is known to be set along the line."""
        return look.font.number in self._level and word.isascii() and self._is_said(look, span[0], word)

    def _put(self, look: Look, start: int, end: int, word: str, space: str) -> None:
        text = word if self._is_said(look, start, word) else self._checked(look, start, word)
        if look.is_plain:
            along, across = self._origin_of(start)
            other = self._right(end - 1)
        else:
            along, across = self._place(look, start)
            other = self._end(look, start, end, along)
        if end - start > 1 and look.font.number not in self._level:
            if abs(self._place(look, end - 1)[1] - across) > _LEVEL * look.size:
                raise Unsure
            self._level.add(look.font.number)
        if along > other:
            along, other = other, along
        if other - along > _WIDEST * look.size * (end - start) and end - start > 1:
            raise Unsure  # letters as far apart as columns, which PDFium has taken for a word
        if not text.isascii():
            text = self._written(look, text, end - 1, other)
        run = GlyphRun(along, other, across, look.size, text + space, look.style)
        if not self._is_inside(look, along, other, across):
            run = run.clipped(look.clip, *look.middle((along + other) / 2, across))
        self._runs[look.frame.degrees].append(run)

    def _is_inside(self, look: Look, along: float, end: float, base: float) -> bool:
        """Whether a run is certainly within what clips it: most are, and nothing more is to be worked out."""
        left, bottom, right, top = look.clip
        return not look.frame.degrees and left <= along and end <= right and bottom <= base and base + look.size <= top

    def _written(self, look: Look, text: str, last: int, end: float) -> str:
        """The letters of a word that ends with the character `last`, at `end`."""
        if _HYPHEN in text:
            self._check_hyphen(look, last, end)
            text = text.replace(_HYPHEN, "-")
        if self._has_surrogates:
            text = _whole(text)
        return text.translate(LIGATURES)

    def _check_hyphen(self, look: Look, index: int, end: float) -> None:
        width = abs(end - self._place(look, index)[0])
        if width > _HYPHEN_WIDTH * look.size and not look.font.is_fixed:
            raise Unsure

    def _is_said(self, look: Look, start: int, word: str) -> bool:
        """Whether the font says of all glyphs of a word what PDFium says."""
        known = self._said[look.font.number]
        if known.issuperset(word):
            return True
        if any(pdfium.has_map_error(self._letters, index) > 0 for index in range(start, start + len(word))):
            return False
        known.update(word)
        return True

    def _checked(self, look: Look, start: int, word: str) -> str:
        """The word, with what our own fonts say where PDFium has taken the code of a glyph for its character."""
        parts = []
        for index, char in enumerate(word, start):
            if pdfium.has_map_error(self._letters, index) > 0:
                found = self._fonts.text(look.font, ord(char))
                self._canvas.unmapped += found is None
                parts.append(found or "")
            else:
                parts.append(char)
        return "".join(parts)

    def _left(self, index: int) -> float:
        """Where a character of level text begins: its loose box reaches from there to where the next one does."""
        pdfium.loose_box(self._letters, index, self._box_at)
        return self._box[0] + self._matrix[4]

    def _right(self, index: int) -> float:
        pdfium.loose_box(self._letters, index, self._box_at)
        return self._box[2] + self._matrix[4]

    def _origin_of(self, index: int) -> tuple[float, float]:
        """Where the origin of a character of level text is, on a page that is upright."""
        pdfium.char_origin(self._letters, index, self._x, self._y)
        x, y = self._origin
        return x + self._matrix[4], y + self._matrix[5]

    def _place(self, look: Look, index: int) -> tuple[float, float]:
        """Where a character's origin is, along the line and across it."""
        pdfium.char_origin(self._letters, index, self._x, self._y)
        x, y = self._origin
        if self._is_upright and not look.frame.degrees:
            along, across = x + self._matrix[4], y + self._matrix[5]
        else:
            along, across = self._turned(look, x, y)
        return along, across - (along - look.start) * look.lean if look.lean else across

    def _turned(self, look: Look, x: float, y: float) -> tuple[float, float]:
        a, b, c, d, e, f = self._matrix
        x, y = a * x + c * y + e, b * x + d * y + f
        return look.frame.along(x, y), look.frame.across(x, y)

    def _end(self, look: Look, start: int, end: int, along: float) -> float:
        """Where the advance of the last character ends. Its loose box tells where text is level or upright."""
        frame = look.frame
        if frame.degrees % 90:
            # Leaning text has boxes around it: the last character is taken to be as wide as the others.
            last = self._place(look, end - 1)[0]
            return last + ((last - along) / (end - 1 - start) if end - start > 1 else look.size / 2)
        if self._is_upright and not frame.degrees and frame.x_along >= 0:
            return self._right(end - 1)
        pdfium.loose_box(self._letters, end - 1, self._box_at)
        left, top, right, bottom = self._box
        ends = (self._turned(look, left, bottom)[0], self._turned(look, right, top)[0])
        return max(ends) if frame.x_along >= 0 else min(ends)
