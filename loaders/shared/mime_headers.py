"""A block of header fields (RFC 5322, 2.2; 8-bit as RFC 6532 has it): found, unfolded, decoded when asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.mime_parameters import Field, field
from fumehood.loaders.shared.mime_words import text_of

_NAME: Final = re.compile(rb"([!-9;-~]+)[ \t]*:")
# A line that starts with white space belongs to the one before, also if there is nothing else in it (obsolete folding,
# RFC 5322, 4.2).
_END: Final = re.compile(rb"\n(?![ \t])|\Z")
_BLANK: Final = re.compile(rb"\r?\n")
_DELIMITER: Final = b"--"

IsDelimiter = Callable[[int], bool]
"""Whether the line at an offset ends the part at hand, whatever else it looks like."""


class Headers:
    """The fields of one entity by their names in lower case, in order: where in `data` their bodies stand."""

    def __init__(self, data: bytes, fields: dict[str, list[tuple[int, int]]], budget: Budget) -> None:
        self._data = data
        self._fields = fields
        self._budget = budget
        self._texts: dict[str, list[str]] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._fields

    def __bool__(self) -> bool:
        return bool(self._fields)

    def text(self, name: str, fallback: str | None = None) -> str:
        """The decoded text of the first field of that name, empty if there is none."""
        return next(iter(self.texts(name, fallback)), "")

    def texts(self, name: str, fallback: str | None = None) -> list[str]:
        """The same of all fields of that name, for each of which there may be a million encoded words."""
        if name not in self._texts:
            self._texts[name] = [text_of(body, fallback).strip() for body in self._bodies(name)]
        return self._texts[name]

    def field(self, name: str) -> Field:
        """The first field of that name as a value with parameters; empty ones if there is none."""
        body = next(self._bodies(name), b"")
        # Encoded words in parameters are decoded value by value: what is in them must not end one.
        return field(body.decode("utf-8", "surrogateescape"), self._budget)

    def _bodies(self, name: str) -> Iterator[bytes]:
        """Unfolded (RFC 5322, 2.2.3)."""
        for start, end in self._fields.get(name, ()):
            yield self._data[start:end].replace(b"\r", b"").replace(b"\n", b"")

    def join(self, others: Headers) -> None:
        """Takes over fields of the same data that a stray blank line has cut off."""
        for name, bodies in others._fields.items():
            self._fields.setdefault(name, []).extend(bodies)


def read(data: bytes, at: int, end: int, budget: Budget, is_delimiter: IsDelimiter) -> tuple[Headers, int, bool]:
    """The fields of `data` from `at`, where the body starts, and whether a blank line parts the two.

    The first line that is no field ends the block, and belongs to the body. A node for each field; linear.
    """
    fields: dict[str, list[tuple[int, int]]] = {}
    headers = Headers(data, fields, budget)
    while at < end:
        blank = _BLANK.match(data, at, end)
        if blank is not None:
            return headers, blank.end(), True
        if data.startswith(_DELIMITER, at) and is_delimiter(at):
            break
        name = _NAME.match(data, at, end)
        if name is None:
            break
        budget.spend("nodes")
        ended = _END.search(data, name.end(), end)
        stop, at = (end, end) if ended is None else ended.span()
        fields.setdefault(name[1].decode("ascii").lower(), []).append((name.end(), stop))
    return headers, at, at >= end


def begins_with_field(data: bytes) -> bool:
    """Whether `data` starts as a message does: with a header field."""
    return _NAME.match(data) is not None
