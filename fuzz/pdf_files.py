"""Writes PDF (ISO 32000-2) object by object, with an honest cross-reference table around whatever they say."""

from __future__ import annotations

from collections.abc import Mapping

CATALOG, TREE, PAGE, CONTENT, FONT, FREE = 1, 2, 3, 4, 5, 6
"""Numbers of the objects of :func:`one_page`; from `FREE` on there are others' own."""

HEADER = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
SHOW = b"BT /F1 12 Tf 72 700 Td (Hello.) Tj ET"


def stream(data: bytes, entries: bytes = b"") -> bytes:
    """A stream of `data` as it is, with its right length."""
    return b"<</Length %d%s>>\nstream\n%s\nendstream" % (len(data), entries, data)


def one_page(content: bytes, *, resources: bytes = b"", page: bytes = b"", catalog: bytes = b"") -> dict[int, bytes]:
    """The objects of a document of one page; `content` is its stream, the others are further entries."""
    return {
        CATALOG: b"<</Type/Catalog/Pages 2 0 R%s>>" % catalog,
        TREE: b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        PAGE: b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R"
        b"/Resources<</Font<</F1 5 0 R>>%s>>%s>>" % (resources, page),
        CONTENT: content,
        FONT: b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    }


def pdf(objects: Mapping[int, bytes], *, trailer: bytes = b"", root: int = CATALOG) -> bytes:
    """The file, with a classic table (7.5.4); `{table}` in `trailer` stands for its offset."""
    out = bytearray(HEADER)
    size = max(objects) + 1
    offsets = dict.fromkeys(range(size), 0)
    for number, body in sorted(objects.items()):
        offsets[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % size
    for number in range(1, size):
        out += b"%010d 00000 %s \n" % (offsets[number], b"n" if number in objects else b"f")
    further = trailer.replace(b"{table}", b"%d" % table)
    out += b"trailer\n<</Size %d/Root %d 0 R%s>>\nstartxref\n%d\n%%%%EOF\n" % (size, root, further, table)
    return bytes(out)


def pdf_with_stream_table(objects: Mapping[int, bytes], inside: Mapping[int, tuple[int, int]]) -> bytes:
    """The file with a cross-reference stream (7.5.8); `inside` places objects: number of an object stream, index."""
    out = bytearray(HEADER)
    table_number = max(*objects, *inside) + 1
    rows = {number: (2, *place) for number, place in inside.items()} | {0: (0, 0, 255)}
    for number, body in sorted(objects.items()):
        rows[number] = (1, len(out), 0)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    rows[table_number] = (1, len(out), 0)
    data = b"".join(
        bytes([kind]) + second.to_bytes(4, "big") + bytes([third])
        for kind, second, third in (rows.get(number, (0, 0, 0)) for number in range(table_number + 1))
    )
    table = stream(data, b"/Type/XRef/Size %d/W[1 4 1]/Root %d 0 R" % (table_number + 1, CATALOG))
    at = len(out)
    return bytes(out + b"%d 0 obj\n%s\nendobj\nstartxref\n%d\n%%%%EOF\n" % (table_number, table, at))
