"""Where a block that exceeds the cap is cut: code between lines, everything else at sentences, lines, words, clusters."""

from __future__ import annotations

from typing import Final, Literal

import regex

from fumehood.chunking.segmentation import (
    continues_cluster,
    last_cluster,
    last_sentence_end,
    last_space,
    last_word_boundary,
    skip_space,
    trimmed_end,
)
from fumehood.document import Block, Role

Grain = Literal["sentence", "line", "word", "cluster", "nothing"]
"""What a cut stands between; `nothing`: inside a grapheme cluster that alone exceeds the cap."""

INDIVISIBLE: Final = frozenset[Role]({"table-row", "list-item"})
"""Roles that stay whole while they fit into a chunk; of `code` each line does."""

_FEWEST: Final = 16
"""Characters that a piece has, if none is a letter, to be worth a cut: shorter are numbers of items and edges of cells."""
_LONGEST_FENCE: Final = 200
_BLANK_LINES: Final = regex.compile(r"(?:[^\S\n]*+\n)*+")


def cut(text: str, start: int, limit: int, end: int, role: Role, *, by_words: bool = False) -> tuple[int, Grain]:
    """Where to end a piece of `text[start:end]`: after `start`, at most at `limit`, which is before `end`.

    `by_words` looks for no sentences. Time is bounded by `limit - start`.
    """
    whole = whole_cut(text, start, limit, end, role, by_words=by_words)
    if whole is not None:
        return whole
    for find in (last_space, last_word_boundary):
        at = find(text, start, limit)
        if at is not None and at > start and _says_something(text, start, at, limit):
            return at, "word"
    cluster = last_cluster(text, start, limit)
    return (limit, "nothing") if cluster is None else (cluster, "cluster")


def whole_cut(
    text: str, start: int, limit: int, end: int, role: Role, *, by_words: bool = False
) -> tuple[int, Grain] | None:
    """The same if it is behind a sentence or a line, else None."""
    if role == "code":
        line = text.rfind("\n", start, limit + 1)
        if line > start and _is_fence(text, line + 1, end):
            # The line that closes the block is no piece of its own, if one can do without.
            before = text.rfind("\n", start + 1, line)
            line = line if before < 0 else before
        if line > start:
            return line, "line"
    elif not by_words:
        sentence = last_sentence_end(text, start, limit, end)
        if sentence is not None and sentence > start:
            return sentence, "sentence"
        line = text.rfind("\n", start, limit + 1)
        at = trimmed_end(text, start, line)
        if at > start and _says_something(text, start, at, limit):
            return at, "line"
    return None


def _says_something(text: str, start: int, end: int, limit: int) -> bool:
    """Whether a piece holds a letter, or is not short, for itself or beside what it could be."""
    return end - start >= min(_FEWEST, (limit - start) // 2) or any(map(str.isalpha, text[start:end]))


def _is_fence(text: str, start: int, end: int) -> bool:
    return end - start <= _LONGEST_FENCE and not text[start:end].strip(" \t>`~")


def resume(text: str, at: int, end: int, role: Role) -> int:
    """Where the next piece starts after a cut at `at`: white space between pieces is in none, indentation of code stays."""
    if role != "code":
        following = skip_space(text, at, end)
        # A mark on the last space makes it a character of its own.
        return following - 1 if at < following < end and continues_cluster(text, following) else following
    if at < end and text[at] == "\n":
        match = _BLANK_LINES.match(text, at + 1, end)
        return at + 1 if match is None else int(match.end())
    return at


def atom_end(text: str, start: int, block: Block) -> int:
    """The end of what may not be split at `start` of `block`: the row or item, the line of code, one character."""
    if block.role in INDIVISIBLE:
        return block.end
    if block.role == "code":
        line = text.find("\n", start, block.end)
        return block.end if line < 0 else line
    return start + 1
