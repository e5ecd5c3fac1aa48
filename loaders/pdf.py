"""PDF (ISO 32000-2): pages in reading order, by pdfminer.six's fonts, character maps and decryption.

Every page's paragraphs are found first, because what is a heading shows only against the size that most
of the document is set in. Pictures are counted, never decoded; scripts never run.
"""

from __future__ import annotations

import codecs
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import pdfminer
import pdfminer._saslprep  # imported lazily by pdfminer for passwords of revision 6

from fumehood.document import Locator
from fumehood.errors import refusal
from fumehood.kinds import ReadOptions
from fumehood.limits.budget import Budget
from fumehood.loaders.shared import (
    pdf_annotations,
    pdf_cmaps,
    pdf_crypt,
    pdf_layout,
    pdf_metadata,
    pdf_session,
    pdfminer_patches,
)
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.pdf_content import Drawer, placed_page
from fumehood.loaders.shared.pdf_file import PdfFile
from fumehood.loaders.shared.pdf_layout import Paragraph
from fumehood.loaders.shared.pdf_pages import Page, pages

ENGINES: Mapping[str, str] = {"pdfminer.six": pdfminer.__version__}

_HEADING_RATIO: Final = 1.15
"""How much larger than the document's text a heading is at least."""
_LONGEST_HEADING: Final = 200
_MOST_HEADING_LINES: Final = 4
_LEVELS: Final = 6

pdfminer_patches.apply()


@dataclass(slots=True)
class _Seen:
    """What is known of one page, or of all of them, besides their paragraphs."""

    images: int = 0
    unmapped: int = 0
    attachments: int = 0
    without_text: int = 0
    simplified: int = 0
    paragraphs: list[tuple[int, Paragraph]] = field(default_factory=list)
    """With the number of the page."""
    comments: dict[int, list[str]] = field(default_factory=dict)


def warm() -> None:
    """Loads the common character maps, and what else would be loaded at the first document that needs it."""
    pdf_cmaps.load_common()
    for codec in ("ascii", "latin-1", "utf-8", "utf-16-be", "utf-16-le"):
        codecs.lookup(codec)
    pdf_crypt.warm()


def load(data: bytes, out: Builder, budget: Budget, options: ReadOptions) -> None:
    """Raises the refusals of the budget, `kind-mismatch`, `malformed`, `encrypted` and `scanned`."""
    if not data:
        raise refusal("malformed", stage=budget.stage)
    warm()
    with pdf_session.opened(budget) as session:
        file = PdfFile(data, budget, options.password)
        if file.opened_by == "":
            out.notice("password-empty")
        pdf_metadata.describe(file, out)
        seen = _Seen()
        drawer = Drawer()
        count = 0
        for count, page in enumerate(pages(file, budget), start=1):
            _read_page(page, count, drawer, seen, out, session)
        if file.repaired:
            out.notice("repaired", detail="xref")
        if not count:
            raise refusal("malformed", stage=budget.stage)
        out.set_metadata("pages", count)
        if not seen.paragraphs and not seen.comments and seen.without_text:
            raise refusal("scanned", stage=budget.stage)
        _write(seen, out)
        _remark(seen, session, out)


def _read_page(
    page: Page, number: int, drawer: Drawer, seen: _Seen, out: Builder, session: pdf_session.Session
) -> None:
    canvas, matrix = placed_page(page)
    damaged = session.damaged_streams
    drawer.draw_page(page, canvas, matrix)
    remarks = pdf_annotations.draw(page, drawer, canvas, matrix, session.budget)
    paragraphs, is_simplified = pdf_layout.paragraphs(canvas, session.budget)
    # Counted here as well: the text is held until all pages are read.
    held = session.budget.used("output_bytes") + sum(len(paragraph.text) for paragraph in paragraphs)
    session.budget.check("output_bytes", held)
    if session.damaged_streams > damaged:
        out.notice("part-unreadable", Locator(page=number), "stream")
    seen.paragraphs.extend((number, paragraph) for paragraph in paragraphs)
    if remarks.comments:
        seen.comments[number] = remarks.comments
    seen.simplified += is_simplified
    seen.images += canvas.image_count
    seen.unmapped += canvas.unmapped
    seen.attachments += remarks.attachments
    seen.without_text += bool(canvas.image_count) and not paragraphs


# ---- writing --------------------------------------------------------------------------------------------


def _write(seen: _Seen, out: Builder) -> None:
    levels = _heading_levels(paragraph for _, paragraph in seen.paragraphs)
    comments = dict(seen.comments)
    hidden = 0
    previous = 0
    for number, paragraph in seen.paragraphs:
        if number != previous:
            _write_comments(comments, number, out)
            previous = number
        locator = Locator(page=number)
        level = levels.get(_step(paragraph.size)) if _may_be_heading(paragraph) else None
        if level is not None:
            out.heading(paragraph.text, level, locator=locator)
        else:
            out.paragraph(paragraph.text, locator=locator, visible=not paragraph.is_hidden)
        hidden += paragraph.is_hidden
    _write_comments(comments, None, out)
    if hidden:
        out.notice("hidden-text", detail=hidden)


def _write_comments(comments: dict[int, list[str]], before: int | None, out: Builder) -> None:
    """The comments of the pages before `before`, which stand behind their page's text."""
    for number in [number for number in comments if before is None or number < before]:
        for comment in comments.pop(number):
            out.paragraph(comment, role="comment", locator=Locator(page=number))


def _step(size: float) -> float:
    """Sizes that differ by less than half a point are one size to the reader."""
    return round(size * 2) / 2


def _heading_levels(paragraphs: Iterator[Paragraph]) -> dict[float, int]:
    """Levels by size, largest first, of the sizes that are larger than the one most text is set in."""
    characters: Counter[float] = Counter()
    candidates: set[float] = set()
    for paragraph in paragraphs:
        characters[_step(paragraph.size)] += len(paragraph.text)
        if _may_be_heading(paragraph):
            candidates.add(_step(paragraph.size))
    if not characters:
        return {}
    body = max(characters, key=lambda size: (characters[size], -size))
    larger = sorted((size for size in candidates if size >= body * _HEADING_RATIO), reverse=True)
    return {size: min(rank, _LEVELS) for rank, size in enumerate(larger, start=1)}


def _may_be_heading(paragraph: Paragraph) -> bool:
    return (
        not paragraph.is_hidden
        and len(paragraph.text) <= _LONGEST_HEADING
        and paragraph.line_count <= _MOST_HEADING_LINES
        and sum(char.isalpha() for char in paragraph.text) > 1
    )


def _remark(seen: _Seen, session: pdf_session.Session, out: Builder) -> None:
    """One notice a matter, with how many times it was met."""
    if session.cycles:
        out.notice("cycle-skipped", detail=session.cycles)
    if session.missing_cmaps:
        out.notice("part-missing", detail="cmap")
    if session.broken_fonts:
        out.notice("part-unreadable", detail="font")
    if seen.unmapped:
        out.notice("unmapped-glyphs", detail=seen.unmapped)
    if seen.images:
        out.notice("image-not-read", detail=seen.images)
    if seen.without_text:
        out.notice("pages-without-text", detail=seen.without_text)
    if seen.attachments:
        out.notice("attachment-not-read", detail=seen.attachments)
    if seen.simplified:
        out.notice("layout-simplified", detail=seen.simplified)
