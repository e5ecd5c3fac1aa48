"""The words of a page as PDFium finds them, placed for the layout."""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from math import isnan
from operator import sub
from typing import Final

from msgspec.structs import replace

from fumehood.loaders.shared import pdfium_library as pdfium
from fumehood.loaders.shared.pdf_fonts import LIGATURES
from fumehood.loaders.shared.pdf_geometry import Matrix
from fumehood.loaders.shared.pdf_glyphs import VARIABLE_GAP, WORD_GAP, Canvas, GlyphRun
from fumehood.loaders.shared.pdfium_fonts import OwnFonts
from fumehood.loaders.shared.pdfium_glyphs import Glyphs
from fumehood.loaders.shared.pdfium_library import Unsure
from fumehood.loaders.shared.pdfium_objects import Look, Objects, places
from fumehood.loaders.shared.pdfium_text import CODE, HYPHEN, code_of, stands_for_code
from fumehood.loaders.shared.pdfium_typefaces import Font

_LINE: Final = re.compile(r"[^ \r\n\xa0](?:[^\r\n]*[^ \r\n\xa0])?")
_SPACE: Final = 32
_SPACES: Final = " \xa0"
_WORD: Final = re.compile(r"[^ \r\n\xa0]+")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_DINGBAT: Final = re.compile(
    "[\u2192\u2194\u2195\u2460-\u2469\u25a0-\u25d7\u2605\u260e\u261b\u261e\u2660-\u2666\u2701-\u27be]"
)
"""What names like "a1" mean in the font Zapf Dingbats. PDFium takes them for that in any font."""
_IDEOGRAPHS: Final = "\u1100"
"""From here on letters are mostly those of East Asia, between which gaps are none for the layout either."""
_SYMBOL: Final = "Symbol"
_GREEK: Final = str.maketrans({"\u2206": "\u0394", "\u2126": "\u03a9", "\u00b5": "\u03bc"})
"""What PDFium has for three letters of that font: the signs that look like these."""
_LONG_ST: Final = "\u017ft"
_HYPHEN_WIDTH: Final = 0.45
"""Of the size: wider ones are dashes, which part words instead of joining them."""
_WIDEST: Final = 1.5
"""Of the size, how wide the characters of a word are at most on average."""
_LEVEL: Final = 0.05
"""Of the size: glyphs of one line differ by less from its base line."""
_WIDE: Final = 1.0
"""Of the size, a gap that words of one line may have if one of them is not as long as it was elsewhere."""
_EXACT: Final = 0.01
"""Of the size, by how much words may end elsewhere than their letters say: numbers in files are rounded."""


def _whole(text: str) -> str:
    """`text` with pairs of surrogates as the characters that they stand for."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")


class Words:
    """Puts a page's words onto the canvas, by the handle of its `letters` and its text."""

    def __init__(
        self, letters: pdfium.Reference, text: str, objects: Objects, fonts: OwnFonts, canvas: Canvas, matrix: Matrix
    ) -> None:
        self._letters = letters
        self._text = text
        self._glyphs = Glyphs(letters, text, fonts, matrix)
        self._objects = objects
        self._looks = objects.looks
        self._fonts = fonts
        self._canvas = canvas
        self._has_surrogates = _SURROGATE.search(text) is not None
        self._has_codes = CODE.search(text) is not None
        self._runs: defaultdict[int, list[GlyphRun]] = defaultdict(list)
        self._shown: set[int] = set()

    def put(self) -> set[int]:
        """Puts them, and tells the texts that are to be seen and that PDFium leaves out.

        Raises `Unsure` where a glyph's character is not known, or text runs otherwise than along a line.
        """
        text = self._text
        for line in _LINE.finditer(text):
            start, end = line.span()
            shown = pdfium.text_object(self._letters, start)
            if end - start == 1 or pdfium.text_object(self._letters, end - 1) == shown:
                # All of it was shown at once, as most lines are: characters of one object stand together.
                spans = [match.span() for match in _WORD.finditer(text, start, end)]
                self._put_part(shown, text, spans, has_space=self._ends_in_space(shown, text, end))
            else:
                self._put_parts(text, start, end)
        left = self._put_spaces_left(text)
        for degrees, runs in self._runs.items():
            self._canvas.runs.setdefault(degrees, []).extend(runs)
        return left

    def _put_spaces_left(self, text: str) -> set[int]:
        """Puts spaces that are in no word. The texts that are in none and not just spaces.

        PDFium leaves out what it takes to be printed twice, and glyphs of fonts that it does not have. Raises `Unsure` for
        the latter.
        """
        left: set[int] = set()
        fonts = {look.font.handle for handle, look in self._looks.items() if handle in self._shown}
        spaces: dict[int, int] | None = None
        box = array("f", bytes(16))
        corners = places(box)
        for handle, look in self._looks.items():
            if handle in self._shown:
                continue
            if not pdfium.object_bounds(pdfium.Pointer(handle), *corners) or box[3] > box[1]:
                # Spaces have no height, but for those that are to be seen.
                spaces = self._spaces(text) if spaces is None else spaces
                if handle not in spaces:
                    left.add(handle)
                    continue
                self._check_space(look, spaces[handle])
            elif look.font.handle not in fonts and self._may_lack_glyphs(look.font):
                raise Unsure  # nor have glyphs of a font that PDFium does not have
            fonts.add(look.font.handle)
            self._put_space(look, *self._objects.origin(handle))
        return left

    def _spaces(self, text: str) -> dict[int, int]:
        """By the text object that it was shown by, where a space is in the page's text."""
        places = (index for index, char in enumerate(text) if char in _SPACES)
        return {shown: index for index in places if (shown := pdfium.text_object(self._letters, index))}

    def _may_lack_glyphs(self, font: Font) -> bool:
        """PDFium has a font of its own in place of a simple one, but none for most of the scripts of composite ones."""
        if pdfium.font_is_embedded(font.handle) == 1:
            return False
        namesakes = {look.font.handle for look in self._looks.values() if look.font.name == font.name}
        return self._fonts.is_composite(font, sum(pdfium.font_is_embedded(handle) == 1 for handle in namesakes))

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
        self._put_part(current, text, spans, has_space=self._ends_in_space(current, text, end))

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
        return self._is_space(look, index)

    def _ends_in_space(self, handle: int | None, text: str, end: int) -> bool:
        """Whether a line goes on with a space that was shown with its last word."""
        if end == len(text) or text[end] not in _SPACES or pdfium.text_object(self._letters, end) != handle:
            return False
        return self._has_space(text, end)

    def _put_part(self, handle: int | None, text: str, spans: Sequence[tuple[int, int]], *, has_space: bool) -> None:
        """Words of one text object; `has_space`: behind the last of them as well."""
        look = self._looks.get(handle or 0)
        if handle is None or look is None or not look.font.name:
            raise Unsure
        self._shown.add(handle)
        behind = " " if has_space else ""
        self._glyphs.spacing = 0.0
        if len(spans) == 1:
            self._put(look, *spans[0], behind)
            return
        # What moves on instead of showing spaces (TJ) mostly does so throughout: there the layout sees the gaps.
        space = " " if self._is_space(look, spans[0][1]) else ""
        if not look.is_plain or not self._put_known(look, text, spans, space, behind):
            self._put_one_by_one(look, text, spans, space, behind)

    def _put_one_by_one(self, look: Look, text: str, spans: Sequence[tuple[int, int]], space: str, behind: str) -> None:
        runs = self._runs[look.frame.degrees]
        last = spans[-1]
        asks_each = not space and not text[spans[0][0] : last[1]].isascii()  # ideographs hide gaps
        for span in spans:
            start, end = span
            count = len(runs)
            if asks_each and span is not last:
                space = "" if pdfium.is_generated(self._letters, end) > 0 else " "
            self._put(look, start, end, behind if span is last else space)
            if space and span is not spans[0] and 0 < count < len(runs):
                self._check_gap(runs, count, start - 1)

    def _check_gap(self, runs: list[GlyphRun], at: int, space: int) -> None:
        """Takes back the `space` before a run if it is but a gap to PDFium, and less than the layout takes for one."""
        before, run = runs[at - 1], runs[at]
        is_narrow = run.start - before.end <= (VARIABLE_GAP if run.style.is_variable else WORD_GAP) * run.size
        if is_narrow and before.text.endswith(" ") and pdfium.is_generated(self._letters, space) > 0:
            runs[at - 1] = replace(before, text=before.text[:-1])

    def _put_known(self, look: Look, text: str, spans: Sequence[tuple[int, int]], space: str, behind: str) -> bool:
        """Puts words of level text, without asking for each that was met before where it ends; whether it could."""
        advances = look.measures.advances
        words = [text[start:end] for start, end in spans]
        for word, span in zip(words, spans, strict=True):
            if word not in advances:
                if not self._is_plain_word(look, span, word):
                    return False
                advance = self._glyphs.right(look, span[1] - 1) - self._glyphs.left(span[0])
                if not self._glyphs.is_usual(look, word, advance) and self._glyphs.pieces(look, *span, advance):
                    return False
                advances[word] = advance
        along, base = self._glyphs.origin_of(spans[0][0])
        end = self._glyphs.right(look, spans[-1][1] - 1)
        size, style = look.size, look.style
        is_inside = self._is_inside(look, along, end, base)
        starts = self._starts(spans, words, advances, along, end, _EXACT * size)
        if not starts or not is_inside:
            return False
        shown = [word + space for word in words] if space else words.copy()
        shown[-1] = words[-1] + behind
        ends = [start + advances[word] for start, word in zip(starts, words, strict=True)]
        ends[-1] = end
        gaps = list(map(sub, starts[1:], ends))
        if gaps and not (
            (VARIABLE_GAP if style.is_variable else WORD_GAP) * size < min(gaps)
            and (max(gaps) <= _WIDE * size or self._are_as_long(look, spans, ends, gaps))
        ):
            return False
        self._runs[0] += [
            GlyphRun(start, stop, base, size, written, style)
            for start, stop, written in zip(starts, ends, shown, strict=True)
        ]
        return True

    def _are_as_long(
        self, look: Look, spans: Sequence[tuple[int, int]], ends: Sequence[float], gaps: Sequence[float]
    ) -> bool:
        """Whether words before wide gaps end where they should, and have not their last letters in another column."""
        return all(
            gap <= _WIDE * look.size or abs(self._glyphs.right(look, span[1] - 1) - end) <= _EXACT * look.size
            for gap, span, end in zip(gaps, spans, ends, strict=False)
        )

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
        starts[1:] = [self._glyphs.left(start) for start, _ in spans[1:]]
        if abs(starts[-1] + advances[words[-1]] - end) > tolerance:
            return []
        advances[" "] = starts[1] - starts[0] - advances[words[0]]
        return starts

    def _is_space(self, look: Look, index: int) -> bool:
        """Whether a space of a text object was shown, which is not asked again of a font that has shown one.

        PDFium has one for each gap as well that a text moves on by (`TJ`).
        """
        if look.font.has_spaces:
            return True
        if pdfium.is_generated(self._letters, index) > 0:
            return False
        self._check_space(look, index)
        return True

    def _check_space(self, look: Look, index: int) -> None:
        """Raises `Unsure` for a font with a glyph that has the code of a space and is none; asked once for each font."""
        if not look.font.has_spaces:
            if pdfium.has_map_error(self._letters, index) > 0 and self._fonts.text(look.font, _SPACE) != " ":
                raise Unsure
            look.font.has_spaces = True

    def _is_plain_word(self, look: Look, span: tuple[int, int], word: str) -> bool:
        """Whether it is what the font says, as it stands, in a font that is known to be set along the line."""
        return look.font.is_level and word.isascii() and self._is_said(look, span[0], word)

    def _put(self, look: Look, start: int, end: int, space: str) -> None:
        """Puts a word of PDFium's, which may be several."""
        place = self._place(look, start, end)
        if end - start > 1 and self._text[start] < _IDEOGRAPHS:
            pieces = self._glyphs.pieces(look, start, end, place[1] - place[0])
            if pieces:
                for first, behind in pieces:
                    self._put_word(
                        look, first, behind, self._place(look, first, behind), space if behind == end else ""
                    )
                return
        self._put_word(look, start, end, place, space)

    def _place(self, look: Look, start: int, end: int) -> tuple[float, float, float]:
        """From where to where a word goes along its line, and where its base is."""
        if look.is_plain:
            along, base = self._glyphs.origin_of(start)
            other = self._glyphs.right(look, end - 1)
        else:
            along, base = self._glyphs.place(look, start)
            other = self._glyphs.end(look, start, end, along)
        if end - start > 1 and not look.font.is_level:
            if abs(self._glyphs.place(look, end - 1)[1] - base) > _LEVEL * look.size:
                raise Unsure
            look.font.is_level = True
        return (along, other, base) if along <= other else (other, along, base)

    def _put_word(self, look: Look, start: int, end: int, place: tuple[float, float, float], space: str) -> None:
        along, other, _ = place
        if other - along > _WIDEST * look.size * (end - start) and end - start > 1:
            raise Unsure  # letters as far apart as columns, which PDFium has taken for a word
        word = self._text[start:end]
        if self._is_said(look, start, word):
            self._put_text(look, start, end, place, word, space)
            return
        meanings = self._meanings(look, start, word)
        spans = self._spans_of_known(look, start, meanings)
        for first, behind in spans:
            if behind - first < len(word):
                place = self._place(look, first, behind)
            text = "".join(filter(None, meanings[first - start : behind - start]))
            self._put_text(look, first, behind, place, text, space if behind == spans[-1][1] else "")

    def _put_text(
        self, look: Look, start: int, end: int, place: tuple[float, float, float], text: str, space: str
    ) -> None:
        """Puts what the glyphs from `start` to `end` mean."""
        along, other, base = place
        if not text.isascii():
            if _LONG_ST in text and len(text) == end - start:
                text = self._with_ligatures(start, text)
            text = self._written(look, text, end - 1, other)
        if not text:
            return
        run = GlyphRun(along, other, base, look.size, text + space, look.style)
        if not self._is_inside(look, along, other, base):
            run = run.clipped(look.clip, *look.middle((along + other) / 2, base))
        self._runs[look.frame.degrees].append(run)

    def _is_inside(self, look: Look, along: float, end: float, base: float) -> bool:
        """Whether a run is certainly within what clips it: most are, and nothing more is to be worked out."""
        left, bottom, right, top = look.clip
        if look.frame.degrees or look.lean:
            return False
        return left <= along and end <= right and bottom <= base and base + look.size <= top

    def _written(self, look: Look, text: str, last: int, end: float) -> str:
        """The letters of a word that ends with the character `last`, at `end`."""
        if HYPHEN in text:
            self._check_hyphen(look, last, end)
            text = text.replace(HYPHEN, "-")
        if self._has_surrogates:
            text = _whole(text)
        if look.font.name == _SYMBOL:
            text = text.translate(_GREEK)
        return text.translate(LIGATURES)

    def _with_ligatures(self, start: int, word: str) -> str:
        """The word with U+FB05 again, of which PDFium makes a long s and a t of one place: its letters are "st"."""
        parts = word.split(_LONG_ST)
        at, written = start, parts[0]
        for before, part in pairwise(parts):
            at += len(before)
            written += ("\ufb05" if self._glyphs.are_one(at) else _LONG_ST) + part
            at += len(_LONG_ST)
        return written

    def _check_hyphen(self, look: Look, index: int, end: float) -> None:
        width = abs(end - self._glyphs.place(look, index)[0])
        if width > _HYPHEN_WIDTH * look.size and not look.font.is_fixed:
            raise Unsure

    def _is_said(self, look: Look, start: int, word: str) -> bool:
        """Whether the font says of all glyphs of a word what PDFium says."""
        known = look.font.said
        if known.issuperset(word):
            return True
        if self._has_codes and CODE.search(word):
            return False
        if any(pdfium.has_map_error(self._letters, index) > 0 for index in range(start, start + len(word))):
            return False
        if not all(self._is_meant(look, char) for char in word):
            return False
        known.update(word)
        return True

    def _meanings(self, look: Look, start: int, word: str) -> list[str | None]:
        """What each glyph of a word means: by our own fonts where PDFium has taken its code for its character."""
        found: list[str | None] = []
        for index, char in enumerate(word, start):
            if self._is_code(index):
                found.append(self._fonts.text(look.font, code_of(char)))
            else:
                found.append(char if self._is_meant(look, char) else None)
        self._canvas.unmapped += found.count(None)
        return found

    def _is_meant(self, look: Look, char: str) -> bool:
        """Whether the font means what PDFium says of it."""
        return _DINGBAT.match(char) is None or self._fonts.means(look.font, char)

    def _advance(self, font: Font, index: int) -> float:
        """How far an unknown glyph goes on, in ems."""
        char = self._text[index]
        if self._is_code(index):
            return self._fonts.advance_of(font, code_of(char))
        advance = self._glyphs.advance(font, char)
        return 0.0 if isnan(advance) else advance

    def _is_code(self, index: int) -> bool:
        """Whether the character stands for the code of a glyph."""
        return stands_for_code(self._text[index]) or pdfium.has_map_error(self._letters, index) > 0

    def _spans_of_known(self, look: Look, start: int, meanings: Sequence[str | None]) -> list[tuple[int, int]]:
        """From where to where glyphs are one word: those of which nobody knows the meaning part words, as gaps do."""
        spans: list[tuple[int, int]] = []
        first = behind = start
        gap = 0.0
        for index, meaning in enumerate(meanings, start):
            if meaning is None:
                gap += self._advance(look.font, index) * abs(look.stretch)
            if gap <= WORD_GAP * look.size:
                behind = index + 1
            elif meaning is not None:
                spans.append((first, behind))
                first, behind = index, index + 1
            if meaning is not None:
                gap = 0.0
        return [span for span in (*spans, (first, behind)) if span[0] < span[1]]
