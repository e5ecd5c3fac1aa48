"""What the two standard fonts of symbols mean, which have encodings of their own (ISO 32000-2, D.5 and D.6)."""

from __future__ import annotations

from typing import Final

from fumehood.loaders.shared.ooxml_symbols import UNMAPPED, mapped

_SYMBOL: Final = {code: text for code in range(0x20, 0x100) if (text := mapped(code, "symbol")) != UNMAPPED}

# Unicode's mapping table VENDORS/ADOBE/zdingbat.txt: rows of the block Dingbats, but for what was in Unicode before.
_DINGBATS: Final = {
    0x20: " ",
    **{code: chr(0x2701 + code - 0x21) for code in range(0x21, 0x7F)},
    **{code: chr(0x2768 + code - 0x80) for code in range(0x80, 0x8E)},
    **{code: chr(0x2761 + code - 0xA1) for code in range(0xA1, 0xFF) if code != 0xF0},
    **dict(zip(b"\x25\x2a\x2b\x48lnstuw\xa8\xa9\xaa\xab", "☎☛☞★●■▲▼◆◗♣♦♥♠", strict=True)),
    **{code: chr(0x2460 + code - 0xAC) for code in range(0xAC, 0xB6)},
    **dict(zip(b"\xd5\xd6\xd7", "→↔↕", strict=True)),
}

SYMBOLS: Final = {"Symbol": _SYMBOL, "ZapfDingbats": _DINGBATS}
"""By the name of the font, the characters of its codes."""
