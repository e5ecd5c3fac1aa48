"""Messages in a file, parted by `From ` lines (RFC 4155, appendix A)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_BOM: Final = b"\xef\xbb\xbf"
# Not the field of a message by itself, with space before its colon (RFC 5322, 4.5).
_FROM: Final = re.compile(rb"From (?![ \t]*:)[^\n]*(?:\n|\Z)")
# A line of a body may start so as well: one that parts messages has a time of day, and a blank line before it.
_TIMED: Final = re.compile(rb"From [^\n]*?[0-9]:[0-9][0-9][^\n]*(?:\n|\Z)")
_NEXT: Final = re.compile(rb"(?<=\n\n)From |(?<=\n\r\n)From ")
_QUOTED: Final = re.compile(rb"^>(>*From )", re.MULTILINE)


def normalised(data: bytes) -> bytes:
    """`data` without a byte order mark; old line ends, which are carriage returns alone, as newlines."""
    data = data.removeprefix(_BOM)
    return data.replace(b"\r", b"\n") if b"\n" not in data else data


def from_line(data: bytes) -> int:
    """The length of the `From ` line that `data` starts with, which is no part of the message; 0 without one."""
    found = _FROM.match(data)
    return 0 if found is None else found.end()


def messages(data: bytes) -> Iterator[bytes]:
    """The messages, without their `From ` lines, and with the quotes taken off lines that start with `From `.

    Linear. What stands before the first `From ` line is a message like any other.
    """
    start = from_line(data)
    line = _TIMED if start == 0 or _TIMED.match(data) else _FROM
    for mark in _NEXT.finditer(data, start):
        found = line.match(data, mark.start())
        if found is not None:
            yield _unquoted(data[start : mark.start()])
            start = found.end()
    yield _unquoted(data[start:])


def _unquoted(message: bytes) -> bytes:
    return _QUOTED.sub(rb"\1", message) if b">From " in message else message
