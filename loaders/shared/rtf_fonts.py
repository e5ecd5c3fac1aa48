r"""The encodings of RTF: of the document, and of each font (RTF 1.9.1, "Character Set" and "Font Table").

Bytes mean what the font at hand says, by its `\fcharset` or `\cpg`; never what the machine's locale says.
"""

from __future__ import annotations

from typing import Final

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.rtf_tokens import BRACE, HEX, SYMBOL, TEXT, TOKEN, WORDS, words

ANSI: Final = "cp1252"

_MAX_NAME: Final = 64
_OTHER: Final = b"?"
"""Stands in a name for characters that no name of ours has."""

# The table below `\fcharset`; 1 is the document's own.
_CHARSETS: Final = {
    0: ANSI,
    77: "mac-roman",
    78: "cp932",
    79: "cp949",
    80: "gb18030",
    81: "cp950",
    83: "iso8859-8",
    84: "iso8859-6",
    85: "mac-greek",
    86: "mac-turkish",
    88: "mac-latin2",
    89: "mac-cyrillic",
    128: "cp932",
    129: "cp949",
    130: "johab",
    134: "gb18030",
    136: "cp950",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    179: "cp1256",
    180: "cp1256",
    181: "cp1255",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
    254: "cp437",
    255: "cp850",
}
_SYMBOL_CHARSET: Final = 2

# The table below `\cpg`, with the numbers that writers use beyond it.
_CODE_PAGES: Final = {
    708: "iso8859-6",
    819: "latin-1",
    932: "cp932",
    936: "gb18030",
    949: "cp949",
    950: "cp950",
    1361: "johab",
    10000: "mac-roman",
    10001: "cp932",
    10006: "mac-greek",
    10007: "mac-cyrillic",
    10029: "mac-latin2",
    10081: "mac-turkish",
    20866: "koi8-r",
    21866: "koi8-u",
    28591: "latin-1",
    54936: "gb18030",
    65001: "utf-8",
    **{page: f"cp{page}" for page in (437, 720, 737, 775, 850, 852, 855, 857, 858, 860, 861, 862, 863, 864, 865, 866)},
    **{page: f"cp{page}" for page in (874, *range(1250, 1259))},
}

_SYMBOL_FONTS: Final = (
    "symbol",
    "wingdings",
    "wingdings 2",
    "wingdings 3",
    "webdings",
    "zapf dingbats",
    "zapfdingbats",
)


def code_page(number: int | None) -> str | None:
    """The codec of a code page, None for one that nobody knows."""
    return _CODE_PAGES.get(number) if number is not None else None


class Fonts:
    """The font table. `document` is the codec of the document, for fonts that name none."""

    def __init__(self) -> None:
        self.document = ANSI
        self.default: int | None = None
        self._fonts: dict[int, tuple[str | None, str | None]] = {}

    def encoding(self, font: int | None) -> tuple[str, str | None]:
        """The codec of text in `font`, and the font's name if it is one of symbols."""
        codec, symbols = self._fonts.get(-1 if font is None else font, (None, None))
        return codec or self.document, symbols

    def read(self, group: bytes, budget: Budget) -> None:
        r"""Adds the fonts of a `\fonttbl`, whether or not each stands in a group of its own. The first of a number counts."""
        font = _Font()
        depth = 0
        for token in TOKEN.finditer(group):
            kind = token.lastindex
            if kind == WORDS:
                for word, value in words(token[WORDS]):
                    if word == b"f":
                        self._add(font, budget)
                        font = _Font(value, depth)
                    else:
                        font.set(word, value)
            elif kind == BRACE:
                depth += 1 if token[BRACE] == b"{" else -1
            elif depth == font.depth and len(font.name) < _MAX_NAME:
                font.name += token[TEXT][:_MAX_NAME] if kind == TEXT else _OTHER if kind in (HEX, SYMBOL) else b""
        self._add(font, budget)

    def _add(self, font: _Font, budget: Budget) -> None:
        if font.number is None:
            return
        budget.spend("nodes")
        name = font.name[:_MAX_NAME].partition(b";")[0].decode("latin-1").strip().lower()
        is_symbols = font.charset == _SYMBOL_CHARSET or name in _SYMBOL_FONTS
        self._fonts.setdefault(font.number, (font.codec(), name if is_symbols else None))


class _Font:
    """One entry while it is read. What is deeper than the entry, alternative names for example, is not its name."""

    def __init__(self, number: int | None = None, depth: int = 0) -> None:
        self.number = number
        self.depth = depth
        self.name = b""
        self.charset: int | None = None
        self._page: str | None = None

    def set(self, word: bytes, value: int | None) -> None:
        if word == b"fcharset":
            self.charset = value
        elif word == b"cpg":
            self._page = code_page(value)

    def codec(self) -> str | None:
        return self._page or _CHARSETS.get(-1 if self.charset is None else self.charset)
