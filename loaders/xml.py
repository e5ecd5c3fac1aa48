"""XML 1.0 as text: short elements as `name: text`, long and mixed ones as paragraphs, each with the path of its element."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser, ParseError

from fumehood.charsets import charset
from fumehood.errors import MalformedDocument, refusal
from fumehood.kinds import ReadOptions
from fumehood.limits import xml
from fumehood.limits.budget import Budget
from fumehood.limits.xml_prolog import without_document_type
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.element_text import ElementText
from fumehood.loaders.shared.encoding import decode
from fumehood.loaders.shared.encoding import warm as warm
from fumehood.loaders.shared.plain import plain

ENGINES: Final[Mapping[str, str]] = {}

_DECLARATION: Final = re.compile(r"<\?xml\s[^<>]{0,300}\?>")
_DECLARED: Final = re.compile(rb"<\?xml\b[^>]{0,200}?\bencoding\s*=\s*[\"']([\w.:-]{1,40})[\"']")


def load(data: bytes, out: Builder, budget: Budget, options: ReadOptions) -> None:
    """Raises the refusals of the precheck, `kind-mismatch`, `xml-elements`, `nesting`, `nodes`, `malformed` unless `lenient`."""
    text = decode(data, out, options.charset or _declared(data))
    try:
        found = _read(text, out, budget)
    except (ParseError, DefusedXmlException, MalformedDocument):
        if not options.lenient:
            raise refusal("malformed") from None
        out.notice("unparsed")
        plain(text, out)
        return
    found.say()


def _read(text: str, out: Builder, budget: Budget) -> ElementText:
    """Raises `ParseError`, `DefusedXmlException`, and the refusals of the precheck and of the counts."""
    # Checks and parser see the same bytes, of one encoding: what the declaration said has had its say.
    part = without_document_type(_without_declaration(text).encode("utf-8"))
    xml.precheck(part, budget)
    target = ElementText(out, budget)
    parser = DefusedXMLParser(target=target, encoding="utf-8")
    # In one piece, since expat before 2.6 reads a token that comes in pieces once for each (CVE-2023-52425).
    parser.feed(part)
    parser.close()
    return target


def _without_declaration(text: str) -> str:
    """Wherever it stands: some writers put a comment before it, or an empty line. In a CDATA section it is text."""
    found = _DECLARATION.search(text)
    if found is None or text.find("<![CDATA[", 0, found.start()) >= 0:
        return text
    return text[: found.start()] + text[found.end() :]


def _declared(data: bytes) -> str | None:
    """The encoding that the declaration names (XML 1.0, 4.3.3); None where it is none that can be trusted or known."""
    found = _DECLARED.match(data.lstrip(b"\xef\xbb\xbf \t\r\n"))
    if found is None:
        return None
    try:
        name = charset(found[1].decode("ascii", "replace"))
    except ValueError:
        return None
    return None if name.startswith("utf") else name
