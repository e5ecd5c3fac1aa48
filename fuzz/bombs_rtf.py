"""Bombs of RTF: depth, claims of length, floods of words, characters and cells."""

from __future__ import annotations

from fumehood.fuzz.bomb import READ, Bomb, bomb
from fumehood.fuzz.rtf_files import LINK, document, row


def nested(start: bytes, count: int) -> bytes:
    return document((b"{" + start) * count + b"deep" + b"}" * count)


BOMBS: tuple[Bomb, ...] = (
    bomb("deep.rtf", "100,000 groups within each other", lambda: nested(b"", 100_000), "nesting"),
    bomb("deep-skipped.rtf", "100,000 groups in one that is skipped", lambda: nested(rb"\*\x ", 100_000), "nesting"),
    bomb("unclosed.rtf", "100,000 opening braces", lambda: document(b"{" * 100_000), "nesting"),
    bomb("empty-groups.rtf", "2,000,001 groups side by side", lambda: document(b"{}" * 2_000_001), "nodes"),
    bomb(
        "binary.rtf",
        "data that claim to be 2 GB long",
        lambda: document(rb"before\bin2000000000 behind"),
        READ,
        notice="repaired",
        holds="before",
    ),
    bomb(
        "picture.rtf",
        "a picture of 20 MB in hexadecimal digits",
        lambda: document(rb"{\pict " + b"0f" * 10_000_000 + b"}behind"),
        READ,
        notice="image-not-read",
        holds="behind",
    ),
    bomb(
        "words.rtf", "a million control words", lambda: document(rb"\b" * 1_000_000 + b" behind"), READ, holds="behind"
    ),
    bomb(
        "distinct-words.rtf",
        "500,000 control words, no two alike",
        lambda: document(b"".join(rb"\x%d" % number for number in range(500_000))),
        READ,
    ),
    bomb("digits.rtf", "a number of 5 MB", lambda: document(rb"\b" + b"1" * 5_000_000), READ),
    bomb("unicode.rtf", "500,000 characters by number", lambda: document(rb"\u9786?" * 500_000), READ, holds="\u263a"),
    bomb("halves.rtf", "500,000 first halves of a pair", lambda: document(rb"\u-10179?" * 500_000), READ),
    bomb(
        "skip.rtf",
        "a character that has two billion stand-ins",
        lambda: document(rb"\uc2000000000\u65 bcd"),
        READ,
        holds="A",
    ),
    bomb(
        "cells.rtf",
        "a row of 100,000 cells",
        lambda: document(rb"\trowd\intbl " + rb"a\cell " * 100_000 + rb"\row"),
        READ,
    ),
    bomb(
        "empty-cells.rtf",
        "a row of 500,000 empty cells",
        lambda: document(rb"\trowd\intbl " + rb"\cell" * 500_000 + rb"\row"),
        READ,
    ),
    bomb(
        "edges.rtf",
        "500,000 edges of cells",
        lambda: document(rb"\trowd" + rb"\cellx9" * 500_000 + row(b"a")),
        READ,
        holds="a",
    ),
    bomb(
        "tables.rtf",
        "tables within each other, 1,000 deep",
        lambda: document(b"".join(rb"\intbl\itap%d a\nestcell" % level for level in range(2, 1_000))),
        "nesting",
    ),
    bomb(
        "tall.rtf",
        "1,000 cells above 45,000 rows of one",
        lambda: document(row(*[b"a"] * 1_000) + row(b"a") * 45_000),
        "output-too-large",
    ),
    bomb("fields.rtf", "20,000 links", lambda: document(LINK * 20_000), READ, holds="link"),
    bomb(
        "fonts.rtf",
        "200 font tables of 200 fonts",
        lambda: document((rb"{\fonttbl" + rb"{\f0 a;}" * 200 + b"}") * 200),
        READ,
    ),
    bomb(
        "notes.rtf", "notes in notes, 250 deep", lambda: document(rb"{\footnote a" * 250 + b"}" * 250), READ, holds="a"
    ),
    bomb(
        "footers.rtf",
        "5,000 footers and 20,000 paragraphs",
        lambda: document(rb"{\footer f}" * 5_000 + rb"a\par " * 20_000),
        READ,
    ),
    bomb(
        "name.rtf",
        "a font's name in 300,000 pieces",
        lambda: document(rb"{\fonttbl{\f0 " + b"a{}" * 300_000 + b"}}"),
        READ,
    ),
    bomb(
        "open-links.rtf",
        "250 links within each other that never end",
        lambda: document(rb"{\header" + LINK.removesuffix(b"link}}") * 250 + rb"a\par " * 50_000),
        *("nodes", "nesting"),
    ),
)
