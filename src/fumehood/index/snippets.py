"""The part of a chunk that shows why it was found, with what was found marked."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from fumehood.hygiene import clean
from fumehood.index.model import MARK_END, MARK_START
from fumehood.index.query import Phrase
from fumehood.index.words import fold, is_unspaced, separated, words

WIDTH: Final = 240
"""Characters of a snippet, without its marks: three lines of a terminal."""
_LEAD: Final = 60
"""So much stands before the first mark, for the reader to see what it is about."""
_LONGEST: Final = 200_000
"""What stands further behind in a chunk is not looked at: chunks are read by people, and this is a small book."""

_WORD: Final = re.compile(r"[^\x00-/:-@\[-`{-\x7f]+")
_SPACE: Final = re.compile(r"\s+")
_MARKED: Final = re.compile(f"{MARK_START}([^{MARK_START}{MARK_END}]*){MARK_END}")


class _Word(NamedTuple):
    word: str
    start: int
    end: int


def snippet(text: str, wanted: Sequence[Phrase]) -> str:
    """One line of `text`, at most about 240 characters, with what is wanted between MARK_START and MARK_END.

    Its beginning, without marks, where nothing of `wanted` is in it (it may be in the title or the headings).
    """
    text = clean(text[:_LONGEST])[0]
    spans = _merged(sorted(_found(text, wanted)))
    start, end = _window(text, spans)
    return _line(text, start, end, [span for span in spans if start <= span[0] and span[1] <= end])


def highlighted(snippet: str, before: str, after: str, escape: Callable[[str], str] = str) -> str:
    """A snippet with its marks replaced and everything else escaped, such as by `html.escape`."""
    pieces = _MARKED.split(snippet)
    return "".join(f"{before}{escape(piece)}{after}" if at % 2 else escape(piece) for at, piece in enumerate(pieces))


def plain(snippet: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """A snippet without its marks, and the spans that were marked."""
    pieces = _MARKED.split(snippet)
    marks, at = [], 0
    for number, piece in enumerate(pieces):
        if number % 2:
            marks.append((at, at + len(piece)))
        at += len(piece)
    return "".join(pieces), tuple(marks)


# ---- what was found ------------------------------------------------------------------------------------


def _found(text: str, wanted: Sequence[Phrase]) -> Iterator[tuple[int, int]]:
    here = list(_words(text))
    places = defaultdict(list)
    for at, each in enumerate(here):
        places[each.word].append(at)
    for phrase in dict.fromkeys(wanted):
        asked = [word for said in phrase.words for word in (said if is_unspaced(said) else (said,))]
        for at in _starts(asked, phrase.prefix, places):
            if _follows(asked, phrase.prefix, here, at):
                yield here[at].start, here[at + len(asked) - 1].end


def _starts(asked: Sequence[str], prefix: bool, places: dict[str, list[int]]) -> Iterator[int]:
    if prefix and len(asked) == 1:
        for word, found in places.items():
            if word.startswith(asked[0]):
                yield from found
    else:
        yield from places.get(asked[0], ())


def _follows(asked: Sequence[str], prefix: bool, here: Sequence[_Word], at: int) -> bool:
    if at + len(asked) > len(here):
        return False
    last = len(asked) - 1
    return all(
        here[at + n].word.startswith(word) if prefix and n == last else here[at + n].word == word
        for n, word in enumerate(asked)
    )


def _words(text: str) -> Iterator[_Word]:
    """The words of `text` with their places; a run of an unspaced script is one for each character."""
    for found in _WORD.finditer(separated(text)):
        start, end = found.span()
        if (ascii_word := found[0]).isascii():
            yield _Word(ascii_word.lower(), start, end)
            continue
        said = words(text[start:end])
        if len(said) == 1:
            yield from _placed(text, start, end, said[0])
            continue
        for first, last in _parts(text, start, end):
            for word in words(text[first:last]):
                yield from _placed(text, first, last, word)


def _parts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where letters end and a run of an unspaced script begins, and the other way round."""
    first, unspaced = start, None
    for at in range(start, end):
        folded = fold(text[at])
        if not folded.strip():
            continue  # A mark belongs to what it stands on.
        if unspaced is not None and is_unspaced(folded) != unspaced:
            yield first, at
            first = at
        unspaced = is_unspaced(folded)
    yield first, end


def _placed(text: str, start: int, end: int, word: str) -> Iterator[_Word]:
    if not is_unspaced(word):
        yield _Word(word, start, end)
    elif len(word) == end - start:
        yield from (_Word(char, start + n, start + n + 1) for n, char in enumerate(word))
    else:
        yield from _within(text, start, end, word)  # Folding changed its length.


def _within(text: str, start: int, end: int, run: str) -> Iterator[_Word]:
    """The characters of a folded `run`, by where each is found in turn; all of the word where one is not."""
    at = start
    for char in run:
        found = text.find(char, at, end)
        if found < 0:
            yield _Word(char, start, end)
        else:
            yield _Word(char, found, found + 1)
            at = found + 1


def _merged(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in spans:
        if merged and start < merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


# ---- what is shown -------------------------------------------------------------------------------------


def _window(text: str, spans: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The stretch with the most different words found, then the most of them, then the first."""
    if not spans:
        return 0, _whole_word(text, min(len(text), WIDTH))
    best = _richest(text, spans)
    start = max(0, min(spans[best][0] - _LEAD, len(text) - WIDTH))
    if start:
        space = text.find(" ", start, spans[best][0])
        start = space + 1 if space >= 0 else start
    end = min(len(text), max(start + WIDTH, spans[best][1]))
    return start, max(_whole_word(text, end), spans[best][1])


def _richest(text: str, spans: Sequence[tuple[int, int]]) -> int:
    """The span that the stretch begins with: a window is moved over them once."""
    names = [text[start:end].casefold() for start, end in spans]
    shown: Counter[str] = Counter()
    best, most, last = 0, (0, 0), 0
    for at, (start, _) in enumerate(spans):
        while last < len(spans) and spans[last][0] <= start + WIDTH - _LEAD:
            shown[names[last]] += 1
            last += 1
        if (len(shown), last - at) > most:
            best, most = at, (len(shown), last - at)
        shown[names[at]] -= 1
        if not shown[names[at]]:
            del shown[names[at]]
    return best


def _whole_word(text: str, end: int) -> int:
    """`end`, or a little before it, so that no word is cut."""
    if end >= len(text):
        return len(text)
    space = text.rfind(" ", max(0, end - _LEAD), end + 1)
    return space if space > 0 else end


def _line(text: str, start: int, end: int, spans: Sequence[tuple[int, int]]) -> str:
    pieces, at = [], start
    for first, last in spans:
        pieces += [text[at:first], MARK_START, text[first:last], MARK_END]
        at = last
    pieces.append(text[at:end])
    line = _SPACE.sub(" ", "".join(pieces)).strip()
    return f"{'…' if start else ''}{line}{'…' if end < len(text) else ''}"
