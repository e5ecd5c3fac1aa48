"""Hypothesis strategies that write each format from its grammar, and let it lie in places.

Every strategy draws the bytes of one nearly valid document. Only they need Hypothesis.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from fumehood.document import ROLES, Block, Link, Notice
from fumehood.errors import NOTICE_CODES, REFUSAL_CODES, RefusalFacts
from fumehood.fuzz import html_files, odf_files, ooxml, pdf_files, pptx_files
from fumehood.fuzz.archives import Entry, archive, entry
from fumehood.fuzz.data_generators import argument_lines, globs, ipynbs, jsonls, packed_streams, queries, rtfs, yamls
from fumehood.fuzz.mail_generators import archives, emls, mboxes
from fumehood.fuzz.xlsx_generator import workbooks
from fumehood.sandbox import frames

_WORDS: Final = ("a", "One two.", "caf\u00e9", "\u05e9\u05dc\u05d5\u05dd", "\U0001f600", "|", "<b>", "# x", "\t", "")
_NUMBERS: Final = (0, 1, 2, 0xFF, 0xFFFF, 0x7FFF_FFFF, 0xFFFF_FFFE, 0xFFFF_FFFF)


def words() -> SearchStrategy[str]:
    """Short texts, many of which look like something else."""
    return st.one_of(st.sampled_from(_WORDS), st.text(max_size=12).filter(_has_no_surrogate))


def _has_no_surrogate(text: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in text)


def rarely(honest: SearchStrategy[Any], lie: SearchStrategy[Any]) -> SearchStrategy[Any]:
    """The honest one nine times of ten."""
    return st.integers(0, 9).flatmap(lambda die: lie if die == 9 else honest)


# ---- ZIP (APPNOTE 6.3.10) ------------------------------------------------------------------------------------------

_NAMES: Final = st.sampled_from(
    [
        b"a.txt",
        b"A.TXT",
        b"b/",
        b"b/c",
        b"/d",
        b"../e",
        b"f\\g",
        b"h\0i",
        b"\xff",
        b"word/document.xml",
        b"",
        b"x" * 300,
    ]
)
_FIELDS: Final = {
    "version": st.sampled_from([10, 20, 45, 63, 255]),
    "flags": st.sampled_from([0, 1, 8, 0x800, 0x2000, 0xFFFF]),
    "method": st.sampled_from([0, 8, 9, 12, 14, 93, 99]),
    "crc": st.sampled_from(_NUMBERS),
    "packed": st.sampled_from(_NUMBERS),
    "size": st.sampled_from(_NUMBERS),
    "name": _NAMES,
}


def _lies(fields: dict[str, SearchStrategy[Any]]) -> SearchStrategy[dict[str, Any]]:
    """What a header claims instead of the truth: nothing, or one field or two."""
    some = st.lists(st.sampled_from(sorted(fields)), min_size=1, max_size=2, unique=True).flatmap(
        lambda names: st.fixed_dictionaries({name: fields[name] for name in names})
    )
    return rarely(st.just({}), some)


@st.composite
def zip_entries(draw: Callable[[SearchStrategy[Any]], Any], names: SearchStrategy[bytes] = _NAMES) -> Entry:
    """An entry whose headers may lie, together or apart."""
    honest = entry(draw(names), draw(st.binary(max_size=200)), stored=draw(st.booleans()))
    both = draw(_lies(_FIELDS))
    central = draw(_lies({**_FIELDS, "offset": st.sampled_from(_NUMBERS)}))
    return Entry(
        name=honest.name,
        body=draw(rarely(st.just(honest.body), st.binary(max_size=50))),
        method=honest.method,
        size=honest.size,
        crc=honest.crc,
        local={**both, **draw(_lies(_FIELDS))},
        central={**both, **central},
    )


def zips() -> SearchStrategy[bytes]:
    """Archives, with something before or behind them now and then."""
    return st.builds(
        lambda entries, prefix, comment, behind: archive(entries, prefix=prefix, comment=comment) + behind,
        st.lists(zip_entries(), max_size=5),
        rarely(st.just(b""), st.binary(max_size=20)),
        rarely(st.just(b""), st.sampled_from([b"PK\x05\x06" + bytes(18), b"x" * 70])),
        rarely(st.just(b""), st.binary(max_size=30)),
    )


# ---- XML and OOXML (XML 1.0; ECMA-376 part 1, 17) ----------------------------------------------------------------------

_TAGS: Final = (
    "p", "r", "t", "tbl", "tr", "tc", "sdt", "sdtContent", "hyperlink", "ins", "del", "delText", "smartTag", "fldSimple",
    "pPr", "rPr", "tab", "br", "drawing", "footnoteReference", "commentReference", "gridSpan", "vMerge", "numPr", "vanish",
)  # fmt: skip
_ATTRIBUTES: Final = ("val", "id", "anchor", "instr", "space", "ilvl")
_VALUES: Final = ("1", "0", "-1", "restart", "Heading1", "rId1", "99999999999", "", "true", "&lt;")


def xml_elements() -> SearchStrategy[str]:
    """Elements of WordprocessingML in any order that nests; most of which the schema would not allow."""
    text = st.sampled_from(["Hello.", "&amp;", "&#65;", "caf\u00e9", " ", ""])
    leaf = text.map(lambda value: f"<w:r><w:t>{value}</w:t></w:r>")
    return st.recursive(leaf, _element_around, max_leaves=12)


def _element_around(children: SearchStrategy[str]) -> SearchStrategy[str]:
    attribute = st.builds('w:{}="{}"'.format, st.sampled_from(_ATTRIBUTES), st.sampled_from(_VALUES))
    return st.builds(
        lambda tag, given, inner: f"<w:{tag} {given}>{''.join(inner)}</w:{tag}>",
        st.sampled_from(_TAGS),
        st.one_of(st.just(""), attribute),
        st.lists(children, max_size=3),
    )


def xmls() -> SearchStrategy[bytes]:
    """Main parts in several encodings, some with a document type, a wrong declaration, or cut off."""
    prolog = rarely(
        st.just(""),
        st.sampled_from(
            [
                '<!DOCTYPE w:document [<!ENTITY a "b">]>',
                "<!DOCTYPE x SYSTEM 'y'>",
                "<!-- <!DOCTYPE -->",
                "<?x <!DOCTYPE?>",
            ]
        ),
    )
    body = st.lists(xml_elements(), max_size=4).map("".join)
    encoding = st.sampled_from(["utf-8", "utf-16", "utf-8-sig", "ascii", "latin-1", "utf-32"])
    return st.builds(_xml, prolog, body, encoding, rarely(st.just(0), st.integers(1, 40)))


def _xml(prolog: str, body: str, encoding: str, cut: int) -> bytes:
    declared = encoding.removesuffix("-sig")
    text = f'<?xml version="1.0" encoding="{declared}"?>{prolog}{ooxml.OPEN.decode()}<w:p>{body}</w:p>{ooxml.CLOSE.decode()}'
    data = text.encode(encoding, "xmlcharrefreplace")
    return data[: len(data) - cut]


def docx() -> SearchStrategy[bytes]:
    """Packages with the parts that a document has, and others that may be named like them."""
    further = st.sampled_from(
        [b"word/styles.xml", b"word/footnotes.xml", b"docProps/core.xml", b"word/media/a.png", b"WORD/DOCUMENT.XML"]
    )
    return st.builds(
        lambda main, others: archive([*ooxml.parts(main), *others]),
        xmls(),
        st.lists(zip_entries(further), max_size=2),
    )


# ---- presentations (ECMA-376 part 1, 19) -----------------------------------------------------------------------------

_HELD: Final = (
    "p:sp",
    "p:grpSp",
    "p:pic",
    "p:graphicFrame",
    "a:tbl",
    "a:tr",
    "a:tc",
    "a:p",
    "mc:Choice",
    "mc:Fallback",
)
_INSIDE: Final = ('<p:ph type="title"/>', '<p:ph type="ftr"/>', '<c:chart r:id="rId1"/>', '<dgm:relIds r:dm="rId1"/>')
_SIDES: Final = st.integers(-(10**6), 10**6)


def shapes() -> SearchStrategy[str]:
    """Shapes in their places, some within what holds none."""
    text = words().map(lambda word: pptx_files.para(_escaped(word)))
    placed = st.builds(pptx_files.transform, _SIDES, _SIDES, _SIDES, _SIDES)
    kinds_of = st.sampled_from(["", "title", "body", "dt", "sldNum", "none"]).map(pptx_files.placeholder)
    leaf = st.builds(lambda inner, ph, place: pptx_files.shape(inner, ph=ph, place=place), text, kinds_of, placed)
    odd = st.sampled_from(_INSIDE).map(lambda inner: pptx_files.picture(special=inner))
    return st.recursive(
        st.one_of(leaf, odd, text),
        lambda inner: st.builds(
            lambda tag, held: f"<{tag}>{''.join(held)}</{tag}>", st.sampled_from(_HELD), st.lists(inner, max_size=3)
        ),
        max_leaves=10,
    )


def _escaped(word: str) -> str:
    printed = "".join(char for char in word if char >= " " and not "\ufffe" <= char <= "\uffff")
    return printed.replace("&", "&amp;").replace("<", "&lt;")


def pptxs() -> SearchStrategy[bytes]:
    """Presentations whose slides may be listed twice or be missing, and whose parts may point to each other."""
    targets = st.sampled_from(["../slides/s1.xml", "../presentation.xml", "../slides/s9.xml", "a.xml"])
    kinds_of = st.sampled_from(["slideLayout", "notesSlide", "comments", "chart", "hyperlink"])
    arrow = st.builds(pptx_files.Arrow, st.just("rId1"), kinds_of, targets)
    slide = st.lists(shapes(), max_size=4).map(lambda held: pptx_files.slide(*held))
    page = st.builds(pptx_files.Page, slide, st.lists(arrow, max_size=2))
    listed = st.lists(st.sampled_from(["rId1", "rId2", "rId3", ""]), max_size=4)
    return st.builds(
        lambda pages, order: archive(pptx_files.package(pages, listed=order)), st.lists(page, max_size=3), listed
    )


# ---- HTML and EPUB (WHATWG HTML, 13.2; EPUB 3.3) -------------------------------------------------------------------------


def markup() -> SearchStrategy[str]:
    """Tags as they come: few of them match."""
    tag = st.builds(
        "<{}{}{}>".format,
        st.sampled_from(["", "", "/"]),
        st.sampled_from(html_files.TAGS),
        st.sampled_from(html_files.ATTRIBUTES),
    )
    return st.lists(st.one_of(tag, tag, words(), st.sampled_from(html_files.ODD)), max_size=25).map("".join)


def htmls() -> SearchStrategy[bytes]:
    return st.one_of(
        st.builds(html_files.page, markup(), rarely(st.just(""), markup())),
        st.builds(
            lambda declared, body, codec: f"<meta charset={declared}>{body}".encode(codec, "replace"),
            st.sampled_from(["utf-8", "utf-16", "shift_jis", "x-user-defined", "utf-7", ""]),
            markup(),
            st.sampled_from(["utf-8", "utf-16", "cp1252", "cp932"]),
        ),
    )


def sheets() -> SearchStrategy[bytes]:
    """Style sheets, most of which are none."""
    return st.lists(st.sampled_from(html_files.RULES), max_size=12).map(lambda parts: "".join(parts).encode())


def epubs() -> SearchStrategy[bytes]:
    names = st.lists(st.sampled_from(["a.xhtml", "b%20c.xhtml", "../d.xhtml", "e"]), min_size=1, unique=True)
    return st.builds(
        lambda chapters, listed, spine, sheets: html_files.epub(
            chapters, html_files.package(listed, spine), [entry(f"OPS/{name}", text) for name, text in sheets.items()]
        ),
        st.dictionaries(
            st.sampled_from(["a.xhtml", "b c.xhtml", "e"]),
            st.one_of(markup().map(html_files.chapter), htmls()),
            max_size=3,
        ),
        names,
        names,
        st.dictionaries(st.sampled_from(["s.css", "t.css"]), sheets(), max_size=2),
    )


# ---- OpenDocument (ODF 1.3 part 3) -----------------------------------------------------------------------------------

_ODF_TAGS: Final = (
    "text:p", "text:h", "text:span", "text:a", "text:s", "text:list", "text:list-item", "text:section", "text:note", "text:note-body",
    "office:annotation", "text:changed-region", "text:deletion", "text:change", "text:change-start", "text:change-end", "text:page-number",
    "text:ruby-text", "text:hidden-text",
    "table:table", "table:table-row", "table:table-cell", "table:covered-table-cell", "table:table-column",
    "draw:frame", "draw:text-box", "draw:image", "draw:object", "draw:g", "draw:page", "presentation:notes", "svg:title", "math:math",
    "office:document", "office:text", "style:style", "style:master-page", "style:header", "number:number-style", "number:number",
)  # fmt: skip
_ODF_ATTRIBUTES: Final = (
    "text:style-name", "text:outline-level", "text:c", "text:continue-list", "text:start-value", "text:display", "text:is-hidden",
    "table:number-columns-repeated", "table:number-rows-repeated", "table:visibility", "office:value-type", "office:value",
    "xlink:href", "style:name", "style:family", "presentation:class", "text:change-id", "xml:id", "number:decimal-places",
)  # fmt: skip
_ODF_VALUES: Final = (
    "1",
    "0",
    "-1",
    "2",
    "999999999999",
    "A",
    "L",
    "true",
    "none",
    "collapse",
    "float",
    "title",
    "./Object 1",
    "",
)


def odf_elements() -> SearchStrategy[str]:
    """Elements of OpenDocument in any order that nests."""
    text = st.sampled_from(["Hello.", "&amp;", "caf\u00e9", " ", "\n  ", ""])
    given = st.dictionaries(st.sampled_from(_ODF_ATTRIBUTES), st.sampled_from(_ODF_VALUES), max_size=2)
    return st.recursive(
        text.map(lambda inner: f"<text:p>{inner}</text:p>"),
        lambda inner: st.builds(_odf_element, st.sampled_from(_ODF_TAGS), given, st.lists(inner, max_size=3), text),
        max_leaves=12,
    )


def _odf_element(tag: str, given: dict[str, str], inner: list[str], text: str) -> str:
    written = "".join(f' {name}="{value}"' for name, value in given.items())
    return f"<{tag}{written}>{text}{''.join(inner)}</{tag}>"


def odfs(kind: str) -> SearchStrategy[bytes]:
    """Documents whose content is any of it, packages with an object or flat."""
    body = st.lists(odf_elements(), max_size=5).map("".join)
    package = st.builds(
        lambda main, styles, inner: odf_files.odf(
            kind, main, styles, {"Object 1/content.xml": odf_files.content(kind, inner)}
        ),
        body,
        body,
        body,
    )
    return st.one_of(package, st.builds(lambda main: odf_files.flat(kind, main), body))


# ---- PDF (ISO 32000-2) ---------------------------------------------------------------------------------------------

_OPERANDS: Final = (
    b"0",
    b"1",
    b"-1",
    b"12.5",
    b"1e9",
    b"99999999999",
    b"(text)",
    b"<414243>",
    b"/F1",
    b"/X",
    b"[(a) -500 (b)]",
    b"<<>>",
    b"null",
    b"(",
)
_OPERATORS: Final = (b"BT", b"ET", b"Tf", b"Td", b"Tm", b"Tj", b"TJ", b"T*", b"'", b'"', b"Tr", b"Tz", b"q", b"Q", b"cm", b"Do", b"re", b"f", b"BDC", b"EMC", b"BI", b"ID", b"EI", b"gs",
    b"m", b"l", b"c", b"h", b"W", b"n", b"S", b"b*", b"sh", b"g", b"rg", b"k", b"cs", b"scn", b"Ts", b"Tc", b"TL")  # fmt: skip


def pdf_content() -> SearchStrategy[bytes]:
    """A stream that shows a word and then does as it likes."""
    act = st.builds(
        lambda operands, operator: b" ".join([*operands, operator]),
        st.lists(st.sampled_from(_OPERANDS), max_size=6),
        st.sampled_from(_OPERATORS),
    )
    return st.lists(act, max_size=12).map(lambda acts: b"\n".join([pdf_files.SHOW, *acts]))


def _pdf_values() -> SearchStrategy[bytes]:
    leaf = st.sampled_from(
        [b"1 0 R", b"2 0 R", b"3 0 R", b"4 0 R", b"6 0 R", b"99 0 R", b"-1 0 R", b"null", *_OPERANDS]
    )
    return st.recursive(
        leaf,
        lambda inner: st.one_of(
            st.lists(inner, max_size=4).map(lambda items: b"[" + b" ".join(items) + b"]"),
            st.lists(
                st.tuples(st.sampled_from([b"/Kids", b"/Type", b"/Parent", b"/First", b"/Next", b"/Length"]), inner),
                max_size=3,
            ).map(lambda pairs: b"<<" + b" ".join(key + b" " + value for key, value in pairs) + b">>"),
        ),
        max_leaves=6,
    )


def pdfs() -> SearchStrategy[bytes]:
    """A page with further entries, filters and objects; its table is right, and now and then something is cut or moved."""
    return st.builds(
        _pdf,
        pdf_content(),
        st.sampled_from(
            [
                b"",
                b"/FlateDecode",
                b"/FlateDecode/FlateDecode",
                b"/ASCIIHexDecode",
                b"/ASCII85Decode",
                b"/LZWDecode",
                b"/RunLengthDecode",
                b"/Crypt",
                b"/None",
            ]
        ),
        st.dictionaries(
            st.sampled_from([b"/Annots", b"/Rotate", b"/MediaBox", b"/Contents", b"/Resources", b"/Kids"]),
            _pdf_values(),
            max_size=2,
        ),
        st.dictionaries(
            st.sampled_from([b"/Outlines", b"/Names", b"/Pages", b"/Version", b"/Metadata"]), _pdf_values(), max_size=2
        ),
        _pdf_values(),
        rarely(
            st.just(b""),
            st.sampled_from([b"/Prev {table}", b"/Prev 0", b"/XRefStm 20", b"/Encrypt 6 0 R", b"/Size 9999999"]),
        ),
        rarely(st.just(0), st.integers(1, 200)),
    )


def _pdf(
    content: bytes,
    filters: bytes,
    page: dict[bytes, bytes],
    catalog: dict[bytes, bytes],
    free: bytes,
    trailer: bytes,
    cut: int,
) -> bytes:
    data = content
    for _ in range(filters.count(b"/FlateDecode")):
        data = zlib.compress(data)
    objects = pdf_files.one_page(
        pdf_files.stream(data, b"/Filter[" + filters + b"]"),
        page=b"".join(key + b" " + value for key, value in page.items()),
        catalog=b"".join(key + b" " + value for key, value in catalog.items()),
    )
    objects[pdf_files.FREE] = free
    whole = pdf_files.pdf(objects, trailer=trailer)
    return whole[: len(whole) - cut]


# ---- text formats ---------------------------------------------------------------------------------------------------


def jsons() -> SearchStrategy[bytes]:
    """Values, with a wrong comma, number or end now and then."""
    value = st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), words()),
        lambda inner: st.one_of(st.lists(inner, max_size=5), st.dictionaries(words(), inner, max_size=5)),
        max_leaves=20,
    )
    written = st.builds(
        lambda tree, is_ascii, indent: json.dumps(tree, ensure_ascii=is_ascii, indent=indent),
        value,
        st.booleans(),
        st.sampled_from([None, 1]),
    )
    lie = st.sampled_from(
        [
            (",", ",,"),
            ("]", ""),
            ("1", "01"),
            ('"', "'"),
            ("null", "NaN"),
            ("", "\ufeff"),
            ("{", "{,"),
            ("1", "1e99999"),
        ]
    )
    encoding = st.sampled_from(["utf-8", "utf-8", "utf-16", "utf-8-sig", "utf-32"])
    return st.builds(
        lambda text, swap, codec: text.replace(*swap, 1).encode(codec),
        written,
        rarely(st.just(("", "")), lie),
        encoding,
    )


def csvs() -> SearchStrategy[bytes]:
    """Tables with one delimiter and end of line; cells are quoted as they need, or not."""
    cell = st.one_of(words(), st.sampled_from(["1", "2.5", "a\nb", 'a"b', "a,b", "=1+1", " ", "\x00", "\r"]))
    rows = st.lists(st.lists(cell, min_size=1, max_size=5), max_size=8)
    return st.builds(
        _csv,
        rows,
        st.sampled_from([",", ";", "\t", "|"]),
        st.sampled_from(["\n", "\r\n", "\r"]),
        rarely(st.just(True), st.just(False)),
        st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"]),
    )


def _csv(rows: list[list[str]], delimiter: str, end: str, is_quoted: bool, codec: str) -> bytes:
    def written(cell: str) -> str:
        needs = any(char in cell for char in (delimiter, '"', "\n", "\r"))
        return '"' + cell.replace('"', '""') + '"' if is_quoted and needs else cell

    return "".join(delimiter.join(map(written, row)) + end for row in rows).encode(codec, "replace")


def markdowns() -> SearchStrategy[bytes]:
    """Lines of any containers' marks, some of which go on for long."""
    mark = st.sampled_from(["", "> ", "- ", "1. ", "  ", "    ", "\t", "# ", "* ", "[^1]: "])
    content = st.sampled_from(
        [
            "a",
            "a *b* `c`",
            "```",
            "~~~",
            "| a | b |",
            "|-|-|",
            "===",
            "---",
            "<!-- a",
            "-->",
            "<div>",
            "</div>",
            "[a]: b",
            "[a][b](c)",
            "![a](b",
            "a  ",
            "\\",
            "",
            "<http://a.b>",
            "[",
            "`" * 5,
            "***",
        ]
    )
    line = st.builds(lambda marks, text: "".join(marks) + text, st.lists(mark, max_size=6), st.one_of(content, words()))
    front = rarely(
        st.just(""), st.sampled_from(["---\ntitle: a\n---\n", "---\n", "+++\na = 1\n+++\n", "---\n&a [*a]\n---\n"])
    )
    return st.builds(
        lambda head, lines, end: (head + end.join(lines)).encode(),
        front,
        st.lists(line, max_size=15),
        st.sampled_from(["\n", "\r\n", "\r"]),
    )


def texts() -> SearchStrategy[bytes]:
    """Plain text in encodings that say what they are, or do not."""
    codec = st.sampled_from(["utf-8", "utf-16", "utf-8-sig", "cp1252", "koi8-r", "shift-jis", "utf-32"])
    return st.builds(
        lambda pieces, name: "\n".join(pieces).encode(name, "replace"), st.lists(words(), max_size=8), codec
    )


# ---- replies (sandbox/frames.py) -------------------------------------------------------------------------------------


def replies() -> SearchStrategy[bytes]:
    """Frames in their order, with numbers that need not fit; then one is lost, doubled, exchanged or cut off."""
    position = st.integers(0, 40)
    block = st.builds(Block, position, position, st.sampled_from(ROLES))
    link = st.builds(Link, position, position, st.sampled_from(["http://a", "#a", "javascript:a", "http://a b"]))
    notice = st.builds(
        Notice,
        st.sampled_from(NOTICE_CODES),
        st.none(),
        st.one_of(st.none(), st.integers(0, 9), st.sampled_from(["pdf", "cmap", "a secret"])),
    )
    document = st.builds(
        lambda title, text, blocks, links, notices: list(
            frames.document(frames.Head(title, {"author": "B"}), text, blocks, links, notices, 0)
        ),
        st.one_of(st.none(), st.sampled_from(["A", "", "a\nb"])),
        st.lists(words(), max_size=4),
        st.lists(block, max_size=3),
        st.lists(link, max_size=2),
        st.lists(notice, max_size=2),
    )
    refused = st.builds(
        RefusalFacts,
        st.sampled_from(REFUSAL_CODES),
        st.sampled_from([None, "nodes", "heap_bytes", "nothing"]),
        st.none(),
        st.sampled_from([None, 1, -1, 10**12, 1.5]),
        st.just("load"),
        st.sampled_from([None, "pdf", "a secret"]),
    ).map(lambda facts: [frames.refused(facts)])
    sniffed = st.sampled_from(["text", "pdf", "nothing"]).map(lambda name: [frames.sniffed(name)])
    return st.builds(
        _reply,
        st.sampled_from([b"\0", b"\1"]),
        st.one_of(document, document, refused, sniffed),
        st.sampled_from(["", "", "", "lose", "double", "cut", "exchange", "unready"]),
        st.integers(0, 10_000),
    )


def _reply(first: bytes, sent: list[bytes], fault: str, where: int) -> bytes:
    parts = sent if fault == "unready" else [frames.started((), 0), *sent]
    at = where % len(parts)
    if fault == "lose":
        del parts[at]
    elif fault == "double":
        parts.insert(at, parts[at])
    elif fault == "exchange":
        parts[at], parts[0] = parts[0], parts[at]
    whole = b"".join(parts)
    return first + (whole[: where % (len(whole) + 1)] if fault == "cut" else whole)


# ---- by name ----------------------------------------------------------------------------------------------------------

GENERATORS: Final[dict[str, Callable[[], SearchStrategy[bytes]]]] = {
    "arguments": argument_lines,
    "pdf-streams": packed_streams,
    "globs": globs,
    "html": htmls,
    "epub": epubs,
    "eml": emls,
    "mbox": mboxes,
    "mhtml": archives,
    "csv": csvs,
    "docx": docx,
    "ipynb": ipynbs,
    "json": jsons,
    "jsonl": jsonls,
    "markdown": markdowns,
    "odp": partial(odfs, "odp"),
    "ods": partial(odfs, "ods"),
    "odt": partial(odfs, "odt"),
    "pdf": pdfs,
    "pptx": pptxs,
    "query": queries,
    "reply": replies,
    "rtf": rtfs,
    "text": texts,
    "tsv": csvs,
    "xlsx": workbooks,
    "xml": xmls,
    "yaml": yamls,
    "zip": zips,
}
"""By the kind they write, or the target that belongs to none."""


def anything() -> SearchStrategy[bytes]:
    """Of any grammar, or of none."""
    return st.one_of(*(make() for make in GENERATORS.values()), st.binary(max_size=300))


def for_target(name: str, kind: str | None) -> SearchStrategy[bytes]:
    """What suits a target of that name and kind."""
    make = GENERATORS.get(kind or name)
    return make() if make is not None else anything()
