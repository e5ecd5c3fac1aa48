"""One part of a mail that is shown in place: decoded, and read by what it is."""

from __future__ import annotations

import re
from typing import Final

from fumehood.document import Locator
from fumehood.limits.budget import Budget
from fumehood.loaders.shared import encoding, html_document, html_encoding, mail_charset, mail_text
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.html_sheets import Find, nowhere
from fumehood.loaders.shared.mime_parts import PAGES, SHOWN, Entity
from fumehood.loaders.shared.mime_transfer import Decoded

_ENRICHED: Final = ("text/enriched", "text/richtext")
_FOLDED: Final = ("text/calendar", "text/vcard", "text/x-vcard", "text/directory")
"""Their lines are broken anywhere, in words too, and go on behind white space (RFC 5545, 3.1; RFC 6350, 3.2)."""
_FOLD: Final = re.compile(r"\r?\n[ \t]")


def read(
    entity: Entity,
    decoded: Decoded,
    budget: Budget,
    level: int,
    charset: str | None,
    *,
    describes: bool = False,
    find: Find = nowhere,
) -> Builder:
    """What the part says, with headings below one of `level`; its places are in the part itself.

    `charset`: what the caller knows, for a part that does not say. `describes`: whether a page's title and metadata are
    those of the document. `find`: the style sheets beside a page. Relative links start from where the part was (RFC 2557,
    5).

    Raises the refusal `kind-mismatch` for what is no text, and those of HTML.
    """
    out = Builder(budget, level)
    data = decoded.data
    label = mail_charset.declared(entity.content.parameters.get("charset", ""), data) or charset
    if entity.media_type in PAGES:
        text = encoding.decode(data, out, label or html_encoding.declared(data))
        base = entity.headers.text("content-location")
        html_document.read(text, out, budget, base=base, describes=describes, find=find)
    else:
        _plain(entity, encoding.decode(data, out, label), out)
    if decoded.trailing:
        out.paragraph(encoding.decode(decoded.trailing, out, label))
    if decoded.repaired:
        out.notice("repaired")
    return out


def _plain(entity: Entity, text: str, out: Builder) -> None:
    if entity.media_type in _ENRICHED:
        text = mail_text.plain_of(text, is_richtext=entity.media_type == "text/richtext")
    if entity.media_type.startswith("text/") and entity.media_type not in SHOWN:
        # Calendars, patches, tables: their lines mean what they are as they stand.
        if entity.media_type in _FOLDED:
            text = _FOLD.sub("", text)
        out.code(text.strip("\r\n"), locator=Locator(line=1))
    else:
        mail_text.say(text, entity.content.parameters, out)
