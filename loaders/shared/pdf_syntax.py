"""Tokens and objects of PDF (ISO 32000-2, 7.2 and 7.3), read from bytes that are in memory.

One regular expression a token, each of them linear: possessive quantifiers, so that nothing is tried
twice. Objects are pdfminer's (`PSLiteral` for names, `PDFObjRef`, `PDFStream`), which its fonts take.
pdfminer's own parser appends to immutable bytes and is quadratic in the length of a token.
"""

from __future__ import annotations

import functools
import re
from binascii import unhexlify
from collections.abc import Callable, Iterator
from typing import Any, Final

from pdfminer.pdftypes import PDFObjRef
from pdfminer.psparser import LIT, PSLiteral

from fumehood.limits.budget import Budget

_LARGEST_NUMBER: Final = 1e15
"""Larger numbers are cut to this: no page is so large, and products of them must stay finite."""


class Keyword(bytes):
    """A word that is no object: an operator, `obj`, `endstream`. White space and delimiters end it."""

    __slots__ = ()


class Reference(int):
    """The number of an object that is referred to (7.3.10)."""

    __slots__ = ()


class _Delimiter:
    __slots__ = ("mark",)

    def __init__(self, mark: bytes) -> None:
        self.mark = mark

    def __repr__(self) -> str:
        return f"<{self.mark.decode()}>"


ARRAY: Final = _Delimiter(b"[")
ARRAY_END: Final = _Delimiter(b"]")
DICT: Final = _Delimiter(b"<<")
DICT_END: Final = _Delimiter(b">>")
_DELIMITERS: Final = {mark.mark: mark for mark in (ARRAY, ARRAY_END, DICT, DICT_END)}

_BEFORE: Final = rb"[\0\t\n\f\r\ ]*+(?:%[^\r\n]*+[\0\t\n\f\r\ ]*+)*+"
_FORMS: Final = rb"""
      /(?P<name>[^\0\t\n\f\r\ ()<>\[\]{}/%]*+)
    | (?P<reference>[0-9]{1,10}+)[\0\t\n\f\r\ ]{1,8}+[0-9]{1,10}+[\0\t\n\f\r\ ]{1,8}+R(?![^\0\t\n\f\r\ ()<>\[\]{}/%])
    | (?P<integer>[-+]?+[0-9]++)(?![.0-9])
    | (?P<real>[-+]{0,4}+(?:[0-9]++\.?+[0-9]*+|\.[0-9]*+))
    | \((?P<plain>[^()\\\r]*+)\)
    | (?P<string>\()
    | (?P<delimiter><<|>>|\[|\])
    | <(?P<hex>[0-9A-Fa-f\0\t\n\f\r\ ]*+)>?+
    | (?P<keyword>[A-Za-z][^\0\t\n\f\r\ ()<>\[\]{}/%]*+|.)
"""
_NUMBERS: Final = rb"""
    \[(?P<numbers>(?:[\t\n\f\r\ ]*+-?+[0-9]{1,15}+(?:\.[0-9]{0,15}+)?+(?=[\t\n\f\r\ \]]))*+)[\t\n\f\r\ ]*+\]
"""
"""An array of nothing but numbers: rectangles, matrices, widths of glyphs."""
_TOKEN: Final = re.compile(rb"%b(?:%b)" % (_BEFORE, _FORMS), re.VERBOSE | re.DOTALL)
_INSIDE: Final = re.compile(rb"%b(?:%b|%b|(?P<end>\Z))" % (_BEFORE, _NUMBERS, _FORMS), re.VERBOSE | re.DOTALL)
"""A token of an array or a dictionary. It matches everywhere, so that it is never looked for further on."""

_OPENING: Final = re.compile(rb"[\0\t\n\f\r ]*+(<<|\[)")
_REFERENCE, _NUMBERS_ONLY, _STRING, _DELIMITER, _KEYWORD = (
    _INSIDE.groupindex[form] for form in ("reference", "numbers", "string", "delimiter", "keyword")
)

_NAME_ESCAPE: Final = re.compile(rb"#([0-9A-Fa-f]{2})")
_PARENTHESIS: Final = re.compile(rb"\\.|[()]", re.DOTALL)
_ESCAPE: Final = re.compile(rb"\\(?:([0-7]{1,3})|(\r\n|.))|\r\n?", re.DOTALL)
_ESCAPED: Final = {
    b"n": b"\n",
    b"r": b"\r",
    b"t": b"\t",
    b"b": b"\b",
    b"f": b"\f",
    b"\r": b"",
    b"\n": b"",
    b"\r\n": b"",
}
_CONSTANTS: Final[dict[bytes, bool | None]] = {b"true": True, b"false": False, b"null": None}


def integer(digits: bytes) -> int | float:
    """A whole number; one that no file can mean becomes the largest real."""
    return int(digits) if len(digits) < 16 else real(digits)


def real(digits: bytes) -> float:
    """A real number (7.3.3), lenient about doubled signs. A lone sign or point is 0, as in other readers."""
    if digits == b".":
        return 0.0
    if len(digits) < 16:
        try:
            return float(digits)
        except ValueError:
            pass  # doubled signs, or nothing but a sign
    sign = -1.0 if digits.startswith(b"-") else 1.0
    try:
        value = float(digits.lstrip(b"+-")[:400] or b"0")
    except ValueError:
        return 0.0
    return sign * min(value, _LARGEST_NUMBER)


@functools.lru_cache(maxsize=1_024)
def name(raw: bytes) -> Any:
    """A name (7.3.5), `#xx` undone. UTF-8 where it is that, else the bytes as Latin-1, so that it is always text."""
    if b"#" in raw:
        raw = _NAME_ESCAPE.sub(lambda match: bytes((int(match[1], 16),)), raw)
    try:
        return LIT(raw.decode("utf-8"))
    except UnicodeDecodeError:
        return LIT(raw.decode("latin-1"))


def hex_string(raw: bytes) -> bytes:
    """A string in hexadecimal digits (7.3.4.3); a last single digit stands for its high half."""
    digits = raw.translate(None, b"\0\t\n\f\r ")
    return unhexlify(digits + b"0" if len(digits) % 2 else digits)


def literal_string(data: bytes, start: int) -> tuple[bytes, int]:
    """The string (7.3.4.2) whose opening parenthesis ends at `start`, and where it ends. An open one ends with the data."""
    depth = 1
    for match in _PARENTHESIS.finditer(data, start):
        found = match[0]
        if found == b"(":
            depth += 1
        elif found == b")":
            depth -= 1
            if not depth:
                return unescaped(data[start : match.start()]), match.end()
    return unescaped(data[start:]), len(data)


def unescaped(raw: bytes) -> bytes:
    """What stands between the parentheses of a string, its escapes undone (table 3)."""
    if b"\\" not in raw and b"\r" not in raw:
        return raw
    return _ESCAPE.sub(_replaced, raw)


def _replaced(match: re.Match[bytes]) -> bytes:
    if match[1]:
        return bytes((int(match[1], 8) & 255,))
    if match[2]:
        return _ESCAPED.get(match[2], match[2])
    return b"\n"


def _word(raw: bytes) -> Any:
    return _CONSTANTS[raw] if raw in _CONSTANTS else Keyword(raw)


def _numbers(raw: bytes) -> list[int | float]:
    return [float(word) if b"." in word else int(word) for word in raw.split()]


_VALUES: Final[dict[str, Callable[[bytes], Any]]] = {
    "integer": integer,
    "real": real,
    "name": name,
    "plain": bytes,
    "hex": hex_string,
}
"""What tokens of one match mean that are objects whole."""
_INSIDE_VALUES: Final = {_INSIDE.groupindex[form]: meaning for form, meaning in _VALUES.items()}
_TOKENS: Final[dict[str, Callable[[bytes], Any]]] = {
    **_VALUES,
    "reference": Reference,
    "keyword": _word,
    "delimiter": _DELIMITERS.__getitem__,
}
"""What all tokens of one match mean."""


def tokens(data: bytes, start: int = 0) -> Iterator[tuple[int, Any]]:
    """`(end, token)` for each token from `start`: numbers, `bytes`, names, delimiters, constants, `Reference`s, `Keyword`s."""
    match_at = _TOKEN.match
    at = start
    while match := match_at(data, at):
        at, token = _token(match)
        yield at, token


def _token(match: re.Match[bytes]) -> tuple[int, Any]:
    """Where the token ends that begins with a match, and what it means."""
    kind = match.lastgroup or ""
    if kind == "string":
        string, end = literal_string(match.string, match.end())
        return end, string
    return match.end(), _TOKENS[kind](match[match.lastindex or 0])


def parsed(data: bytes, start: int, document: Any, budget: Budget) -> tuple[Any, int]:
    """The object that begins at `start`, and where it ends; at a keyword, that keyword.

    Data that ends early, or goes on with `endobj` and the like, closes what is open. `R` makes references
    into `document`. Raises the refusal `nesting` for arrays and dictionaries nested too deep, `EOFError`
    where there is nothing.
    """
    opening = _OPENING.match(data, start)
    if opening is not None:  # as nearly all objects have
        return _container(data, opening.end(), document, budget, is_dict=opening[1] == b"<<")
    for end, token in tokens(data, start):
        if token is ARRAY or token is DICT:
            return _container(data, end, document, budget, is_dict=token is DICT)
        if not isinstance(token, _Delimiter):
            return (PDFObjRef(document, int(token)) if isinstance(token, Reference) else token), end
    raise EOFError("no object")


def _container(data: bytes, end: int, document: Any, budget: Budget, *, is_dict: bool) -> tuple[Any, int]:
    """The array or dictionary whose opening mark ends there, and where it ends itself."""
    outer: list[tuple[bool, list[Any]]] = []  # (is a dictionary, what it holds so far)
    values: list[Any] = []
    meaning_of = _INSIDE_VALUES.get
    budget.check("nesting", 1)
    while True:
        for match in _INSIDE.finditer(data, end):
            kind = match.lastindex or 0
            meaning = meaning_of(kind)
            if meaning is not None:  # as most tokens are
                values.append(meaning(match[kind]))
            elif kind == _REFERENCE:
                values.append(PDFObjRef(document, int(match[kind])))
            elif kind == _DELIMITER:
                token = _DELIMITERS[match[kind]]
                if token is ARRAY or token is DICT:
                    outer.append((is_dict, values))
                    budget.check("nesting", len(outer) + 1)
                    is_dict, values = token is DICT, []
                    continue
                value = _dictionary(values) if is_dict else values
                if not outer:
                    return value, match.end()
                is_dict, values = outer.pop()
                values.append(value)
            elif kind == _NUMBERS_ONLY:
                budget.check("nesting", len(outer) + 2)
                values.append(_numbers(match[kind]))
            elif kind == _STRING:
                string, end = literal_string(data, match.end())
                values.append(string)
                break
            elif kind == _KEYWORD:
                if not _takes_word(match[kind], values, document):
                    return _closed(outer, is_dict, values), match.start(kind)
            else:
                return _closed(outer, is_dict, values), len(data)


def _takes_word(word: bytes, values: list[Any], document: Any) -> bool:
    """Whether a container goes on with a word: constants are values, and what is none of anything is passed over."""
    if word in _CONSTANTS:
        values.append(_CONSTANTS[word])
    elif word == b"R":
        _refer(values, document)
    return word not in _NEVER_INSIDE


_NEVER_INSIDE: Final = frozenset({b"endobj", b"obj", b"stream", b"endstream", b"xref", b"trailer", b"startxref"})


def _closed(outer: list[tuple[bool, list[Any]]], is_dict: bool, values: list[Any]) -> Any:
    while True:
        value: Any = _dictionary(values) if is_dict else values
        if not outer:
            return value
        is_dict, values = outer.pop()
        values.append(value)


def _refer(values: list[Any], document: Any) -> None:
    """`12 0 R` (7.3.10) with more between than white space: the last two values become a reference."""
    if len(values) >= 2 and type(values[-2]) is int:
        values[-2:] = [PDFObjRef(document, values[-2])]


def _dictionary(values: list[Any]) -> dict[str, Any]:
    """Keys are names (7.3.7); null values are absent ones; of two equal keys the last counts."""
    found: dict[Any, Any] = {}
    left = iter(values)
    for key in left:
        if isinstance(key, PSLiteral):  # what is none is damage, so we look for the next one
            value = next(left, None)
            if value is not None:
                found[key.name] = value
    return found
