"""Books: the spine's order, titles of the table of contents, and what is missing or locked."""

from __future__ import annotations

import sys
from collections.abc import Mapping

import pytest

from fumehood import kinds
from fumehood.document import Document
from fumehood.errors import Refusal
from fumehood.fuzz.archives import Entry, archive, entry
from fumehood.fuzz.html_files import CONTAINER, chapter, epub, package
from fumehood.limits.policy import Limits
from fumehood.sandbox.loading import read_in_process, warm

EPUB = kinds.get("epub")
NCX = (
    '<?xml version="1.0"?><!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" '
    '"http://www.daisy.org/z3986/2005/ncx-2005-1.dtd"><ncx xmlns="http://www.daisy.org/z3986/2005/ncx/">'
    "<docTitle><text>Book</text></docTitle><navMap>{}</navMap></ncx>"
)
POINT = "<navPoint><navLabel><text>{}</text></navLabel><content src='{}'/>{}</navPoint>"


def read(book: bytes, limits: Limits | None = None) -> Document:
    return read_in_process(EPUB, book, limits)


def paths(document: Document) -> list[str | None]:
    return [block.locator.path if block.locator else None for block in document.blocks]


def notices(document: Document) -> list[tuple[str, str | None]]:
    return [(notice.code, notice.locator.path if notice.locator else None) for notice in document.notices]


def refused(book: bytes, limits: Limits | None = None) -> str:
    with pytest.raises(Refusal) as caught:
        read(book, limits)
    return caught.value.code


def chapters(**bodies: str) -> dict[str, bytes]:
    return {f"{name}.xhtml": chapter(body) for name, body in bodies.items()}


TWO: Mapping[str, bytes] = chapters(a="<h1>One</h1><p>first</p>", b="<p>second</p>")


def with_item(item: str, *further: Entry, spine: list[str] | None = None, metadata: str = "") -> bytes:
    return epub(TWO, package(list(TWO), spine, metadata, item), further)


# ---- order and titles ----------------------------------------------------------------------------------------------


def test_the_spine_is_the_order() -> None:
    document = read(epub(TWO, package(list(TWO), ["b.xhtml", "a.xhtml"])))
    assert document.text == "second\n\n# One\n\nfirst"
    assert paths(document) == ["OPS/b.xhtml", "OPS/a.xhtml", "OPS/a.xhtml"]
    assert document.title == "A book"


def test_a_chapter_that_looks_like_navigation_is_read_and_so_is_what_is_not_linear() -> None:
    book = chapters(
        a="<h1>See</h1><ul><li><a href='b.xhtml'>b</a></li><li><a href='#x'>c</a></li></ul>", b="<p>note</p>"
    )
    opf = package(list(book)).replace(b'idref="b.xhtml"', b'idref="b.xhtml" linear="no"')
    assert read(epub(book, opf)).text == "# See\n\n- b\n- c\n\nnote"


def test_what_the_ncx_leaves_out_is_read() -> None:
    """The table of contents gives titles; the spine says what there is."""
    item = '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
    point = POINT.format("Second  one", "b.xhtml#p", POINT.format("Again", "b.xhtml", ""))
    document = read(with_item(item, entry("OPS/toc.ncx", NCX.format(point).encode())))
    assert document.text == "# One\n\nfirst\n\n# Second one\n\nsecond"


def test_a_table_of_contents_that_declares_entities_is_left_out() -> None:
    item = '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
    ncx = NCX.format("").replace('dtd">', 'dtd" [<!ENTITY a "b">]>').encode()
    document = read(with_item(item, entry("OPS/toc.ncx", ncx)))
    assert document.text.endswith("second")
    assert notices(document) == [("part-unreadable", "OPS/toc.ncx")]


def test_titles_of_the_navigation_document() -> None:
    item = '<item id="nav" href="t/nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
    nav = chapter(
        '<nav epub:type="landmarks"><ol><li><a href="../b.xhtml">No</a></li></ol></nav><nav epub:type="toc"><ol><li>'
        '<span>Part</span><ol><li><a href="../b.xhtml#q">The <i>second</i></a></li></ol></li></ol></nav>'
    )
    document = read(with_item(item, entry("OPS/t/nav.xhtml", nav)))
    assert document.text == "# One\n\nfirst\n\n## The second\n\nsecond"


def test_notes_have_their_role() -> None:
    book = chapters(
        a='<p>x<a epub:type="noteref" href="#n">1</a></p><aside epub:type="footnote" id="n"><p>y</p><p>z</p></aside>'
    )
    document = read(epub(book))
    assert [(block.role, block.visible) for block in document.blocks] == [("paragraph", True), ("note", True)]
    assert document.text == "x1\n\ny\nz"


def test_notes_that_are_items_of_a_list_have_their_number() -> None:
    items = '<li epub:type="endnote"><p>One.</p><p>more</p></li><li role="doc-endnote">Two.</li><li>Not one.</li>'
    document = read(epub(chapters(a=f'<ol start="4">{items}</ol><ul><li epub:type="footnote">Three.</li></ul>')))
    assert document.text == "4\\. One.\nmore\n\n5\\. Two.\n\n6. Not one.\n\nThree."
    assert [block.role for block in document.blocks] == ["note", "note", "list-item", "note"]


# ---- style sheets ----------------------------------------------------------------------------------------------------


def styled(head: str, **sheets: str) -> Document:
    """A book of one chapter that hides `a`, `b` and `c` where a sheet says so."""
    page = chapter("<p class='a'>a</p><p class='b'>b</p><p class='c'>c</p>").replace(b"<title/>", head.encode())
    further = [entry(f"OPS/{name}.css", text.encode()) for name, text in sheets.items()]
    return read(epub({"x.xhtml": page}, further=further))


def link(href: str) -> str:
    return f'<link rel="stylesheet" type="text/css" href="{href}"/>'


def test_what_the_books_own_style_sheets_hide_is_not_seen() -> None:
    document = styled(link("one.css"), one=".a{display:none} .b{visibility:hidden}")
    assert document.visible_text == "c"
    assert document.text == "a\n\nb\n\nc"
    assert notices(document) == [("hidden-text", "OPS/x.xhtml")]


def test_sheets_that_sheets_import_come_before_them_and_cycles_end() -> None:
    one = "@import 'two.css'; .a{display:block}"
    two = "@import url(one.css); @import url(../OPS/three.css); .a, .b{display:none}"
    document = styled(link("one.css"), one=one, two=two, three=".b{display:block} .c{display:none}")
    assert document.visible_text == "a"


def test_sheets_that_are_missing_or_elsewhere_are_said() -> None:
    document = styled(
        link("gone.css") + link("https://a.example/x.css") + link("one.css"), one="@import '//b.example/y';"
    )
    assert notices(document) == [("part-missing", "OPS/gone.css"), ("external-target", None)]
    assert document.notices[-1].detail == 2


def test_a_sheet_may_be_named_by_an_instruction_and_be_in_utf_16() -> None:
    page = b"<?xml-stylesheet type='text/css' href='one.css'?>" + chapter("<p class='a'>a</p><p>b</p>")
    book = epub({"x.xhtml": page}, further=[entry("OPS/one.css", ".a{display:none}".encode("utf-16"))])
    assert read(book).visible_text == "b"


def test_many_chapters_share_a_large_sheet() -> None:
    """Asked of anew in each chapter it would pass the budget."""
    sheet = "".join(f".x{number} p{{display:none}}" for number in range(2_000))
    pages = {
        f"{number}.xhtml": chapter("<p class='a'>b</p>").replace(b"<title/>", link("one.css").encode())
        for number in range(50)
    }
    document = read(epub(pages, further=[entry("OPS/one.css", sheet.encode())]), Limits(nodes=20_000))
    assert len(document.blocks) == 50


def test_sheets_count_as_parts() -> None:
    sheets = {f"s{number}": f"@import 's{number + 1}.css';" for number in range(30)}
    further = [entry(f"OPS/{name}.css", text.encode()) for name, text in sheets.items()]
    page = chapter("<p>a</p>").replace(b"<title/>", link("s0.css").encode())
    assert refused(epub({"x.xhtml": page}, further=further), Limits(parts=20)) == "parts"


# ---- references ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("b.xhtml", "#OPS/b.xhtml"),
        ("b.xhtml#x", "#OPS/b.xhtml#x"),
        ("#y", "#OPS/a.xhtml#y"),
        ("../OPS/b.xhtml", "#OPS/b.xhtml"),
        ("http://a.test/", "http://a.test/"),
        ("gone.xhtml", None),
        ("file:///etc/passwd", None),
        ("../../../../etc/passwd", None),
        ("//a.test/x", None),
    ],
)
def test_links(href: str, target: str | None) -> None:
    document = read(epub(chapters(a=f"<p><a href='{href}'>l</a></p>", b="<p>b</p>")))
    assert [link.target for link in document.links] == ([target] if target else [])
    assert ("link-dropped" in dict(notices(document))) is (target is None)


def test_names_are_percent_decoded() -> None:
    book = {"a b\u00e9.xhtml": chapter("<p>x</p>")}
    document = read(epub(book, package(["a%20b%C3%A9.xhtml"])))
    assert document.text == "x"
    assert paths(document) == ["OPS/a b\u00e9.xhtml"]


def test_prefixes_and_the_order_of_attributes_make_no_difference() -> None:
    container = (
        b'<o:container xmlns:o="urn:oasis:names:tc:opendocument:xmlns:container"><o:rootfiles>'
        b"<o:rootfile media-type='x/y' full-path='OPS/b.xhtml'/>"
        b"<o:rootfile media-type='application/oebps-package+xml' full-path='OPS/package.opf'/></o:rootfiles></o:container>"
    )
    entries = [entry("META-INF/container.xml", container), entry("OPS/package.opf", package(list(TWO)))]
    book = archive([*entries, *(entry(f"OPS/{name}", data) for name, data in TWO.items())])
    assert read(book).text.startswith("# One")


def test_metadata() -> None:
    metadata = (
        "<dc:creator>Ann</dc:creator><dc:creator>Bob</dc:creator><dc:language>fr</dc:language><dc:date>2001-02-03</dc:date>"
        "<dc:subject>k</dc:subject><dc:publisher>P</dc:publisher><dc:description>&lt;p>About &amp;amp; more&lt;/p></dc:description>"
        '<meta property="dcterms:modified">2004-05-06T07:08:09Z</meta><meta property="rendition:layout">pre-paginated</meta>'
    )
    document = read(with_item("", metadata=metadata))
    assert document.metadata == {
        "author": "Ann, Bob",
        "language": "fr",
        "created": "2001-02-03",
        "modified": "2004-05-06T07:08:09Z",
        "keywords": "k",
        "x-publisher": "P",
        "subject": "About & more",
    }
    assert "layout-simplified" in dict(notices(document))
    assert (document.blocks[0].visible, document.text.split("\n")[0]) == (False, "About & more")


# ---- what is missing, damaged or locked ------------------------------------------------------------------------------------


def test_a_missing_chapter_is_said_and_the_book_is_read() -> None:
    document = read(epub(TWO, package([*TWO, "c.xhtml"])))
    assert document.text.endswith("second")
    assert notices(document) == [("part-missing", "OPS/c.xhtml")]


def test_a_damaged_chapter_is_said_and_the_book_is_read() -> None:
    whole = entry("OPS/c.xhtml", chapter("<p>third</p>"))
    damaged = Entry(name=whole.name, body=whole.body, size=whole.size, crc=whole.crc ^ 1)
    document = read(epub(TWO, package([*TWO, "c.xhtml"]), [damaged]))
    assert document.text.endswith("second")
    assert notices(document) == [("part-unreadable", "OPS/c.xhtml")]


def test_a_chapter_that_is_no_text_is_said() -> None:
    document = read(epub({**TWO, "c.xhtml": b"\x89PNG\r\n\x1a\n" + bytes(range(256))}))
    assert notices(document) == [("part-unreadable", "OPS/c.xhtml")]


def encryption(algorithm: str, path: str) -> Entry:
    return entry(
        "META-INF/encryption.xml",
        f'<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><e:EncryptedData xmlns:e="e">'
        f'<e:EncryptionMethod Algorithm="{algorithm}"/><e:CipherData><e:CipherReference URI="{path}"/></e:CipherData>'
        f"</e:EncryptedData></encryption>".encode(),
    )


def test_locked_chapters_are_refused_and_hidden_fonts_are_not() -> None:
    lock = "http://www.w3.org/2001/04/xmlenc#aes128-cbc"
    assert refused(epub(TWO, further=[encryption(lock, "OPS/b.xhtml")])) == "encrypted"
    font = encryption("http://www.idpf.org/2008/embedding", "OPS/f.otf")
    assert notices(read(epub(TWO, further=[font]))) == []
    assert notices(read(epub(TWO, further=[encryption(lock, "OPS/i.png")]))) == [("part-unreadable", "OPS/i.png")]


def test_fallbacks_are_taken_and_end() -> None:
    items = '<item id="x" href="x.pdf" media-type="application/pdf" fallback="y"/><item id="y" href="y.png" media-type="image/png" fallback="{}"/>'
    document = read(with_item(items.format("b.xhtml"), spine=["a.xhtml", "x"]))
    assert document.text.endswith("second")
    assert notices(document) == []
    document = read(with_item(items.format("x"), spine=["a.xhtml", "x"]))
    assert notices(document) == [("cycle-skipped", "OPS/x.pdf"), ("object-not-read", "OPS/x.pdf")]


def test_an_item_is_read_once() -> None:
    document = read(epub(TWO, package(list(TWO), ["a.xhtml", "b.xhtml", "a.xhtml"])))
    assert document.text.endswith("second")
    assert notices(document) == [("cycle-skipped", "OPS/a.xhtml")]


def test_a_book_of_images_is_scanned() -> None:
    assert refused(epub(chapters(a="<p><img src='1.png'/></p>"))) == "scanned"
    pictures = '<item id="p" href="1.png" media-type="image/png"/>'
    decorative = chapters(a="<p><img src='1.png' alt=''/></p>")
    assert refused(epub(decorative, package(list(decorative), items=pictures))) == "scanned"
    items = '<item id="i" href="1.jpg" media-type="image/jpeg"/>'
    assert refused(epub({}, package([], ["i"], items=items))) == "scanned"


def test_svg_pages_give_their_text() -> None:
    items = '<item id="s" href="s.svg" media-type="image/svg+xml"/>'
    svg = b"<svg xmlns='http://www.w3.org/2000/svg'><defs/><text>Drawn</text></svg>"
    assert read(with_item(items, entry("OPS/s.svg", svg), spine=["s"])).text == "Drawn"


@pytest.mark.parametrize(
    ("book", "code"),
    [
        (b"", "malformed"),
        (b"%PDF-1.4", "kind-mismatch"),
        (archive([]), "kind-mismatch"),
        (archive([entry("word/document.xml", b"<a/>")]), "kind-mismatch"),
        (archive([entry("META-INF/container.xml", CONTAINER)]), "malformed"),
        (archive([entry("mimetype", b"application/epub+zip", stored=True)]), "malformed"),
        (epub({}, package([])), "malformed"),
        (epub(TWO, b"no xml"), "malformed"),
    ],
)
def test_what_is_no_book(book: bytes, code: str) -> None:
    assert refused(book) == code


def test_a_package_that_nothing_names_is_found() -> None:
    entries = [entry("OPS/package.opf", package(list(TWO)))]
    document = read(archive([*entries, *(entry(f"OPS/{name}", data) for name, data in TWO.items())]))
    assert document.text.startswith("# One")
    assert notices(document) == [("part-missing", "META-INF/container.xml")]


def test_a_package_without_a_spine_is_read_in_its_order() -> None:
    document = read(epub(TWO, package(list(TWO), [])))
    assert document.text == "# One\n\nfirst\n\nsecond"
    assert ("repaired", None) in notices(document)


def test_the_spine_counts_as_parts() -> None:
    assert refused(epub(TWO, package(list(TWO), ["a.xhtml"] * 20)), Limits(parts=10)) == "parts"


def test_a_warmed_loader_imports_nothing() -> None:
    warm(EPUB)
    before = set(sys.modules)
    read(epub(TWO))
    assert set(sys.modules) <= before
