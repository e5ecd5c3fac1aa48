"""What tests of PDFs share: files, honest ones and such as are refused, and what becomes of them."""

from __future__ import annotations

import pytest

from fumehood import Document, Limits, ReadOptions, Refusal
from fumehood.kinds import get
from fumehood.sandbox.loading import read_in_process
from tests.loaders.pdf_writer import HELVETICA, document, packed, text

KIND = get("pdf")
IMAGE = (b"\x00", "/Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray")
Objects = dict[str, bytes | tuple[bytes, str]]
HONEST = document([text("First page."), text("Second page.")])


def read(data: bytes, options: ReadOptions | None = None, **limits: int) -> Document:
    return read_in_process(KIND, data, Limits().replace(**limits), options)


def refused(data: bytes, **limits: int) -> Refusal:
    with pytest.raises(Refusal) as caught:
        read_in_process(KIND, data, Limits().replace(**limits))
    return caught.value


def outcome(data: bytes, **limits: int) -> str:
    """`read`, or the code of the refusal."""
    try:
        read_in_process(KIND, data, Limits().replace(**limits))
    except Refusal as refusal:
        return refusal.code
    return "read"


def notices(found: Document) -> dict[str, int | str | None]:
    return {notice.code: notice.detail for notice in found.notices}


def compressed(predictor: bool = False) -> bytes:
    """A file with a cross-reference stream and an object stream (ISO 32000-2, 7.5.7 and 7.5.8)."""
    inner = [(1, b"<</Type/Catalog/Pages 2 0 R>>"), (2, b"<</Type/Pages/Kids[3 0 R]/Count 1>>"), (4, HELVETICA)]
    inner.append((3, b"<</Type/Page/MediaBox[0 0 600 800]/Contents 5 0 R/Resources<</Font<</F1 4 0 R>>>>>>"))
    head, body = b"", b""
    for number, value in inner:
        head += b"%d %d " % (number, len(body))
        body += value + b" "
    out = bytearray(b"%PDF-1.5\n")
    offsets = {}
    for number, entries, data in (
        (5, b"", text("Compressed.")),
        (6, b"/Type/ObjStm/N 4/First %d" % len(head), head + body),
    ):
        offsets[number] = len(out)
        data = packed(data)
        out += b"%d 0 obj<</Filter/FlateDecode%s/Length %d>>stream\n%s\nendstream endobj\n" % (
            number,
            entries,
            len(data),
            data,
        )
    order = [number for number, _ in inner]
    rows = [bytes([0, 0, 0, 0])]
    rows += [bytes([2, 0, 6, order.index(number)]) for number in (1, 2, 3, 4)]
    rows += [bytes([1]) + offsets[number].to_bytes(2, "big") + b"\0" for number in (5, 6)]
    entries = b""
    if predictor:
        entries = b"/DecodeParms<</Predictor 12/Columns 4>>"
        rows = [
            b"\2" + bytes((a - b) & 255 for a, b in zip(row, above, strict=True))
            for row, above in zip(rows, [bytes(4), *rows], strict=False)
        ]
    data = packed(b"".join(rows))
    at = len(out)
    out += (
        b"7 0 obj<</Type/XRef/Size 7/W[1 2 1]/Root 1 0 R/Filter/FlateDecode%s/Length %d>>stream\n%s\nendstream endobj\nstartxref\n%d\n%%%%EOF"
        % (entries, len(data), data, at)
    )
    return bytes(out)
