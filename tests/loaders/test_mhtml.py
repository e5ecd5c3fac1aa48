"""Saved pages: what the page shows, in its frames too, and what it was made of as notices."""

from __future__ import annotations

import pytest

from fumehood import Refusal, kinds
from fumehood.fuzz.mail_files import archive, encoded, message
from fumehood.kinds import ReadOptions
from fumehood.loaders.sniff import sniff
from fumehood.sandbox.loading import read_in_process
from tests.loaders.mail_writer import notices, read, texts

PNG = message(b"\x89PNG\r\n\x1a\n", b"image/png")


def test_it_is_the_page_that_was_saved() -> None:
    document = read(
        archive("<title>Übersicht</title><meta name=author content=Ann><h1>Eins</h1><p>zwei".encode()), "mhtml"
    )
    assert document.kind == "mhtml"
    assert document.title == "Übersicht"
    assert texts(document) == ["# Eins", "zwei"]
    assert dict(document.metadata) == {"author": "Ann"}
    assert [block.locator.path for block in document.blocks if block.locator] == ["1", "1"]


def test_a_page_without_a_title_has_what_the_saver_says() -> None:
    saved = b"Date: Fri, 2 Jan 2026 03:04:05 -0500\n" + archive(b"<p>x")
    assert read(saved, "mhtml").title == "A page"
    assert read(saved, "mhtml").metadata["created"] == "2026-01-02T03:04:05-05:00"


def test_links_start_from_where_the_page_was() -> None:
    document = read(archive(b"<a href=c>in</a> <a href=/d>root</a> <a href='cid:e'>part</a>"), "mhtml")
    assert [link.target for link in document.links] == ["https://a.example/b/c", "https://a.example/d"]


def test_pages_in_frames_are_read_and_the_rest_is_said() -> None:
    script = message(b"x()", b"text/javascript")
    style = message(b"p {}", b"text/css")
    frame = encoded(b"<p>framed", b"text/html")
    sound = encoded(b"RIFF", b"audio/wav")
    document = read(archive(b"<iframe src=cid:f></iframe>x", PNG, style, script, frame, PNG, sound), "mhtml")
    assert texts(document) == ["x", "framed"]
    assert ("image-not-read", "2", 2) in notices(document)
    assert ("object-not-read", "7", 1) in notices(document)


@pytest.mark.parametrize("name", ["table.xls", "letter.doc", "page.mht", "page.mhtml", None])
def test_it_is_found_under_any_name_but_that_of_a_message(name: str | None) -> None:
    """alaveteli 848."""
    hint = None if name is None else kinds.by_extension(name)
    assert sniff(archive(b"<table><tr><td>x</table>"), hint.name if hint else None) == "mhtml"
    assert sniff(archive(b"<p>x"), "eml") == "eml"


def test_the_caller_may_know_the_charset() -> None:
    saved = archive(b"<p>x").replace(b"; charset=utf-8", b"").replace(b"<p>x", "<p>дом".encode("koi8-r"))
    assert texts(read(saved, "mhtml", charset="koi8-r")) == ["дом"]


@pytest.mark.parametrize("data", [b"", b"no archive", b"\0\1\2", archive(b"x").replace(b"text/html", b"font/woff")])
def test_what_holds_no_page_is_refused_or_read_as_it_stands(data: bytes) -> None:
    try:
        document = read_in_process(kinds.get("mhtml"), data, options=ReadOptions())
    except Refusal as refused:
        assert refused.code == "kind-mismatch"  # noqa: PT017
    else:
        assert document.text in ("", "no archive")


def test_its_style_sheets_hide_and_those_elsewhere_are_said() -> None:
    by_id = message(b".a{display:none}", b"text/css", b"Content-ID: <a@b>\n")
    by_place = message(b"@import 'more.css';", b"text/css", b"Content-Location: https://a.example/b/s.css\n")
    imported = message(b".b{display:none}", b"text/css", b"Content-Location: https://a.example/b/more.css\n")
    page = (
        b"<link rel=stylesheet href='cid:a@b'><link rel=stylesheet href=s.css><link rel=stylesheet href=gone.css>"
        b"<p class=a>x<p class=b>y<p>z"
    )
    document = read(archive(page, by_id, by_place, imported), "mhtml")
    assert document.visible_text == "z"
    assert ("external-target", "1", 1) in notices(document)
