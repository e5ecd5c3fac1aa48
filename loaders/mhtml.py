"""A web page and what it is made of in one file, as browsers save it (RFC 2557): the page, not a message with parts."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import Final
from urllib.parse import unquote, urljoin

from fumehood.errors import NoticeCode, Refusal, refusal
from fumehood.kinds import ReadOptions
from fumehood.limits.budget import Budget
from fumehood.loaders.shared import mail_body, mailbox, mime_parts, mime_transfer
from fumehood.loaders.shared.attachments import within
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.css_library import Library
from fumehood.loaders.shared.encoding import warm as warm
from fumehood.loaders.shared.html_sheets import Find
from fumehood.loaders.shared.mail_addresses import date
from fumehood.loaders.shared.tally import Tally

ENGINES: Final[Mapping[str, str]] = {"justhtml": version("justhtml")}

_LOOKS: Final = ("text/css", "text/javascript", "font/", "application/x-javascript", "application/javascript")


def load(data: bytes, out: Builder, budget: Budget, options: ReadOptions) -> None:
    """Raises the refusals `kind-mismatch` for what holds no page, `parts`, `nesting` and those of HTML."""
    root = mime_parts.parse(mailbox.normalised(data), budget)
    tally = Tally()
    parts = list(mime_parts.leaves(root))
    library = _library(parts, tally, budget)
    pages: list[Builder] = []
    for part in parts:
        if part.media_type in mime_parts.SHOWN:
            pages += _pages(part, out, budget, options.charset, library.finder(_location(part)))
        elif not part.media_type.startswith(_LOOKS):
            code: NoticeCode = "image-not-read" if part.media_type.startswith("image/") else "object-not-read"
            tally.add(code, part.locator)
    if not pages:
        raise refusal("kind-mismatch")
    tally.say(out)
    out.set_title(pages[0].title or root.headers.text("subject"))
    for key, value in {"created": date(root.headers.text("date")) or "", **pages[0].metadata}.items():
        out.set_metadata(key, value)


def _library(parts: list[mime_parts.Entity], tally: Tally, budget: Budget) -> Library:
    """The style sheets among the parts, by their locations and their ids (RFC 2557, 4.2 and 8.3; RFC 2392)."""
    sheets: dict[str, mime_parts.Entity] = {}
    for part in parts:
        if part.media_type == "text/css":
            sheets.setdefault(f"cid:{part.headers.text('content-id').strip().strip('<>')}", part)
            sheets.setdefault(_location(part), part)

    def resolve(address: str, page: str) -> str:
        named = f"cid:{unquote(address[4:])}" if address[:4].lower() == "cid:" else _joined(page, address)
        return named if named in sheets else ""

    def read(name: str) -> bytes:
        return mime_transfer.decode(sheets[name].body, sheets[name].encoding).data

    return Library(resolve, read, tally, budget)


def _location(part: mime_parts.Entity) -> str:
    return part.headers.text("content-location").strip()


def _joined(base: str, address: str) -> str:
    try:
        return urljoin(base, address)
    except ValueError:
        return address


def _pages(part: mime_parts.Entity, out: Builder, budget: Budget, charset: str | None, find: Find) -> list[Builder]:
    """Says the page, or the one in a frame of it, that `part` is; empty for what is no text."""
    try:
        decoded = mime_transfer.decode(part.body, part.encoding)
        inner = mail_body.read(part, decoded, budget, 0, charset, describes=True, find=find)
    except Refusal as refused:
        if refused.code != "kind-mismatch":
            raise
        out.notice("part-unreadable", part.locator)
        return []
    out.append(inner, within(part.locator))
    return [inner]
