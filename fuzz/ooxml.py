"""The least that makes a package of OOXML (ECMA-376 part 2) a Word document (part 1, 17)."""

from __future__ import annotations

from collections.abc import Iterable

from fumehood.fuzz.archives import Entry, archive, entry
from fumehood.fuzz.deflate import Packed

DECLARATION = b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
CONTENT_TYPES = (
    DECLARATION + b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    b'<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    b'<Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>'
    b'<Default Extension="zip" ContentType="application/zip"/>'
    b'<Override PartName="/word/document.xml" ContentType="'
    b'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
RELATIONSHIPS = (
    DECLARATION + b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    b'<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"'
    b' Target="word/document.xml"/></Relationships>'
)
OPEN = b'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
_RELATIONSHIP = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
CLOSE = b"</w:body></w:document>"


def paragraph(text: str) -> bytes:
    return b"<w:p><w:r><w:t>" + text.encode() + b"</w:t></w:r></w:p>"


def document(body: bytes) -> bytes:
    """The main part around `body`."""
    return DECLARATION + OPEN + body + CLOSE


HELLO = document(paragraph("Hello."))


def related(*links: tuple[str, str]) -> Entry:
    """The main part's relationships `rId1`, `rId2`, ...: kinds such as `image` (part 1, 15.2), and their targets."""
    written = b"".join(
        f'<Relationship Id="rId{number}" Type="{_RELATIONSHIP}/{kind}" Target="{target}"/>'.encode()
        for number, (kind, target) in enumerate(links, start=1)
    )
    return entry(
        "word/_rels/document.xml.rels",
        DECLARATION
        + b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        + written
        + b"</Relationships>",
    )


def picture() -> bytes:
    """A run that shows what `rId1` names (part 1, 20.4.2.8)."""
    return (
        b'<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing">'
        b'<wp:extent cx="9" cy="9"/><wp:docPr id="1" name="A"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">'
        b'<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic xmlns:pic='
        b'"http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip xmlns:r="%s" r:embed="rId1"/>'
        b"</pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>"
        % _RELATIONSHIP.encode()
    )


def embedded() -> bytes:
    """A run that holds the object which `rId1` names (part 1, 17.3.3.19)."""
    return (
        b'<w:p><w:r><w:object><o:OLEObject xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:r="%s" Type="Embed"'
        b' ProgID="Package" r:id="rId1"/></w:object></w:r></w:p>' % _RELATIONSHIP.encode()
    )


def parts(main: bytes | Packed = HELLO) -> list[Entry]:
    """The three entries that every document has."""
    return [
        entry("[Content_Types].xml", CONTENT_TYPES),
        entry("_rels/.rels", RELATIONSHIPS),
        entry("word/document.xml", main),
    ]


def docx(main: bytes | Packed = HELLO, further: Iterable[Entry] = ()) -> bytes:
    return archive([*parts(main), *further])
