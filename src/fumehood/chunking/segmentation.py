"""Sentences, words and grapheme clusters: where a text may be cut. Only asked where a block exceeds a cap.

Boundaries are those of UAX #29 by the Unicode data of the `regex` library, with these tailorings for sentences:

- a line break is a space, since lines of a block are wrapped or belong together (against SB4);
- abbreviations, initials and German ordinals end no sentence; with UAX #29 alone `Dr. Miller` is two (6.2, tailoring);
- neither does a question or an exclamation in quotation marks before a lower-case letter (`"Really?" she said`).

Scripts without spaces: Chinese and Japanese have their full stops, which need no space behind them. Thai, Lao and Khmer
have none, so their spaces, which stand between clauses, are used, then grapheme clusters: words would take a dictionary.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import regex

from fumehood.chunking.abbreviations import ABBREVIATIONS, AFTER_ORDINALS

# UAX #29, table 4: SATerm Close* Sp*, with line breaks as Sp.
_TERMINATOR: Final = regex.compile(
    r"(?:\p{SB=ST}|(\p{SB=AT}))++(\p{SB=CL}*+)([\p{SB=SP}\p{SB=LF}\p{SB=CR}\p{SB=SE}]*+)"
)
# SB8, bounded: what may stand between a full stop and the small letter that shows it ended nothing.
_SMALL_LETTER: Final = regex.compile(r"[^\p{SB=LE}\p{SB=UP}\p{SB=LO}\p{SB=SE}\p{SB=ST}\p{SB=AT}]{0,64}+\p{SB=LO}")
_GOES_ON: Final = regex.compile(r"[\p{SB=SC}\p{SB=ST}\p{SB=AT}]")  # SB8a
_INSIDE_A_WORD: Final = regex.compile(r"[\p{SB=NU}\p{SB=UP}\p{SB=LO}\p{SB=LE}]")  # SB6, SB7
_NEXT_WORD: Final = regex.compile(r"\w*+")
_GERMAN_INITIALS: Final = frozenset("zusodvi")
"""Of abbreviations with a space in them: `z. B.`, `u. a.`, `s. o.`, `o. g.`, `d. h.`, `v. a.`, `i. d. R.`"""
_LOOK_BACK: Final = 24
"""Longer than any abbreviation."""

# Flags (GB12) by themselves: to pair them the library counts back to the start of their run at each of them.
_CLUSTER: Final = regex.compile(r"\p{RI}{1,2}+[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}]*+|\X")
_FLAG: Final = regex.compile(r"\p{RI}")
_CONTINUES: Final = regex.compile(r"[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}]")  # GB9, GB9a
_PREPENDED: Final = regex.compile(r"\p{GCB=Prepend}")  # GB9b
# GB9c, bounded: consonants that a sign joins are one cluster. The rules for words have nothing like it.
_CONJOINED: Final = regex.compile(r"(?<=\p{InCB=Linker}[\p{InCB=Extend}\p{InCB=Linker}]{0,8})\p{InCB=Consonant}")
_WORD_BOUNDARY: Final = regex.compile(r"(?w)\b")
_NEAR: Final = 256
"""How far before a limit a word boundary is looked for; a longer run of letters is no word."""
_BREAKS: Final = regex.compile(r"\s++")
_REST: Final = regex.compile(r"\s*+")


def sentence_ends(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """For each sentence that ends inside `text[start:end]`: where its last character ends, where the next one starts.

    What follows the last terminator is not reported. Linear in `end - start`.
    """
    if _has_no_terminator(text[start:end]):
        return
    for match in _TERMINATOR.finditer(text, start, end):
        if match.end() < end and _ends_a_sentence(text, match, start):
            yield match.start(3), match.end()


def _has_no_terminator(piece: str) -> bool:
    """Said only where it is quickly known: numbers and names in tables hold none of the three that are ASCII."""
    return piece.isascii() and not ("." in piece or "!" in piece or "?" in piece)


def sentences(text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """The sentences of `text[start:end]` as spans without the white space between them, in order."""
    stop = len(text) if end is None else end
    found: list[tuple[int, int]] = []
    at = skip_space(text, start, stop)
    for ended, following in sentence_ends(text, at, stop):
        found.append((at, ended))
        at = following
    last = trimmed_end(text, at, stop)
    if at < last:
        found.append((at, last))
    return found


def last_sentence_end(text: str, start: int, limit: int, end: int) -> int | None:
    """Where the last sentence of `text[start:limit]` that is whole ends, or None."""
    found = None
    for ended, _ in sentence_ends(text, start, min(end, limit + _LOOK_BACK)):
        if ended > limit:
            break
        found = ended
    return found


def first_sentence_start(text: str, start: int, end: int) -> int | None:
    """Where the first sentence that begins behind `start` begins, or None."""
    return next((following for _, following in sentence_ends(text, start, end)), None)


def last_space(text: str, start: int, limit: int) -> int | None:
    """The end of the last word in `text[start:limit]` that white space follows, at `limit` too; or None."""
    stop = limit + 1
    while True:
        at = max(text.rfind(" ", start + 1, stop), text.rfind("\n", start + 1, stop), text.rfind("\t", start + 1, stop))
        at = max(at, text.rfind("\u3000", start + 1, stop))
        if at < 0:
            return None
        # A mark on a space belongs to it (GB9): no cut there.
        if not continues_cluster(text, at + 1):
            ended = trimmed_end(text, start, at)
            return ended if ended > start else None
        stop = at


def last_word_boundary(text: str, start: int, limit: int) -> int | None:
    """The last boundary between words without white space (UAX #29, section 4) near `limit`, or None."""
    near = max(start + 1, limit - _NEAR)
    window = text[near : limit + 1]
    if window.isascii():
        if window.isalnum():
            return None  # One word (WB5, WB8 to WB10).
    elif _FLAG.search(window):
        return None
    found = None
    for match in _WORD_BOUNDARY.finditer(text, near, limit + 1):
        at = match.start()
        if at <= limit and not _is_in_cluster(text, at):
            found = at
    # A match at the very start of the window saw nothing before it.
    return found if found is not None and found > near else None


def _is_in_cluster(text: str, at: int) -> bool:
    return (
        continues_cluster(text, at)
        or _PREPENDED.match(text, at - 1) is not None
        or _CONJOINED.match(text, at) is not None
    )


def last_cluster(text: str, start: int, limit: int) -> int | None:
    """The last boundary between grapheme clusters in `text[start:limit]`, where `start` is one; None if there is none."""
    if text[limit - 1 : limit + 1].isascii() and limit > start:
        return limit
    found = None
    for match in _CLUSTER.finditer(text, start, limit + 1):
        if match.end() > limit:
            break
        found = match.end()
    return found


def first_word_start(text: str, start: int, end: int) -> int | None:
    """Where the first word behind white space in `text[start:end]` begins, or None."""
    for match in _BREAKS.finditer(text, start, end):
        if match.end() < end and not continues_cluster(text, match.end()):
            return int(match.end())
    return None


def first_cluster(text: str, known: int, start: int, end: int) -> int:
    """The first boundary between grapheme clusters from `start` on; `known` is one before it."""
    for match in _CLUSTER.finditer(text, known, end):
        if match.end() >= start:
            return int(match.end())
    return end


def continues_cluster(text: str, at: int) -> bool:
    """Whether the character at `at` belongs to the one before it, whatever that is but a line break (GB9, GB9a)."""
    return _CONTINUES.match(text, at) is not None


def skip_space(text: str, start: int, end: int) -> int:
    """Where the first character of `text[start:end]` that is no white space stands; `end` if there is none."""
    if start < end and not text[start].isspace():
        return start  # The usual case, without a match to make.
    match = _REST.match(text, start, end)
    return end if match is None else int(match.end())


def trimmed_end(text: str, start: int, end: int) -> int:
    """Where `text[start:end]` ends without white space."""
    while end > start and text[end - 1].isspace():
        end -= 1
    return end


def _ends_a_sentence(text: str, match: Any, start: int) -> bool:
    """The rules SB6 to SB11 for one terminator, which something follows."""
    at = match.end()
    spaced = match.start(3) < at
    if _GOES_ON.match(text, at) or continues_cluster(text, at):
        return False
    small = _SMALL_LETTER.match(text, at) is not None
    if match.end(1) != match.start(2):
        # It ends with a question or exclamation mark, or with a full stop of a script that has its own.
        return not (match[2] and spaced and small)
    if small or (not spaced and (not match[2] or _INSIDE_A_WORD.match(text, at))):
        return False
    return bool(match[2]) or not _is_abbreviation(text, match.start(), at, start)


def _is_abbreviation(text: str, stop: int, following: int, start: int) -> bool:
    """Whether the full stop at `stop` belongs to the word before it."""
    begin = stop
    least = max(start, stop - _LOOK_BACK)
    while begin > least and (text[begin - 1].isalnum() or text[begin - 1] in ".'\u2019"):
        begin -= 1
    word = text[begin:stop]
    if len(word) == 1 and word.isalpha():
        return (word.isupper() and word != "I") or word in _GERMAN_INITIALS
    if word.isdigit():
        after = _NEXT_WORD.match(text, following)
        return len(word) <= 2 and after is not None and after[0].casefold() in AFTER_ORDINALS
    return word.casefold() in ABBREVIATIONS
