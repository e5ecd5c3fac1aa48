"""The least that makes a package of OOXML (ECMA-376 part 2) a workbook (part 1, 18), and grammars of its parts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from fumehood.fuzz.archives import Entry, archive, entry
from fumehood.fuzz.deflate import Packed

DECLARATION: Final = b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
MAIN: Final = b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE: Final = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE: Final = b"http://schemas.openxmlformats.org/package/2006"
CONTENT_TYPES: Final = (
    DECLARATION
    + b'<Types xmlns="%s/content-types">' % _PACKAGE
    + b'<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    b'<Default Extension="xml" ContentType="application/xml"/>'
    b'<Override PartName="/xl/workbook.xml" ContentType="'
    b'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>'
)
OPEN: Final = b'<worksheet xmlns="%s"><sheetData>' % MAIN
CLOSE: Final = b"</sheetData></worksheet>"


def relationships(*arrows: tuple[str, str]) -> bytes:
    """`rId1`, `rId2`, ...: kinds such as `worksheet` (part 1, 12.3), and their targets."""
    written = b"".join(
        b'<Relationship Id="rId%d" Type="%s/%s" Target="%s"/>' % (number, _OFFICE, kind.encode(), target.encode())
        for number, (kind, target) in enumerate(arrows, start=1)
    )
    return DECLARATION + b'<Relationships xmlns="%s/relationships">' % _PACKAGE + written + b"</Relationships>"


def worksheet(rows: bytes, after: bytes = b"") -> bytes:
    return OPEN + rows + b"</sheetData>" + after + b"</worksheet>"


def strings(*texts: bytes) -> bytes:
    return b'<sst xmlns="%s">' % MAIN + b"".join(b"<si><t>%s</t></si>" % text for text in texts) + b"</sst>"


def styles(*codes: bytes) -> bytes:
    """Cell formats 0, 1, ... of those number formats."""
    own = b"".join(b'<numFmt numFmtId="%d" formatCode="%s"/>' % (164 + at, code) for at, code in enumerate(codes))
    formats = b"".join(b'<xf numFmtId="%d"/>' % (164 + at) for at in range(len(codes)))
    return b'<styleSheet xmlns="%s"><numFmts>%s</numFmts><cellXfs>%s</cellXfs></styleSheet>' % (MAIN, own, formats)


def workbook(sheets: int = 1, same: bool = False) -> bytes:
    """Lists so many sheets: `rId1`, `rId2`, ..., or all of them the same."""
    listed = b"".join(
        b'<sheet name="S%d" sheetId="%d" r:id="rId%d"/>' % (number, number, 1 if same else number)
        for number in range(1, sheets + 1)
    )
    return DECLARATION + b'<workbook xmlns="%s" xmlns:r="%s"><sheets>%s</sheets></workbook>' % (MAIN, _OFFICE, listed)


_STRINGS: Final = strings(b"Hello.")
_STYLES: Final = styles(b"General")
_BOOK: Final = workbook()
HELLO: Final = worksheet(b'<row r="1"><c r="A1" t="inlineStr"><is><t>Hello.</t></is></c></row>')


def xlsx(
    sheet: bytes | Packed = HELLO,
    shared: bytes | Packed = _STRINGS,
    formats: bytes = _STYLES,
    book: bytes | Packed = _BOOK,
    further: Iterable[Entry] = (),
) -> bytes:
    """A workbook of the sheet `rId1`, with strings and styles."""
    links = relationships(("worksheet", "sheet.xml"), ("sharedStrings", "strings.xml"), ("styles", "styles.xml"))
    return archive(
        [
            entry("[Content_Types].xml", CONTENT_TYPES),
            entry("_rels/.rels", relationships(("officeDocument", "xl/workbook.xml"))),
            entry("xl/workbook.xml", book),
            entry("xl/_rels/workbook.xml.rels", links),
            entry("xl/sheet.xml", sheet),
            entry("xl/strings.xml", shared),
            entry("xl/styles.xml", formats),
            *further,
        ]
    )
