"""The least that makes a package, or one XML file, a document of OpenDocument (ODF 1.3 part 2; part 3, 3.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from fumehood.fuzz.archives import Entry, archive, entry
from fumehood.fuzz.deflate import Packed, packed

BODIES: Final = {"odt": "text", "ods": "spreadsheet", "odp": "presentation"}
"""The element that holds each kind's content, which is its media type's name as well."""
MEDIA_TYPE: Final = "application/vnd.oasis.opendocument."

_OASIS: Final = "urn:oasis:names:tc:opendocument:xmlns:"
_NAMESPACES: Final = {
    **{
        prefix: f"{_OASIS}{prefix}:1.0"
        for prefix in (
            "office",
            "style",
            "text",
            "table",
            "meta",
            "chart",
            "presentation",
            "manifest",
            "form",
            "script",
        )
    },
    "draw": f"{_OASIS}drawing:1.0",
    "number": f"{_OASIS}datastyle:1.0",
    "svg": f"{_OASIS}svg-compatible:1.0",
    "fo": f"{_OASIS}xsl-fo-compatible:1.0",
    "loext": "urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0",
    "dc": "http://purl.org/dc/elements/1.1/",
    "xlink": "http://www.w3.org/1999/xlink",
    "math": "http://www.w3.org/1998/Math/MathML",
    "ooo": "http://openoffice.org/2004/office",
}
DECLARATION: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
DECLARED: Final = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in _NAMESPACES.items())


def part(root: str, inner: str) -> str:
    """A part whose root element is `office:` and `root`."""
    return f'{DECLARATION}<office:{root} {DECLARED} office:version="1.3">{inner}</office:{root}>'


def around(kind: str, styles: str = "") -> tuple[str, str]:
    """What stands before and behind the content of a package's main part."""
    element = f"office:{BODIES[kind]}"
    whole = part(
        "document-content",
        f"<office:automatic-styles>{styles}</office:automatic-styles><office:body><{element}>\0</{element}></office:body>",
    )
    before, _, behind = whole.partition("\0")
    return before, behind


def content(kind: str, body: str, styles: str = "") -> str:
    before, behind = around(kind, styles)
    return f"{before}{body}{behind}"


def manifest(kind: str, inner: str = "") -> str:
    return (
        f'{DECLARATION}<manifest:manifest {DECLARED} manifest:version="1.3"><manifest:file-entry manifest:full-path="/"'
        f' manifest:media-type="{MEDIA_TYPE}{BODIES[kind]}"/>{inner}</manifest:manifest>'
    )


def package(kind: str, main: bytes | Packed, parts: Mapping[str, str | bytes] | None = None) -> list[Entry]:
    """The entries of a package; `parts`: others, which may take the place of the usual ones."""
    usual: dict[str, str | bytes | Packed] = {
        "mimetype": MEDIA_TYPE + BODIES[kind],
        "META-INF/manifest.xml": manifest(kind),
        "content.xml": main,
        **(parts or {}),
    }
    return [
        entry(name, body.encode() if isinstance(body, str) else body, stored=name == "mimetype")
        for name, body in usual.items()
    ]


def odf(kind: str, body: str, styles: str = "", parts: Mapping[str, str | bytes] | None = None) -> bytes:
    """A package with this content, automatic styles and further parts."""
    return archive(package(kind, content(kind, body, styles).encode(), parts))


def large(kind: str, *pieces: bytes | tuple[bytes, int]) -> bytes:
    """A package whose content is these pieces, which are never joined; those that are :func:`filling` stay small."""
    before, behind = around(kind)
    return archive(package(kind, packed(before.encode(), *pieces, behind.encode())))


def flat(kind: str, body: str, styles: str = "") -> bytes:
    """The same as one XML file."""
    element = f"office:{BODIES[kind]}"
    return (
        f'{DECLARATION}<office:document {DECLARED} office:version="1.3" office:mimetype="{MEDIA_TYPE}{BODIES[kind]}">'
        f"{styles}<office:body><{element}>{body}</{element}></office:body></office:document>"
    ).encode()


def styles_part(styles: str = "", automatic: str = "", masters: str = "") -> str:
    """The part `styles.xml`."""
    return part(
        "document-styles",
        f"<office:styles>{styles}</office:styles><office:automatic-styles>{automatic}</office:automatic-styles>"
        f"<office:master-styles>{masters}</office:master-styles>",
    )


def meta_part(inner: str) -> str:
    return part("document-meta", f"<office:meta>{inner}</office:meta>")


def para(text: str, style: str = "") -> str:
    return f'<text:p text:style-name="{style}">{text}</text:p>' if style else f"<text:p>{text}</text:p>"


def row(*cells: str) -> str:
    """A row of texts."""
    return (
        "<table:table-row>"
        + "".join(f"<table:table-cell>{para(cell)}</table:table-cell>" for cell in cells)
        + "</table:table-row>"
    )


def table(*rows: str, name: str = "Sheet1") -> str:
    return f'<table:table table:name="{name}">{"".join(rows)}</table:table>'


def frame(inner: str, attributes: str = "") -> str:
    return f"<draw:frame {attributes}>{inner}</draw:frame>"


def box(text: str, attributes: str = "") -> str:
    return frame(f"<draw:text-box>{text}</draw:text-box>", attributes)


def slide(*frames: str, name: str = "page1", attributes: str = "") -> str:
    return f'<draw:page draw:name="{name}" {attributes}>{"".join(frames)}</draw:page>'


def title(text: str) -> str:
    return box(para(text), 'presentation:class="title"')


# ---- one of each thing that takes a way of its own -----------------------------------------------------------------

_STYLES: Final = (
    '<style:style style:name="Hidden" style:family="text"><style:text-properties text:display="none"/></style:style>'
    '<style:style style:name="C" style:family="table-cell" style:data-style-name="N1"/>'
    '<style:style style:name="H" style:family="table"><style:table-properties table:display="false"/></style:style>'
    '<style:style style:name="P" style:family="drawing-page"><style:drawing-page-properties'
    ' presentation:visibility="hidden"/></style:style>'
    '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1"'
    ' style:num-suffix="."/><text:list-level-style-bullet text:level="2" text:bullet-char="*"/></text:list-style>'
    '<number:number-style style:name="N1"><number:number number:decimal-places="2" number:min-integer-digits="1"/>'
    "<number:text> u</number:text></number:number-style>"
)
_OBJECT: Final = '<draw:object xlink:href="./Object 1"/><draw:image xlink:href="./ObjectReplacements/Object 1"/>'
_RICH: Final = {
    "odt": (
        '<text:h text:outline-level="1">One</text:h>'
        '<text:list text:style-name="L"><text:list-item><text:p>a</text:p><text:list><text:list-item><text:p>b</text:p>'
        "</text:list-item></text:list></text:list-item></text:list>"
        '<text:p>A <text:a xlink:href="https://a.example">link</text:a><text:s text:c="2"/><text:tab/>'
        '<text:span text:style-name="Hidden">hidden</text:span><text:note text:note-class="footnote">'
        "<text:note-citation>1</text:note-citation><text:note-body><text:p>note</text:p></text:note-body></text:note>"
        "<office:annotation><dc:creator>B</dc:creator><text:p>remark</text:p></office:annotation></text:p>"
        + table(row("a", "b"), row("1", "caf\u00e9|"))
        + para(frame(_OBJECT) + box(para("boxed")) + "<text:ruby><text:ruby-base>x</text:ruby-base></text:ruby>")
        + '<text:section text:display="none"><text:p>unseen</text:p></text:section>'
    ),
    "ods": (
        '<table:table table:name="A"><table:table-column table:number-columns-repeated="3"/>'
        + row("a", "b")
        + '<table:table-row table:number-rows-repeated="2"><table:table-cell table:style-name="C"'
        ' office:value-type="float" office:value="1.5"/><table:table-cell office:value-type="date"'
        ' office:date-value="2020-02-03" table:number-columns-repeated="2"/><table:covered-table-cell/>'
        "</table:table-row></table:table>"
        + '<table:table table:name="B" table:style-name="H">'
        + row("c")
        + "</table:table>"
    ),
    "odp": (
        slide(title("One"), box(para("text")), "<presentation:notes>" + box(para("said")) + "</presentation:notes>")
        + slide(
            title("Two"),
            "<draw:g><draw:custom-shape><text:p>shape</text:p></draw:custom-shape></draw:g>",
            frame(table(row("a", "b"), row("c", "d"))),
            frame(_OBJECT),
            frame('<draw:image xlink:href="a.png"/><svg:title>picture</svg:title>'),
            attributes='draw:style-name="P"',
        )
    ),
}
_MASTERS: Final = (
    '<style:master-page style:name="Standard"><style:header><text:p>head</text:p></style:header><style:footer><text:p>'
    "page <text:page-number>1</text:page-number></text:p></style:footer></style:master-page>"
)
_FORMULA: Final = (
    f"{DECLARATION}<math:math {DECLARED}><math:semantics><math:mi>x</math:mi><math:annotation"
    ' encoding="StarMath 5.0">x over y</math:annotation></math:semantics></math:math>'
)


def content_of(kind: str) -> str:
    """The content of :func:`rich`."""
    return _RICH[kind]


def rich(kind: str) -> bytes:
    """A document that walks through as much of its loader as fits on a page."""
    return odf(
        kind,
        _RICH[kind],
        _STYLES,
        {
            "styles.xml": styles_part(masters=_MASTERS),
            "meta.xml": meta_part("<dc:title>T</dc:title><meta:creation-date>2020-02-03T04:05:06</meta:creation-date>"),
            "Object 1/content.xml": _FORMULA,
        },
    )


def with_objects(kind: str, body: str, objects: Iterable[tuple[str, str]]) -> bytes:
    """A package with objects: the folder and the main part of each (part 2, 3.6)."""
    return odf(kind, body, parts={f"{folder}/content.xml": main for folder, main in objects})
