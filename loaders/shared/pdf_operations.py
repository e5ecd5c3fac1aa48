"""Content streams as operations (ISO 32000-2, 7.8.2): operands, then the operator that takes them.

Pages are drawn by millions of operations of a few forms: numbers and an operator, a string that is shown, an array of
strings and numbers that is shown. Each of these is one match; whatever else there is is read token by token. The
expressions are linear: at no place of theirs is there a choice, and what is repeated is bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from fumehood.loaders.shared.pdf_syntax import ARRAY, ARRAY_END, Keyword, hex_string, name, tokens, unescaped

_MOST_OPERANDS: Final = 64

_PARTS: Final = {
    b"SPACE": rb"[\t\n\f\r ]",
    b"NUMBER": rb"[-+]?(?:[0-9]{1,15}(?:\.[0-9]{0,15})?|\.[0-9]{1,15})",
    b"STRING": rb"[^()\\\r]*(?:\\[^\r][^()\\\r]*){0,256}",
    b"HEX": rb"[0-9A-Fa-f]*",
}


def _compiled(pattern: bytes) -> re.Pattern[bytes]:
    for part, expression in _PARTS.items():
        pattern = pattern.replace(part, expression)
    return re.compile(pattern, re.DOTALL)


_PLAIN: Final = _compiled(
    rb"SPACE*(?:"
    rb"(?:/([^\0\t\n\f\r ()<>\[\]{}/%]{1,127})SPACE+)?((?:NUMBERSPACE+){0,6})([A-Za-z]{1,3}\*?)"
    rb"|\((STRING)\)SPACE*(Tj|')"
    rb"|\[SPACE*((?:(?:\(STRING\)|<HEX>|NUMBER(?![.0-9]))SPACE*){0,512})\]SPACE*TJ"
    rb")(?![^\0\t\n\f\r ()<>\[\]{}/%])"
)
_OPERATOR, _SHOWING, _ARRAY = 3, 5, 6
"""The last group of each form."""
_ITEM: Final = _compiled(rb"\((STRING)\)|<(HEX)>|(NUMBER)")

_INLINE_END: Final = re.compile(
    rb"[\0\t\n\f\r ]EI(?![^\0\t\n\f\r ])|EI(?=[\0\t\n\f\r ]{1,4}(?:Q|q|BT|EMC)(?![^\0\t\n\f\r ]))"
)
"""White space should stand before it (8.9.7); where it does not, an operator that often comes next must follow."""
_TEXT_FOLLOWS: Final = re.compile(rb"[\0\t\n\f\r -~]{12}|[\0\t\n\f\r -~]{0,11}\Z")


def operations(data: bytes) -> Iterator[tuple[bytes, list[Any]]]:
    """`(operator, operands)` in order: numbers, `bytes`, names, lists of them, and the marks around dictionaries.

    An inline image (8.9.7) is one `ID` with its entries; its data is passed over.
    """
    match_at = _PLAIN.match
    at: int | None = 0
    while at is not None:
        match = match_at(data, at)
        if match is None:
            operator, operands, at = _by_tokens(data, at)
        else:
            operator, operands = _of_match(match)
            at = match.end()
        if operator == b"ID":
            at = _after_inline_image(data, len(data) if at is None else at, operands)
        yield operator, operands


def _of_match(match: re.Match[bytes]) -> tuple[bytes, list[Any]]:
    form = match.lastindex
    if form == _OPERATOR:
        named, numbers, operator = match.group(1, 2, 3)
        operands: list[Any] = [*map(float, numbers.split())] if numbers else []
        if named is not None:
            operands.insert(0, name(named))
        return operator, operands
    if form == _SHOWING:
        return match[_SHOWING], [unescaped(match[_SHOWING - 1])]
    return b"TJ", [_items(match[_ARRAY])]


def _items(array: bytes) -> list[bytes | float]:
    found: list[bytes | float] = []
    for string, digits, number in _ITEM.findall(array):
        if number:
            found.append(float(number))
        else:
            found.append(hex_string(digits) if digits else unescaped(string))
    return found


def _by_tokens(data: bytes, at: int) -> tuple[bytes, list[Any], int | None]:
    """The operation at `at`, and where the next one starts; None, with what is no operator, at the end of the data."""
    operands: list[Any] = []
    nested: list[Any] | None = None
    for end, token in tokens(data, at):
        if isinstance(token, Keyword):
            return token, operands, end
        if token is ARRAY:
            nested = []
        elif token is ARRAY_END:
            if nested is not None:
                operands.append(nested)
            nested = None
        elif nested is not None:
            nested.append(token)
        else:
            operands.append(token)
            if len(operands) > _MOST_OPERANDS:
                del operands[0]
    return b"", operands, None


def _after_inline_image(data: bytes, at: int, operands: list[Any]) -> int:
    """Behind the `EI` of the inline image (8.9.7) whose data starts at `at`; the end of the data if it has none.

    The image's bytes may hold the two letters as well: text must follow them. ASCII85 has an end mark of its own.
    """
    if any(getattr(operand, "name", None) in ("A85", "ASCII85Decode") for operand in operands):
        end = data.find(b"~>", at)
        at = end if end >= 0 else at
    for match in _INLINE_END.finditer(data, at):
        if _TEXT_FOLLOWS.match(data, match.end()):
            return match.end()
    return len(data)
