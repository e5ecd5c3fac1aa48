"""Headings that the text has and the format does not: titles in capitals, numbered points, questions, short phrases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple

import regex

from fumehood.chunking.options import Options
from fumehood.document import Block, Role

_PROSE: Final = frozenset[Role]({"paragraph", "list-item"})
_LETTERS: Final = regex.compile(r"\p{L}\P{L}*+\p{L}\P{L}*+\p{L}")
# `2.`, `2.1`, `2.1.3.`, `2)`, `§ 4`, `§§ 4a`, `Art. 12`, `Artikel 3`; at the start of a line, maybe as Markdown escapes it.
_POINT: Final = regex.compile(
    r"""[ \t]{0,8}(?P<label>
      §{1,2}[ \t]?\d{1,4}[a-z]?
    | (?:Art(?:icle|ikel|icolo|ículo|\.)?|Section|Clause|Abschnitt)[ \t]\d{1,4}[a-z]?
    | (?P<number>\d{1,3}(?:\\?\.\d{1,3}){0,7})(?:\\?[.)])?
    )(?P<dot>\\?[.:])?(?=[ \t]++\S|$)""",
    regex.VERBOSE | regex.IGNORECASE,
)
_NUMBER_ALONE: Final = regex.compile(r"\d{1,3}$")
_PHRASE_ENDS: Final = regex.compile(r"[.:!](?=\s|$)")
_PAGE_NUMBER: Final = regex.compile(r"(?:[.\u2026 \t]{3,}+|\t)[ \t]*+\d{1,5}$")
_SENTENCE_MARKS: Final = frozenset(".,;:!\u2026\u3002\uff01\u3001\uff0c\uff1b")
_NEARBY: Final = 3
"""So many short lines one after another are a table of contents, a list or a poem."""

_TITLE_LEVEL: Final = 1
_POINT_LEVEL: Final = 2


class Heading(NamedTuple):
    """`level` of a unit that starts a section, and what it is called in a path."""

    level: int
    name: str


class Outline(NamedTuple):
    """Units, some of which start a section although they are no headings: `headings` by their index."""

    units: Sequence[Block]
    headings: Mapping[int, Heading]


def outlined(text: str, units: Sequence[Block], options: Options) -> Outline:
    """The units with the headings that `options.promote_headings` asks for."""
    if options.promote_headings == "outline":
        return _points(text, units, options)
    if options.promote_headings == "phrases":
        return Outline(units, _phrases(text, units, options))
    return Outline(units, {})


# ---- titles in capitals and numbered points --------------------------------------------------------------


def _points(text: str, units: Sequence[Block], options: Options) -> Outline:
    parted: list[Block] = []
    headings: dict[int, Heading] = {}
    for unit in units:
        if unit.role not in _PROSE:
            parted.append(unit)
            continue
        for part, heading in _parts(text, unit, options):
            if heading is not None:
                headings[len(parted)] = heading
            parted.append(part)
    # A lone match is chance; two are an outline.
    return Outline(parted, headings) if len(headings) > 1 else Outline(units, {})


def _parts(text: str, unit: Block, options: Options) -> Iterator[tuple[Block, Heading | None]]:
    """`unit`, parted before each line that heads something and after each title."""
    begin, heading = unit.start, None
    ended = unit.start
    # A list item stays whole, so only its first line can head it.
    lines = _lines(text, unit.start, unit.end)
    for start, end in lines if unit.role == "paragraph" else islice(lines, 1):
        found = _heading(text[start : min(end, start + 1_000)], options)
        if found is not None or (heading is not None and heading.level == _TITLE_LEVEL):
            if ended > begin:
                yield _part(unit, begin, ended), heading
            begin, heading = start, found
        ended = end
    yield _part(unit, begin, unit.end), heading


def _part(unit: Block, start: int, end: int) -> Block:
    return Block(start, end, unit.role, unit.level, unit.group, unit.locator, unit.visible)


def _lines(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """The lines of `text[start:stop]` that hold something."""
    while start < stop:
        end = text.find("\n", start, stop)
        end = stop if end < 0 else end
        if not text[start:end].isspace() and end > start:
            yield start, end
        start = end + 1


def _heading(line: str, options: Options) -> Heading | None:
    match = _POINT.match(line)
    if match is not None and _is_label(match, line):
        level = _POINT_LEVEL + (match["number"] or "").count(".")
        return Heading(level, _called(match["label"], line[match.end() :], options))
    stripped = line.strip()
    if stripped.isupper() and _is_short(stripped, options) and _LETTERS.search(stripped):
        return Heading(_TITLE_LEVEL, stripped)
    return None


def _is_label(match: regex.Match[str], line: str) -> bool:
    """A bare number in front of a text is an amount or a year: `12 men`."""
    return not (_NUMBER_ALONE.match(match["label"]) and match["dot"] is None) and bool(line[match.end() :].strip())


def _called(label: str, rest: str, options: Options) -> str:
    """`2. DEFINITION` of `2. DEFINITION. A tank is …`; the label alone where a sentence follows it."""
    label = label.replace("\\", "").strip()
    ended = _PHRASE_ENDS.search(rest[: options.max_header_chars + 1])
    title = rest[: ended.start()].strip() if ended else rest.strip()
    return f"{_dotted(label)} {title}" if title and _is_short(title, options) else _dotted(label)


def _dotted(label: str) -> str:
    return f"{label}." if label[-1].isdigit() and label.replace(".", "").isdigit() else label


def _is_short(line: str, options: Options) -> bool:
    return len(line) <= options.max_header_chars and len(line.split()) <= options.max_header_words


# ---- questions and short phrases -------------------------------------------------------------------------


def _phrases(text: str, units: Sequence[Block], options: Options) -> dict[int, Heading]:
    """Short lines of their own with prose below them; not where they stand in a row, as in a table of contents."""
    short = [unit.role == "paragraph" and _is_phrase(text, unit, options) for unit in units]
    headings: dict[int, Heading] = {}
    level = 0
    for index, unit in enumerate(units):
        if unit.role == "heading":
            level = unit.level or 1
        elif short[index] and _heads_prose(short, units, index):
            headings[index] = Heading(level + 1, text[unit.start : unit.end].strip())
    return headings


def _is_phrase(text: str, unit: Block, options: Options) -> bool:
    if unit.end - unit.start > options.max_header_chars:
        return False
    line = text[unit.start : unit.end]
    if "\n" in line or not _is_short(line, options) or _PAGE_NUMBER.search(line):
        return False
    return line[-1] not in _SENTENCE_MARKS and (line[0].isupper() or line[-1] in "?\uff1f" or line[0].isdigit())


def _heads_prose(short: Sequence[bool], units: Sequence[Block], index: int) -> bool:
    if index + 1 == len(units) or short[index + 1] or units[index + 1].role == "heading":
        return False
    return not (index + 1 >= _NEARBY and all(short[index + 1 - _NEARBY : index + 1]))
