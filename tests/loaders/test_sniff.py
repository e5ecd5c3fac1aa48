"""The sniffer: content decides, names only between kinds of text, and what nobody reads is refused by its name."""

from __future__ import annotations

import io
import struct
import time
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood import kinds
from fumehood.errors import FORMATS, Refusal
from fumehood.kinds import Kind
from fumehood.loaders.sniff import sniff


def named(data: bytes, hint: str | None = None) -> str:
    """The kind, or the name in the refusal, in brackets."""
    try:
        return sniff(data, hint)
    except Refusal as refused:
        assert refused.stage == "sniff"  # noqa: PT017
        return f"({refused.detail})" if refused.code == "unsupported-kind" else f"({refused.code})"


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names added to this list are registered kinds for the length of the test."""
    names: list[str] = []
    built_in = kinds.kinds()
    monkeypatch.setattr(kinds, "kinds", lambda: (*built_in, *(Kind(name, "x") for name in names)))
    return names


def archive(*names: str, stored: dict[str, bytes] | None = None) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as package:
        for name, body in (stored or {}).items():
            package.writestr(zipfile.ZipInfo(name), body)
        for name in names:
            package.writestr(name, b"x" * 50)
    return buffer.getvalue()


MANIFEST = b"""<?xml version="1.0"?><manifest:manifest><manifest:file-entry manifest:full-path="/"
manifest:media-type="application/vnd.oasis.opendocument.%s"/></manifest:manifest>"""


def zipped(bodies: dict[str, bytes]) -> bytes:
    """An archive whose entries are all compressed."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as package:
        for name, body in bodies.items():
            package.writestr(name, body)
    return buffer.getvalue()


def compound(*names: str, inside: tuple[str, ...] = ()) -> bytes:
    """A compound file (MS-CFB) of one directory: `names` in the root, one after the other; `inside` in the first of them."""
    free, end = 0xFFFFFFFF, 0xFFFFFFFE
    entries = [("Root Entry", 5, free, 1), *((name, 2, free, free) for name in (*names, *inside))]
    body = b""
    for index, (name, kind, _, child) in enumerate(entries):
        raw = name.encode("utf-16-le")
        right = index + 1 if 0 < index < len(names) else free
        if index == 1 and inside:
            kind, child = 1, len(names) + 1
        body += raw.ljust(64, b"\0") + struct.pack("<HBBIII", len(raw) + 2, kind, 1, free, right, child) + b"\0" * 48
    sectors = -(-len(body) // 512)
    table = (
        struct.pack("<I", 0xFFFFFFFD)
        + b"".join(struct.pack("<I", n + 2) for n in range(sectors - 1))
        + struct.pack("<I", end)
    )
    header = (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 16 + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + b"\0" * 10
    )
    header += struct.pack("<IIIIIIIII", 1, 1, 0, 4096, end, 0, end, 0, 0) + struct.pack("<I", free) * 108
    return header.ljust(512, b"\0") + table.ljust(512, b"\xff") + body.ljust(sectors * 512, b"\0")


# ---- kinds of text ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"Just a few words.\nAnd some more, as people write them.\n", "text"),
        (b"# Title\n\nSome *text* here.\n", "markdown"),
        (b"Intro\n\n- one\n- two\n\n```py\nx\n```\n", "markdown"),
        (b"---\ntitle: A\n---\n\n# One\n\ntext\n", "markdown"),
        (b'{"a": [1, 2]}', "json"),
        (b" [\n 1\n]\n", "json"),
        (b"[]", "json"),
        (b"a,b,c\n1,2,3\n", "csv"),
        (b"name;age\nAda;36\nBob;7\n", "csv"),
        (b"a\tb\n1\t2\n", "tsv"),
        (b"sep=;\nx", "csv"),
        (b"[section]\nkey = value\n", "text"),
        (b"[1] A footnote\n[2] Another\n", "text"),
        (b"[link](https://x.example) and text", "text"),
        (b"Hello, world\nGoodbye, moon\nSo long, sun\n", "text"),
        (b"doe: a deer\nray: a drop\n", "text"),
        (b'{"a": 1}\n{"a": 2}\n', "jsonl"),
        (b'{"cells": [], "nbformat": 4}', "ipynb"),
        (rb"{\rtf1\ansi hello}", "rtf"),
        (b"<?xml version='1.0'?>\n<!-- c -->\n<feed/>", "xml"),
        ("<?xml version='1.0' encoding='utf-16'?><a/>".encode("utf-16"), "xml"),
        (b"#!/bin/sh\n# comment\necho hi\n", "text"),
        (b"a line with a stray \x00 in it", "text"),
        ("a,b\n1,é\n2,ü\n".encode("utf-16"), "csv"),
        ('{"é": 1}'.encode("utf-16-le"), "json"),
        ("Grüße aus Köln".encode("cp1252"), "text"),
        (b"The header %PDF-1.7 starts a PDF file.\n", "text"),
        (b"BMW and MZ are makes", "text"),
        (b"MZ is a make of motor cycles", "text"),
    ],
)
def test_text_is_told_apart_by_its_shape(data: bytes, kind: str) -> None:
    assert named(data) == kind


@pytest.mark.parametrize(
    ("data", "hint", "kind"),
    [
        (b"only words", "markdown", "markdown"),
        (b"# Title\n\nwords\n", "text", "text"),
        (b"only words", "csv", "csv"),
        (b"[1, 2", "json", "json"),
        (b"a,b\n1,2\n3,4\n", "json", "csv"),
        (b"<p align=center>Read me</p>\n", "markdown", "markdown"),
        (b"<!DOCTYPE html><title>x</title>", "text", "text"),
        (b"From: a@b.c\nTo: d\nSubject: e\n\nx", "text", "text"),
        (b"only words", "pdf", "text"),
        (b"only words", "no-such-kind", "no-such-kind"),
        (b"# A comment\n\nimport this\n\n- a\n- b\n", "text", "text"),
        (b'{"a": 1}', "text", "text"),
        (b"a: 1\n", "rtf", "text"),
        (b"%PDF-1.7\n", "text", "pdf"),
        (b"", None, "text"),
        (b"", "json", "json"),
    ],
)
def test_a_name_decides_between_kinds_of_text_where_it_can_be_true(data: bytes, hint: str | None, kind: str) -> None:
    assert named(data, hint) == kind


def test_kinds_of_text_that_are_registered_are_found(known: list[str]) -> None:
    known += ["html"]
    assert named(b"doe: a deer\n", "yaml") == "yaml"
    assert named(b"<!doctype HTML><p>x") == "html"
    assert named(b"words", "html") == "html"


# ---- PDF -----------------------------------------------------------------------------------------------


def test_a_pdf_may_have_junk_before_its_header() -> None:
    assert named(b"%PDF-1.4\n") == "pdf"
    assert named(b"\xef\xbb\xbf\r\n%PDF-1.4\n") == "pdf"
    assert named(b"HTTP/1.1 200 OK\r\n\r\n%PDF-1.4\n1 0 obj\n") == "pdf"
    assert named(b"x" * 2_000 + b"%PDF-1.4\n1 0 obj\n") == "text"


def test_a_pdf_with_a_broken_header_is_still_read_under_its_name() -> None:
    broken = b"%PDX-\x00\x01\x02\x03\x04\n1 0 obj<<>>endobj\nstartxref\n0\n%%EOF"
    assert named(broken, "pdf") == "pdf"
    assert named(b"\x00\x01\x02\x03\x04\x05" * 50, "pdf") == "(None)"


# ---- archives ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (archive("[Content_Types].xml", "_rels/.rels", "word/document.xml"), "docx"),
        (archive("[Content_Types].xml", "xl/workbook.xml"), "xlsx"),
        (archive("[Content_Types].xml", "xl/workbook.bin"), "xlsb"),
        (archive("[Content_Types].xml", "ppt/presentation.xml", "ppt/embeddings/sheet.xlsx"), "pptx"),
        (archive("[Content_Types].xml", "Word\\document.xml"), "docx"),
        (archive("[Content_Types].xml", "odd/workbook.xml"), "xlsx"),
        (archive("content.xml", stored={"mimetype": b"application/vnd.oasis.opendocument.text"}), "odt"),
        (
            archive("content.xml", stored={"mimetype": b"application/vnd.oasis.opendocument.spreadsheet-template"}),
            "ods",
        ),
        (
            zipped({"content.xml": b"x", "META-INF/manifest.xml": MANIFEST % b"presentation-template"}),
            "odp",
        ),
        (zipped({"mimetype": b"application/vnd.oasis.opendocument.spreadsheet", "content.xml": b"x"}), "ods"),
        (zipped({"a.class": b"x", "META-INF/manifest.xml": MANIFEST % b"text"}), "zip"),
        (archive("OEBPS/a.xhtml", stored={"mimetype": b"application/epub+zip"}), "epub"),
        (archive("META-INF/container.xml"), "epub"),
        (archive("META-INF/MANIFEST.MF", "a/B.class"), "jar"),
        (archive("Index/Document.iwa", "Index/Slide-1.iwa"), "key"),
        (archive("photo.jpg", "notes.txt"), "zip"),
        (archive(), "zip"),
        (archive("[Content_Types].xml", "word/document.xml")[:-30], "docx"),
        (b"PK\x03\x04", "zip"),
    ],
)
def test_archives_are_told_apart_by_the_names_in_them(data: bytes, name: str, known: list[str]) -> None:
    assert named(data) in (name, f"({name})")
    known.append(name)
    assert named(data) == name
    assert named(data, "text") == name


def test_a_package_too_broken_to_tell_is_read_under_its_name(known: list[str]) -> None:
    known += ["docx", "kmz"]
    assert named(archive("photo.jpg"), "docx") == "docx"
    assert named(archive("doc.kml"), "kmz") == "kmz"
    assert named(archive("[Content_Types].xml", "xl/workbook.xml"), "docx") == "xlsx"


# ---- compound files ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (compound("WordDocument", "1Table"), "doc"),
        (compound("Workbook"), "xls"),
        (compound("Book"), "xls"),
        (compound("Current User", "PowerPoint Document"), "ppt"),
        (compound("__properties_version1.0", "__nameid_version1.0"), "msg"),
        (compound("a", "b", "c", "d", "e", "f", "VisioDocument"), "vsd"),
        (compound("ObjectPool", "WordDocument", inside=("Workbook",)), "doc"),
        (compound("something"), "ole"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\xff" * 600, "ole"),
    ],
)
def test_compound_files_are_told_apart_by_their_top_streams(data: bytes, name: str) -> None:
    assert named(data) == f"({name})"


_OFFICE = "vnd.openxmlformats-officedocument."


def types(*main: str) -> bytes:
    listed = "".join(f'<Override PartName="/a{at}" ContentType="application/{one}"/>' for at, one in enumerate(main))
    default = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    return f"<Types>{default}{listed}</Types>".encode()


@pytest.mark.parametrize(
    ("main", "name"),
    [
        (f"{_OFFICE}wordprocessingml.document.main+xml", "docx"),
        (f"{_OFFICE}wordprocessingml.template.main+xml", "docx"),
        ("vnd.ms-word.document.macroEnabled.main+xml", "docx"),
        (f"{_OFFICE}spreadsheetml.sheet.main+xml", "xlsx"),
        ("vnd.ms-excel.template.macroEnabled.main+xml", "xlsx"),
        ("vnd.ms-excel.sheet.binary.macroEnabled.main", "(xlsb)"),
        (f"{_OFFICE}presentationml.slideshow.main+xml", "pptx"),
        ("vnd.ms-powerpoint.presentation.macroEnabled.main+xml", "pptx"),
        ("vnd.ms-visio.drawing.main+xml", "(vsdx)"),
        ("vnd.ms-package.xps-fixeddocumentsequence+xml", "(xps)"),
    ],
)
def test_office_packages_are_told_by_the_type_of_their_main_part(main: str, name: str) -> None:
    part = f"{_OFFICE}drawingml.chart+xml"
    assert named(zipped({"[Content_Types].xml": types(part, main), "a0": b"x", "xl/embedded.xml": b"x"})) == name
    assert named(archive("a1", stored={"[Content_Types].xml": types(main)})) == name


def test_where_types_do_not_say_names_do() -> None:
    word, sheet = (f"{_OFFICE}{one}.main+xml" for one in ("wordprocessingml.document", "spreadsheetml.sheet"))
    for listed in (types(), types(word, sheet), types(f"{_OFFICE}spreadsheetml.sheet"), b"", b"\xff" * 99):
        assert named(zipped({"[Content_Types].xml": listed, "word/document.xml": b"x"})) == "docx"


@pytest.mark.parametrize("spelling", ["EncryptedPackage", "encryptedpackage", "ENCRYPTEDPACKAGE", "EncryptionInfo"])
def test_an_encrypted_office_document_needs_a_password(spelling: str) -> None:
    assert named(compound("EncryptionInfo", spelling)) == "(encrypted)"
    assert named(compound("EncryptionInfo", spelling), "text") == "(encrypted)"


# ---- everything else we can name --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "png"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "jpeg"),
        (b"GIF89a\x01\0", "gif"),
        (b"II*\0\x08\0\0\0", "tiff"),
        (b"BM" + struct.pack("<IHHIIII", 100, 0, 0, 54, 40, 1, 1), "bmp"),
        (b"RIFF\x10\0\0\0WEBPVP8 ", "webp"),
        (b"RIFF\x10\0\0\0WAVEfmt ", "wav"),
        (b"\0\0\0\x18ftypheic\0\0\0\0", "heic"),
        (b"\0\0\0\x18ftypisom\0\0\0\0", "mp4"),
        (b"ID3\x03\0\0\0\0\0\0", "mp3"),
        (b"OggS\0\x02", "ogg"),
        (b"\x1a\x45\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm", "webm"),
        (b"\x1f\x8b\x08\0", "gzip"),
        (b"BZh91AY&SY\0", "bzip2"),
        (b"7z\xbc\xaf\x27\x1c\0\x04", "7z"),
        (b"Rar!\x1a\x07\x01\0", "rar"),
        (b"a.txt".ljust(257, b"\0") + b"ustar\x0000", "tar"),
        (b"\x7fELF\x02\x01\x01", "elf"),
        (b"MZ\x90\0\x03\0\0\0", "exe"),
        (b"\xca\xfe\xba\xbe\0\0\0\x34", "class"),
        (b"\xca\xfe\xba\xbe\0\0\0\x02", "mach-o"),
        (b"SQLite format 3\0", "sqlite"),
        (b"%!PS-Adobe-3.0\n", "postscript"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "svg"),
        (b"<?xml version='1.0'?><FictionBook/>", "fb2"),
        (b"<?xml version='1.0'?><office:document office:mimetype='application/vnd.oasis.opendocument.text'>", "odt"),
        (
            b"From: <Saved by Program>\r\nSubject: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n"
            b"--b\r\nContent-Location: http://x\r\n",
            "mhtml",
        ),
        (b"-----BEGIN PGP MESSAGE-----\n", "pgp"),
    ],
)
def test_formats_are_refused_by_their_name_until_a_kind_reads_them(data: bytes, name: str, known: list[str]) -> None:
    assert name in FORMATS
    assert named(data) in (name, f"({name})")
    known.append(name)
    assert named(data) == name


@pytest.mark.parametrize(
    "data",
    [
        b"<!DOCTYPE html>\n<html><body>x",
        b"<html><p>x",
        b"<?xml version='1.0'?><!DOCTYPE html PUBLIC 'a' 'b'><html xmlns='x'/>",
    ],
)
def test_pages_are_found_by_their_first_tags(data: bytes) -> None:
    assert named(data) == "html"


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"Return-Path: <a@b.c>\r\nReceived: from x\r\n by y\r\nSubject: hi\r\n\r\nbody", "eml"),
        (b"From a@b.c\r\nReturn-Path: <a@b.c>\r\nReceived: from x\r\nSubject: hi\r\n\r\nbody", "eml"),
        (b'MIME-Version: 1.0\nContent-Type: Multipart/Mixed;\n boundary="1"\n\n--1\n', "eml"),
        (b"From a@b.c Mon Jan  1 00:00:00 2024\nReceived: x\n\n", "mbox"),
        (b"From here on, all is text.\nSubject: x\nDate: y\n", "text"),
        (b"Content-Type: text/html\n\nx", "text"),
    ],
)
def test_mail_is_found_by_its_headers(data: bytes, name: str) -> None:
    assert named(data) == name


def test_bytes_of_no_known_format_are_refused_without_a_name() -> None:
    assert named(bytes(range(256)) * 20) == "(None)"
    assert named(b"\x00" * 500, "text") == "(None)"


def test_a_kind_from_outside_is_believed_by_its_name_where_nothing_is_recognised(known: list[str]) -> None:
    known.append("acme-drawing")
    assert named(b"\x02\x00\x01\x00" * 100, "acme-drawing") == "acme-drawing"
    assert named(b"\x89PNG\r\n\x1a\n", "acme-drawing") == "(png)"


def test_special_kinds_of_mail_and_markup_go_by_their_name(known: list[str]) -> None:
    known += ["eml", "mbox", "html", "gpx"]
    assert named(b"From a@b.c Mon Jan  1 00:00:00 2024\nReceived: x\n\n", "eml") == "eml"
    assert named(b"<?xml version='1.0'?><gpx/>", "gpx") == "gpx"
    assert named(b"<?xml version='1.0'?><gpx/>", "html") == "html"


# ---- bounds ---------------------------------------------------------------------------------------------------


@given(st.binary(max_size=300), st.sampled_from([None, "text", "markdown", "csv", "json", "pdf"]))
def test_any_bytes_get_a_registered_kind_or_a_refusal(data: bytes, hint: str | None) -> None:
    found = named(data, hint)
    assert found.startswith("(") or found in {kind.name for kind in kinds.kinds()}


@given(
    st.sampled_from(
        [
            compound("ObjectPool", "WordDocument", inside=("Workbook",)),
            archive(
                "[Content_Types].xml",
                "word/document.xml",
                stored={"mimetype": b"application/vnd.oasis.opendocument.text"},
            ),
            b"%PDF-1.4\n1 0 obj\n",
            b"RIFF\x10\0\0\0WEBPVP8 ",
            b"<?xml version='1.0'?><!DOCTYPE a [ <!ENTITY b 'c'> ]><a/>",
            b"From: a\r\nTo: b\r\nSubject: c\r\n\r\n",
        ]
    ),
    st.lists(st.tuples(st.integers(0, 2_000), st.integers(0, 255)), max_size=30),
    st.integers(0, 3_000),
)
def test_damaged_files_get_a_registered_kind_or_a_refusal(
    data: bytes, changes: list[tuple[int, int]], length: int
) -> None:
    damaged = bytearray(data)
    for at, byte in changes:
        damaged[at % len(damaged)] = byte
    found = named(bytes(damaged[:length]))
    assert found.startswith("(") or found in {kind.name for kind in kinds.kinds()}


@given(st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=100))
def test_plain_words_are_never_refused(text: str) -> None:
    assert not named(("Dear reader, " + text).encode()).startswith("(")


_SIZE = 8 << 20
HOSTILE = {
    "zeros": b"\0" * _SIZE,
    "spaces": b" " * _SIZE,
    "one letter": b"a" * _SIZE,
    "brackets": b"[" * _SIZE,
    "local headers": b"PK\x03\x04" * (_SIZE // 4),
    "one end of an archive": b"PK\x03\x04" + b"x" * _SIZE + b"PK\x05\x06" + b"\0" * 18,
    "a directory that is a loop": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    + b"\0" * 22
    + b"\x09\0"
    + b"\0" * 480
    + b"\0" * _SIZE,
    "comments": b"<!---->" * 100_000,
    "an open comment": b"<!--" * 100_000,
    "a doctype": b"<!DOCTYPE x [" + b"]" * 100_000,
    "times": b"From a " + b"11:11 " * 20_000 + b"\n",
    "headers": b"a:\n b\n" * 50_000,
    "links": b"](#" * 50_000,
    "rules": b"--\n" * 50_000,
    "dashes": b"| - " * 50_000,
    "commas": b"," * _SIZE,
    "open quotes": b'a,"b\n' * 50_000,
    "nested objects": b'{"a":' * 100_000,
    "a nested line": b"[" * 10_000 + b"\n[",
}


@pytest.mark.parametrize("case", HOSTILE)
def test_it_takes_milliseconds_whatever_comes(case: str) -> None:
    best = min(_seconds(HOSTILE[case]) for _ in range(3))
    assert best < 0.05


def _seconds(data: bytes) -> float:
    started = time.process_time()
    named(data)
    return time.process_time() - started


@pytest.mark.parametrize(
    ("start", "name"), [(b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", "ics"), (b"BEGIN:VCARD\r\n", "vcf")]
)
def test_calendars_and_cards_are_text_until_a_kind_reads_them(start: bytes, name: str, known: list[str]) -> None:
    assert named(start) == "text"
    known.append(name)
    assert named(start) == name
