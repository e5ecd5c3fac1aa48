"""What is chunked: the document's blocks, and what stands between them that is not white space, as runs to keep apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fumehood.chunking.segmentation import skip_space, trimmed_end
from fumehood.document import Block, Document


def stretches(document: Document, *, visible_only: bool) -> Iterator[Sequence[Block]]:
    """The blocks asked for, parted where hidden text stands. Raises `ValueError` for blocks no document has.

    Marks that belong to no block, such as thematic breaks, become paragraphs, so that nothing is lost. A block of
    white space alone, which CommonMark makes of a line separator for one (U+2028), is nothing to find again.
    """
    text = document.text
    open_blocks: list[Block] = []
    for block in _with_marks(document):
        if open_blocks and block.visible != open_blocks[-1].visible:
            if open_blocks[-1].visible or not visible_only:
                yield open_blocks
            open_blocks = []
        # Most are told by their first character, without a call.
        if not text[block.start].isspace() or skip_space(text, block.start, block.end) < block.end:
            open_blocks.append(block)
    if open_blocks and (open_blocks[-1].visible or not visible_only):
        yield open_blocks


def _with_marks(document: Document) -> Sequence[Block]:
    """All blocks in order; the document's own tuple where there is nothing between them."""
    text = document.text
    found: list[tuple[int, Block]] = []
    before = 0
    visible = True
    for index, block in enumerate(document.blocks):
        start = block.start
        if start < before or block.end <= start:
            raise ValueError("the blocks of a document are in order, disjoint and not empty; these are not")
        if before < start and not text[before:start].isspace():
            mark = _mark(text, before, start, visible or block.visible)
            if mark is not None:
                found.append((index, mark))
        before = block.end
        visible = block.visible
    if before > len(text):
        raise ValueError("a block of the document ends behind its text")
    mark = _mark(text, before, len(text), visible)
    if mark is not None:
        found.append((len(document.blocks), mark))
    return _merged(document.blocks, found) if found else document.blocks


def _mark(text: str, start: int, end: int, visible: bool) -> Block | None:
    start = skip_space(text, start, end)
    return Block(start, trimmed_end(text, start, end), "paragraph", visible=visible) if start < end else None


def _merged(blocks: Sequence[Block], marks: Sequence[tuple[int, Block]]) -> list[Block]:
    merged: list[Block] = []
    at = 0
    for index, mark in marks:
        merged.extend(blocks[at:index])
        merged.append(mark)
        at = index
    merged.extend(blocks[at:])
    return merged
