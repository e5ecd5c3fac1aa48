"""Fonts as text sees them: bytes to glyphs, each with its text and its advance (ISO 32000-2, 9.5 to 9.10)."""

from __future__ import annotations

import re
import unicodedata
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, Final, NamedTuple

from pdfminer.encodingdb import EncodingDB, name2unicode
from pdfminer.fontmetrics import FONT_METRICS
from pdfminer.pdffont import PDFCIDFont, PDFFont, PDFTrueTypeFont, PDFType1Font, PDFType3Font, PDFUnicodeNotDefined
from pdfminer.pdftypes import PDFObjRef, PDFStream, resolve1
from pdfminer.psparser import LIT

from fumehood.loaders.shared import pdf_session
from fumehood.loaders.shared.pdf_cff import builtin_encoding
from fumehood.loaders.shared.pdf_cmaps import EmbeddedCMap
from fumehood.loaders.shared.pdf_file import array_of, dictionary
from fumehood.loaders.shared.pdf_symbols import SYMBOLS

_MOST_FACES: Final = 128
"""Fonts kept at a time: memory must not grow with the pages."""
_IDENTITY: Final = (LIT("Identity-H"), LIT("Identity-V"))
_CID_SUBTYPES: Final = frozenset({"CIDFontType0", "CIDFontType2"})
LIGATURES: Final = str.maketrans(
    {"\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl", "\ufb05": "st", "\ufb06": "st"}
)
"""Typographic, not text: who searches for "office" must find it (Unicode, FB00 to FB06, compatibility mappings)."""
RTL: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
_FORMS: Final = re.compile("[\ufb1d-\ufdff\ufe70-\ufefc]")
"""Presentation forms of Hebrew and Arabic (Unicode, FB1D to FDFF, FE70 to FEFC): shapes of letters, one of them many."""
_BOLD: Final = re.compile(
    "bold|black|heavy|demi(?!light)|medi(?![a-z])|[-,_ ]f?bd(?:cn|ex|it|ou)?(?![a-z])|(?:cm|ss|sf|ec|la|lh)[bs]x",
    re.IGNORECASE,
)
"""Names of weights, with the abbreviations that foundries and TeX have for them."""
_FIXED: Final = re.compile("courier|mono(?!type)|consol|typewriter|cmtt", re.IGNORECASE)
_VARIABLES: Final = re.compile("cmmi|mathit|[tp]xmi|mtmi", re.IGNORECASE)
"""Names of TeX's fonts for variables: Computer and Latin Modern, TX, PX, MathTime."""
_SMALLEST_EM: Final = 0.2
_LARGEST_EM: Final = 5.0
_FIXED_PITCH: Final = 1
_FORCE_BOLD: Final = 1 << 18
"""Flags of font descriptors (table 121)."""


class Glyph(NamedTuple):
    """`text` is None where the font does not say what the glyph means. Lengths are in ems.

    `origin` is that of vertical writing, from the horizontal one; None in horizontal fonts. `is_alone`: a glyph of
    a right-to-left script, which keeps the order of its own letters when glyphs are put in order.
    """

    text: str | None
    advance: float
    origin: tuple[float, float] | None
    is_alone: bool


class Face:
    """A font with what it was asked before. `em`: how large its letters are, of the size it is set in."""

    __slots__ = ("_font", "_glyphs", "em", "is_bold", "is_fixed", "is_multibyte", "is_variable", "is_vertical")

    def __init__(self, font: PDFFont) -> None:
        self._font = font
        self._glyphs: dict[int, Glyph] = {}
        self.is_vertical = bool(font.is_vertical())
        self.is_multibyte = bool(font.is_multibyte())
        self.em = _em(font)
        name = f"{font.fontname} {getattr(font, 'basefont', '')}"
        flags = font.flags if isinstance(font.flags, int) else 0
        self.is_bold = is_bold(name, flags)
        self.is_fixed = is_fixed(name, flags)
        self.is_variable = is_variable(name)

    def codes(self, string: bytes) -> Iterable[int]:
        """The character codes, or CIDs, of a shown string (9.4.3)."""
        return self._font.decode(string) if self.is_multibyte else string

    def glyph(self, code: int) -> Glyph:
        found = self._glyphs.get(code)
        if found is None:
            found = self._glyphs[code] = self._look_up(code)
        return found

    def _look_up(self, code: int) -> Glyph:
        try:
            text: str | None = _plain(self._font.to_unichr(code))
        except (PDFUnicodeNotDefined, KeyError, ValueError):
            text = None
        try:
            advance = float(self._font.char_width(code))
        except (TypeError, ValueError):
            advance = 0.0
        origin = self._origin(code) if self.is_vertical else None
        return Glyph(text, max(-100.0, min(100.0, advance)), origin, text is not None and RTL.search(text) is not None)

    def _origin(self, code: int) -> tuple[float, float]:
        displacement = self._font.char_disp(code)
        x, y = displacement if isinstance(displacement, tuple) else (None, 880)
        across = x / 1000 if isinstance(x, int | float) else 0.5
        return across, y / 1000 if isinstance(y, int | float) else 0.88


def _plain(text: str) -> str:
    """The letters that a glyph stands for: ligatures taken apart, forms of Arabic letters as the letters themselves."""
    if text.isascii():
        return text
    if _FORMS.search(text):
        text = unicodedata.normalize("NFKC", text).strip()
    return text.translate(LIGATURES)


def is_bold(name: str, flags: int) -> bool:
    """Whether a font of that name, with those flags in its descriptor, is bold."""
    return _BOLD.search(name) is not None or bool(flags & _FORCE_BOLD)


def is_fixed(name: str, flags: int) -> bool:
    """The same for fonts whose glyphs are all of one width."""
    return _FIXED.search(name) is not None or bool(flags & _FIXED_PITCH)


def is_variable(name: str) -> bool:
    """The same for fonts of variables in formulas."""
    return _VARIABLES.search(name) is not None


def _em(font: PDFFont) -> float:
    """1; for fonts whose glyphs are drawn in coordinates of their own (9.6.4), the height of their box."""
    if not isinstance(font, PDFType3Font):
        return 1.0
    try:
        height = abs((float(font.bbox[3]) - float(font.bbox[1])) * float(font.matrix[3]))
    except (IndexError, TypeError, ValueError):
        return 1.0
    return height if _SMALLEST_EM < height < _LARGEST_EM else 1.0


class Faces:
    """The fonts of one document, the ones used last kept."""

    def __init__(self) -> None:
        self._faces: OrderedDict[int, tuple[Face, Any]] = OrderedDict()

    def of(self, reference: Any) -> Face:
        """The face of a font dictionary or of a reference to it. A font that cannot be read is Helvetica."""
        key = reference.objid if isinstance(reference, PDFObjRef) else -id(reference)
        found = self._faces.get(key)
        if found is None:
            # The dictionary is kept too, so that its id stays its own.
            found = self._faces[key] = Face(_font(dictionary(reference))), reference
            if len(self._faces) > _MOST_FACES:
                self._faces.popitem(last=False)
        else:
            self._faces.move_to_end(key)
        return found[0]


def _font(spec: dict[str, Any]) -> PDFFont:
    session = pdf_session.current()
    session.budget.spend("nodes", 16 + _entries(spec) // 16)
    for attempt in (spec, _without_files(spec), _HELVETICA):
        try:
            return _made(attempt)
        except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError):
            session.broken_fonts += attempt is spec
    raise AssertionError("Helvetica is built in")


def _entries(spec: dict[str, Any]) -> int:
    """The length of the tables that pdfminer goes through for each font, shared or not."""
    return len(array_of(spec.get("Widths"))) + len(array_of(dictionary(spec.get("Encoding")).get("Differences")))


_HELVETICA: Final[dict[str, Any]] = {"Subtype": LIT("Type1"), "BaseFont": LIT("Helvetica")}


def _without_files(spec: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in spec.items() if key not in ("FontDescriptor", "ToUnicode")}


def _made(spec: dict[str, Any]) -> PDFFont:
    subtype = getattr(resolve1(spec.get("Subtype")), "name", "Type1")
    if subtype == "Type0" or subtype in _CID_SUBTYPES:
        return _composite(spec)
    # The constructors' first argument is a resource manager that they do not use.
    manager: Any = None
    if subtype == "Type3":
        return PDFType3Font(manager, spec)
    name = getattr(resolve1(spec.get("BaseFont")), "name", None)
    if name not in FONT_METRICS and not array_of(spec.get("Widths")):
        spec = {**spec, "BaseFont": LIT("Helvetica")}  # Widths that nobody gave: those of an ordinary font
    if subtype == "TrueType":
        return _with_own_widths(PDFTrueTypeFont(manager, spec), spec)
    font = _with_own_widths(PDFType1Font(manager, spec), spec)
    if name in SYMBOLS and "FontDescriptor" not in spec:
        _take_symbols(font, spec, SYMBOLS[name])
    else:
        _take_builtin_encoding(font, spec)
    return font


def _with_own_widths(font: PDFType1Font, spec: dict[str, Any]) -> PDFType1Font:
    """9.6.2.1: the widths that the dictionary gives, also of fonts that have the name of a standard one."""
    first = resolve1(spec.get("FirstChar"))
    widths = map(resolve1, array_of(spec.get("Widths")))
    if isinstance(first, int):
        given: dict[int | str, float] = {
            code: width for code, width in enumerate(widths, first) if isinstance(width, int | float)
        }
        font.widths = {**font.widths, **given}
    return font


def _take_builtin_encoding(font: PDFType1Font, spec: dict[str, Any]) -> None:
    """9.6.5: where the dictionary names no encoding, that of the font program holds; differences change it."""
    program = resolve1(dictionary(spec.get("FontDescriptor")).get("FontFile3"))
    encoding = resolve1(spec.get("Encoding"))
    if not isinstance(program, PDFStream) or not (encoding is None or isinstance(encoding, dict)):
        return
    if isinstance(encoding, dict) and "BaseEncoding" in encoding:
        return
    try:
        names = builtin_encoding(program.get_data())
    except (IndexError, ValueError):
        return
    pdf_session.current().budget.spend("nodes", len(names))
    differences = encoding.get("Differences") if isinstance(encoding, dict) else None
    changed = EncodingDB.get_encoding("", array_of(differences)) if differences else {}
    standard = EncodingDB.get_encoding("StandardEncoding")
    found = dict(font.cid2unicode)
    for code, name in names.items():
        if changed.get(code, standard.get(code)) == standard.get(code):
            with suppress(KeyError, ValueError):
                found[code] = name2unicode(name)
    font.cid2unicode = found


def _take_symbols(font: PDFType1Font, spec: dict[str, Any], symbols: Mapping[int, str]) -> None:
    """9.6.2.2: the standard fonts of symbols keep their encodings, which nothing but differences changes."""
    encoding = resolve1(spec.get("Encoding"))
    if encoding is None:
        font.cid2unicode = dict(symbols)
    elif isinstance(encoding, dict) and "BaseEncoding" not in encoding:
        standard = EncodingDB.get_encoding("StandardEncoding")
        changed = {code: text for code, text in font.cid2unicode.items() if text != standard.get(code)}
        font.cid2unicode = {**symbols, **changed}


def _composite(spec: dict[str, Any]) -> PDFFont:
    """9.7.6: one descendant, which takes over the encoding. A descendant is never looked into for another."""
    inner = dict(dictionary((array_of(spec.get("DescendantFonts")) or [spec])[0]))
    for key in ("Encoding", "ToUnicode"):
        if key in spec:
            inner[key] = resolve1(spec[key])
    embedded = inner.get("Encoding")
    if isinstance(embedded, PDFStream):
        cmap = EmbeddedCMap(embedded)
        inner["Encoding"] = _IDENTITY[cmap.is_vertical()]
        font = PDFCIDFont(None, inner)  # type: ignore[arg-type]  # the manager is not used
        font.cmap = cmap
        return font
    inner.setdefault("Encoding", _IDENTITY[0])
    return PDFCIDFont(None, inner)  # type: ignore[arg-type]  # as above
