"""Bombs of mail: parts, depth, fields, encoded words, and documents in documents."""

from __future__ import annotations

from functools import reduce

from fumehood.fuzz.bomb import READ, Bomb, bomb
from fumehood.fuzz.mail_files import FROM_LINE, archive, eml, encoded, message, multipart, nested

_HELLO = message(b"Hello.")


def words(word: bytes, count: int) -> bytes:
    return eml(b"Subject:" + word * count + b"\n" + _HELLO).replace(b"Subject: A message\n", b"", 1)


def in_each_other(depth: int) -> bytes:
    """Messages in base64 within messages in base64."""
    return reduce(lambda inner, _: encoded(inner, b"message/rfc822"), range(depth), eml(_HELLO))


BOMBS: tuple[Bomb, ...] = (
    bomb("parts.eml", "100,000 parts", lambda: eml(multipart(b"mixed", *[b"\nx"] * 100_000)), "parts"),
    bomb("deep.eml", "1,000 multiparts within each other", lambda: nested(1_000), "nesting"),
    bomb("deep-messages.eml", "1,000 messages", lambda: b"Content-Type: message/rfc822\n\n" * 1_000, "nesting"),
    bomb(
        "deep-lines.eml",
        "1 MB of lines that start as delimiters do, with 200 multiparts open",
        lambda: nested(200) + b"\n--no delimiter" * 70_000,
        READ,
        holds="Hello.",
    ),
    bomb(
        "header.eml",
        "a field of 10 MB on 400,000 lines",
        lambda: eml(b"X: a\n" + b" bbbbbbbbbbbbbbbbbbbbbbb\n" * 400_000 + _HELLO),
        READ,
        holds="Hello.",
    ),
    bomb("subject.eml", "a subject of 10 MB", lambda: words(b"x" * 10_000_000, 1), READ, holds="Hello."),
    bomb("headers.eml", "100,000 fields", lambda: eml(b"X: y\n" * 100_000 + _HELLO), READ, holds="Hello."),
    bomb("many-headers.eml", "2,000,001 fields", lambda: eml(b"X:\n" * 2_000_001 + _HELLO), "nodes"),
    bomb(
        "words.eml",
        "a million encoded words",
        lambda: words(b" =?utf-8?b?w6k=?= =?utf-8?q?=C3=A9?=", 500_000),
        READ,
        holds="Hello.",
    ),
    bomb(
        "charsets.eml",
        "200,000 encoded words, each of another charset than the last",
        lambda: words(b" =?utf-8?b?w6k=?= =?latin1?q?=E9?=", 100_000),
        READ,
        holds="Hello.",
    ),
    bomb(
        "open-words.eml", "a million words that do not end", lambda: words(b"=?a?q?x", 1_000_000), READ, holds="Hello."
    ),
    bomb(
        "parameters.eml",
        "100,000 sections of one parameter",
        lambda: eml(message(b"Hello.", b"text/plain" + b"".join(b";\n a*%d*=%%41" % at for at in range(100_000)))),
        READ,
        holds="Hello.",
    ),
    bomb(
        "alternatives.eml",
        "4,000 forms of one text",
        lambda: eml(multipart(b"alternative", *(message(b"Hello. %d" % at) for at in range(4_000)))),
        READ,
        notice="hidden-text",
        holds="Hello.",
    ),
    bomb("files.eml", "100,000 files in a text", lambda: eml(message(b"begin 644 a\n#0V%T\nend\n" * 100_000)), "parts"),
    bomb(
        "begins.eml",
        "200,000 starts of files that are none",
        lambda: eml(message(b"Hello.\n" + b"begin 644 a\n" * 200_000)),
        READ,
        holds="Hello.",
    ),
    bomb("encoded.eml", "twelve messages in base64 within each other", lambda: in_each_other(12), READ, holds="Hello."),
    bomb("page.eml", "a page of 200,000 blocks", lambda: eml(message(b"<div>" * 200_000, b"text/html")), "nesting"),
    bomb("pages.mhtml", "100,000 pages", lambda: archive(b"x", *[message(b"<p>x", b"text/html")] * 100_000), "parts"),
    bomb("messages.mbox", "100,000 messages", lambda: (FROM_LINE + b"\nx\n\n") * 100_000, "parts"),
)
