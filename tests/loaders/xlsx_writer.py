"""Writes small workbooks out of snippets of XML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.loaders.docx_writer import RELATIONSHIPS, TRANSITIONAL, archive, content_types, relationship, relationships

MAIN = f"{TRANSITIONAL}/spreadsheetml/2006/main"
NAMESPACES = {
    "xdr": f"{TRANSITIONAL}/drawingml/2006/spreadsheetDrawing",
    "a": f"{TRANSITIONAL}/drawingml/2006/main",
    "c": f"{TRANSITIONAL}/drawingml/2006/chart",
    "r": RELATIONSHIPS,
    "mc": f"{TRANSITIONAL}/markup-compatibility/2006",
}
STRICT = {
    MAIN: "http://purl.oclc.org/ooxml/spreadsheetml/main",
    RELATIONSHIPS: "http://purl.oclc.org/ooxml/officeDocument/relationships",
    NAMESPACES["xdr"]: "http://purl.oclc.org/ooxml/drawingml/spreadsheetDrawing",
    NAMESPACES["a"]: "http://purl.oclc.org/ooxml/drawingml/main",
    NAMESPACES["c"]: "http://purl.oclc.org/ooxml/drawingml/chart",
}
THREADED = "http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"
THREADED_TYPE = "http://schemas.microsoft.com/office/2017/10/relationships/threadedComment"
PERSON_TYPE = "http://schemas.microsoft.com/office/2017/10/relationships/person"
MAIN_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

Parts = dict[str, str | bytes]


def c(
    reference: str | None, value: str | None = None, kind: str = "", style: int | None = None, formula: str = ""
) -> str:
    """A cell: its value as written in `v`, or in `is` for the type `inlineStr`."""
    attributes = f' r="{reference}"' if reference else ""
    attributes += "" if style is None else f' s="{style}"'
    attributes += f' t="{kind}"' if kind else ""
    inner = f"<f>{formula}</f>" if formula else ""
    if value is not None:
        inner += f"<is><t>{value}</t></is>" if kind == "inlineStr" else f"<v>{value}</v>"
    return f"<c{attributes}>{inner}</c>"


def t(reference: str | None, text: str) -> str:
    """A cell of text."""
    return c(reference, text, "inlineStr")


def row(number: int | None, *cells: str, attributes: str = "") -> str:
    named = "" if number is None else f' r="{number}"'
    return f"<row{named}{attributes}>{''.join(cells)}</row>"


def table(*rows: Sequence[str], top: int = 1, left: str = "A") -> str:
    """Rows of text cells, from `top` down and from `left` on."""
    return "".join(
        row(top + at, *(t(f"{chr(ord(left) + place)}{top + at}", text) for place, text in enumerate(texts) if text))
        for at, texts in enumerate(rows)
    )


def worksheet(rows: str = "", *, before: str = "", after: str = "") -> str:
    return (
        f'{DECLARATION}<worksheet xmlns="{MAIN}" xmlns:r="{RELATIONSHIPS}">{before}'
        f"<sheetData>{rows}</sheetData>{after}</worksheet>"
    )


def strings(*items: str) -> str:
    """Shared strings; items are texts, or what is inside of `si`."""
    inner = "".join(f"<si>{item if item.startswith('<') else f'<t>{item}</t>'}</si>" for item in items)
    return f'<sst xmlns="{MAIN}">{inner}</sst>'


def styles(*codes: str | int) -> str:
    """Cell formats 0, 1, ...: by the identifiers of built-in number formats, or by codes."""
    own = {code: 164 + at for at, code in enumerate(codes) if isinstance(code, str)}
    named = "".join(f'<numFmt numFmtId="{own[code]}" formatCode="{_escaped(code)}"/>' for code in own)
    identifiers = [own[code] if isinstance(code, str) else code for code in codes]
    formats = "".join(f'<xf numFmtId="{identifier}"/>' for identifier in identifiers)
    return f'<styleSheet xmlns="{MAIN}"><numFmts>{named}</numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs>{formats}</cellXfs></styleSheet>'


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")


def drawing(*anchors: str) -> str:
    declared = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in NAMESPACES.items())
    return f"<xdr:wsDr {declared}>{''.join(anchors)}</xdr:wsDr>"


def anchor(content: str, row: int = 0, column: int = 0) -> str:
    return (
        f"<xdr:twoCellAnchor><xdr:from><xdr:col>{column}</xdr:col><xdr:row>{row}</xdr:row></xdr:from>"
        f"{content}<xdr:clientData/></xdr:twoCellAnchor>"
    )


def shape(text: str, properties: str = 'id="1" name="Box"') -> str:
    return (
        f"<xdr:sp><xdr:nvSpPr><xdr:cNvPr {properties}/></xdr:nvSpPr><xdr:txBody><a:bodyPr/>"
        f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p></xdr:txBody></xdr:sp>"
    )


def parts_of(
    *sheets: str,
    arrows: Mapping[int, str] | None = None,
    names: Mapping[int, str] | None = None,
    workbook: str = "",
    extra: Mapping[str, str | bytes] | None = None,
    main_arrows: str = "",
    **stories: str,
) -> Parts:
    """The parts of a workbook. `arrows`: relationships of sheets, by their place from 1; `names`: attributes of theirs.

    `strings` and `styles` are parts by content.
    """
    listed, linked, parts = "", "", dict[str, str | bytes]()
    for at, sheet in enumerate(sheets, start=1):
        attributes = (names or {}).get(at, f'name="Sheet{at}"')
        listed += f'<sheet {attributes} sheetId="{at}" r:id="s{at}"/>'
        linked += relationship(f"s{at}", "worksheet", f"worksheets/sheet{at}.xml")
        parts[f"xl/worksheets/sheet{at}.xml"] = sheet
        if arrows and at in arrows:
            parts[f"xl/worksheets/_rels/sheet{at}.xml.rels"] = relationships(arrows[at])
    for story, content in stories.items():
        kind = {"strings": "sharedStrings"}.get(story, story)
        linked += relationship(story, kind, f"{story}.xml")
        parts[f"xl/{story}.xml"] = content
    return {
        "[Content_Types].xml": content_types({"xl/workbook.xml": MAIN_TYPE}),
        "_rels/.rels": relationships(relationship("rId1", "officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'{DECLARATION}<workbook xmlns="{MAIN}" xmlns:r="{RELATIONSHIPS}">{workbook}<sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": relationships(linked, main_arrows),
        **parts,
        **(extra or {}),
    }


def xlsx(
    *sheets: str,
    arrows: Mapping[int, str] | None = None,
    names: Mapping[int, str] | None = None,
    workbook: str = "",
    extra: Mapping[str, str | bytes] | None = None,
    main_arrows: str = "",
    **stories: str,
) -> bytes:
    return archive(
        parts_of(
            *sheets, arrows=arrows, names=names, workbook=workbook, extra=extra, main_arrows=main_arrows, **stories
        )
    )
