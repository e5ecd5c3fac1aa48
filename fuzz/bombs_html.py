"""Bombs of tags, and of books."""

from __future__ import annotations

from fumehood.fuzz.archives import entry
from fumehood.fuzz.bomb import READ, Bomb, bomb
from fumehood.fuzz.deflate import filling, packed
from fumehood.fuzz.html_files import chapter, epub, package, page


def distinct(count: int) -> str:
    """Formatting elements of which no two are the same, so that all stay open (WHATWG HTML, 13.2.4.3)."""
    return "".join(f"<b id={number}>" for number in range(count))


def attributes(count: int) -> str:
    return "<p " + " ".join(f"a{number}=1" for number in range(count)) + ">Hello."


def frames(depth: int) -> str:
    """Pages in attributes of pages; each level escapes the one below."""
    inner = "<p>Hello."
    for _ in range(depth):
        inner = '<iframe srcdoc="' + inner.replace("&", "&amp;").replace('"', "&quot;") + '"></iframe>Hello.'
    return inner


def long_spine(times: int) -> bytes:
    return epub({"a.xhtml": chapter("<p>Hello.</p>")}, package(["a.xhtml"], ["a.xhtml"] * times))


def fallbacks() -> bytes:
    """Two items that are each other's fallback."""
    items = '<item id="x" href="x.bin" media-type="a/b" fallback="y"/><item id="y" href="y.bin" media-type="a/b" fallback="x"/>'
    chapters = {"a.xhtml": chapter("<p>Hello.</p>")}
    return epub(chapters, package(["a.xhtml"], ["x", "a.xhtml"], items=items))


def ratio(size: int) -> bytes:
    book = package(["a.xhtml", "b.xhtml"])
    return epub({"a.xhtml": chapter("<p>Hello.</p>")}, book, [entry("OPS/b.xhtml", packed(filling(b" ", size)))])


def sheets(count: int) -> bytes:
    """A chapter that links every one of `count` style sheets, each of which imports the next one."""
    links = "".join(f'<link rel="stylesheet" href="{number}.css"/>' for number in range(count))
    further = [entry(f"OPS/{number}.css", f"@import '{number + 1}.css';".encode()) for number in range(count)]
    return epub({"a.xhtml": chapter("<p>Hello.</p>").replace(b"<title/>", links.encode())}, further=further)


BOMBS: tuple[Bomb, ...] = (
    bomb("deep.html", "200,000 blocks within each other", lambda: page("<div>" * 200_000), "nesting"),
    bomb(
        "deep-spans.html",
        "20,000 spans within each other",
        lambda: page("<span>" * 20_000 + "Hello."),
        READ,
        holds="Hello.",
    ),
    bomb(
        "attributes.html", "200,000 attributes on one element", lambda: page(attributes(200_000)), READ, spends="nodes"
    ),
    bomb(
        "formatting.html",
        "2,000 formatting elements that every paragraph opens again",
        lambda: page(distinct(2_000) + "<p>x" * 2_000),
        "nodes",
    ),
    bomb(
        "adoption.html",
        "fonts around blocks, closed inside out",
        lambda: page("<font><div>" * 20_000 + "</font>" * 20_000),
        "nodes",
    ),
    bomb(
        "foster.html",
        "text in a table, where none may be",
        lambda: page("<table>" + "x<tr>" * 10_000 + "Hello."),
        READ,
        holds="Hello.",
    ),
    bomb("tables.html", "5,000 tables within each other", lambda: page("<table><tr><th>x" * 5_000), "nesting"),
    bomb(
        "rowspan.html",
        "a thousand cells that reach down all rows",
        lambda: page("<table><tr>" + "<th rowspan=65534>x" * 1_000 + "<tr><td>x" * 5_000),
        "nodes",
    ),
    bomb(
        "wide.html",
        "rows of one cell under a row of 5,000",
        lambda: page("<table><tr>" + "<th>x" * 5_000 + "<tr><td>x" * 20_000),
        "output-too-large",
    ),
    bomb(
        "select.html",
        "5,000 options in 5,000 lists",
        lambda: page("<select><option>Hello." * 5_000),
        READ,
        holds="Hello.",
    ),
    bomb(
        "brackets.html",
        "300,000 brackets that begin nothing",
        lambda: page("Hello." + "<" * 300_000),
        READ,
        spends="output_bytes",
    ),
    bomb(
        "comments.html",
        "300,000 comments that do not end",
        lambda: page("Hello." + "<!--" * 300_000),
        READ,
        notice="repaired",
        holds="Hello.",
    ),
    bomb(
        "rules.html",
        "5,000 rules for each of 5,000 elements",
        lambda: page(
            "".join(f"<p class='a b{number}'>x" for number in range(5_000)),
            "<style>" + "".join(f".a.b{number}{{display:none}}" for number in range(5_000)) + "</style>",
        ),
        "nodes",
    ),
    bomb(
        "above.html",
        "5,000 elements within each other, each asked for another one above it",
        lambda: page("<span>" * 5_000, "<style>b span{display:none}</style>"),
        "nodes",
    ),
    bomb(
        "sheet-comments.html",
        "300,000 comments in a style sheet, none of which ends",
        lambda: page("Hello.", "<style>" + "/* " * 300_000 + "</style>"),
        READ,
        holds="Hello.",
    ),
    bomb(
        "sheet-groups.html",
        "300,000 groups of rules within each other",
        lambda: page("Hello.", "<style>" + "@media screen{" * 300_000 + "</style>"),
        READ,
        holds="Hello.",
    ),
    bomb(
        "frames.html",
        "20 pages within each other",
        lambda: page(frames(20)),
        READ,
        notice="object-not-read",
        holds="Hello.",
    ),
    bomb(
        "digits.html",
        "a reference of a million digits",
        lambda: page("Hello.&#" + "1" * 1_000_000 + ";"),
        READ,
        holds="Hello.\ufffd",
    ),
    bomb("spine.epub", "a spine of 100,000 items", lambda: long_spine(100_000), "parts"),
    bomb(
        "spine-again.epub",
        "a spine that names one item 500 times",
        lambda: long_spine(500),
        READ,
        notice="cycle-skipped",
        holds="Hello.",
    ),
    bomb(
        "fallbacks.epub",
        "items that are each other's fallback",
        fallbacks,
        READ,
        notice="cycle-skipped",
        holds="Hello.",
    ),
    bomb("sheets.epub", "2,000 style sheets, each with all behind it", lambda: sheets(2_000), "nodes"),
    bomb("ratio.epub", "a chapter of 64 MB of spaces", lambda: ratio(64 << 20), "zip-ratio"),
)
