"""Text that means itself: what would parse as structure of CommonMark 0.31 or of GitHub's tables is escaped.

Each change is kept, so that links, whose offsets count in the text that was handed over, can be moved along.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from fumehood.hygiene import clean_line

# CommonMark 0.31: 4.1 thematic breaks, 4.2 ATX, 4.3 setext underlines, 4.5 fences, 4.6 HTML blocks, 4.7
# reference definitions, 5.1 quotes, 5.2 list items; GFM 4.10: the delimiter row.
_STRUCTURE: Final = re.compile(
    r"""
      \#{1,6}(?=[ \t]|$)
    | >
    | [-+*](?=[ \t]|$)
    | (?P<number>[0-9]{1,9})[.)](?=[ \t]|$)
    | (?:(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})$
    | (?:=+|-+)[ \t]*$
    | ```|~~~
    | <(?=[A-Za-z/!?])
    | \[(?=(?:[^\[\]\\]|\\.)*+\\?(?:\]:|$))
    | \|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*+$
    """,
    re.VERBOSE,
)
_STARTS: Final = frozenset("#>-+*_=`~<[|:0123456789")
_PIPES: Final = re.compile(r"(?<!\\)\\*+\|")
_SPACES: Final = re.compile(r"\s+")
_TICKS: Final = re.compile(r"`+")
# Pipes, white space that is no single space within a cell, and what hygiene removes; NUL stands between cells.
_NOT_PLAIN: Final = re.compile(
    "[\x01-\x1f\x7f-\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ud800-\udfff|]|(?:^|[ \0]) | (?:\0|$)"
)
_CLOSING_HASHES: Final = re.compile(r"(?:(?<=[ \t])|^)(#+)$")


class Edit(NamedTuple):
    """At `at` of the text handed over, `removed` characters were replaced by `inserted` others."""

    at: int
    removed: int
    inserted: int


class Edited(NamedTuple):
    """A block's text as it will stand in the document, and what changed on the way, one change after another."""

    text: str
    layers: tuple[Sequence[Edit], ...] = ()

    def movers(self) -> tuple[Mover, ...]:
        """To be applied to an offset in turn."""
        return tuple(map(Mover, self.layers))


class Mover:
    """Where offsets stand after edits that are in order and disjoint; one look-up takes logarithmic time."""

    def __init__(self, edits: Sequence[Edit]) -> None:
        self._edits = edits
        self._starts = [edit.at for edit in edits]
        self._shifts = list(accumulate((edit.inserted - edit.removed for edit in edits), initial=0))

    def start(self, offset: int) -> int:
        """Where what starts at `offset` starts now: behind what was put before it."""
        after = bisect_right(self._starts, offset)
        last = self._edits[after - 1] if after else None
        if last is not None and last.at + last.removed > offset:
            return last.at + self._shifts[after - 1] + last.inserted
        return offset + self._shifts[after]

    def end(self, offset: int) -> int:
        """Where what ends at `offset` ends now: before what was put behind it."""
        after = bisect_left(self._starts, offset)
        last = self._edits[after - 1] if after else None
        if last is not None and last.at + last.removed > offset:
            return last.at + self._shifts[after - 1]
        return offset + self._shifts[after]


def fenced(text: str, language: str = "") -> str:
    """Clean `text` as fenced code (CommonMark 4.5)."""
    body = text.rstrip("\n")
    fence = "`" * max(3, 1 + max((len(run) for run in _TICKS.findall(body)), default=0))
    info = re.sub(r"[^\w.+#-]", "", clean_line(language))
    return f"{fence}{info}\n{body}\n{fence}"


def are_plain(cells: Sequence[str]) -> bool:
    """Whether cleaning and :func:`cell` would change nothing in any of the cells: one search instead of one for each."""
    glued = "|".join(cells)
    if glued.isprintable() and glued.count("|") == max(0, len(cells) - 1):
        # Nothing printable is white space but the space (`str.isprintable`), and most cells hold nothing else.
        return not (" " in glued and ("  " in glued or "| " in glued or " |" in glued or " " in (glued[0], glued[-1])))
    glued = "\0".join(cells)
    return _NOT_PLAIN.search(glued) is None and glued.count("\0") == max(0, len(cells) - 1)


def cell(text: str) -> str:
    """A table cell (GFM 4.10): pipes escaped, backslashes before a pipe doubled, line breaks as `<br>`."""
    lines = [" ".join(line.split()) for line in text.split("\n")]
    joined = "<br>".join(line for line in lines if line)
    if "|" not in joined:
        return joined
    return _PIPES.sub(lambda match: "\\" * (2 * (len(match[0]) - 1)) + "\\|", joined)


def cell_layers(text: str) -> tuple[Sequence[Edit], ...]:
    """What :func:`cell` changes in `text`."""
    spaces: list[Edit] = []
    for run in _SPACES.finditer(text):
        outer = run.start() == 0 or run.end() == len(text)
        inserted = 0 if outer else len("<br>") if "\n" in run[0] else 1
        spaces.append(Edit(run.start(), len(run[0]), inserted))
    joined = "<br>".join(line for line in (" ".join(line.split()) for line in text.split("\n")) if line)
    # A backslash for each one before the pipe, and one for the pipe.
    pipes = [Edit(match.start(), 0, len(match[0])) for match in _PIPES.finditer(joined)]
    return spaces, pipes


def one_line(text: str) -> Edited:
    """A heading's text: white space as single spaces, a closing run of hashes kept from being taken for a mark."""
    edited = escaped(text.replace("\n", " "), structure=False)
    closing = _CLOSING_HASHES.search(edited.text)
    if closing is None:
        return edited
    at = closing.start(1)
    return Edited(edited.text[:at] + "\\" + edited.text[at:], edited.layers)


def escaped(text: str, *, structure: bool = True) -> Edited:
    """A paragraph's lines without outer white space and empty lines, each kept from parsing as structure."""
    lines: list[str] = []
    edits: list[Edit] = []
    at = pending = 0  # where the line starts in `text`; where the gap before it started
    for line in text.split("\n"):
        stripped = line.strip(" \t")
        if stripped:
            begins = at + len(line) - len(line.lstrip(" \t"))
            mark = _backslash_at(stripped) if structure else None
            _note(edits, pending, begins - pending, 1 if lines else 0)
            if mark is not None:
                edits.append(Edit(begins + mark, 0, 1))
                stripped = stripped[:mark] + "\\" + stripped[mark:]
            lines.append(stripped)
            pending = at + len(line.rstrip(" \t"))
        at += len(line) + 1
    return Edited("\n".join(lines), (edits,))


def _note(edits: list[Edit], at: int, removed: int, inserted: int) -> None:
    if removed != inserted:
        edits.append(Edit(at, removed, inserted))


def _backslash_at(line: str) -> int | None:
    """Where a backslash keeps `line` from parsing as structure, or None."""
    if line[0] not in _STARTS:
        return None
    match = _STRUCTURE.match(line)
    if match is None:
        return None
    return len(match["number"]) if match["number"] else 0


def escaped_marker(marker: str, text: str) -> str:
    """A list's own marker at the start of an item's text, kept from parsing as structure together with what follows."""
    if not marker:
        return marker
    if marker[0] == "[" and "]" not in marker:
        at: int | None = 0  # the text could end the label of a reference definition
    else:
        at = _backslash_at(f"{marker} {text.lstrip().partition(chr(10))[0]}")
    return marker if at is None else f"{marker[:at]}\\{marker[at:]}"


def prefixed(edited: Edited, prefix: str) -> Edited:
    """`edited` with `prefix` before every line but the first."""
    if "\n" not in edited.text or not prefix:
        return edited
    added = [Edit(match.end(), 0, len(prefix)) for match in re.finditer("\n", edited.text)]
    return Edited(edited.text.replace("\n", "\n" + prefix), (*edited.layers, added))
