"""Writes web pages, and books of them (EPUB 3.3), with an honest package around whatever the chapters are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fumehood.fuzz.archives import Entry, archive, entry

CONTAINER = (
    b'<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>'
    b'<rootfile full-path="OPS/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
)
TAGS = (
    "a", "b", "blockquote", "br", "caption", "code", "dd", "details", "div", "dl", "dt", "font", "form", "h1", "h3", "iframe",
    "img", "input", "li", "math", "mfrac", "mi", "nav", "noframes", "ol", "option", "p", "pre", "q", "rt", "ruby", "script",
    "select", "span", "style", "svg", "table", "tbody", "td", "template", "text", "textarea", "th", "title", "tr", "ul",
)  # fmt: skip
ATTRIBUTES = (
    "", " hidden", " class=a id=b", ' style="display:none"', " style='font-size:0'", " href=#x", ' href="http://a.test/?a&amp;b"',
    " rowspan=3 colspan=2", " rowspan=0", " start=-3 reversed type=i", " value=v", " srcdoc='<p>in'", " alt=alt src=s", " role=none",
    ' epub:type="footnote"', " bgcolor=red color=red", " open", "/", ' "', " =a",
)  # fmt: skip
ODD = (
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?x ",
    "</",
    "<",
    "&#0;",
    "&#x80;",
    "&notit;",
    "&amp;lt;",
    "\0",
    ".a{display:none}",
    "<link rel=stylesheet href=s.css>",
    "\n ",
)

RULES = (
    ".a", "#b", "p", "*", " ", ">", ",", "{", "}", "{display:none}", "{visibility:hidden!important}", "@media print{", "@import 's.css';",
    "@import url(t.css) screen;", "/*", "*/", "'", "(", ";", "<!--",
)  # fmt: skip


def page(body: str, head: str = "") -> bytes:
    """A page in UTF-8 that says so."""
    return f"<!doctype html><html lang=en><head><meta charset=utf-8>{head}</head><body>{body}</body></html>".encode()


def chapter(body: str) -> bytes:
    """A page in XHTML."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml" '
        f'xmlns:epub="http://www.idpf.org/2007/ops"><head><title/></head><body>{body}</body></html>'
    ).encode()


def package(names: Sequence[str], spine: Sequence[str] | None = None, metadata: str = "", items: str = "") -> bytes:
    """A package document whose items are XHTML and have their file's name; `spine` is of all unless it says which."""
    manifest = "".join(f'<item id="{name}" href="{name}" media-type="application/xhtml+xml"/>' for name in names)
    order = "".join(f'<itemref idref="{name}"/>' for name in (names if spine is None else spine))
    return (
        '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0">'
        f'<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>A book</dc:title>{metadata}</metadata>'
        f"<manifest>{manifest}{items}</manifest><spine>{order}</spine></package>"
    ).encode()


def epub(chapters: Mapping[str, bytes], opf: bytes | None = None, further: Sequence[Entry] = ()) -> bytes:
    """A book of those chapters, by the names of their files; `opf` and `further` go beyond an honest package."""
    return archive(
        [
            entry("mimetype", b"application/epub+zip", stored=True),
            entry("META-INF/container.xml", CONTAINER),
            entry("OPS/package.opf", package(list(chapters)) if opf is None else opf),
            *(entry(f"OPS/{name}", data) for name, data in chapters.items()),
            *further,
        ]
    )
