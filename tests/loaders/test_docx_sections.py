"""Headers and footers: which there are, which are shown, and where their sections start."""

from __future__ import annotations

from lxml import etree

from fumehood.loaders.shared.docx_sections import MAX_SECTIONS, PageText, Sections, foreseen, page_texts
from fumehood.loaders.shared.ooxml_names import Element
from tests.loaders.docx_writer import NAMESPACES

DECLARED = f'xmlns:w="{NAMESPACES["w"]}" xmlns:r="{NAMESPACES["r"]}"'


def reference(kind: str, identifier: str, of_pages: str) -> str:
    return f'<w:{kind}Reference w:type="{of_pages}" r:id="{identifier}"/>'


def section(*content: str) -> str:
    return f"<w:sectPr {DECLARED}>{''.join(content)}</w:sectPr>"


def element(*content: str) -> Element:
    return etree.fromstring(section(*content))


ALL = [reference(kind, f"{kind[0]}{of[0]}", of) for kind in ("footer", "header") for of in ("even", "default", "first")]


def test_headers_come_first_and_ordinary_pages_before_others() -> None:
    found = page_texts(element(*ALL), even_pages=False)
    assert found == [
        PageText("header", "hd", True),
        PageText("header", "hf", False),
        PageText("header", "he", False),
        PageText("footer", "fd", True),
        PageText("footer", "ff", False),
        PageText("footer", "fe", False),
    ]


def test_a_title_page_comes_first() -> None:
    found = page_texts(element(*ALL, "<w:titlePg/>"), even_pages=True)
    assert [text.id for text in found if text.kind == "header"] == ["hf", "hd", "he"]
    assert all(text.shown for text in found)
    assert not page_texts(element(ALL[5], '<w:titlePg w:val="0"/>'), even_pages=True)[0].shown


def test_what_is_foreseen_is_what_the_parse_finds() -> None:
    body = section(*ALL) + "<p/>" + section() + section(ALL[4], "<w:titlePg/>")
    expected = [
        [text for text in page_texts(sect, even_pages=False) if text.kind == "header"]
        for sect in etree.fromstring(f"<r>{body}</r>")
        if sect.tag != "p"
    ]
    assert foreseen(body.encode(), even_pages=False) == expected


def test_nothing_is_foreseen_where_bytes_could_mislead() -> None:
    body = section(*ALL)
    assert foreseen(body.encode("utf-16"), even_pages=False) == []
    assert foreseen(body.replace("<w:titlePg", "").encode() + b"<w:sectPrChange/>", even_pages=False) == []
    assert foreseen(b"no sections", even_pages=False) == []


def test_looking_ahead_takes_linear_time() -> None:
    assert foreseen(b"<w:headerReference " * 300_000 + b"sectPr>" * 300_000, even_pages=False) == []
    assert len(foreseen(b"</w:sectPr>" * 100_000 + b"headerReference", even_pages=False)) == MAX_SECTIONS


def test_each_section_gives_its_headers_at_its_start() -> None:
    written: list[str] = []
    sections = Sections(
        [[PageText("header", "h1", True)], [PageText("header", "h2", True)]],
        lambda text: written.append(text.id),
        even_pages=False,
    )
    sections.start()
    assert written == ["h1"]
    sections.end(element(reference("footer", "f1", "default")))
    assert written == ["h1", "f1", "h2"]
