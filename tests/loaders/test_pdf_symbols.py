"""The standard fonts of symbols, and what a file's own dictionary changes of standard fonts."""

from __future__ import annotations

import pytest

from fumehood.loaders.shared.pdf_symbols import SYMBOLS
from tests.loaders.pdf_reading import read
from tests.loaders.pdf_writer import document

FONT = "/Font<</F1<</Type/Font/Subtype/Type1/BaseFont%s>>>>"


@pytest.mark.parametrize(("name", "codes"), [("Symbol", 0xBC), ("ZapfDingbats", 0xCA)])
def test_every_code_that_the_standard_names_has_a_character(name: str, codes: int) -> None:
    """ISO 32000-2, D.5 and D.6. Few of them stand for what the code is in ASCII."""
    found = SYMBOLS[name]
    assert len(found) >= codes
    assert all(len(char) == 1 for char in found.values())
    assert found[0x20] == " "


def test_a_font_of_symbols_means_its_own_characters_but_for_differences() -> None:
    shown = b"BT /F1 10 Tf 100 700 Td (See abd) Tj ET"
    assert read(document([shown], resources=FONT % "/Symbol")).text == "\u03a3\u03b5\u03b5 \u03b1\u03b2\u03b4"
    changed = FONT % "/Symbol/Encoding<</Differences[97/heart]>>"
    assert read(document([shown], resources=changed)).text == "\u03a3\u03b5\u03b5 \u2665\u03b2\u03b4"
    assert read(document([shown], resources=FONT % "/ZapfDingbats")).text == "\u2733\u2745\u2745 \u2741\u2742\u2744"


def test_widths_of_a_file_count_for_fonts_of_standard_names_too() -> None:
    shown = b"BT /F1 10 Tf 100 700 Td (A) Tj 10.5 0 Td (A) Tj ET"
    wide = FONT % "/Helvetica/FirstChar 65/LastChar 65/Widths[1000]"
    assert read(document([shown], resources=wide)).text == "AA"
    assert read(document([shown], resources=FONT % "/Helvetica")).text == "A A"
