"""What every chunking strategy promises, checked from the document and the chunks alone, without the engine."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

import regex

from fumehood.chunking import (
    ApproximateTokenizer,
    Chunk,
    Options,
    Strategy,
    UnitTooLarge,
    chunk,
    register_strategy,
    strategies,
)
from fumehood.chunking.options import resolve
from fumehood.document import Block, Document
from fumehood.markdown_inline import heading_text
from fumehood.testing.samples import SAMPLES

_FENCE: Final = re.compile(r"[ \t>]*(`{3,}|~{3,})")
_VARIANTS: Final[tuple[Mapping[str, Any], ...]] = (
    {},
    {"max_size": 120, "min_size": 40, "overlap": 0},
    {"max_size": 120, "min_size": 40, "overlap": 40},
    {"max_size": 17, "min_size": 0, "overlap": 0},
    {"max_tokens": 40},
    {"visible_only": False, "max_size": 200, "min_size": 60, "overlap": 0},
    {"on_too_large": "raise", "max_size": 60, "min_size": 20, "overlap": 0},
)


def check_strategy(strategy: Strategy, documents: Iterable[Document] = ()) -> None:
    """Registers `strategy` and runs it over sample documents, and over yours, with many settings.

    Raises `AssertionError` for the first promise that it breaks; what the strategy itself raises passes.
    """
    if strategy not in strategies():
        register_strategy(strategy)
    for document in (*SAMPLES, *documents):
        for variant in _VARIANTS:
            _check_variant(strategy, document, variant)


def _check_variant(strategy: Strategy, document: Document, variant: Mapping[str, Any]) -> None:
    options = resolve(strategy.defaults, variant)
    try:
        chunks = chunk(document, strategy.name, **variant)
    except UnitTooLarge as error:
        if options.on_too_large == "raise" or error.end - error.start <= 1:
            return
        raise AssertionError("asked to split what is too large, it raised UnitTooLarge") from error
    assert chunks == chunk(document, strategy.name, **variant), "the same call gave other chunks"
    check_chunks(document, chunks, options)


def check_chunks(document: Document, chunks: Sequence[Chunk], options: Options) -> None:
    """Checks what holds for the chunks of any strategy. Linear but for the cost of counting tokens."""
    asked = [
        block
        for block in document.blocks
        if (block.visible or not options.visible_only) and not document.text[block.start : block.end].isspace()
    ]
    assert bool(chunks) >= bool(asked), "a document that holds something has no chunk"
    _check_slices(document, chunks, options)
    _check_coverage(document, asked, chunks, options)
    _check_hidden(document, chunks)
    view = _View(document, asked, options)
    for each in chunks:
        view.check(each)


def _check_slices(document: Document, chunks: Sequence[Chunk], options: Options) -> None:
    before = -1
    tokenizer = options.tokenizer or ApproximateTokenizer()
    for index, each in enumerate(chunks):
        assert each.text == document.text[each.start : each.end], f"chunk {index} is no slice of the text"
        assert each.text.strip(), f"chunk {index} holds nothing"
        assert each.index == index, f"chunk {index} says it is {each.index}"
        assert each.start > before or options.overlap, f"chunk {index} is out of order"
        assert len(each.text) <= options.max_size, f"chunk {index} has {len(each.text)} characters"
        if options.max_tokens is not None:
            assert tokenizer.count(each.embedding_text) <= options.max_tokens, f"chunk {index} has too many tokens"
        assert Chunk.from_json(each.to_json()) == each, f"chunk {index} is another after JSON"
        before = each.start
    assert len({each.id for each in chunks}) == len(chunks), "two chunks have the same id"


def _check_coverage(document: Document, asked: Sequence[Block], chunks: Sequence[Chunk], options: Options) -> None:
    """Every character that is no white space stands in a chunk, and in one only where nothing is carried over."""
    text = document.text
    if not options.overlap:
        for one, other in pairwise(chunks):
            assert one.end <= other.start, f"chunks {one.index} and {other.index} share text"
    at = 0
    for block in asked:
        covered = block.start
        while covered < block.end:
            while at < len(chunks) and chunks[at].end <= covered:
                at += 1
            following = min(chunks[at].start, block.end) if at < len(chunks) else block.end
            missed = text[covered:following] if following > covered else ""
            assert not missed.strip(), f"no chunk holds {covered}:{following}"
            covered = min(max(following, chunks[at].end), block.end) if at < len(chunks) else block.end


def _check_hidden(document: Document, chunks: Sequence[Chunk]) -> None:
    starts = [block.start for block in document.blocks]
    for each in chunks:
        first = max(0, bisect_right(starts, each.start) - 1)
        for block in document.blocks[first : bisect_left(starts, each.end)]:
            if block.end > each.start and block.start < each.end:
                assert block.visible == each.visible, f"chunk {each.index} holds hidden and visible text"


class _View:
    """The blocks that were asked for, by place."""

    def __init__(self, document: Document, asked: Sequence[Block], options: Options) -> None:
        self._text = document.text
        self._asked = asked
        self._options = options
        self._ends = [block.end for block in asked]
        self._starts = [block.start for block in asked]
        self._headers = {block.group: block for block in asked if block.role == "table-row" and block.level == 1}
        self._clusters: dict[int, set[int]] = {}

    def check(self, each: Chunk) -> None:
        first = bisect_right(self._ends, each.start)
        blocks = self._asked[first : bisect_left(self._starts, each.end)]
        if not blocks:
            return  # marks between blocks
        if not self._options.overlap:
            self._check_cut(each, each.start, blocks[0])
            if each.start >= blocks[0].start:
                self._check_path(each, first)
        self._check_cut(each, each.end, blocks[-1])
        self._check_locators(each, blocks)
        self._check_fence(each, blocks)
        self._check_header(each, blocks[0])

    def _check_cut(self, each: Chunk, at: int, block: Block) -> None:
        if not block.start < at < block.end or not self._text[at : block.end].strip():
            return
        unit = self._unit(at, block)
        if unit is not None:
            assert not self._fits(*unit), f"chunk {each.index} splits the {block.role} at {unit[0]}:{unit[1]}"
        if block.start not in self._clusters:
            pattern = regex.compile(r"\X")
            self._clusters[block.start] = {
                match.start() for match in pattern.finditer(self._text, block.start, block.end)
            }
        if at not in self._clusters[block.start]:
            assert self._options.max_size < 8 or self._longest_cluster(at, block) > self._options.max_size // 2, (
                f"chunk {each.index} splits the grapheme cluster at {at}"
            )

    def _longest_cluster(self, at: int, block: Block) -> int:
        places = sorted(self._clusters[block.start] | {block.end})
        return places[bisect_left(places, at)] - places[bisect_left(places, at) - 1]

    def _unit(self, at: int, block: Block) -> tuple[int, int] | None:
        """What `at` splits of what must stay whole: the row, the item, the line of code; None for prose."""
        if block.role in ("table-row", "list-item"):
            return block.start, block.end
        if block.role == "code":
            start = max(block.start, self._text.rfind("\n", block.start, at) + 1)
            end = self._text.find("\n", at, block.end)
            end = block.end if end < 0 else end
            return (start, end) if self._text[start:at].strip() and self._text[at:end].strip() else None
        return None

    def _fits(self, start: int, end: int) -> bool:
        options = self._options
        if options.max_tokens is not None:
            count = (options.tokenizer or ApproximateTokenizer()).count(self._text[start:end])
            if count > options.max_tokens // 3:
                return False
        return end - start <= min(options.max_size - options.overlap, options.target or options.max_size)

    def _check_path(self, each: Chunk, first: int) -> None:
        if self._options.promote_headings != "none":
            return
        path: list[tuple[int, str]] = []
        for index, block in enumerate(self._asked):
            # Those before the chunk, and those it begins with.
            if index >= first and not self._begins(each, block, self._asked[max(first, index - 1)]):
                break
            if block.role == "heading" and block.visible:
                level = block.level or 1
                path = [entry for entry in path if entry[0] < level]
                path.append((level, heading_text(self._text[block.start : min(block.end, block.start + 500)])))
        wanted = tuple(" ".join(name.split()) for _, name in path)[-64:]
        assert each.headings == wanted, f"chunk {each.index} says {each.headings} and stands under {wanted}"

    def _begins(self, each: Chunk, block: Block, before: Block) -> bool:
        """Whether `block` is one of the headings that the chunk begins with; a mark between them ends that."""
        apart = self._text[before.end : block.start] if before.end < block.start else ""
        return block.role == "heading" and block.start < each.end and not apart.strip()

    def _check_locators(self, each: Chunk, blocks: Sequence[Block]) -> None:
        found = [block.locator for block in blocks if block.locator is not None]
        wanted = () if not found else (found[0],) if found[0] == found[-1] else (found[0], found[-1])
        assert each.locators == wanted, f"chunk {each.index} has locators {each.locators}, its text comes from {wanted}"

    def _check_fence(self, each: Chunk, blocks: Sequence[Block]) -> None:
        first, last = blocks[0], blocks[-1]
        if first.role == "code" and each.start > first.start:
            opening = _FENCE.match(self._text, first.start, first.end)
            assert opening is None or opening[0] in each.context.opening, f"chunk {each.index} lacks the opening fence"
        # What follows a block in its chunk follows it in the document too, which closed it somehow.
        if last.role == "code" and each.end <= last.end and (fence := _FENCE.match(self._text, last.start, last.end)):
            lines = self._text[last.start : each.end].split("\n")
            closed = len(lines) > 1 and each.end == last.end and lines[-1].strip(" \t>").startswith(fence[1])
            assert closed or fence[1] in each.context.closing, f"chunk {each.index} lacks the closing fence"

    def _check_header(self, each: Chunk, first: Block) -> None:
        header = self._headers.get(first.group)
        if first.role != "table-row" or header is None or header.start >= each.start or self._options.max_tokens:
            return
        text = self._text[header.start : header.end]
        if len(text) <= self._options.max_size and header.end <= each.start:
            assert text == each.context.opening, f"chunk {each.index} lacks the table's header"
