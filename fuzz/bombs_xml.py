"""XML bombs as the main part of a Word document."""

from __future__ import annotations

from fumehood.fuzz.bomb import Bomb, bomb
from fumehood.fuzz.ooxml import CLOSE, DECLARATION, OPEN, document, docx, paragraph


def _with_doctype(subset: bytes, text: bytes) -> bytes:
    return (
        b'<?xml version="1.0"?><!DOCTYPE w:document ['
        + subset
        + b"]>"
        + OPEN
        + b"<w:p><w:r><w:t>"
        + text
        + b"</w:t></w:r></w:p>"
        + CLOSE
    )


def laughs(levels: int = 9, fan: int = 10) -> bytes:
    """Each entity names the one below it ten times."""
    subset = [b'<!ENTITY l0 "lol">']
    subset += [b'<!ENTITY l%d "%s">' % (level, b"&l%d;" % (level - 1) * fan) for level in range(1, levels + 1)]
    return _with_doctype(b"".join(subset), b"&l%d;" % levels)


def quadratic(size: int = 100_000, times: int = 10_000) -> bytes:
    """One long entity, named often."""
    return _with_doctype(b'<!ENTITY a "' + b"A" * size + b'">', b"&a;" * times)


def external(target: str = "file:///etc/hostname") -> bytes:
    return _with_doctype(f'<!ENTITY x SYSTEM "{target}">'.encode(), b"before &x; after")


def parameter() -> bytes:
    """An external subset, which a parser would fetch before it sees the root."""
    return (
        b'<?xml version="1.0"?><!DOCTYPE w:document SYSTEM "http://127.0.0.1:9/x.dtd">' + OPEN + paragraph("A") + CLOSE
    )


def in_utf_16() -> bytes:
    """The same laughs where no search for `<!DOCTYPE` in bytes finds them (XML 1.0, 4.3.3)."""
    return laughs().decode().replace('version="1.0"', 'version="1.0" encoding="UTF-16"').encode("utf-16")


def attributes(count: int) -> bytes:
    given = b" ".join(b'w:a%d=""' % number for number in range(count))
    return document(b"<w:p " + given + b"><w:r><w:t>A</w:t></w:r></w:p>")


def deep(depth: int) -> bytes:
    return document(
        b"<w:p>" + b"<w:smartTag>" * depth + b"<w:r><w:t>A</w:t></w:r>" + b"</w:smartTag>" * depth + b"</w:p>"
    )


def tables(depth: int) -> bytes:
    return document(
        b"<w:tbl><w:tr><w:tc>" * depth + paragraph("A") + (b"</w:tc></w:tr></w:tbl>" + paragraph("")) * depth
    )


def namespaces(count: int) -> bytes:
    """Every element declares one of its own: a parser that looks prefixes up in a list takes quadratic time."""
    opened = b"".join(b'<w:smartTag xmlns:n%d="urn:%d">' % (number, number) for number in range(count))
    return DECLARATION + OPEN + b"<w:p>" + opened + b"</w:smartTag>" * count + b"</w:p>" + CLOSE


BOMBS: tuple[Bomb, ...] = (
    bomb("laughs.docx", "billion laughs", lambda: docx(laughs()), "malformed"),
    bomb("laughs-rels.docx", "billion laughs in the relationships", lambda: _in_relationships(laughs()), "malformed"),
    bomb("quadratic.docx", "an entity of 100 KB named 10,000 times", lambda: docx(quadratic()), "malformed"),
    bomb("external.docx", "an external entity", lambda: docx(external()), "malformed"),
    bomb("external-subset.docx", "an external subset", lambda: docx(parameter()), "malformed"),
    bomb("doctype-utf-16.docx", "billion laughs in UTF-16", lambda: docx(in_utf_16()), "malformed"),
    bomb("attributes.docx", "1,000,000 attributes on one element", lambda: docx(attributes(1_000_000)), "nodes"),
    bomb("namespaces.docx", "50,000 namespaces, one within the other", lambda: docx(namespaces(50_000)), "nesting"),
    bomb("deep.docx", "100,000 elements within each other", lambda: docx(deep(100_000)), "nesting"),
    bomb("deep-tables.docx", "3,000 tables within each other", lambda: docx(tables(3_000)), "nesting"),
)


def _in_relationships(part: bytes) -> bytes:
    from fumehood.fuzz.archives import archive, entry
    from fumehood.fuzz.ooxml import parts

    content_types, _, main = parts()
    return archive([content_types, entry("_rels/.rels", part), main])
