"""Markdown: the source as it stands, its blocks as spans over it, front matter taken out as metadata.

Of what is in the blocks, only links are said, and what a reader of the text would not see: comments, hidden
elements, scripts and pictures.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from fumehood.document import line_locator
from fumehood.kinds import ReadOptions
from fumehood.limits.budget import Budget
from fumehood.loaders.shared import front_matter
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.encoding import decode
from fumehood.loaders.shared.encoding import warm as warm
from fumehood.markdown import Span, scan
from fumehood.markdown_inline import has_marks, heading_text, marks

ENGINES: Final[Mapping[str, str]] = {}

_CELL: Final = re.compile(r"[^|\s][^|]*+")
_SCRIPT: Final = re.compile(r"<script\b", re.IGNORECASE)


def load(data: bytes, out: Builder, budget: Budget, options: ReadOptions) -> None:
    """Raises the refusal `kind-mismatch` for what is no text."""
    source = decode(data, out, options.charset).replace("\r\n", "\n").replace("\r", "\n")
    taken = front_matter.take(source, out, budget)
    before = source.count("\n", 0, taken)
    text = out.verbatim(source[taken:])
    references: dict[str, str] = {}
    remarkable: list[Span] = []
    titled = out.title is not None
    for span in scan(text, references):
        if span.role == "table-row":
            budget.spend("table_cells", len(_CELL.findall(text, span.start, span.end)))
        locator = line_locator(before + span.line, before + span.line_end)
        out.span(
            span.start, span.end, span.role, level=span.level, group=span.group, locator=locator, visible=span.visible
        )
        if _is_remarkable(text, span):
            remarkable.append(span)
        if not titled and span.role == "heading" and span.level == 1:
            titled = True
            out.set_title(heading_text(text[span.start : span.end]))
    # Only now are all link references known.
    for span in remarkable:
        _remark(text, span, references, before, out)


def _is_remarkable(text: str, span: Span) -> bool:
    if span.content == "inline":
        return has_marks(text, span.start, span.end)
    return span.content == "html"


def _remark(text: str, span: Span, references: Mapping[str, str], before: int, out: Builder) -> None:
    """Says the links and notices of one block."""
    locator = line_locator(before + span.line, before + span.line_end)
    if span.content == "html":
        if _SCRIPT.search(text, span.start, span.end) is not None:
            out.notice("script-present", locator)
        elif not span.visible:
            out.notice("hidden-text", locator)
        return
    for mark in marks(text, span.start, span.end, references):
        if mark.kind == "link":
            out.span_link(mark.start, mark.end, mark.target, locator)
        else:
            out.notice("image-not-read" if mark.kind == "image" else "hidden-text", locator)
