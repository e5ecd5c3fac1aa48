"""Blocks of Markdown as spans over a text that is said word for word: a whole document, or one cell of a notebook.

Of what is in the blocks, only links are said, and what a reader of the text would not see: comments, hidden
elements, scripts and pictures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from fumehood.document import Locator
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.builder import Builder
from fumehood.markdown import Span, scan
from fumehood.markdown_inline import has_marks, heading_text, marks

_CELL: Final = re.compile(r"[^|\s][^|]*+")
_SCRIPT: Final = re.compile(r"<script\b", re.IGNORECASE)

Locate = Callable[[Span], Locator]


def say_blocks(text: str, at: int, out: Builder, budget: Budget, locate: Locate) -> None:
    """Says the blocks of `text`, which stands at offset `at` of what `out` has word for word.

    The first level-1 heading becomes the title of a document that has none.
    """
    references: dict[str, str] = {}
    remarkable: list[Span] = []
    # A list or table is numbered within `text`; the document may have others already.
    groups: dict[int, int] = {}
    for span in scan(text, references):
        if span.role == "table-row":
            budget.spend("table_cells", len(_CELL.findall(text, span.start, span.end)))
        out.span(
            at + span.start,
            at + span.end,
            span.role,
            level=span.level,
            group=None
            if span.group is None
            else groups.get(span.group) or groups.setdefault(span.group, out.new_group()),
            locator=locate(span),
            visible=span.visible,
        )
        if _is_remarkable(text, span):
            remarkable.append(span)
        if out.title is None and span.role == "heading" and span.level == 1:
            out.set_title(heading_text(text[span.start : span.end]))
    # Only now are all link references known.
    for span in remarkable:
        _remark(text, at, span, references, out, locate(span))


def _is_remarkable(text: str, span: Span) -> bool:
    if span.content == "inline":
        return has_marks(text, span.start, span.end)
    return span.content == "html"


def _remark(text: str, at: int, span: Span, references: Mapping[str, str], out: Builder, locator: Locator) -> None:
    """Says the links and notices of one block."""
    if span.content == "html":
        if _SCRIPT.search(text, span.start, span.end) is not None:
            out.notice("script-present", locator)
        elif not span.visible:
            out.notice("hidden-text", locator)
        return
    for mark in marks(text, span.start, span.end, references):
        if mark.kind == "link":
            out.span_link(at + mark.start, at + mark.end, mark.target, locator)
        else:
            out.notice("image-not-read" if mark.kind == "image" else "hidden-text", locator)
