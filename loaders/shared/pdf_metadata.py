"""What a PDF says about itself (ISO 32000-2, 14.3), and what it carries besides pages (7.7.2)."""

from __future__ import annotations

import datetime
import re
from typing import Any, Final

from pdfminer.pdftypes import PDFObjRef, resolve1
from pdfminer.utils import PDFDocEncoding

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.pdf_file import PdfFile, array_of, dictionary

_LONGEST_STRING: Final = 40_000
_DATE: Final = re.compile(
    r"(?:D:)?(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})"
    r"(?:(?P<hour>\d{2})(?:(?P<minute>\d{2})(?P<second>\d{2})?)?(?P<zone>Z|[-+]\d{2}'?(?:\d{2})?)?)?"
)
_KEYS: Final = (("author", "Author"), ("subject", "Subject"), ("keywords", "Keywords"))


def text_string(value: Any) -> str:
    """A text string (7.9.2.2): UTF-16 or UTF-8 by its mark, else PDFDocEncoding. Anything else is empty."""
    raw = resolve1(value)
    if not isinstance(raw, bytes):
        return ""
    raw = raw[:_LONGEST_STRING]
    if raw.startswith(b"\xfe\xff"):
        return raw[2:].decode("utf-16-be", "ignore")
    if raw.startswith(b"\xff\xfe"):
        return raw[2:].decode("utf-16-le", "ignore")
    if raw.startswith(b"\xef\xbb\xbf"):
        return raw[3:].decode("utf-8", "replace")
    return "".join(PDFDocEncoding[byte] for byte in raw)


def date(value: Any) -> str | None:
    """A date (7.9.4) in RFC 3339's form, to the precision and with the zone that it gives; None if it is none."""
    match = _DATE.match(text_string(value).strip())
    if match is None:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups()[:6])
    try:
        moment = datetime.datetime(year, month, day, hour, minute, second)
    except ValueError:
        return None
    if match["hour"] is None:
        return moment.date().isoformat()
    return moment.isoformat() + _zone(match["zone"])


def _zone(zone: str | None) -> str:
    if not zone:
        return ""
    digits = re.sub(r"\D", "", zone)
    if zone == "Z" or not digits.strip("0"):
        return "Z"
    hours, minutes = digits[:2], digits[2:4] or "00"
    return f"{zone[0]}{hours}:{minutes}" if hours < "24" and minutes < "60" else ""


def describe(file: PdfFile, out: Builder) -> None:
    """Sets title and metadata, and says what the catalog holds that is not read."""
    info = dictionary(file.trailer.get("Info"))
    out.set_title(text_string(info.get("Title")))
    for key, name in _KEYS:
        out.set_metadata(key, text_string(info.get(name)))
    for key, name in (("created", "CreationDate"), ("modified", "ModDate")):
        moment = date(info.get(name))
        if moment is not None:
            out.set_metadata(key, moment)
    out.set_metadata("generator", text_string(info.get("Producer")) or text_string(info.get("Creator")))
    out.set_metadata("language", text_string(file.catalog.get("Lang")))
    _remark_on_catalog(file, out)


def _remark_on_catalog(file: PdfFile, out: Builder) -> None:
    names = dictionary(file.catalog.get("Names"))
    attachments = count_names(names.get("EmbeddedFiles"), file.budget)
    if attachments:
        out.notice("attachment-not-read", detail=attachments)
    action = dictionary(file.catalog.get("OpenAction"))
    if "JavaScript" in names or "JS" in action or "AA" in file.catalog:
        out.notice("script-present", detail="javascript")
    if "XFA" in dictionary(file.catalog.get("AcroForm")):
        out.notice("object-not-read", detail="xfa")


def count_names(tree: Any, budget: Budget) -> int:
    """The entries of a name tree (7.9.6), each node counted once. Spends `nodes`."""
    count = 0
    waiting, seen = [tree], set[int]()
    while waiting:
        value = waiting.pop()
        if isinstance(value, PDFObjRef):
            if value.objid in seen:
                continue
            seen.add(value.objid)
        node = dictionary(value)
        count += len(array_of(node.get("Names"))) // 2
        kids = array_of(node.get("Kids"))
        budget.spend("nodes", 1 + len(kids) // 16)
        waiting.extend(kids)
    return count
