"""A web page and what it is made of in one file, as browsers save it (RFC 2557): the page, not a message with parts."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import Final

from fumehood.errors import NoticeCode, Refusal, refusal
from fumehood.kinds import ReadOptions
from fumehood.limits.budget import Budget
from fumehood.loaders.shared import mail_body, mailbox, mime_parts, mime_transfer
from fumehood.loaders.shared.attachments import within
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.encoding import warm as warm
from fumehood.loaders.shared.mail_addresses import date
from fumehood.loaders.shared.tally import Tally

ENGINES: Final[Mapping[str, str]] = {"justhtml": version("justhtml")}

_LOOKS: Final = ("text/css", "text/javascript", "font/", "application/x-javascript", "application/javascript")


def load(data: bytes, out: Builder, budget: Budget, options: ReadOptions) -> None:
    """Raises the refusals `kind-mismatch` for what holds no page, `parts`, `nesting` and those of HTML."""
    root = mime_parts.parse(mailbox.normalised(data), budget)
    tally = Tally()
    pages: list[Builder] = []
    for part in mime_parts.leaves(root):
        if part.media_type in mime_parts.SHOWN:
            pages += _pages(part, out, budget, options.charset)
        elif not part.media_type.startswith(_LOOKS):
            code: NoticeCode = "image-not-read" if part.media_type.startswith("image/") else "object-not-read"
            tally.add(code, part.locator)
    if not pages:
        raise refusal("kind-mismatch")
    tally.say(out)
    out.set_title(pages[0].title or root.headers.text("subject"))
    for key, value in {"created": date(root.headers.text("date")) or "", **pages[0].metadata}.items():
        out.set_metadata(key, value)


def _pages(part: mime_parts.Entity, out: Builder, budget: Budget, charset: str | None) -> list[Builder]:
    """Says the page, or the one in a frame of it, that `part` is; empty for what is no text."""
    try:
        inner = mail_body.read(part, mime_transfer.decode(part.body, part.encoding), budget, 0, charset, describes=True)
    except Refusal as refused:
        if refused.code != "kind-mismatch":
            raise
        out.notice("part-unreadable", part.locator)
        return []
    out.append(inner, within(part.locator))
    return [inner]
