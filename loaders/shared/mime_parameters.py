"""Content types and dispositions with their parameters (RFC 2045, 5.1; RFC 2183), continued and encoded (RFC 2231)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple
from urllib.parse import unquote_to_bytes

from fumehood.charsets import charset as charset_name
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.mime_words import text_of

# Lenient: a value that should have been quoted runs to the semicolon, one whose quote never closes to the end.
_PARAMETER: Final = re.compile(r';\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]+|\\.)*)"?|([^;]*))', re.DOTALL)
_VALUE: Final = re.compile(r"[^;]*")
_COMMENT: Final = re.compile(r"\([^()]*\)")
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)
_SECTION: Final = re.compile(r"([^*]+)(?:\*([0-9]{1,6}))?(\*)?")


class Field(NamedTuple):
    """A value such as `text/plain` in lower case, and its parameters by their names in lower case."""

    value: str
    parameters: Mapping[str, str]


def field(text: str, budget: Budget) -> Field:
    """Reads `text`, a field's body without line ends, its bytes outside UTF-8 as surrogates.

    Linear; a node for each parameter.
    """
    first = _VALUE.match(text)
    value = "" if first is None else _COMMENT.sub("", first[0])
    return Field("".join(value.split()).lower(), _parameters(text, budget))


def _parameters(text: str, budget: Budget) -> dict[str, str]:
    plain: dict[str, str] = {}
    sections: dict[str, dict[int, tuple[str, bool]]] = {}
    for match in _PARAMETER.finditer(text):
        budget.spend("nodes")
        name = match[1].lower()
        value = _COMMENT.sub("", match[3]).strip() if match[2] is None else _ESCAPED.sub(r"\1", match[2])
        section = _SECTION.fullmatch(name)
        if section is None or (section[2] is None and section[3] is None):
            # The first one counts; a second is there to have a filter and a reader see two different things.
            plain.setdefault(name, value)
        else:
            sections.setdefault(section[1], {}).setdefault(int(section[2] or 0), (value, section[3] is not None))
    # The encoded form goes before the plain one, which stands beside it for old readers (RFC 2231, as RFC 6266 says).
    found = {name: text_of(_raw(value)) for name, value in plain.items()}
    return found | {name: _joined(parts) for name, parts in sections.items()}


def _raw(text: str) -> bytes:
    """The bytes as they came: what is not UTF-8 was kept by surrogates."""
    return text.encode("utf-8", "surrogateescape")


def _joined(parts: Mapping[int, tuple[str, bool]]) -> str:
    """The sections in their order; the first one names the charset of all that are encoded (RFC 2231, 4.1)."""
    charset = "utf-8"
    data = bytearray()
    for place, (_, (value, is_encoded)) in enumerate(sorted(parts.items())):
        if place == 0 and is_encoded and value.count("'") >= 2:
            charset, _, value = value.split("'", 2)
        data += unquote_to_bytes(_raw(value)) if is_encoded else _raw(value)
    try:
        return data.decode(charset_name(charset), "replace")
    except ValueError:
        return data.decode("utf-8", "replace")
