"""Seeds: honest small documents that mutators start from."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from fumehood import kinds, specimens
from fumehood.document import Block, Link, Locator, Notice
from fumehood.errors import refusal
from fumehood.fuzz import arguments, html_files, mail_files, odf_files, ooxml, pdf_files, pptx_files, rtf_files
from fumehood.fuzz.archives import archive, entry
from fumehood.fuzz.findings import findings
from fumehood.fuzz.xlsx_files import xlsx
from fumehood.sandbox import frames

MOST_BYTES: Final = 256 * 1024
"""Larger files of a folder are left out: mutating one byte of a large file hardly ever hits what matters."""

PASSWORD: Final = "secret"
"""Opens the encrypted ones."""


def _reply() -> bytes:
    text = "A reply.\n\nOf two paragraphs."
    place = Locator(page=1, line=3, line_end=4, cells="A1:B2", path="/a", part="b")
    blocks = [Block(0, 8, "paragraph"), Block(10, 28, "table-row", level=1, group=1, locator=place, visible=False)]
    links = [Link(0, 8, "http://a.example"), Link(10, 12, "#a")]
    notices = [Notice("unparsed"), Notice("encoding-guessed", place, "cp1252"), Notice("link-dropped", detail=3)]
    sent = frames.document(frames.Head("A", {"author": "B", "x-c": "D"}), [text], blocks, links, notices, 7)
    return b"\0" + frames.started((), 0) + b"".join(sent)


def _word_part(root: str, inner: bytes) -> bytes:
    """A part other than the main one; `root` without its prefix."""
    opened = ooxml.OPEN.replace(b"document ", root.encode() + b" ").replace(b"<w:body>", b"")
    return ooxml.DECLARATION + opened + inner + b"</w:%s>" % root.encode()


def _rich_docx() -> bytes:
    """One of each thing that hangs on another part: style, list, footnote, comment, header, picture."""
    main = ooxml.document(
        b'<w:p><w:pPr><w:pStyle w:val="T"/></w:pPr><w:r><w:t>Title</w:t></w:r></w:p>'
        b'<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>item</w:t></w:r></w:p>'
        b'<w:p><w:commentRangeStart w:id="0"/><w:r><w:t>text</w:t></w:r><w:commentRangeEnd w:id="0"/>'
        b'<w:r><w:commentReference w:id="0"/></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>'
        b'<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r>'
        b'<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>1</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>'
        b"<w:sdt><w:sdtContent><w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r></w:p></w:sdtContent></w:sdt>"
        + ooxml.picture()
        + b'<w:sectPr><w:headerReference xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
        b' w:type="default" r:id="rId6"/></w:sectPr>'
    )
    further = {
        "styles": b'<w:style w:type="paragraph" w:styleId="T"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>',
        "numbering": b'<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>'
        b'</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>',
        "footnotes": b'<w:footnote w:id="2">' + ooxml.paragraph("note") + b"</w:footnote>",
        "comments": b'<w:comment w:id="0" w:author="B">' + ooxml.paragraph("remark") + b"</w:comment>",
        "header": ooxml.paragraph("header"),
    }
    roots = {"header": "hdr"}
    bodies = {kind: _word_part(roots.get(kind, kind), inner) for kind, inner in further.items()}
    links = [("image", "media/a.png"), *((kind, f"{kind}.xml") for kind in further)]

    # `rId1` is the picture and `rId6` the header; the last relationship points to nothing.
    return archive(
        [
            *ooxml.parts(main),
            ooxml.related(*links, ("hyperlink", "nowhere.xml")),
            entry("word/media/a.png", b"\x89PNG"),
            *(entry(f"word/{kind}.xml", body) for kind, body in bodies.items()),
        ]
    )


def _styled_epub() -> bytes:
    """A chapter with a style sheet, which imports another one."""
    page = html_files.chapter('<p class="a">One</p><p id="b">two</p>')
    return html_files.epub(
        {"a.xhtml": page.replace(b"<title/>", b'<link rel="stylesheet" href="s.css"/>')},
        further=[
            entry("OPS/s.css", b"@import 't.css'; /* a */ body > .a{display:none}"),
            entry("OPS/t.css", b"@media screen{#b{visibility:hidden!important}}"),
        ],
    )


def _styled_archive() -> bytes:
    """A saved page with two style sheets, one by its id, which imports the other one by its place."""
    page = b"<link rel=stylesheet href=cid:s@x><p class=a>One<p id=b>two"
    by_id = mail_files.message(
        b"@import 'https://a.example/b/t.css'; .a{display:none}", b"text/css", b"Content-ID: <s@x>\n"
    )
    place = b"Content-Location: https://a.example/b/t.css\n"
    return mail_files.archive(page, by_id, mail_files.message(b"#b{visibility:hidden}", b"text/css", place))


def _mail_with_files() -> bytes:
    """Attachments of several kinds, one of which has a file of its own, and a mail with an archive among them."""
    files = {"a.pdf": _pdf_with_files(), "b.xlsx": xlsx(), "c.csv": b"name,count\nalpha,1\n", "d.rtf": rtf_files.RICH}
    parts = [
        mail_files.encoded(data, b"application/octet-stream; name=" + name.encode()) for name, data in files.items()
    ]
    inner = mail_files.eml(mail_files.encoded(odf_files.odf("odt", odf_files.content_of("odt")), b"application/zip"))
    return mail_files.eml(mail_files.multipart(b"mixed", *parts, mail_files.message(inner, b"message/rfc822")))


def _pdf_with_files() -> bytes:
    """One file in the tree of names, one behind an annotation, and one that is not there."""
    objects = pdf_files.one_page(
        pdf_files.stream(pdf_files.SHOW),
        page=b"/Annots[<</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]/FS<</F(b.txt)/EF<</F 9 0 R>>>>>>]",
        catalog=b"/Names<</EmbeddedFiles<</Names[(a) 7 0 R(c) 99 0 R]>>>>",
    )
    objects[7] = b"<</Type/Filespec/F(a.csv)/EF<</F 8 0 R>>>>"
    objects[8] = pdf_files.stream(b"name,count\nalpha,1\n", b"/Type/EmbeddedFile/Subtype/text#2Fcsv")
    objects[9] = pdf_files.stream(b"A note.", b"/Type/EmbeddedFile")
    return pdf_files.pdf(objects)


def _rich_pdf() -> bytes:
    """A cross-reference stream, an object stream, a composite font with a map, a form, and a bookmark."""
    objects = pdf_files.one_page(
        pdf_files.stream(b"BT /F1 12 Tf 72 700 Td <00410042> Tj ET /X Do /P <</MCID 0>> BDC EMC"),
        resources=b"/XObject<</X 7 0 R>>",
        catalog=b"/Outlines 8 0 R/Lang(en)",
    )
    objects[pdf_files.FONT] = (
        b"<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/DescendantFonts["
        b"<</Type/Font/Subtype/CIDFontType2/BaseFont/A/DW 500/W[1[250 333]]"
        b"/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>]/ToUnicode 9 0 R>>"
    )
    objects[7] = pdf_files.stream(
        b"q 1 0 0 1 72 600 cm BT /F1 9 Tf <0043> Tj ET Q",
        b"/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources<</Font<</F1 5 0 R>>>>",
    )
    objects[9] = pdf_files.stream(
        b"begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange 1 beginbfrange <0041> <0043> <0061> endbfrange endcmap"
    )
    outlines, bookmark = b"<</Type/Outlines/First 10 0 R/Last 10 0 R>>", b"<</Title(One)/Parent 8 0 R/Dest[3 0 R/Fit]>>"
    heads = b"8 0 10 %d " % (len(outlines) + 1)
    objects[11] = pdf_files.stream(heads + outlines + b" " + bookmark, b"/Type/ObjStm/N 2/First %d" % len(heads))
    return pdf_files.pdf_with_stream_table(objects, {8: (11, 0), 10: (11, 1)})


_OWN: Final[Mapping[str, tuple[bytes, ...]]] = {
    "docx": (
        ooxml.docx(),
        _rich_docx(),
        ooxml.docx(
            ooxml.document(
                b'<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>One</w:t></w:r></w:p>'
                b"<w:tbl><w:tr><w:tc>" + ooxml.paragraph("a") + b"</w:tc><w:tc><w:tcPr><w:gridSpan w:val=\"2\"/></w:tcPr>"
                + ooxml.paragraph("b") + b"</w:tc></w:tr></w:tbl>"
                b'<w:p><w:hyperlink w:anchor="x"><w:r><w:t>link</w:t></w:r></w:hyperlink><w:del><w:r><w:delText>gone</w:delText>'
                b"</w:r></w:del><w:ins><w:r><w:t>new</w:t></w:r></w:ins></w:p>"
            )
        ),
    ),
    **{
        kind: (odf_files.rich(kind), odf_files.odf(kind, ""), odf_files.flat(kind, odf_files.content_of(kind)))
        for kind in odf_files.BODIES
    },
    "pdf": (
        _rich_pdf(),
        _pdf_with_files(),
        pdf_files.pdf(pdf_files.one_page(pdf_files.stream(pdf_files.SHOW))),
        pdf_files.pdf(
            pdf_files.one_page(
                pdf_files.stream(
                    b"q 1 0 0 1 72 700 cm BT /F1 12 Tf 14 TL [(One) -250 (two)] TJ T* (three) Tj 3 Tr (four) ' ET Q"
                ),
                page=b"/Annots[<</Type/Annot/Subtype/Text/Contents(note)/Rect[0 0 9 9]>>]",
            )
        ),
    ),
    "rtf": (rtf_files.RICH, rtf_files.document(rb"{\upr{a}{\*\ud b}}\bin3 }}{\par")),
    "tsv": (b'name\tcount\nalpha\t1\n"be\tta"\t2\n',),
    "jsonl": (b'{"a": [1, {"b": "x"}]}\n{"a": 2.5}\n', b'{\n"a": 1\n}\n{"b": 2}\n'),
    "yaml": (b"%YAML 1.1\n--- # c\na: &x [1, 'two']\nb: [*x, !t y]\n? {c: d}\n: |\n  e\n---\nf: >-\n  g\n",),
    "ipynb": (
        b'{"nbformat": 4, "cells": [{"cell_type": "markdown", "source": ["# A\\n", "- b"]}, {"cell_type": "code", "source": "x",'
        b' "outputs": [{"output_type": "stream", "text": "y"}, {"output_type": "display_data", "data": {"text/plain": "z"}}]}]}',
    ),
    "pptx": (
        pptx_files.rich(),
        pptx_files.pptx(pptx_files.slide(pptx_files.title("One"), pptx_files.shape("two", "three"))),
    ),
    "xlsx": (xlsx(), specimens.XLSX),
    "csv": (b'name,count\nalpha,1\n"be,ta",2\n', b"a;b;c\r\n1;2\r\n"),
    "json": (b'{"a": [1, 2.5, "x", null, true], "b": {"c": [{"d": "e"}, {"d": "f"}]}}', b'[[1,2],[3,4]]'),
    "markdown": (b"# One\n\n- a\n  1. b\n\n> q\n> r\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```py\nx\n```\n\n[l]: http://x.example\n[l], <b>h</b>\n",),
    "text": ("One.\n\nTwo, caf\u00e9.\n".encode(), "\ufeffDrei \u20ac\r\n".encode("utf-16-le")),
    "html": (html_files.page("<p>One<table><tr><th>a<td>b</table><b><p>c</b>"), b"<?xml version='1.0'?><html><p/>x<![CDATA[<]]>"),
    "epub": (html_files.epub({"a.xhtml": html_files.chapter("<h1>One</h1>"), "b.xhtml": html_files.chapter("<p>b</p>")}), _styled_epub()),
    "eml": (
        mail_files.eml(mail_files.multipart(b"mixed", *(mail_files.message(body, b"text/html") for body in mail_files.BODIES))),
        mail_files.eml(mail_files.encoded(specimens.DOCX, b"application/octet-stream; name=a.docx")),
        _mail_with_files(),
        mail_files.eml(mail_files.multipart(b"digest", mail_files.eml(mail_files.message(b"One.")), boundary=b"c")),
    ),
    "mbox": (mail_files.mbox(mail_files.eml(mail_files.message(b">From\n")), mail_files.eml(mail_files.nested(3))),),
    "mhtml": (mail_files.archive(b"<title>t</title><iframe src=cid:f></iframe>", *(mail_files.message(b"<p>x", kind) for kind in mail_files.TYPES)), _styled_archive()),
    "reply": (_reply(), b"\0" + frames.started((), 0), b"\1" + frames.started((), 0) + frames.sniffed("text"),
        b"\0" + frames.started(("seccomp",), 9) + frames.refused(refusal("nodes", limit="nodes", bound=1, observed=2).facts)),
    "zip": (
        archive([entry("a.txt", b"one"), entry("b/", b"", stored=True), entry("b/c.txt", b"two" * 50)], comment=b"end"),
    ),
    "pdf-streams": (
        b"\0\2\1\4" + zlib.compress(b"\2abcd" * 20), b"\1\0\1\1" + bytes.fromhex("800b6050220c0c8501"),
        b"\2\14\3\2\3abcd\xfee\x80", b"\3\0\0\0 61 62 6>", b"\4\0\0\0<~87cURD_*#TDfTZ)+T~>",
    ),
    "arguments": (arguments.lines(), b"auto\nlenient=true\ncharset=utf-8\nwall_seconds=0.5"),
    "globs": (b"**/*.md\nletters/2026/one.md", b"/a/[!b]?*/**\na/cde/f/.g", b"*.txt\nnode_modules/\xff.txt"),
    "query": (
        b'annual report -"first draft" rep* OR (alpha beta) NOT gamma', "alpha NEAR/5 beta OR NEAR(caf\u00e9 \"\u6771\u4eac\", 4)".encode(),
        b"foo-bar C:\\dir don't title:x ^a {b c}: d + e",
    ),
    "xml": (ooxml.HELLO, ooxml.RELATIONSHIPS, ooxml.HELLO.decode().replace("UTF-8", "UTF-16").encode("utf-16")),
}  # fmt: skip


def own(name: str) -> list[bytes]:
    """Ours for a kind, or for a target that belongs to none: written here, the kind's specimen, and what was found before."""
    specimens = [kind.specimen for kind in kinds.kinds() if kind.name == name and kind.specimen]
    return [*_OWN.get(name, ()), *specimens, *(found.read() for found in findings() if found.kind == name)]


def of_folder(
    folder: Path, most_bytes: int = MOST_BYTES, suits: Callable[[Path], bool] = lambda _: True
) -> list[bytes]:
    """The files below a folder that are small enough and suit, in the order of their names."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and suits(path))
    return [path.read_bytes() for path in files if 0 < path.stat().st_size <= most_bytes]


def for_target(name: str, kind: str | None) -> list[bytes]:
    """The seeds that suit a target: of its kind or name, else a few of every kind."""
    if name.endswith(":pdf+password"):
        return _encrypted_pdfs()
    return own(kind or name) or [seeds[0] for seeds in _OWN.values()]


def _encrypted_pdfs() -> list[bytes]:
    """One of each revision of the standard handler."""
    # It takes ciphers, and the parser's own one, which nothing else here needs.
    from fumehood.fuzz import pdf_encrypted

    plain = pdf_files.pdf(pdf_files.one_page(pdf_files.stream(pdf_files.SHOW)))
    return [encrypt(plain, PASSWORD, "owner") for encrypt in pdf_encrypted.REVISIONS]
