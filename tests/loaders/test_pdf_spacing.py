"""Where words of a PDF begin and end: what is a space and what is none, with both engines."""

from __future__ import annotations

import pytest

from fumehood import Document, ReadOptions, kinds
from fumehood.sandbox.loading import read_in_process, warm
from tests.loaders.pdf_writer import document

KIND = kinds.get("pdf")
FONTS = (
    "/Font<</F1 {H}/I<</Type/Font/Subtype/Type1/BaseFont/Times-Italic>>/S<</Type/Font/Subtype/Type1/BaseFont/Symbol>>"
    "/Z<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats>>/V {V}/L {L}/U {U}>>"
)
TO_UNICODE = (
    b"/CIDInit/ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange "
    b"3 beginbfchar <41> <FB05> <42> <017F> <43> <0074> endbfchar endcmap end"
)
SIMPLE = "<</Type/Font/Subtype/Type1/FirstChar 65/LastChar 90/Widths[%s]%s>>"
OBJECTS: dict[str, bytes | tuple[bytes, str]] = {
    "H": b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    "V": (SIMPLE % ("580 " * 26, "/BaseFont/ABCDEF+CMMI10")).encode(),
    "L": (SIMPLE % ("600 " * 26, "/BaseFont/Helvetica/ToUnicode {M}")).encode(),
    "U": (SIMPLE % ("600 " * 26, "/BaseFont/Helvetica/Encoding<</Differences[129/g1]>>")).encode(),
    "M": (TO_UNICODE, ""),
}


@pytest.fixture(params=["pdfminer", "pdfium"])
def engine(request: pytest.FixtureRequest) -> str:
    if request.param == "pdfium":
        pytest.importorskip("pypdfium2_raw")
    warm(KIND, request.param)
    return str(request.param)


def read(data: bytes, engine: str) -> Document:
    return read_in_process(KIND, data, options=ReadOptions(engine=engine))


def page(contents: bytes) -> bytes:
    return document([b"BT " + contents + b" ET"], resources=FONTS, objects=OBJECTS)


SEEN = {
    "a slanted letter reaches beyond its advance": (
        b"/I 12 Tf 100 700 Td (end of) Tj 31.5 0 Td (it) Tj",
        "end of it",
    ),
    "a gap narrower than half a space": (b"/F1 10 Tf 100 700 Td [(Part) -135 (7)] TJ", "Part 7"),
    "the same in a long word with kerning": (
        b"/F1 10 Tf 100 700 Td [(A) 60 (V) 60 (A) -150 (tar)] TJ",
        "AVA tar",
    ),
    "letters spaced out": (b"/F1 10 Tf 3 Tc 100 700 Td (SPACED) Tj", "SPACED"),
    "letters spaced out and kerned": (b"/F1 10 Tf 3 Tc 100 700 Td [(SP) 70 (ACED)] TJ", "SPACED"),
    "letters spaced out but where that is undone": (
        b"/F1 10 Tf 2.77 Tc 100 700 Td [(45) 291 (5) 291 (9)] TJ",
        "4 559",
    ),
    "letters set closer, and moved on": (b"/F1 12 Tf -2.5 Tc 100 700 Td [(M)-157(O)-166(ST)] TJ", "MOST"),
    "symbols": (
        b"/S 10 Tf 100 700 Td (a) Tj /F1 10 Tf (-ethyl) Tj /S 10 Tf 100 0 Td (\xb1D) Tj",
        "\u03b1-ethyl ±\u0394",
    ),
    "dingbats": (b"/F1 10 Tf 100 700 Td (It is ) Tj /Z 10 Tf (4l) Tj", "It is ✔●"),
    "a ligature of long s and t": (b"/F1 10 Tf 100 700 Td (be) Tj /L 10 Tf (A) Tj", "best"),
    "a long s and a t": (b"/F1 10 Tf 100 700 Td (be) Tj /L 10 Tf (BC) Tj", "be\u017ft"),
    "a fraction of which both parts begin at one place": (
        b"/F1 10 Tf 100 700 Td (about) Tj /F1 6 Tf 25.5 -2 Td (2) Tj -.001 6 Td (1) Tj",
        "about12",
    ),
    "a mark above a comma": (
        b"/F1 10 Tf 100 700 Td (Name) Tj 26.68 0 Td [(,) -250 (next)] TJ /F1 6 Tf .0005 4 Td (*) Tj",
        "Name,* next",
    ),
    "a mark after a variable": (b"/V 10 Tf 100 700 Td (V) Tj /F1 10 Tf 8 0 Td (\\() Tj", r"V("),
    "an exponent of a variable": (b"/V 10 Tf 100 700 Td (T) Tj /F1 7 Tf 7.2 4 Td (2) Tj", "T2"),
    "two variables": (b"/V 10 Tf 100 700 Td [(T) -139 (M)] TJ", "TM"),
    "a word after a variable": (b"/V 10 Tf 100 700 Td (V) Tj /F1 10 Tf 7.4 0 Td (can) Tj", "V can"),
    "a glyph without a meaning between words": (
        b"/F1 10 Tf 100 700 Td (a ) Tj /U 10 Tf (\x81) Tj /F1 10 Tf ( b) Tj",
        "a b",
    ),
}


@pytest.mark.parametrize("what", SEEN)
def test_spaces_are_where_they_are_seen(what: str, engine: str) -> None:
    contents, expected = SEEN[what]
    assert read(page(contents), engine).text == expected


LEANING = (
    b"12 .9 -.9 12 100 500 Tm /F1 1 Tf (shoes, light bulbs ) Tj /I 1 Tf (so ) Tj /F1 1 Tf 10.5 0 Td (and even doors) Tj"
)


def test_words_of_a_leaning_line_are_one_line_wherever_each_begins(engine: str) -> None:
    assert read(page(LEANING), engine).text == "shoes, light bulbs so and even doors"


def test_a_leaning_line_is_clipped_by_where_it_is_seen(engine: str) -> None:
    """Its far end is as high above its base line as the size of many letters."""
    data = document(
        [b"q 0 522 600 40 re W n BT 12 .9 -.9 12 100 500 Tm /F1 1 Tf 30 0 Td (seen) Tj -30 0 Td (not) Tj ET Q"]
    )
    assert [block.visible for block in read(data, engine).blocks] == [True, False]


@pytest.mark.parametrize("degrees", [(0.94, 0.34), (0.0, 1.0), (0.0, -1.0), (-1.0, 0.0)])
def test_turned_words_end_where_their_letters_do(degrees: tuple[float, float], engine: str) -> None:
    cosine, sine = (value * 10 for value in degrees)
    matrix = b"%f %f %f %f 300 400 Tm" % (cosine, sine, -sine, cosine)
    contents = matrix + b" /F1 1 Tf [(Wri) -5 (st) -135 (with ) -20 (A) 30 (Will)] TJ"
    assert read(page(contents), engine).text == "Wrist with AWill"


def test_fonts_of_one_name_are_told_apart_from_page_to_page(engine: str) -> None:
    """A hundred pages, each with a font of its own that gives the same code another meaning or width."""
    objects: dict[str, bytes | tuple[bytes, str]] = {}
    pages = []
    for number in range(100):
        glyph, wide = "AB"[number % 2], 600 + 300 * (number % 3)
        objects[f"N{number}"] = (
            f"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/FirstChar 65/LastChar 66/Widths[{wide} 600]"
            f"/Encoding<</Differences[65/{glyph}/C]>>>>"
        ).encode()
        pages.append(b"BT /N%d 10 Tf 100 700 Td (BA) Tj %f 0 Td (B) Tj ET" % (number, 6 + wide / 100 + 1.5))
    fonts = "/Font<<" + "".join(f"/N{number} {{N{number}}}" for number in range(100)) + ">>"
    # Longer names first: those of others begin with them.
    ordered = dict(sorted(objects.items(), reverse=True))
    found = read(document(pages, resources=fonts, objects=ordered), engine)
    texts = [found.text[block.start : block.end] for block in found.blocks]
    assert texts == [f"C{'AB'[number % 2]} C" for number in range(100)]
