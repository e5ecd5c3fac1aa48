"""Metadata in XMP (ISO 16684-1; ISO 32000-2, 14.3.2): the properties that we have keys for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final
from xml.etree.ElementTree import Element

from pdfminer.pdftypes import PDFStream, resolve1

from fumehood.limits.budget import Budget
from fumehood.loaders.shared import pdf_xml
from fumehood.loaders.shared.builder import Builder

_LARGEST: Final = 1024 * 1024
"""Bytes of a packet that is looked at; they hold thumbnails at times, and are a few KB else."""
_RDF: Final = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
_DC: Final = "{http://purl.org/dc/elements/1.1/}"
_XMP: Final = "{http://ns.adobe.com/xap/1.0/}"
_PDF: Final = "{http://ns.adobe.com/pdf/1.3/}"
_KEYS: Final = {
    f"{_DC}title": "title",
    f"{_DC}creator": "author",
    f"{_DC}description": "subject",
    f"{_DC}subject": "keywords",
    f"{_PDF}Keywords": "keywords",
    f"{_DC}language": "language",
    f"{_XMP}CreateDate": "created",
    f"{_XMP}ModifyDate": "modified",
    f"{_PDF}Producer": "generator",
    f"{_XMP}CreatorTool": "generator",
}
_ALTERNATIVES: Final = frozenset({"title", "subject"})
"""Written in several languages, of which the first is the default (ISO 16684-1, 8.2.2.4)."""
_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[-+]\d\d:\d\d)?)?")


def properties(metadata: Any, out: Builder, budget: Budget) -> dict[str, str]:
    """Values by our keys, and `title`. A packet that cannot be read is the notice `part-unreadable`.

    Spends `inflated_bytes` and `xml_elements`.
    """
    stream = resolve1(metadata)
    if not isinstance(stream, PDFStream):
        return {}
    packet = stream.get_data()
    if not packet.strip():
        return {}
    root = pdf_xml.parsed(packet, budget) if len(packet) <= _LARGEST else None
    if root is None:
        out.notice("part-unreadable", detail="xml")
        return {}
    found: dict[str, str] = {}
    for name, values in _values(root):
        key = _KEYS.get(name)
        value = (values[0] if key in _ALTERNATIVES else ", ".join(values)) if values else ""
        if key is not None and value and (key not in ("created", "modified") or _MOMENT.fullmatch(value)):
            found.setdefault(key, value)
    return found


def _values(root: Element) -> Iterator[tuple[str, list[str]]]:
    """Properties stand as attributes of a description, as elements in it, or as lists in those (7.4 to 7.7)."""
    for description in root.iter(f"{_RDF}Description"):
        for name, value in description.attrib.items():
            yield name, [value.strip()]
        for element in description:
            items = [item.text or "" for item in element.iter(f"{_RDF}li")] or [element.text or ""]
            yield str(element.tag), [item.strip() for item in items if item.strip()]
