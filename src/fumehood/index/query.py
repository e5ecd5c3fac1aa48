"""What people write in a search box, understood as far as it goes. No text is an error.

    annual report          both words            annual OR report        one of them
    "annual report"        the phrase            annual NOT draft        the one without the other; also -draft
    report*                how words begin       (a OR b) c              groups
    annual NEAR/5 report   at most five words between them; also NEAR(annual report, 5); NEAR alone is ten

Operators are written in capitals; AND may be left out and binds tighter than OR. What is no operator in its place is left
out, as are brackets and quotation marks without their other half. Punctuation inside a word makes a phrase: `foo-bar` is
`"foo bar"`. A query that only says what is not wanted finds nothing.

FTS5 is told the result in its own syntax (FTS5, 3), in which nothing of the original stands outside quotation marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Union

from fumehood.index.words import is_unspaced, words

MAX_TEXT: Final = 10_000
MAX_WORDS: Final = 200
MAX_NESTING: Final = 8
"""What is written beyond these is left out. Each word costs a look-up; a bracket may take nine places on the stack of
FTS5's parser, `(a OR (b NOT (c OR` before the next, and there are a hundred (Lemon, YYSTACKDEPTH)."""

_NEAR_DEFAULT: Final = 10
_NEAR_MOST: Final = 1_000
_QUOTES: Final = '"\u201c\u201d\u201e\u00ab\u00bb'
_LEXEME: Final = re.compile(
    rf"""
      NEAR\( (?P<near>[^()]*) \)
    | (?P<exclude>-?) [{_QUOTES}] (?P<phrase>[^{_QUOTES}]*) [{_QUOTES}] (?P<star>\*?)
    | (?P<bracket>-?[()])
    | (?P<word>[^\s(){_QUOTES}]+)
    """,
    re.VERBOSE,
)
_NEAR: Final = re.compile(r"NEAR(?:/(\d{1,6}))?")


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that follow one another; with `prefix`, the last is only how a word begins."""

    words: tuple[str, ...]
    prefix: bool = False

    def expression(self) -> str:
        parts, last = [], len(self.words) - 1
        for at, word in enumerate(self.words):
            if is_unspaced(word):
                pairs = [word[here : here + 2] for here in range(len(word) - 1)]
                # The single last character closes a run in the index: here it is more of the same run, or the end.
                parts += pairs if at == last and pairs else [*pairs, word[-1]]
            else:
                parts.append(word)
        single = is_unspaced(self.words[-1]) and len(self.words[-1]) == 1
        return f'"{" ".join(parts)}"{" *" if self.prefix or single else ""}'


@dataclass(frozen=True, slots=True)
class Near:
    """Phrases with at most `distance` words between them."""

    phrases: tuple[Phrase, ...]
    distance: int

    def expression(self) -> str:
        return f"NEAR({' '.join(phrase.expression() for phrase in self.phrases)}, {self.distance})"


@dataclass(frozen=True, slots=True)
class Every:
    """All of `wanted`, none of `unwanted`."""

    wanted: tuple[Node, ...]
    unwanted: tuple[Node, ...] = ()

    def expression(self) -> str:
        said = f"({' AND '.join(node.expression() for node in self.wanted)})"
        if self.unwanted:
            said = f"({said} NOT ({' OR '.join(node.expression() for node in self.unwanted)}))"
        return said


@dataclass(frozen=True, slots=True)
class Some:
    """At least one."""

    nodes: tuple[Node, ...]

    def expression(self) -> str:
        return f"({' OR '.join(node.expression() for node in self.nodes)})"


Node = Union[Phrase, Near, Every, Some]  # noqa: UP007  # evaluated here, where the names are strings to `|`


def parse(text: str) -> Node | None:
    """What `text` asks for; None if it asks for nothing."""
    return _Parser(list(_lexemes(text[:MAX_TEXT]))).some(0)


def phrases(node: Node | None) -> Iterator[Phrase]:
    """Everything that is wanted, for marking it."""
    match node:
        case Phrase():
            yield node
        case Near():
            yield from node.phrases
        case Every():
            for each in node.wanted:
                yield from phrases(each)
        case Some():
            for each in node.nodes:
                yield from phrases(each)


# ---- lexemes --------------------------------------------------------------------------------------------

_Lexeme = str | Phrase | Near
"""Operators and brackets are strings: ( ) AND OR NOT, or NEAR/n."""


def _lexemes(text: str) -> Iterator[_Lexeme]:
    room = MAX_WORDS
    for found in _LEXEME.finditer(text):
        for lexeme in _read(found):
            room -= _size(lexeme)
            if room < 0:
                return
            yield lexeme


def _size(lexeme: _Lexeme) -> int:
    match lexeme:
        case Phrase():
            return len(lexeme.words)
        case Near():
            return sum(len(phrase.words) for phrase in lexeme.phrases)
        case _:
            return 0


def _read(found: re.Match[str]) -> Iterator[_Lexeme]:
    if found["near"] is not None:
        yield from _near_group(found["near"])
    elif found["phrase"] is not None:
        if found["exclude"]:
            yield "NOT"
        yield from _phrase(found["phrase"], prefix=bool(found["star"]) or found["phrase"].endswith("*"))
    elif found["bracket"] is not None:
        if found["bracket"].startswith("-"):
            yield "NOT"
        yield found["bracket"][-1]
    else:
        yield from _word(found["word"])


def _word(text: str) -> Iterator[_Lexeme]:
    if text in ("AND", "OR", "NOT"):
        yield text
    elif near := _NEAR.fullmatch(text):
        yield f"NEAR/{min(int(near[1] or _NEAR_DEFAULT), _NEAR_MOST)}"
    else:
        if text.startswith("-") and words(text):
            yield "NOT"
        yield from _phrase(text, prefix=text.endswith("*"))


def _phrase(text: str, *, prefix: bool) -> Iterator[Phrase]:
    if found := words(text):
        yield Phrase(tuple(found), prefix)


def _near_group(inside: str) -> Iterator[_Lexeme]:
    distance = _NEAR_DEFAULT
    before, comma, after = inside.rpartition(",")
    if comma and (number := after.strip()).isdecimal():
        inside, distance = before, min(int(number[:6]), _NEAR_MOST)
    found = [lexeme for lexeme in _lexemes(inside) if isinstance(lexeme, Phrase)]
    yield from (Near(tuple(found), distance),) if len(found) > 1 else found


# ---- grammar -------------------------------------------------------------------------------------------


class _Parser:
    """some: every (OR every)*    every: (AND | NOT)* item ...    item: ( some ) | phrase (NEAR/n phrase)*"""

    def __init__(self, lexemes: Sequence[_Lexeme]) -> None:
        self._lexemes = lexemes
        self._at = 0

    def _next(self) -> _Lexeme | None:
        return self._lexemes[self._at] if self._at < len(self._lexemes) else None

    def some(self, depth: int) -> Node | None:
        """Up to the closing bracket, or the end. At the top level brackets that close nothing are passed over."""
        found: list[Node] = []
        while (lexeme := self._next()) is not None:
            if lexeme == ")" and depth:
                break
            if lexeme == "OR":
                self._at += 1
            elif (node := self._every(depth)) is not None:
                found.append(node)
        return Some(tuple(found)) if len(found) > 1 else found[0] if found else None

    def _every(self, depth: int) -> Node | None:
        wanted: list[Node] = []
        unwanted: list[Node] = []
        into = wanted
        while (lexeme := self._next()) is not None and lexeme != "OR":
            if lexeme == ")" and depth:
                break
            if isinstance(lexeme, str) and lexeme != "(":
                into = unwanted if lexeme == "NOT" else into
                self._at += 1
                continue
            node = self._item(depth)
            if node is not None:
                into.append(node)
            into = wanted
        if not wanted:
            return None
        return wanted[0] if len(wanted) == 1 and not unwanted else Every(tuple(wanted), tuple(unwanted))

    def _item(self, depth: int) -> Node | None:
        lexeme = self._lexemes[self._at]
        self._at += 1
        if isinstance(lexeme, Phrase):
            return self._near(lexeme)
        if isinstance(lexeme, Near):
            return lexeme
        if depth >= MAX_NESTING:
            return None  # The bracket is left out; what stands in it is read on this level.
        node = self.some(depth + 1)
        if self._next() == ")":
            self._at += 1
        return node

    def _near(self, first: Phrase) -> Node:
        found, distance = [first], 0
        while self._at + 1 < len(self._lexemes):
            operator, other = self._lexemes[self._at], self._lexemes[self._at + 1]
            if not (isinstance(operator, str) and operator.startswith("NEAR/") and isinstance(other, Phrase)):
                break
            distance = max(distance, int(operator.removeprefix("NEAR/")))
            found.append(other)
            self._at += 2
        return Near(tuple(found), distance) if len(found) > 1 else first
