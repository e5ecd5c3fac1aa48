"""Files that are broken, and files that are built otherwise than most."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.loaders.pdf_reading import HONEST, compressed, notices, outcome, read, refused
from tests.loaders.pdf_writer import HELVETICA, Pdf, document, packed, text

pytestmark = pytest.mark.usefixtures("either_engine")


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"junk\n" * 10 + data,
        lambda data: data[: data.rindex(b"startxref")],
        lambda data: data[: data.rindex(b"xref\n0")] + b"trailer<</Root 1 0 R>>",
        lambda data: data.replace(b"startxref\n", b"startxref\n9"),
        lambda data: data.replace(b"\n1 0 obj", b"\n% a comment more\n1 0 obj"),
        lambda data: data.replace(b"/Length ", b"/Length 9"),
        lambda data: data.replace(b"/Length ", b"/Len "),
        lambda data: data.replace(b"/Type/Catalog", b"/Type/Katalog/Type/Catalog"),
        lambda data: data.replace(b"/Count 2", b"/Count 2000000000"),
        lambda data: data.replace(b"/Size ", b"/Size 2147483647 %"),
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: re.sub(rb"startxref\n(\d+)", lambda found: b"startxref\n%d" % (int(found[1]) - 40), data),
        lambda data: data.replace(b"xref\n0 ", b"xref\n1 "),
        lambda data: data.replace(b" n \n", b" f \n"),
        lambda data: data.replace(b"00000 n", b"0000x n"),
        lambda data: data.replace(b"/Prev", b"").replace(b"/Root", b"/Prev 99999999/Root"),
        lambda data: data.replace(b"endstream", b""),
        lambda data: data.replace(b"endobj", b""),
        lambda data: data.replace(b"/Root 1 0 R", b"").replace(b"/Size ", b"/Size 2147483647 %\n"),
        lambda data: data.replace(b"/Kids[", b"/Kids[null 77 0 R "),
        lambda data: data.replace(b"/MediaBox[0 0 600 800]", b"/MediaBox[(a) 600]"),
        lambda data: data + bytes(5_000),
    ],
)
def test_damaged_files_are_read(damage: Callable[[bytes], bytes]) -> None:
    assert read(damage(HONEST)).text == "First page.\n\nSecond page."


def test_a_repair_is_told() -> None:
    found = read(HONEST.replace(b"startxref\n", b"startxref\n9"))
    assert notices(found) == {"repaired": "xref"}
    assert notices(read(HONEST)) == {}


def test_a_stream_that_breaks_off_gives_its_beginning() -> None:
    content = packed(text("Beginning.") + b" ".join(b"%d 0 Td" % number for number in range(5_000)))
    data = document([]).replace(b"/Count 0/Kids[]", b"/Count 1/Kids[90 0 R]")
    data += b"90 0 obj<</Type/Page/MediaBox[0 0 600 800]/Contents 91 0 R/Resources<</Font<</F1 3 0 R>>>>>>endobj\n"
    data += b"91 0 obj<</Filter/FlateDecode>>stream\n" + content[:2_000] + b"\nendstream endobj\n"
    found = read(data)
    assert found.text == "Beginning."
    assert notices(found) == {"part-unreadable": "stream", "repaired": "xref"}


def test_an_incremental_update_counts() -> None:
    at = len(HONEST)
    number = HONEST.index(b"First page.")
    object_number = int(HONEST[:number].rsplit(b" 0 obj", 1)[0].rsplit(b"\n", 1)[1])
    content = text("Changed.")
    update = b"%d 0 obj<</Length %d>>stream\n%s\nendstream endobj\n" % (object_number, len(content), content)
    previous = HONEST.rindex(b"xref\n0")
    update += b"xref\n%d 1\n%010d 00000 n \ntrailer<</Root 1 0 R/Prev %d>>\nstartxref\n%d\n%%%%EOF" % (
        object_number,
        at,
        previous,
        at + len(update),
    )
    found = read(HONEST + update)
    assert (found.text, notices(found)) == ("Changed.\n\nSecond page.", {})


@pytest.mark.parametrize(
    "data", [compressed(), compressed(predictor=True), compressed().replace(b"startxref", b"startxrex")]
)
def test_object_streams_and_cross_reference_streams(data: bytes) -> None:
    assert read(data).text == "Compressed."


def table_of_stream(widths: bytes, row: Callable[[int, int], bytes]) -> bytes:
    """A file with a cross-reference stream of fields of these `widths`; `row` writes an object's from its offset."""
    pdf = Pdf()
    for body in ("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>"):
        pdf.add(body)
    pdf.add("<</Type/Page/MediaBox[0 0 600 800]/Contents 5 0 R/Resources<</Font<</F1 4 0 R>>>>>>")
    pdf.add(HELVETICA)
    pdf.stream(text("By a stream."))
    out = pdf.save(1)
    out = out[: out.rindex(b"xref\n0")]
    rows = b"".join(row(number, out.index(b"\n%d 0 obj" % number) + 1 if number else 0) for number in range(6))
    entries = b"/Type/XRef/Size 6/W[%s]/Root 1 0 R/Length %d" % (widths, len(rows))
    return out + b"6 0 obj<<%s>>stream\n%s\nendstream endobj\nstartxref\n%d\n%%%%EOF" % (entries, rows, len(out))


@pytest.mark.parametrize(
    ("widths", "row", "is_repaired"),
    [
        (b"0 3 0", lambda _, at: at.to_bytes(3, "big"), False),
        (b"1 2 0", lambda number, at: bytes([number > 0]) + at.to_bytes(2, "big"), False),
        (b"1 4 2", lambda number, at: bytes([number > 0]) + at.to_bytes(4, "big") + b"\0\0", False),
        (b"1 2 1]/Index[0 2000000000", lambda number, at: bytes([number > 0]) + at.to_bytes(2, "big") + b"\0", False),
        (b"0 0 0", lambda *_: b"", True),
        (b"1 2000000000 1", lambda *_: b"\1", True),
        (b"1 -2 1", lambda *_: b"\1", True),
    ],
)
def test_fields_of_cross_reference_streams(widths: bytes, row: Callable[[int, int], bytes], is_repaired: bool) -> None:
    found = read(table_of_stream(widths, row))
    assert (found.text, "repaired" in notices(found)) == ("By a stream.", is_repaired)


def four_sections() -> bytes:
    """Four pages, each of an update with a table of its own, and `startxref` at the very end alone."""
    out = bytearray(b"%PDF-1.4\n")
    previous = 0
    for page in range(4):
        objects = {
            4 + 2 * page: b"<</Type/Page/MediaBox[0 0 600 800]/Contents %d 0 R/Resources<</Font<</F1 3 0 R>>>>>>"
            % (5 + 2 * page)
        }
        content = text(f"Page {page + 1}.")
        objects[5 + 2 * page] = b"<</Length %d>>stream\n%s\nendstream" % (len(content), content)
        if not page:
            objects |= {
                1: b"<</Type/Catalog/Pages 2 0 R>>",
                2: b"<</Type/Pages/Kids[4 0 R 6 0 R 8 0 R 10 0 R]>>",
                3: HELVETICA,
            }
        table = b""
        for number, body in sorted(objects.items()):
            table += b"%d 1\n%010d 00000 n \n" % (number, len(out))
            out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
        link = b"/Prev %d" % previous if previous else b""
        previous = len(out)
        out += b"xref\n%strailer<</Size 12/Root 1 0 R%s>>\n" % (table, link)
    return bytes(out + b"startxref\n%d\n%%%%EOF" % previous)


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data,
        lambda data: data[: data.rindex(b"startxref")],
        lambda data: re.sub(rb"/Prev \d+", b"", data),
    ],
)
def test_pages_of_four_sections_with_one_start(damage: Callable[[bytes], bytes]) -> None:
    assert read(damage(four_sections())).text == "Page 1.\n\nPage 2.\n\nPage 3.\n\nPage 4."


def hybrid() -> bytes:
    """Its page and font are in an object stream, to which /XRefStm alone leads (ISO 32000-2, 7.5.8.4)."""
    page = b"<</Type/Page/MediaBox[0 0 600 800]/Contents 5 0 R/Resources<</Font<</F1 4 0 R>>>>>> "
    head = b"3 0 4 %d " % len(page)
    objects = {
        1: b"<</Type/Catalog/Pages 2 0 R>>",
        2: b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        5: _stream(b"", text("Hybrid.")),
        6: _stream(b"/Type/ObjStm/N 2/First %d" % len(head), head + page + HELVETICA),
        7: _stream(b"/Type/XRef/Size 8/W[1 2 1]/Index[3 2]", bytes((2, 0, 6, 0, 2, 0, 6, 1))),
    }
    out, table = b"%PDF-1.5\n", b"xref\n"
    for number, body in objects.items():
        table += b"%d 1\n%010d 00000 n \n" % (number, len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    trailer = b"trailer<</Size 8/Root 1 0 R/XRefStm %d>>\n" % out.index(b"7 0 obj")
    return out + table + trailer + b"startxref\n%d\n%%%%EOF" % len(out)


def _stream(entries: bytes, data: bytes) -> bytes:
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (entries, len(data), data)


@pytest.mark.parametrize(
    ("damage", "is_repaired"),
    [
        (lambda data: data, False),
        (lambda data: re.sub(rb"/XRefStm \d+", b"/XRefStm 3", data), True),
        (lambda data: data.replace(b"/XRefStm", b"/Nothing"), True),
        (lambda data: data.replace(b"startxref", b"startxxxx"), True),
    ],
)
def test_hybrid_files(damage: Callable[[bytes], bytes], is_repaired: bool) -> None:
    found = read(damage(hybrid()))
    assert (found.text, "repaired" in notices(found)) == ("Hybrid.", is_repaired)


def test_nothing_at_all_is_malformed() -> None:
    assert refused(b"").code == "malformed"


@pytest.mark.parametrize("data", [b"PK\x03\x04 something else", b"<html>no</html>", bytes(5_000)])
def test_what_is_no_pdf_is_of_another_kind(data: bytes) -> None:
    assert refused(data).code == "kind-mismatch"


def test_a_header_alone_is_malformed() -> None:
    assert refused(b"%PDF-1.7\n%%EOF").code == "malformed"


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_cut_or_changed_files_end_in_a_document_or_a_refusal(data: st.DataObject) -> None:
    source = data.draw(st.sampled_from([HONEST, compressed(), document([text("Secret.")], encrypt_with="")]))
    changed = bytearray(source[: data.draw(st.integers(0, len(source)))])
    for at, value in data.draw(
        st.lists(st.tuples(st.integers(0, max(0, len(changed) - 1)), st.integers(0, 255)), max_size=8)
    ):
        if changed:
            changed[at] = value
    assert outcome(bytes(changed)) in (
        "read",
        "malformed",
        "kind-mismatch",
        "encrypted",
        "nesting",
        "nodes",
        "zip-ratio",
        "scanned",
    )
