"""PDF bombs (ISO 32000-2)."""

from __future__ import annotations

import zlib

from fumehood.fuzz.bomb import READ, Bomb, bomb
from fumehood.fuzz.deflate import filling, packed
from fumehood.fuzz.pdf_files import (
    CATALOG,
    FONT,
    FREE,
    PAGE,
    SHOW,
    TREE,
    one_page,
    pdf,
    pdf_with_stream_table,
    stream,
)

GIB = 1 << 30
_FLATE = b"/Filter/FlateDecode"


# ---- filters (7.4) ----------------------------------------------------------------------------------------------


def flate(block: bytes, total: int, times: int = 1) -> bytes:
    """A content stream of `total` bytes of `block`, deflated so many times over."""
    data = packed(b"BT /F1 12 Tf 72 700 Td ", filling(block, total), b" ET").zlib
    for _ in range(times - 1):
        data = zlib.compress(data, 9)
    return pdf(one_page(stream(data, b"/Filter[" + b"/FlateDecode" * times + b"]")))


def run_lengths(stages: int) -> bytes:
    """A run of 0x81 decodes to 64 times as many of itself (7.4.5), so a chain of them grows by powers."""
    filters = b"/ASCIIHexDecode" + b"/RunLengthDecode" * stages
    return pdf(one_page(stream(b"81" * 64 + b">", b"/Filter[" + filters + b"]")))


def lzw(cycles: int) -> bytes:
    """Codes that each print one space more than the one before, until the table is full; then it is cleared (7.4.4)."""
    return pdf(one_page(stream(_lzw_cycles(cycles), b"/Filter/LZWDecode")))


def _lzw_cycles(cycles: int) -> bytes:
    bits, count = 0, 0
    for _ in range(8):  # eight cycles end on a byte
        width = 9
        for code in [32, *range(258, 4_095), 256]:
            bits = bits << width | code
            count += width
            # Early change: the width grows one code before the table needs it.
            if code in (510, 1_022, 2_046):
                width += 1
    return bits.to_bytes(count // 8, "big") * (cycles // 8)


def corrupted(size: int) -> bytes:
    """A MB of Flate with a fault every few KB: who looks for the next good place reads it over and over."""
    text = b"".join(b"(line %d) Tj T* " % number for number in range(size // 2))
    data = bytearray(zlib.compress(b"BT /F1 12 Tf 72 700 Td 14 TL " + text + b"ET", 1)[:size])
    for at in range(4_096, len(data), 4_096):
        data[at] ^= 0xFF
    return pdf(one_page(stream(bytes(data), _FLATE)))


# ---- objects and tables (7.5) -------------------------------------------------------------------------------------


def stream_of_itself() -> bytes:
    """The object stream that holds the pages is said to stand in itself, and so is its length (7.5.7)."""
    objects = one_page(stream(SHOW))
    inner = {number: objects.pop(number) for number in (CATALOG, TREE)}
    heads, bodies = b"", b""
    for number, body in inner.items():
        heads += b"%d %d " % (number, len(bodies))
        bodies += body + b" "
    data = heads + bodies
    entries = b"/Type/ObjStm/N 2/First %d/Extends 6 0 R" % len(heads)
    objects[FREE] = b"<</Length 7 0 R%s>>\nstream\n%s\nendstream" % (entries, data)
    places = {number: (FREE, index) for index, number in enumerate(inner)}
    return pdf_with_stream_table(objects, {**places, 7: (FREE, 0)})


def stream_only_in_itself() -> bytes:
    """An object stream that stands nowhere but in itself."""
    return pdf_with_stream_table(one_page(stream(SHOW)), {FREE: (FREE, 0)}).replace(
        b"/Contents 4 0 R", b"/Contents 6 0 R"
    )


def previous_loop() -> bytes:
    """A cross-reference table whose earlier one is itself (7.5.5)."""
    return pdf(one_page(stream(SHOW)), trailer=b"/Prev {table}")


def huge_size() -> bytes:
    """A trailer that promises two thousand million objects and names no catalog."""
    return pdf(one_page(stream(SHOW))).replace(b"/Root 1 0 R", b"").replace(b"/Size 6", b"/Size 2147483647")


def deep_array(depth: int) -> bytes:
    objects = one_page(stream(SHOW), resources=b"/X 6 0 R")
    objects[FREE] = b"[" * depth + b"]" * depth
    return pdf(objects)


# ---- trees (7.7.3, 8.10, 12.3.3) ------------------------------------------------------------------------------------


def many_pages(count: int) -> bytes:
    """More pages than anybody reads, each with its text."""
    objects = one_page(stream(SHOW))
    for number in range(1, count):
        objects[FREE + number] = objects[PAGE]
    kids = b" ".join(b"%d 0 R" % number for number in [PAGE, *range(FREE + 1, FREE + count)])
    objects[TREE] = b"<</Type/Pages/Count %d/Kids[%s]>>" % (count, kids)
    return pdf(objects)


def page_loop() -> bytes:
    """A page tree whose leaves are its own root; one page stands beside them."""
    objects = one_page(stream(SHOW))
    objects[TREE] = b"<</Type/Pages/Kids[6 0 R 3 0 R 6 0 R]/Count 1000000>>"
    objects[FREE] = b"<</Type/Pages/Parent 2 0 R/Kids[2 0 R 6 0 R]/Count 1000000>>"
    return pdf(objects)


def wide_tree(depth: int) -> bytes:
    """Every node names the next one twice: 2 to the depth pages by a count, one by what is there."""
    objects = one_page(stream(SHOW))
    objects[TREE] = b"<</Type/Pages/Kids[%d 0 R %d 0 R]/Count %d>>" % (FREE, FREE, 1 << depth)
    for level in range(1, depth):
        kid = FREE + level if level < depth - 1 else PAGE
        objects[FREE + level - 1] = b"<</Type/Pages/Kids[%d 0 R %d 0 R]/Count %d>>" % (kid, kid, 1 << (depth - level))
    return pdf(objects)


def form_cycle() -> bytes:
    """A form that draws itself."""
    objects = one_page(stream(SHOW + b" /X Do"), resources=b"/XObject<</X 6 0 R>>")
    objects[FREE] = _form(b"/X Do /X Do", b"/XObject<</X 6 0 R>>")
    return pdf(objects)


def form_fan(depth: int, fan: int) -> bytes:
    """Each form draws the next one `fan` times."""
    objects = one_page(stream(SHOW + b" /X Do"), resources=b"/XObject<</X 6 0 R>>")
    for level in range(depth):
        next_one = b"/XObject<</X %d 0 R>>" % (FREE + level + 1) if level < depth - 1 else b""
        draw = b"/X Do " * fan if level < depth - 1 else SHOW
        objects[FREE + level] = _form(draw, next_one + b"/Font<</F1 5 0 R>>")
    return pdf(objects)


def _form(content: bytes, resources: bytes) -> bytes:
    return stream(content, b"/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources<<%s>>" % resources)


def outline(depth: int) -> bytes:
    """Each bookmark lies below the one before."""
    objects = one_page(stream(SHOW), catalog=b"/Outlines 6 0 R")
    objects[FREE] = b"<</Type/Outlines/First 7 0 R/Last 7 0 R/Count 1>>"
    for level in range(1, depth + 1):
        below = b"/First %d 0 R/Last %d 0 R" % (FREE + level + 1, FREE + level + 1) if level < depth else b""
        objects[FREE + level] = b"<</Title(level %d)/Parent %d 0 R%s>>" % (level, FREE + level - 1, below)
    return pdf(objects)


# ---- content (8, 9) ------------------------------------------------------------------------------------------------


def scattered(count: int) -> bytes:
    """Words far from each other, which an analysis of layout compares with one another."""
    shown = []
    state = 1
    for number in range(count):
        state = state * 1_103_515_245 + 12_345 & 0x7FFFFFFF
        shown.append(b"1 0 0 1 %d %d Tm (w%d) Tj" % (state % 590, (state >> 12) % 780, number))
    return pdf(one_page(stream(b"BT /F1 4 Tf " + b" ".join(shown) + b" ET")))


def small_grids(count: int) -> bytes:
    """Grids of four cells side by side and above one another, and words for each to be asked about."""
    shown = [SHOW]
    for number in range(count):
        x, y = 12 * (number % 50), 12 * (number // 50 % 66)
        shown += [b"%d %d m %d %d l S" % (x, y + step, x + 10, y + step) for step in (0, 5, 10)]
        shown += [b"%d %d m %d %d l S" % (x + step, y, x + step, y + 10) for step in (0, 5, 10)]
        shown.append(b"BT /F1 3 Tf %d %d Td (a) Tj 5 0 Td (b) Tj 0 5 Td (c) Tj ET" % (x + 1, y + 1))
    return pdf(one_page(stream(b"\n".join(shown))))


def lost_colours(count: int) -> bytes:
    """Areas beside the text, in its colour, which each of the strings could be hidden on."""
    areas = b" ".join(b"%d 0 1 1 re f" % number for number in range(count))
    return pdf(
        one_page(stream(SHOW + b" 0 g " + areas + b" BT /F1 9 Tf 72 600 Td " + b"(a) Tj " * (50 * count) + b"ET"))
    )


def huge_image() -> bytes:
    """A picture of ten thousand million dots, by its header."""
    objects = one_page(stream(SHOW + b" q 600 0 0 700 0 0 cm /X Do Q"), resources=b"/XObject<</X 6 0 R>>")
    objects[FREE] = stream(
        zlib.compress(bytes(1 << 20)),
        b"/Subtype/Image/Width 100000/Height 100000/BitsPerComponent 8/ColorSpace/DeviceCMYK" + _FLATE,
    )
    return pdf(objects)


def endless_inline_image() -> bytes:
    """An inline image that has no end (8.9.7)."""
    return pdf(one_page(stream(SHOW + b" BI /W 1 /H 1 /BPC 8 /CS /G ID " + b"E I " * 250_000)))


def saves(count: int) -> bytes:
    """Graphics states that are saved and never restored (8.4.2)."""
    return pdf(one_page(stream(b"q " * count + SHOW)))


def inline_images(count: int) -> bytes:
    """Beginnings of inline images, each of which may look for its end through all that follows."""
    return pdf(one_page(stream(SHOW + b" BI ID x" * count)))


# ---- fonts (9.7) ---------------------------------------------------------------------------------------------------


def character_range() -> bytes:
    """A character map and a table of widths that name two thousand million characters by their first and last."""
    objects = one_page(stream(b"BT /F1 12 Tf 72 700 Td <00410042> Tj ET " + SHOW))
    objects[FONT] = (
        b"<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/DescendantFonts[6 0 R]/ToUnicode 7 0 R>>"
    )
    objects[FREE] = (
        b"<</Type/Font/Subtype/CIDFontType2/BaseFont/A/W[0 2000000000 500]"
        b"/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>"
    )
    objects[FREE + 1] = stream(
        b"begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange "
        b"1 beginbfrange <00000000> <FFFFFFFF> <0041> endbfrange endcmap"
    )
    return pdf(objects)


def font_file() -> bytes:
    """An embedded font of 1 GiB, deflated."""
    objects = one_page(stream(SHOW))
    objects[FONT] = b"<</Type/Font/Subtype/TrueType/BaseFont/A/FontDescriptor 6 0 R>>"
    objects[FREE] = b"<</Type/FontDescriptor/FontName/A/Flags 32/FontFile2 7 0 R>>"
    objects[FREE + 1] = stream(packed(b"\0\1\0\0", filling(bytes(1 << 16), GIB), b"").zlib, _FLATE)
    return pdf(objects)


def many_fonts(count: int) -> bytes:
    """A page that names so many fonts and sets a letter in each."""
    objects = one_page(
        stream(b"BT 72 700 Td " + b" ".join(b"/F%d 9 Tf (a) Tj" % number for number in range(count)) + b" ET " + SHOW)
    )
    fonts = b"".join(b"/F%d %d 0 R" % (number, FREE + number) for number in range(count))
    objects[PAGE] = objects[PAGE].replace(b"/F1 5 0 R", fonts)
    for number in range(count):
        objects[FREE + number] = objects[FONT]
    return pdf(objects)


BOMBS: tuple[Bomb, ...] = (
    bomb(
        "flate.pdf", "1 GiB of spaces, deflated", lambda: flate(b" ", GIB), "inflated-too-large", spends="entry_bytes"
    ),
    bomb(
        "flate-3.pdf",
        "1 GiB of spaces, deflated three times",
        lambda: flate(b" ", GIB, 3),
        "inflated-too-large",
        spends="entry_bytes",
    ),
    bomb(
        "operators.pdf",
        "1 GiB of operators",
        lambda: flate(b"(A) Tj ", GIB),
        "inflated-too-large",
        spends="entry_bytes",
    ),
    bomb(
        "run-lengths.pdf",
        "run lengths of run lengths: 1 GiB from 128 digits",
        lambda: run_lengths(4),
        "inflated-too-large",
        spends="entry_bytes",
    ),
    bomb("lzw.pdf", "1 GiB of spaces by LZW", lambda: lzw(144), "inflated-too-large", spends="entry_bytes"),
    bomb(
        "corrupted.pdf",
        "1 MB of Flate with a fault every 4 KB",
        lambda: corrupted(1_000_000),
        READ,
        notice="part-unreadable",
        holds="line 1",
    ),
    bomb(
        "stream-of-itself.pdf", "an object stream whose length stands in itself", stream_of_itself, READ, holds="Hello."
    ),
    bomb("stream-in-itself.pdf", "an object stream that stands in itself", stream_only_in_itself, READ),
    bomb("previous-loop.pdf", "a cross-reference table before itself", previous_loop, READ, holds="Hello."),
    bomb("huge-size.pdf", "two thousand million objects by the trailer", huge_size, READ, holds="Hello."),
    bomb("deep-array.pdf", "100,000 arrays within each other", lambda: deep_array(100_000), READ, holds="Hello."),
    bomb("page-loop.pdf", "a page tree that holds its own root", page_loop, READ, holds="Hello."),
    bomb(
        "wide-tree.pdf",
        "2 to the 30th pages by a count of names",
        lambda: wide_tree(30),
        READ,
        notice="cycle-skipped",
        holds="Hello.",
    ),
    bomb("form-cycle.pdf", "a form that draws itself", form_cycle, READ, notice="cycle-skipped", holds="Hello."),
    bomb(
        "form-fan.pdf",
        "forms that draw each other 10 to the 12th times",
        lambda: form_fan(13, 10),
        "nodes",
        spends="nodes",
    ),
    bomb("outline.pdf", "5,000 bookmarks, one below the other", lambda: outline(5_000), READ, holds="Hello."),
    bomb("scattered-1500.pdf", "1,500 words far from each other", lambda: scattered(1_500), READ, holds="w1499"),
    bomb("scattered-5000.pdf", "5,000 words far from each other", lambda: scattered(5_000), READ, holds="w4999"),
    bomb("small-grids.pdf", "3,000 grids of four cells", lambda: small_grids(3_000), READ, holds="Hello."),
    bomb("lost-colours.pdf", "1,000 areas that text may be lost on", lambda: lost_colours(1_000), READ, holds="Hello."),
    bomb("inline-image.pdf", "an inline image of 1 MB without an end", endless_inline_image, READ, holds="Hello."),
    bomb("saves.pdf", "1,500,000 graphics states saved", lambda: saves(1_500_000), READ, holds="Hello."),
    bomb(
        "inline-images.pdf", "150,000 beginnings of inline images", lambda: inline_images(150_000), READ, holds="Hello."
    ),
    bomb("character-range.pdf", "two thousand million characters by first and last", character_range, READ),
    bomb("many-pages.pdf", "6,000 pages", lambda: many_pages(6_000), "pages", spends="pages"),
    bomb(
        "huge-image.pdf",
        "a picture of ten thousand million dots",
        huge_image,
        READ,
        notice="image-not-read",
        holds="Hello.",
    ),
    bomb("font-file.pdf", "a font of 1 GiB, deflated", font_file, READ, "inflated-too-large", spends="entry_bytes"),
    bomb("many-fonts.pdf", "3,000 fonts on one page", lambda: many_fonts(3_000), READ, holds="Hello."),
)
