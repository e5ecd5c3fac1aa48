"""Characters of the symbol fonts, whose codes are no Unicode: ECMA-376 part 1, 17.3.3.30.

Word writes the code plain or moved to the private use area (F000 to F0FF).
"""

from __future__ import annotations

from typing import Final

UNMAPPED: Final = "\ufffd"
"""Stands for a glyph whose meaning only its font knows."""

# Adobe's Symbol encoding (Unicode's mapping table VENDORS/ADOBE/symbol.txt), from 0x20 and from 0xA0 on.
_SYMBOL_LOW: Final = (
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?"  # noqa: RUF001
    "≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_"
    "‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"  # noqa: RUF001
)
_SYMBOL_HIGH: Final = (
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\ufffd〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"  # noqa: RUF001
)
_SYMBOL: Final = dict(enumerate(_SYMBOL_LOW, 0x20)) | dict(enumerate(_SYMBOL_HIGH, 0xA0))

# Those of Wingdings that stand in documents as marks, bullets and arrows (Unicode L2/11-052).
_WINGDINGS: Final = {
    **dict(zip(b'!"#()*67?AEFGHJKLNOQRTVXYZ[', "✏✂✁☎✆✉⌛⌨✍✌☜☞☝☟☺😐☹☠⚐✈☼❄✞✠✡☪☯", strict=True)),
    **dict(enumerate("♈♉♊♋♌♍♎♏♐♑♒♓", 0x5E)),
    **dict(zip(b"lmnoqrstuvx{", "●❍■□❑❒⬧⧫◆❖⌧❀", strict=True)),
    **dict(enumerate("⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿", 0x80)),
    **dict(zip(b"\x9e\x9f\xa1\xa7\xa8\xaa\xab\xac\xd5\xd6\xd8\xdc\xdf", "·•○▪◻✦★✶⌫⌦➢➲←", strict=True)),
    **dict(zip(b"\xe0\xe1\xe2\xe8\xef\xf0\xf1\xf2\xf3\xf4\xfb\xfc\xfd\xfe", "→↑↓➔⇦⇨⇧⇩⬄⇳✗✓☒☑", strict=True)),
}
_WINGDINGS_2: Final = dict(zip(b"OPQRST\x97\x98\xa3\xa4", "✗✓☒☑☒☒●●☐☐", strict=True))

_FONTS: Final = {
    "symbol": _SYMBOL,
    "wingdings": _WINGDINGS,
    "wingdings 2": _WINGDINGS_2,
}


def mapped(code: int, font: str | None) -> str:
    """The character of `code` in `font`; `UNMAPPED` if the font is none of those we know and the code is private."""
    private = 0xE000 <= code <= 0xF8FF or code >= 0xF0000
    table = _FONTS.get((font or "").strip().lower())
    if table is not None and (code <= 0xFF or 0xF000 <= code <= 0xF0FF):
        return table.get(code & 0xFF, UNMAPPED)
    if private or not 0x20 <= code <= 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        return UNMAPPED
    return chr(code)
