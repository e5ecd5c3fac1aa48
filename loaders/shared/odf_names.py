"""The namespaces of OpenDocument under the prefixes that its specification gives them (ODF 1.3 part 3, 1.3)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

Attributes = Mapping[str, str]

_OASIS: Final = "urn:oasis:names:tc:opendocument:xmlns:"
_NAMESPACES: Final[Mapping[str, str]] = {
    **{
        prefix: f"{_OASIS}{prefix}:1.0"
        for prefix in ("office", "style", "text", "table", "meta", "chart", "presentation", "manifest", "form")
    },
    "draw": f"{_OASIS}drawing:1.0",
    "number": f"{_OASIS}datastyle:1.0",
    "svg": f"{_OASIS}svg-compatible:1.0",
    "fo": f"{_OASIS}xsl-fo-compatible:1.0",
    "anim": f"{_OASIS}animation:1.0",
    "script": f"{_OASIS}script:1.0",
    "dr3d": f"{_OASIS}dr3d:1.0",
    "loext": "urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0",
    "ooo": "http://openoffice.org/2004/office",
    "dc": "http://purl.org/dc/elements/1.1/",
    "xlink": "http://www.w3.org/1999/xlink",
    "math": "http://www.w3.org/1998/Math/MathML",
    "xml": "http://www.w3.org/XML/1998/namespace",
}


@cache
def qname(short: str) -> str:
    """`text:p` as the parser names it: the namespace in braces, then the local name. For names that are written here."""
    prefix, _, local = short.partition(":")
    return f"{{{_NAMESPACES[prefix]}}}{local}"


def namespace(prefix: str) -> str:
    """The namespace that the specification gives a prefix."""
    return _NAMESPACES[prefix]


def count(attributes: Attributes, name: str, most: int) -> int:
    """A count that is an attribute: at least 1, the default, and at most `most`."""
    text = attributes.get(name)
    if text is None:
        return 1
    text = text.strip()
    if not (text.isascii() and text.isdigit()):
        return 1
    # Digits are compared before they are converted: a million of them take quadratic time.
    text = text.lstrip("0")
    return most if len(text) > len(str(most)) else max(1, min(int(text or "1"), most))
