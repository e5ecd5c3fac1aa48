"""XML within a PDF: metadata, and the rich text of remarks and fields."""

from __future__ import annotations

from typing import Any, Final
from xml.etree.ElementTree import Element

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser, ParseError
from pdfminer.pdftypes import PDFStream, resolve1

from fumehood.errors import Refusal
from fumehood.limits.budget import Budget
from fumehood.limits.xml import precheck
from fumehood.loaders.shared.pdf_strings import text_string

_BREAKS: Final = frozenset({"p", "br", "div", "li"})
"""Elements of rich text (ISO 32000-2, table 255) that begin a line, or stand for its end."""
_BREAK: Final = "\v"
"""No character of XML."""


def parsed(packet: bytes, budget: Budget) -> Element | None:
    """The root element; None for what cannot be read. Spends `xml_elements`."""
    try:
        precheck(packet, budget)
        # In limits/xml: document types and entities are refused, depth and attributes are bounded.
        parser = DefusedXMLParser(forbid_dtd=True)
        parser.feed(packet)
        root: Element = parser.close()
    except (DefusedXmlException, ParseError, Refusal, ValueError):
        return None
    budget.spend("xml_elements", sum(1 for _ in root.iter()))
    return root


def string_of(value: Any) -> str:
    """A text string, or a stream of one (ISO 32000-2, 7.9.3)."""
    found = resolve1(value)
    return text_string(found.get_data() if isinstance(found, PDFStream) else found)


def rich_text(value: Any, budget: Budget) -> str:
    """The text of a rich text string (ISO 32000-2, 12.7.4.4), a line for each paragraph; its source if that is no XML.

    Spends `xml_elements`.
    """
    source = string_of(value).strip()
    root = parsed(source.encode("utf-8", "ignore"), budget) if source.startswith("<") else None
    if root is None:
        return source
    for element in root.iter():
        if str(element.tag).rpartition("}")[2] in _BREAKS:
            element.text, element.tail = f"{_BREAK}{element.text or ''}", f"{_BREAK}{element.tail or ''}"
    lines = (" ".join(line.split()) for line in "".join(root.itertext()).split(_BREAK))
    return "\n".join(line for line in lines if line)
