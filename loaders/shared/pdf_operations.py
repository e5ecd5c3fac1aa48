"""Content streams as operations (ISO 32000-2, 7.8.2): operands, then the operator that takes them.

Pages are drawn by millions of operations of a few forms. Whatever has neither strings nor brackets is split at its
white space, a thousand bytes at a time; a string that is shown, and an array of strings and numbers that is, are one
match each. Whatever else there is is read token by token. The expressions are linear: at no place of theirs is there
a choice, and what is repeated is bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final

from fumehood.loaders.shared.pdf_syntax import ARRAY, ARRAY_END, Keyword, hex_string, name, tokens, unescaped

_MOST_OPERANDS: Final = 64
_LONGEST_NUMBER: Final = 15
_MOST_WORDS: Final = 8_192
_LONGEST_KEPT: Final = 32
"""Words whose meaning is kept, and their bytes."""

_PARTS: Final = {
    b"LETTER": rb"0-9A-Za-z+\-.*/_,",
    b"SPACE": rb"\t\n\f\r ",
    b"STRING": rb"[^()\\\r]*(?:\\[^\r][^()\\\r]*){0,256}",
    b"HEX": rb"[0-9A-Fa-f]*",
}


def _compiled(pattern: bytes) -> re.Pattern[bytes]:
    for part, expression in _PARTS.items():
        pattern = pattern.replace(part, expression)
    return re.compile(pattern, re.DOTALL)


_PLAIN: Final = _compiled(
    rb"(?:([LETTERSPACE]{1,1024})"
    rb"|\((STRING)\)[SPACE]*(Tj|')"
    rb"|\[((?:[0-9+\-.SPACE]*+(?:\(STRING\)|<HEX>)){0,512}[0-9+\-.SPACE]*+)\][SPACE]*TJ"
    rb")(?![^\0SPACE()<>\[\]{}/%])"
    rb"|()"
)
_RUN, _SHOWING, _ARRAY = 1, 3, 4
"""The last group of each form. The last one, of nothing at all, matches where no other does."""
_LONGEST_RUN: Final = 1_024
_LETTER: Final = _compiled(rb"[LETTER]")
_ITEM: Final = _compiled(rb"\((STRING)\)|<(HEX)>|([0-9+\-.]+)")
_WORD: Final = _compiled(rb"[^SPACE]+")
_NUMBER: Final = re.compile(rb"[-+]?(?:[0-9]{1,15}(?:\.[0-9]{0,15})?|\.[0-9]{1,15})")
_OPERATOR: Final = re.compile(rb"[A-Za-z]{1,3}\*?")
_NAME: Final = re.compile(rb"/([^/]{1,127})")

_INLINE_END: Final = re.compile(
    rb"[\0\t\n\f\r ]EI(?![^\0\t\n\f\r ])|EI(?=[\0\t\n\f\r ]{1,4}(?:Q|q|BT|EMC)(?![^\0\t\n\f\r ]))"
)
"""White space should stand before it (8.9.7); where it does not, an operator that often comes next must follow."""
_TEXT_FOLLOWS: Final = re.compile(rb"[\0\t\n\f\r -~]{12}|[\0\t\n\f\r -~]{0,11}\Z")


def operations(data: bytes) -> Iterator[tuple[bytes, list[Any]]]:
    """`(operator, operands)` in order: numbers, `bytes`, names, lists of them, and the marks around dictionaries.

    An inline image (8.9.7) is one `ID` with its entries; its data is passed over.
    """
    at: int | None = 0
    read_until = 0
    """Up to where nothing is plain: a run that is not is read token by token, so that it is split but once."""
    while at is not None:
        operands: list[Any] = []
        if at >= read_until:
            for match in _PLAIN.finditer(data, at):
                form = match.lastindex
                at = match.end()
                if form == _RUN:
                    words = match[_RUN].split()
                    found, operands, count = _of_words(words)
                    yield from found
                    if count < len(words):
                        at, read_until = _start_of(match, count), at
                        break
                    if operands:
                        break
                elif form == _SHOWING:
                    yield match[_SHOWING], [unescaped(match[_SHOWING - 1])]
                elif form == _ARRAY and (items := _items(match[_ARRAY])) is not None:
                    yield b"TJ", [items]
                else:
                    at = match.start()
                    if _LETTER.match(data, at):  # of a word that is too long, or odd
                        read_until = at + _LONGEST_RUN
                    break
        operator, operands, at = _by_tokens(data, at, operands)
        if operator == b"ID":
            at = _after_inline_image(data, len(data) if at is None else at, operands)
        yield operator, operands


def _of_words(words: Sequence[bytes]) -> tuple[list[tuple[bytes, list[Any]]], list[Any], int]:
    """The operations of a run, operands behind the last of them, and how many words could be read."""
    found: list[tuple[bytes, list[Any]]] = []
    operands: list[Any] = []
    for count, word in enumerate(words):
        value = _MEANINGS[word]
        if value.__class__ is bytes:
            found.append((value, operands))
            operands = []
        elif value is not None:
            operands.append(value)
        else:
            return found, operands, count
    return found, operands, len(words)


def _meaning(word: bytes) -> Any:
    """A number, an operator as `bytes`, a name; None for what is to be read with what stands around it."""
    if _NUMBER.fullmatch(word):
        return float(word)
    if _OPERATOR.fullmatch(word):
        return None if word == b"ID" else word
    named = _NAME.fullmatch(word)
    return None if named is None else name(named[1])


class _Meanings(dict[bytes, Any]):
    """What words mean; a page has few, again and again."""

    def __missing__(self, word: bytes) -> Any:
        found = _meaning(word)
        if len(word) <= _LONGEST_KEPT:
            if len(self) >= _MOST_WORDS:
                self.clear()
            self[word] = found
        return found


_MEANINGS: Final = _Meanings()


def _start_of(run: re.Match[bytes], index: int) -> int:
    """Where the word of that index begins."""
    words = _WORD.finditer(run.string, run.start(_RUN), run.end(_RUN))
    return next(islice(words, index, None)).start()


def _items(array: bytes) -> list[bytes | float] | None:
    """None for what has a number that is none."""
    found: list[bytes | float] = []
    try:
        for string, digits, number in _ITEM.findall(array):
            if number:
                found.append(float(number))
                if len(number) > _LONGEST_NUMBER:
                    return None
            else:
                found.append(hex_string(digits) if digits else unescaped(string))
    except ValueError:
        return None
    return found


def _by_tokens(data: bytes, at: int, operands: list[Any]) -> tuple[bytes, list[Any], int | None]:
    """The operation at `at`, some operands of which were read before, and where the next one starts.

    That is None, with what is no operator, at the end of the data.
    """
    del operands[:-_MOST_OPERANDS]
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
