"""XML bombs as the main part of a Word document."""

from __future__ import annotations

from fumehood.fuzz.archives import archive, entry
from fumehood.fuzz.bomb import READ, Bomb, bomb
from fumehood.fuzz.ooxml import CLOSE, DECLARATION, OPEN, document, docx, paragraph, parts, related


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


def instructions(count: int) -> bytes:
    """Processing instructions, which a count of `<` takes for tags that are never closed."""
    written = b"".join(b"<?a %x?>" % (number * 2_654_435_761 & 0xFFFF_FFFF) for number in range(count))
    return document(paragraph("Hello.") + written)


def in_relationships(part: bytes) -> bytes:
    """The package's relationships, which are read before anything else, are `part`."""
    content_types, _, main = parts()
    return archive([content_types, entry("_rels/.rels", part), main])


def span(columns: int) -> bytes:
    """A cell that claims to be as wide as so many."""
    return document(
        b'<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="%d"/></w:tcPr>%s</w:tc></w:tr></w:tbl>'
        % (columns, paragraph("Hello."))
    )


def styles(inner: bytes) -> bytes:
    """A document of one paragraph in the style `S0` among the styles `inner`."""
    main = document(b'<w:p><w:pPr><w:pStyle w:val="S0"/></w:pPr><w:r><w:t>Hello.</w:t></w:r></w:p>')
    part = DECLARATION + OPEN.replace(b"document ", b"styles ").replace(b"<w:body>", b"") + inner + b"</w:styles>"
    return docx(main, [related(("styles", "styles.xml")), entry("word/styles.xml", part)])


def based_on(count: int, last: int) -> bytes:
    """Styles each based on the next one, and the last one on the style `last` (part 1, 17.7.4.3)."""
    return b"".join(
        b'<w:style w:type="paragraph" w:styleId="S%d"><w:basedOn w:val="S%d"/></w:style>'
        % (number, number + 1 if number < count - 1 else last)
        for number in range(count)
    )


def notes(references: int) -> bytes:
    """A footnote that refers to itself, and a text that refers to it (part 1, 17.11)."""
    reference = b'<w:r><w:footnoteReference w:id="2"/></w:r>'
    main = document(paragraph("Hello.") + b"<w:p>" + reference * references + b"</w:p>")
    note = b'<w:footnote w:id="2"><w:p><w:r><w:t>note</w:t></w:r>' + reference * 2 + b"</w:p></w:footnote>"
    part = DECLARATION + OPEN.replace(b"document ", b"footnotes ").replace(b"<w:body>", b"") + note + b"</w:footnotes>"
    return docx(main, [related(("footnotes", "footnotes.xml")), entry("word/footnotes.xml", part)])


BOMBS: tuple[Bomb, ...] = (
    bomb("laughs.docx", "billion laughs", lambda: docx(laughs()), "malformed"),
    bomb("laughs-rels.docx", "billion laughs in the relationships", lambda: in_relationships(laughs()), "malformed"),
    bomb("quadratic.docx", "an entity of 100 KB named 10,000 times", lambda: docx(quadratic()), "malformed"),
    bomb("external.docx", "an external entity", lambda: docx(external()), "malformed"),
    bomb("external-subset.docx", "an external subset", lambda: docx(parameter()), "malformed"),
    bomb("doctype-utf-16.docx", "billion laughs in UTF-16", lambda: docx(in_utf_16()), "malformed"),
    bomb("attributes.docx", "1,000,000 attributes on one element", lambda: docx(attributes(1_000_000)), "nodes"),
    bomb("namespaces.docx", "50,000 namespaces, one within the other", lambda: docx(namespaces(50_000)), "nesting"),
    bomb("deep.docx", "100,000 elements within each other", lambda: docx(deep(100_000)), "nesting"),
    bomb("deep-tables.docx", "3,000 tables within each other", lambda: docx(tables(3_000)), "nesting"),
    bomb(
        "span.docx", "a cell a thousand million columns wide", lambda: docx(span(1_000_000_000)), READ, holds="Hello."
    ),
    bomb("styles-loop.docx", "styles based on each other", lambda: styles(based_on(3, 0)), READ, holds="Hello."),
    bomb(
        "styles-chain.docx",
        "50,000 styles, each based on the next",
        lambda: styles(based_on(50_000, 0)),
        READ,
        holds="Hello.",
    ),
    bomb("notes-cycle.docx", "a footnote that refers to itself", lambda: notes(1_000), READ, holds="Hello."),
    bomb(
        "instructions.docx",
        "300,000 processing instructions",
        lambda: docx(instructions(300_000)),
        READ,
        holds="Hello.",
    ),
)
