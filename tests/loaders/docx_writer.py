"""Writes small Word documents out of snippets of XML. Prefixes `w r a wp wps pic mc v o m c w14` are declared."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

TRANSITIONAL = "http://schemas.openxmlformats.org"
RELATIONSHIPS = f"{TRANSITIONAL}/officeDocument/2006/relationships"
NAMESPACES = {
    "w": f"{TRANSITIONAL}/wordprocessingml/2006/main",
    "r": RELATIONSHIPS,
    "a": f"{TRANSITIONAL}/drawingml/2006/main",
    "wp": f"{TRANSITIONAL}/drawingml/2006/wordprocessingDrawing",
    "pic": f"{TRANSITIONAL}/drawingml/2006/picture",
    "c": f"{TRANSITIONAL}/drawingml/2006/chart",
    "m": f"{TRANSITIONAL}/officeDocument/2006/math",
    "mc": f"{TRANSITIONAL}/markup-compatibility/2006",
    "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
    "w14": "http://schemas.microsoft.com/office/word/2010/wordml",
    "v": "urn:schemas-microsoft-com:vml",
    "o": "urn:schemas-microsoft-com:office:office",
    "x": "urn:nobody-knows",
}
STRICT = {
    f"{TRANSITIONAL}/wordprocessingml/2006/main": "http://purl.oclc.org/ooxml/wordprocessingml/main",
    RELATIONSHIPS: "http://purl.oclc.org/ooxml/officeDocument/relationships",
    f"{TRANSITIONAL}/drawingml/2006/main": "http://purl.oclc.org/ooxml/drawingml/main",
}
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"
MAIN_TYPE = f"{_TYPE}.document.main+xml"


def root(name: str, content: str) -> str:
    """A part's XML: `content` in the element `w:name`."""
    declared = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in NAMESPACES.items())
    return f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:{name} {declared}>{content}</w:{name}>'


def p(content: str = "", style: str | None = None, properties: str = "") -> str:
    """A paragraph. `content` is text, or runs and whatever else starts with `<`."""
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    runs = content if content.startswith("<") else r(content)
    return f"<w:p><w:pPr>{named}{properties}</w:pPr>{runs}</w:p>"


def r(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>' if text else ""


def tc(content: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{content if content.startswith('<') else p(content)}</w:tc>"


def tr(*cells: str, properties: str = "") -> str:
    return f"<w:tr><w:trPr>{properties}</w:trPr>{''.join(c if c.startswith('<w:') else tc(c) for c in cells)}</w:tr>"


def tbl(*rows: str) -> str:
    return f"<w:tbl><w:tblPr/><w:tblGrid/>{''.join(rows)}</w:tbl>"


def num(num_id: int | str, level: int | None = 0) -> str:
    """The properties of a paragraph in a list."""
    depth = "" if level is None else f'<w:ilvl w:val="{level}"/>'
    return f'<w:numPr>{depth}<w:numId w:val="{num_id}"/></w:numPr>'


def style(identifier: str, name: str, content: str = "", based_on: str = "", kind: str = "paragraph") -> str:
    base = f'<w:basedOn w:val="{based_on}"/>' if based_on else ""
    return f'<w:style w:type="{kind}" w:styleId="{identifier}"><w:name w:val="{name}"/>{base}{content}</w:style>'


def lvl(at: int, form: str, text: str, extra: str = "", start: int = 1) -> str:
    """A level of a list."""
    return f'<w:lvl w:ilvl="{at}"><w:start w:val="{start}"/><w:numFmt w:val="{form}"/>{extra}<w:lvlText w:val="{text}"/></w:lvl>'


def relationship(identifier: str, kind: str, target: str, *, external: bool = False) -> str:
    mode = ' TargetMode="External"' if external else ""
    where = kind if ":" in kind else f"{RELATIONSHIPS}/{kind}"
    return f'<Relationship Id="{identifier}" Type="{where}" Target="{target}"{mode}/>'


def relationships(*arrows: str) -> str:
    return f'<Relationships xmlns="{TRANSITIONAL}/package/2006/relationships">{"".join(arrows)}</Relationships>'


def content_types(overrides: Mapping[str, str]) -> str:
    named = "".join(f'<Override PartName="/{part}" ContentType="{kind}"/>' for part, kind in overrides.items())
    return (
        f'<Types xmlns="{TRANSITIONAL}/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Default Extension="bin" ContentType="application/vnd.ms-office.vbaProject"/>{named}</Types>'
    )


def archive(parts: Mapping[str, str | bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as writer:
        for name, content in parts.items():
            writer.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return file.getvalue()


def parts_of(
    body: str,
    arrows: str = "",
    *,
    root_arrows: str = "",
    extra: Mapping[str, str | bytes] | None = None,
    **stories: str,
) -> dict[str, str | bytes]:
    """The parts of a document: `styles`, `numbering`, `footnotes`, `endnotes`, `comments`, `settings` by content.

    A story whose name starts with `header` or `footer` becomes a part with a relationship of that identifier.
    """
    named = []
    parts: dict[str, str | bytes] = {}
    for name, content in stories.items():
        kind = name.rstrip("0123456789")
        element = {"header": "hdr", "footer": "ftr"}.get(kind, name)
        parts[f"word/{name}.xml"] = root(element, content)
        named.append(relationship(name, kind, f"{name}.xml"))
    return {
        "[Content_Types].xml": content_types({"word/document.xml": MAIN_TYPE}),
        "_rels/.rels": relationships(relationship("rId1", "officeDocument", "word/document.xml"), root_arrows),
        "word/document.xml": root("document", f"<w:body>{body}</w:body>"),
        "word/_rels/document.xml.rels": relationships(*named, arrows),
        **parts,
        **(extra or {}),
    }


def docx(
    body: str,
    arrows: str = "",
    *,
    root_arrows: str = "",
    extra: Mapping[str, str | bytes] | None = None,
    **stories: str,
) -> bytes:
    return archive(parts_of(body, arrows, root_arrows=root_arrows, extra=extra, **stories))


def strict(parts: Mapping[str, str | bytes], namespaces: Mapping[str, str] = STRICT) -> dict[str, str | bytes]:
    """The same document as Strict Office Open XML. `namespaces`: the Strict ones by the others."""
    changed: dict[str, str | bytes] = {}
    for name, content in parts.items():
        text = content.decode() if isinstance(content, bytes) else content
        for old, new in namespaces.items():
            text = text.replace(old, new)
        changed[name] = text
    return changed
