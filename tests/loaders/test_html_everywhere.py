"""One page in every kind that holds pages, and pages under the names of other formats."""

from __future__ import annotations

import pytest

from fumehood import kinds
from fumehood.document import Document
from fumehood.fuzz.html_files import epub
from fumehood.fuzz.mail_files import archive, eml, encoded, mbox, message, multipart
from fumehood.kinds import ReadOptions
from fumehood.loaders.sniff import sniff
from fumehood.sandbox.loading import read_in_process

DEEP = "<div>" * 150 + "<p>" + "<span>" * 2_000 + "deep" + "</span>" * 2_000 + "</div>" * 150
PAGES = [
    "<h2>One</h2><p>two <b>three</b><ul><li>four<li>five</ul><table><tr><th>six<td>seven</table>",
    "<p>never closed <b>bold <i>both<p>next</b> one<br>line &lt;p&gt; <!-- no --> <![if x]>kept<![endif]>",
    "<p hidden>unseen</p><script>var no = '<p>'</script><pre>a  b\n  c</pre><blockquote>q</blockquote>",
    DEEP,
]


def read(kind: str, data: bytes) -> Document:
    return read_in_process(kinds.get(kind), data, options=ReadOptions())


def shape(document: Document) -> list[tuple[str, bool, str]]:
    """Role, visibility and words of each block; a heading's level is that of what it is in."""
    return [
        (block.role, block.visible, document.text[block.start : block.end].lstrip("# "))
        for block in document.blocks
        if block.role != "header"
    ]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_reads_the_same_wherever_it_is(page: str) -> None:
    """markitdown 1636, 1644, 2333, 2444: what was mended for pages was still broken in other formats that hold them."""
    raw = f"<html><body>{page}</body></html>".encode()
    part = message(raw, b"text/html; charset=utf-8")
    others = {
        "epub": epub({"a.xhtml": raw}),
        "mhtml": archive(raw),
        "eml": part,
        "mbox": mbox(part),
    }
    wanted = shape(read("html", raw))
    assert not any("<span" in text or "<div" in text or "<![" in text for _, _, text in wanted)
    for kind, data in others.items():
        assert shape(read(kind, data)) == wanted, kind
    attached = multipart(b"alternative", message(b""), encoded(raw, b"text/html"))
    assert shape(read("eml", attached)) == wanted
    assert shape(read("eml", eml(part)))[1:] == wanted


@pytest.mark.parametrize("name", ["prices.xls", "letter.doc", "page.bin", None])
def test_a_page_that_is_called_a_workbook_is_read_as_the_page_it_is(name: str | None) -> None:
    """DocumentServer 1832: Office writes such files, and opens them."""
    data = (
        b"<html xmlns:o='urn:schemas-microsoft-com:office:office' xmlns:x='urn:schemas-microsoft-com:office:excel'>"
        b"<head><meta name=ProgId content=Excel.Sheet><!--[if gte mso 9]><xml><x:ExcelWorkbook></xml><![endif]--></head>"
        b"<body><table><tr><td>Item<td x:num>Price</tr><tr><td>Ink<td x:num='12.5'>12.50</tr></table></body></html>"
    )
    hint = None if name is None else kinds.by_extension(name)
    assert sniff(data, hint.name if hint else None) == "html"
    document = read("html", data)
    assert document.text == "| Item | Price |\n| --- | --- |\n| Ink | 12.50 |"
    assert document.metadata["generator"] == "Excel.Sheet"
