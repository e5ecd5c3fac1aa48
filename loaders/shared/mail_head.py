"""The head of a message: who wrote to whom, when, about what. Shown as readers of mail show it, and as metadata."""

from __future__ import annotations

from typing import Final

from fumehood.document import Locator
from fumehood.hygiene import clean_line
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.mail_addresses import date, shown
from fumehood.loaders.shared.mime_headers import Headers

_ADDRESSES: Final = (("From", "from"), ("To", "to"), ("Cc", "cc"), ("Bcc", "bcc"))
_METADATA: Final = (
    ("author", "from"),
    ("x-to", "to"),
    ("x-cc", "cc"),
    ("x-bcc", "bcc"),
    ("x-reply-to", "reply-to"),
)
_PLAIN_METADATA: Final = (
    ("keywords", "keywords"),
    ("language", "content-language"),
    ("generator", "x-mailer"),
    ("generator", "user-agent"),
    ("x-message-id", "message-id"),
    ("x-in-reply-to", "in-reply-to"),
)


def say(headers: Headers, charset: str | None, out: Builder, level: int, locator: Locator | None) -> None:
    """The subject as a heading of `level`, and a paragraph of the other fields. `charset` is of 8-bit text in them."""
    out.heading(headers.text("subject", charset), level, locator=locator)
    lines = [f"{label}: {line}" for label, name in _ADDRESSES if (line := _addresses(headers, name, charset))]
    sent = clean_line(headers.text("date", charset))
    if sent:
        lines.append(f"Date: {sent}")
    out.paragraph("\n".join(lines), role="header", locator=locator)


def describe(headers: Headers, charset: str | None, out: Builder) -> None:
    """Title and metadata of a document that is one message; dates that are none are left out."""
    out.set_title(headers.text("subject", charset))
    for key, name in _METADATA:
        out.set_metadata(key, _addresses(headers, name, charset))
    for key, name in _PLAIN_METADATA:
        out.set_metadata(key, headers.text(name, charset))
    out.set_metadata("created", date(headers.text("date", charset)) or "")


def _addresses(headers: Headers, name: str, charset: str | None) -> str:
    """All fields of that name together: more than one is against RFC 5322, 3.6, and not rare."""
    return clean_line(", ".join(shown(text) for text in headers.texts(name, charset)))
