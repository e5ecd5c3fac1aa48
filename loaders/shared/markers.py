"""Textual formats by how their text starts: markup, mail, calendars, and the shapes of JSON, tables and Markdown."""

from __future__ import annotations

import re
from typing import Final

_SPACE: Final = " \t\r\n"

_XML_PROLOG: Final = re.compile(
    r"(?:<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*(?:\[[^\]]*\]\s*)?>|\s)*+", re.DOTALL | re.IGNORECASE
)
_XML_ROOT: Final = re.compile(r"<(?:[\w.-]+:)?([\w.-]+)")
_XML_ROOTS: Final = {"html": "html", "svg": "svg", "fictionbook": "fb2"}
_FLAT_ODF: Final = re.compile(
    r"office:mimetype\s*=\s*[\"']application/vnd\.oasis\.opendocument\.(text|spreadsheet|presentation|graphics)"
)
_ODF: Final = {"text": "odt", "spreadsheet": "ods", "presentation": "odp", "graphics": "odg"}

_HTML: Final = re.compile(
    r"(?:<!--.*?-->|\s)*+<(?:!doctype\s+html|(?:html|head|body|title|meta|script|style|link|base|table|div|p|h[1-6]|ul|ol|span|a|"
    r"font|center|form|article|section|main|nav|iframe|img|br|pre|blockquote)(?=[\s/>]))",
    re.DOTALL | re.IGNORECASE,
)

_HEADER: Final = re.compile(r"([!-9;-~]+)[ \t]*:.*(?:\r?\n[ \t]+.*)*(?:\r?\n|\Z)")
_MAIL_HEADERS: Final = frozenset(
    [
        "from",
        "to",
        "cc",
        "subject",
        "date",
        "received",
        "return-path",
        "message-id",
        "mime-version",
        "delivered-to",
        "content-type",
        "reply-to",
        "sender",
        "x-mailer",
        "content-transfer-encoding",
        "in-reply-to",
        "references",
        "dkim-signature",
        "authentication-results",
        "envelope-to",
        "x-received",
        "bcc",
        "thread-topic",
        "thread-index",
        "importance",
        "x-priority",
        "list-unsubscribe",
        "x-original-to",
    ]
)
_MAIL_ALONE: Final = frozenset(["received", "return-path", "message-id", "mime-version", "from", "delivered-to"])
_MIN_MAIL_HEADERS: Final = 3
_MBOX: Final = re.compile(r"From \S+ .{0,60}?[0-9]{2}:[0-9]{2}.{0,60}\r?\n[!-9;-~]+:")
_FROM_LINE: Final = re.compile(r"From \S[^\n]*\n")
_MULTIPART: Final = re.compile(
    r"^content-type:\s*multipart/[^\n]*(?:\n[ \t][^\n]*)*boundary", re.IGNORECASE | re.MULTILINE
)
_WEB_ARCHIVE: Final = re.compile(r"^content-type:\s*multipart/related", re.IGNORECASE | re.MULTILINE)
_WEB_ARCHIVE_PART: Final = re.compile(r"^(?:content-location|snapshot-content-location):", re.IGNORECASE | re.MULTILINE)

_STARTS: Final = (
    ("{\\rtf", "rtf"),
    ("BEGIN:VCALENDAR", "ics"),
    ("BEGIN:VCARD", "vcf"),
    ("-----BEGIN PGP ", "pgp"),
    ("%!PS", "postscript"),
)

_JSON_VALUE: Final = re.compile(r'[\[{]\s*(?:["{\[\]}]|-?[0-9]|(?:true|false|null)\b)')
_NOTEBOOK: Final = re.compile(r'"nbformat"\s*:')

_MARKDOWN: Final = (
    re.compile(r"^#{1,6} +\S", re.MULTILINE),
    re.compile(r"^(?:```|~~~)", re.MULTILINE),
    re.compile(r"^ {0,3}[-*+] +\S.*\n(?:.*\n)?^ {0,3}[-*+] +\S", re.MULTILINE),
    re.compile(r"\]\((?:https?://|#|\.{0,2}/|mailto:)[^)\s]{0,200}\)"),
    re.compile(r"^\S.*\n(?:=+|-{2,})[ \t]*$", re.MULTILINE),
    re.compile(r"^> ", re.MULTILINE),
    re.compile(r"^\|?(?: *:?-{2,}:? *\|)+", re.MULTILINE),
    re.compile(r"\*\*[^\s*][^*\n]*\*\*"),
)
_FRONT_MATTER: Final = re.compile(
    r"(?:---[ \t]*\r?\n.*?^---[ \t]*$|\+\+\+[ \t]*\r?\n.*?^\+\+\+[ \t]*$)", re.DOTALL | re.MULTILINE
)
_TITLE_FIRST: Final = re.compile(r"\s*# +\S.*\r?\n[ \t]*\r?\n")


def marked_format(head: str) -> str | None:
    """The textual format that the start of `head` declares, or None: rtf, html, xml and what it holds, mail, calendars."""
    start = head.lstrip(_SPACE)
    for prefix, name in _STARTS:
        if start.startswith(prefix):
            return name
    if start.startswith("<"):
        return _markup(start)
    return _mail(start)


def _markup(start: str) -> str | None:
    prolog = _XML_PROLOG.match(start)
    rest = start[prolog.end() :] if prolog else start
    root = _XML_ROOT.match(rest)
    if root and (start.startswith("<?xml") or root[1].lower() in _XML_ROOTS):
        flat = _FLAT_ODF.search(rest)
        if flat and root[1] == "document":
            return _ODF[flat[1]]
        return _XML_ROOTS.get(root[1].lower(), "xml")
    if _HTML.match(start):
        return "html"
    return "xml" if start.startswith("<?xml") else None


def _mail(start: str) -> str | None:
    if _MBOX.match(start):
        return "mbox"
    seen: set[str] = set()
    line = _FROM_LINE.match(start)
    at = line.end() if line else 0
    while header := _HEADER.match(start, at):
        seen.add(header[1].lower())
        at = header.end()
    is_mail = len(seen & _MAIL_HEADERS) >= _MIN_MAIL_HEADERS and seen & _MAIL_ALONE
    if not is_mail and not _MULTIPART.search(start, 0, at):
        return None
    # A saved page (RFC 2557) has a sender, the program, and nobody it was sent to.
    saved = "to" not in seen and _WEB_ARCHIVE.search(start, 0, at) and _WEB_ARCHIVE_PART.search(start)
    return "mhtml" if saved else "eml"


def looks_like_json(head: str, tail: str) -> bool:
    """Whether text that starts with `head` and ends with `tail` opens and closes as a JSON object or array does."""
    start = head.lstrip(_SPACE)
    closing = {"{": "}", "[": "]"}.get(start[:1])
    return closing is not None and _JSON_VALUE.match(start) is not None and tail.rstrip(_SPACE).endswith(closing)


def starts_like_json(head: str) -> bool:
    """Whether a JSON text may start so, whole or not, scalars included (RFC 8259, section 2)."""
    start = head.lstrip(_SPACE)
    return not start or start[0] in '{["-0123456789tfn'


def is_notebook(head: str) -> bool:
    return head.lstrip(_SPACE).startswith("{") and '"cells"' in head and _NOTEBOOK.search(head) is not None


def looks_like_markdown(head: str) -> bool:
    """A title on a line of its own, or two different marks of Markdown. YAML has lists and rules as well."""
    front_matter = _FRONT_MATTER.match(head)
    if _TITLE_FIRST.match(head, front_matter.end() if front_matter else 0):
        return True
    return sum(1 for mark in _MARKDOWN if mark.search(head)) > 1
