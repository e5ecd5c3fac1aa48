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
CLOSE = b"</w:body></w:document>"


def paragraph(text: str) -> bytes:
    return b"<w:p><w:r><w:t>" + text.encode() + b"</w:t></w:r></w:p>"


def document(body: bytes) -> bytes:
    """The main part around `body`."""
    return DECLARATION + OPEN + body + CLOSE


HELLO = document(paragraph("Hello."))


def parts(main: bytes | Packed = HELLO) -> list[Entry]:
    """The three entries that every document has."""
    return [
        entry("[Content_Types].xml", CONTENT_TYPES),
        entry("_rels/.rels", RELATIONSHIPS),
        entry("word/document.xml", main),
    ]


def docx(main: bytes | Packed = HELLO, further: Iterable[Entry] = ()) -> bytes:
    return archive([*parts(main), *further])
