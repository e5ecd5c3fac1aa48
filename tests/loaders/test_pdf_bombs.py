"""Files that ask for more than they may have."""

from __future__ import annotations

import itertools
import time

import pytest

from tests.loaders.pdf_reading import HONEST, Objects, notices, outcome, read, refused
from tests.loaders.pdf_writer import Pdf, document, packed, text

pytestmark = pytest.mark.usefixtures("either_engine")


def content(data: bytes, entries: str) -> bytes:
    """A PDF whose page's content is the stream `data`."""
    pdf = Pdf()
    stream = pdf.stream(data, entries)
    page = pdf.add(f"<</Type/Page/MediaBox[0 0 600 800]/Contents {stream} 0 R>>")
    pages = pdf.add(f"<</Type/Pages/Kids[{page} 0 R]/Count 1>>")
    return pdf.save(pdf.add(f"<</Type/Catalog/Pages {pages} 0 R>>"))


def lzw_of_zeros(codes: int) -> bytes:
    """A table that grows by one entry a code, each a byte longer than the one before; never an end."""
    width, size, held, bits = 9, 258, 256, 9
    out = bytearray()
    for index in range(codes):
        held = (held << width) | (0 if index == 0 else size - 1 + (index > 0) - 0)
        bits += width
        if index:
            size += 1
            if size + 1 >= 1 << width and width < 12:
                width += 1
        while bits >= 8:
            bits -= 8
            out.append(held >> bits)
            held &= (1 << bits) - 1
        if size >= 4_000:
            break
    return bytes(out)


MEGABYTES = bytes(20 * 1024 * 1024)


@pytest.mark.parametrize(
    ("data", "entries"),
    [
        (packed(MEGABYTES), "/Filter/FlateDecode"),
        (packed(b"q Q " * 2_000_000), "/Filter/FlateDecode"),
        (packed(packed(MEGABYTES)), "/Filter[/FlateDecode/FlateDecode]"),
        (packed(b"z" * 5_000_000), "/Filter[/FlateDecode/ASCII85Decode]"),
    ],
)
def test_streams_that_inflate_without_end(data: bytes, entries: str) -> None:
    assert len(data) < 100_000
    assert refused(content(data, entries)).code in ("zip-ratio", "inflated-too-large")


@pytest.mark.parametrize(
    ("data", "entries"),
    [
        (b"z" * 400_000, "/Filter/ASCII85Decode"),
        (b"\x81\x20" * 20_000, "/Filter/RunLengthDecode"),
        (lzw_of_zeros(4_000), "/Filter/LZWDecode"),
        (b"20" * 1_100_000, "/Filter/ASCIIHexDecode"),
        (b" " * 1_100_000, ""),
    ],
)
def test_every_filter_is_counted(data: bytes, entries: str) -> None:
    assert refused(content(data, entries), entry_bytes=1024 * 1024).limit == "entry_bytes"


def test_inflated_bytes_count_over_all_streams() -> None:
    pages = [b" " * 100_000] * 20
    assert refused(document(pages), inflated_bytes=1024 * 1024).limit == "inflated_bytes"


def test_more_filters_than_anyone_needs_are_no_stream() -> None:
    found = read(content(b"", "/Filter[" + "/FlateDecode" * 10_000 + "]"))
    assert notices(found) == {"part-unreadable": "stream", "empty-document": None}


@pytest.mark.parametrize("kind", ["ObjStm", "XRef"])
def test_bombs_in_object_and_cross_reference_streams(kind: str) -> None:
    bomb = packed(MEGABYTES)
    data = b"%%PDF-1.5\n1 0 obj<</Type/%s/N 1/First 0/Size 9/W[1 2 1]/Root 3 0 R/Filter/FlateDecode/Length %d>>stream\n%s\nendstream endobj\nstartxref\n9\n%%%%EOF"
    assert refused(data % (kind.encode(), len(bomb), bomb)).code == "zip-ratio"


def test_bombs_in_fonts_and_character_maps() -> None:
    for entry in ("/ToUnicode {B}", "/FontDescriptor<</FontFile {B}>>"):
        objects: Objects = {
            "B": (packed(MEGABYTES), "/Length1 9999999/Filter/FlateDecode"),
            "F": f"<</Type/Font/Subtype/Type1/BaseFont/X/Widths[1]{entry}>>".encode(),
        }
        data = document([b"BT /F2 12 Tf (x) Tj ET"], resources="/Font<</F2 {F}>>", objects=objects)
        assert refused(data).code == "zip-ratio"


def test_operators_are_nodes() -> None:
    assert refused(document([b"q Q " * 20_000]), nodes=10_000).code == "nodes"


def test_forms_that_draw_forms_cost_what_they_draw() -> None:
    objects: Objects = {
        f"L{level}": (b"/N Do " * 10, f"/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</N {{L{level + 1}}}>>>>")
        for level in range(12)
    }
    objects["L12"] = text("x"), "/Subtype/Form/BBox[0 0 9 9]"
    data = document([b"/N Do"], resources="/XObject<</N {L0}>>", objects=objects)
    assert refused(data, nodes=50_000).code == "nodes"


def test_forms_that_hold_nothing_but_space_cost_their_size() -> None:
    objects = {"F": (b" " * 60_000, "/Subtype/Form/BBox[0 0 9 9]")}
    data = document([b"/N Do " * 1_000], resources="/XObject<</N {F}>>", objects=objects)
    assert refused(data, nodes=50_000).code == "nodes"


def test_forms_in_forms_are_nesting() -> None:
    objects: Objects = {
        f"L{level}": (b"/N Do", f"/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</N {{L{level + 1}}}>>>>")
        for level in range(300)
    }
    objects["L300"] = text("x"), "/Subtype/Form/BBox[0 0 9 9]"
    assert refused(document([b"/N Do"], resources="/XObject<</N {L0}>>", objects=objects)).code == "nesting"


def test_a_form_that_draws_itself_is_drawn_once() -> None:
    objects = {"F": (text("Once.") + b"/N Do", "/Subtype/Form/BBox[0 0 9 9]")}
    data = document([b"/N Do"], resources="/XObject<</N {F}>>", objects=objects)
    assert read(data).text == "Once."


@pytest.mark.parametrize("opening", [b"[", b"<</A", b"[<</A"])
def test_arrays_and_dictionaries_in_one_another_are_nesting(opening: bytes) -> None:
    data = HONEST.replace(b"/Type/Pages", b"/Deep " + opening * 50_000 + b" /Type/Pages")
    assert refused(data).code == "nesting"


def test_page_trees_that_loop_give_each_page_once() -> None:
    data = HONEST.replace(b"/Kids[", b"/Kids[2 0 R 2 0 R ")
    assert read(data).text == "First page.\n\nSecond page."


def test_page_trees_as_deep_as_they_like_are_nesting() -> None:
    pdf = Pdf()
    tree = [pdf.reserve() for _ in range(400)]
    for number, below in itertools.pairwise(tree):
        pdf.add(f"<</Type/Pages/Kids[{below} 0 R]>>", number)
    pdf.add("<</Type/Page/MediaBox[0 0 9 9]>>", tree[-1])
    assert refused(pdf.save(pdf.add(f"<</Type/Catalog/Pages {tree[0]} 0 R>>"))).code == "nesting"


def test_pages_are_counted() -> None:
    assert refused(document([b""] * 30), pages=20).code == "pages"


def test_sections_that_point_at_each_other_are_read_once() -> None:
    at = HONEST.rindex(b"xref\n0")
    assert read(HONEST.replace(b"/Root", b"/Prev %d/Root" % at)).text == "First page.\n\nSecond page."


@pytest.mark.parametrize(
    "objects",
    [
        {"A": b"{B}", "B": b"{A}"},
        {"A": b"{A}"},
        {"A": (b"x", "/Length {A}")},
        {f"{chr(65 + index)}": f"{{{chr(66 + index)}}}".encode() for index in range(25)},
    ],
)
def test_references_in_a_circle_are_nothing(objects: Objects) -> None:
    found = read(
        document([text("Here.") + b"/X Do"], resources="/XObject<</X {A}>>", objects=objects, page="/Annots {A}")
    )
    assert found.text == "Here."


def test_shared_references_are_not_walked_again_and_again() -> None:
    objects: Objects = {f"W{level}": f"[{{W{level + 1}}} {{W{level + 1}}}]".encode() for level in range(60)}
    objects["W60"] = b"500"
    objects["F"] = b"<</Type/Font/Subtype/Type1/BaseFont/X/FirstChar 32/Widths[{W0}]/FontDescriptor<</FontBBox {W0}>>>>"
    found = read(document([b"BT /F2 12 Tf 50 700 Td (x) Tj ET"], resources="/Font<</F2 {F}>>", objects=objects))
    assert found.text == "x"


def composite(entries: str) -> bytes:
    return f"<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/X/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>{entries}>>]/ToUnicode {{U}}>>".encode()


@pytest.mark.parametrize(
    ("entries", "mapping"),
    [
        ("/W[0 2000000000 500 0 2000000000 500]", b"1 beginbfchar <0041> <0041> endbfchar"),
        ("", b"1 beginbfrange <00000000> <FFFFFFFF> <0000> endbfrange"),
        ("", b"1 beginbfrange <0000> <FFFF> <0000> endbfrange " * 5_000),
    ],
)
def test_ranges_are_not_written_out(entries: str, mapping: bytes) -> None:
    objects: Objects = {"U": (mapping, ""), "F": composite(entries)}
    data = document([b"BT /F2 12 Tf 50 700 Td <0041> Tj ET"], resources="/Font<</F2 {F}>>", objects=objects)
    started = time.perf_counter()
    assert read(data).text == "A"
    assert time.perf_counter() - started < 2


def test_a_font_file_that_declares_four_thousand_million_glyphs() -> None:
    groups = b"".join(number.to_bytes(4, "big") for number in (0, 0xFFFFFFFF, 0)) * 100
    table = b"\0\0\0\1\0\3\0\x0a\0\0\0\x0c" + b"\0\x0c\0\0" + bytes(8) + (100).to_bytes(4, "big") + groups
    font = (
        b"\0\1\0\0\0\1"
        + bytes(6)
        + b"cmap"
        + bytes(4)
        + (28).to_bytes(4, "big")
        + len(table).to_bytes(4, "big")
        + table
    )
    objects: Objects = {
        "T": (font, ""),
        "F": composite("/FontDescriptor<</FontFile2 {T}>>").replace(b"/ToUnicode {U}", b""),
    }
    data = document([b"BT /F2 12 Tf 50 700 Td <0041> Tj ET"], resources="/Font<</F2 {F}>>", objects=objects)
    started = time.perf_counter()
    assert read(data).text == "A"
    assert time.perf_counter() - started < 2


def test_an_inline_image_without_an_end_ends_with_its_stream() -> None:
    assert read(document([text("Here.") + b"BI /W 1 /H 1 ID " + bytes(100_000)])).text == "Here."


@pytest.mark.parametrize("count", [1_500, 5_000])
def test_words_scattered_over_a_page(count: int) -> None:
    words = b"".join(text(f"w{index}", 20 * (index % 29), 6 * (index // 29 % 130), 3) for index in range(count))
    started = time.perf_counter()
    found = read(document([words]))
    assert len(set(found.text.split())) >= min(count, 1_500)
    assert notices(found) == {}
    assert time.perf_counter() - started < 5


def test_rules_without_end_beside_glyphs_placed_one_by_one() -> None:
    paths = b"".join(b"%d %d m %d %d l S\n" % (at % 600, at % 797, at % 600 + 2, at % 797 + 2) for at in range(40_000))
    grid = b"".join(b"0 %d 600 1 re f %d 0 1 800 re f\n" % (3 * at, 3 * at) for at in range(4_000))
    glyphs = b"".join(text(chr(97 + at % 26), 6 * (at % 97), 7 * (at // 97 % 113), 6) for at in range(5_000))
    started = time.process_time()
    found = read(document([paths + grid + glyphs]))
    assert time.process_time() - started < 10
    assert notices(found)["layout-simplified"] == 1
    assert len("".join(found.text.split())) >= 5_000


def test_words_far_apart_in_a_grid_are_read_row_by_row() -> None:
    content = b"".join(
        text(f"r{row}c{column}", 10 * column, 790 - 13 * row, 2) for row in range(60) for column in range(60)
    )
    found = read(document([content]))
    places = [found.text.index(f"r{row}c{column} ") for row in range(60) for column in range(59)]
    assert places == sorted(places)


@pytest.mark.parametrize(
    "junk",
    [
        b"(" * 300_000,
        b"(\\(" * 100_000,
        b"%" * 300_000,
        b"/#41" * 100_000,
        b"<41" * 100_000,
        b"A" * 300_000,
        b"-" * 300_000,
        b"1 0 obj(" * 30_000,
        b"trailer<<(" * 30_000,
    ],
)
def test_tokens_without_an_end_take_linear_time(junk: bytes) -> None:
    started = time.perf_counter()
    for data in (HONEST.replace(b"startxref", junk), document([text("Here.") + junk])):
        assert outcome(data, nodes=300_000) in ("read", "nodes", "malformed")
    assert time.perf_counter() - started < 5


def test_text_is_bounded_while_it_is_read() -> None:
    assert refused(document([text("x" * 1_000)] * 20), output_bytes=10_000).code == "output-too-large"
