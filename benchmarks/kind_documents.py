"""Documents of each kind, as large as one likes, made here; what `kinds.py` measures."""

from __future__ import annotations

import io
import zipfile
from typing import Final, NamedTuple

from fumehood.fuzz import odf_files, ooxml, pptx_files, rtf_files

_MAIN: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006"
_LINE: Final = (
    "The ledger of the harbour lists vessel {}, its freight and the clause that its charter was signed under."
)


class Made(NamedTuple):
    """A document of that many `units` (cells, slides, ...) from that many bytes of XML, or of whatever it is made of."""

    data: bytes
    units: int
    size: int


def workbook(rows: int, columns: int) -> Made:
    """A third each of shared strings, numbers as they are, and numbers with two decimals."""
    letters = [chr(65 + column) for column in range(columns)]
    sheet = [f'<worksheet xmlns="{_MAIN}"><sheetData>']
    for row in range(1, rows + 1):
        sheet.append(f'<row r="{row}">')
        sheet += [_cell(letters[column], row, column) for column in range(columns)]
        sheet.append("</row>")
    sheet.append("</sheetData></worksheet>")
    strings = "".join(f"<si><t>vessel {number}</t></si>" for number in range(5_000))
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
        "_rels/.rels": _relationships(("officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets><sheet name="A" sheetId="1" r:id="r0"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": _relationships(
            ("worksheet", "sheet.xml"), ("sharedStrings", "strings.xml"), ("styles", "styles.xml")
        ),
        "xl/sheet.xml": "".join(sheet),
        "xl/strings.xml": f'<sst xmlns="{_MAIN}">{strings}</sst>',
        "xl/styles.xml": f'<styleSheet xmlns="{_MAIN}"><cellXfs><xf numFmtId="0"/><xf numFmtId="4"/></cellXfs></styleSheet>',
    }
    return Made(_archive(parts), rows * columns, sum(map(len, parts.values())))


def _cell(letter: str, row: int, column: int) -> str:
    if column % 3 == 0:
        return f'<c r="{letter}{row}" t="s"><v>{row * (column + 1) % 5_000}</v></c>'
    if column % 3 == 1:
        return f'<c r="{letter}{row}" s="1"><v>{row * column * 1.37}</v></c>'
    return f'<c r="{letter}{row}"><v>{row * column}</v></c>'


def _relationships(*targets: tuple[str, str]) -> str:
    arrows = "".join(
        f'<Relationship Id="r{at}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for at, (kind, target) in enumerate(targets)
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{arrows}</Relationships>'


def _archive(parts: dict[str, str]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as writer:
        for name, content in parts.items():
            writer.writestr(name, content)
    return file.getvalue()


def spreadsheet(rows: int, columns: int) -> Made:
    """A third each of strings, numbers as they are and numbers with two decimals, each with its text."""
    lines = ("".join(_ods_cell(row, column) for column in range(columns)) for row in range(1, rows + 1))
    body = odf_files.table(*(f"<table:table-row>{line}</table:table-row>" for line in lines))
    return Made(odf_files.odf("ods", body), rows * columns, len(body))


def _ods_cell(row: int, column: int) -> str:
    if column % 3 == 0:
        return f'<table:table-cell office:value-type="string">{odf_files.para(f"vessel {row * (column + 1) % 5_000}")}</table:table-cell>'
    value = row * column * (1.37 if column % 3 == 1 else 1)
    text = odf_files.para(f"{value:,.2f}" if column % 3 == 1 else str(value))
    return f'<table:table-cell office:value-type="float" office:value="{value}">{text}</table:table-cell>'


def letter(paragraphs: int) -> Made:
    """A heading for every tenth paragraph, and a span in each."""
    body = "".join(
        (f'<text:h text:outline-level="2">Part {at}</text:h>' if at % 10 == 0 else "")
        + f'<text:p text:style-name="P1">{_LINE.format(f"<text:span text:style-name={chr(34)}T1{chr(34)}>{at}</text:span>")}</text:p>'
        for at in range(paragraphs)
    )
    return Made(odf_files.odf("odt", body), paragraphs, len(body))


def word(paragraphs: int) -> Made:
    """Paragraphs of three runs, the second of which is bold."""
    before, _, behind = _LINE.partition("{}")
    body = "".join(
        f'<w:p><w:pPr><w:pStyle w:val="Normal"/></w:pPr><w:r><w:t xml:space="preserve">{before}</w:t></w:r>'
        f"<w:r><w:rPr><w:b/></w:rPr><w:t>{at}</w:t></w:r><w:r><w:t>{behind}</w:t></w:r></w:p>"
        for at in range(paragraphs)
    )
    return Made(ooxml.docx(ooxml.document(body.encode())), paragraphs, len(body))


def presentation(slides: int) -> Made:
    """Slides of a title and five bullets."""
    bullets = [_LINE.format(at) for at in range(5)]
    parts = [
        pptx_files.slide(pptx_files.title(f"Slide {at}"), pptx_files.shape(*bullets, ph=pptx_files.placeholder("body")))
        for at in range(slides)
    ]
    return Made(pptx_files.pptx(*parts), slides, sum(map(len, parts)))


def page(paragraphs: int) -> Made:
    body = "".join(
        (f"<h2>Part {at}</h2>" if at % 10 == 0 else "") + f'<p class="a">{_LINE.format(f"<b>{at}</b>")}</p>\n'
        for at in range(paragraphs)
    )
    return Made(f"<!DOCTYPE html><title>T</title><body>{body}".encode(), paragraphs, len(body))


def rich_text(paragraphs: int) -> Made:
    body = b"".join(
        rb"\pard\plain\s0\f0\fs24 " + _LINE.format(rf"{{\b {at}}}").encode() + b"\\par\r\n" for at in range(paragraphs)
    )
    return Made(rtf_files.HEAD + body + b"}", paragraphs, len(body))
