"""PDF (ISO 32000-2): pages in reading order, by pdfminer.six's fonts, character maps and decryption.

Every page's paragraphs are found first, because what is a heading shows only against the size that most
of the document is set in. Pictures are counted, never decoded; scripts never run.
"""

from __future__ import annotations

import codecs
import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import Protocol

import pdfminer
import pdfminer._saslprep  # imported lazily by pdfminer for passwords of revision 6

from fumehood.document import Locator
from fumehood.errors import NoticeCode, refusal
from fumehood.kinds import ReadOptions
from fumehood.limits.budget import Budget
from fumehood.loaders.shared import (
    pdf_carried,
    pdf_cmaps,
    pdf_crypt,
    pdf_edges,
    pdf_layout,
    pdf_metadata,
    pdf_session,
    pdfminer_patches,
)
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.pdf_annotations import Comment
from fumehood.loaders.shared.pdf_beside import Beside
from fumehood.loaders.shared.pdf_content import Drawer
from fumehood.loaders.shared.pdf_file import PdfFile
from fumehood.loaders.shared.pdf_geometry import Matrix
from fumehood.loaders.shared.pdf_glyphs import Canvas
from fumehood.loaders.shared.pdf_layout import PageLayout
from fumehood.loaders.shared.pdf_output import Output
from fumehood.loaders.shared.pdf_pages import Page, pages


def _versions() -> Iterator[tuple[str, str]]:
    yield "pdfminer", pdfminer.__version__
    with contextlib.suppress(PackageNotFoundError):
        yield "pdfium", version("pypdfium2")


ENGINES: Mapping[str, str] = dict(_versions())

pdfminer_patches.apply()


@dataclass(slots=True)
class _Seen:
    """What is known of one page, or of all of them, besides their paragraphs."""

    images: int = 0
    unmapped: int = 0
    without_text: list[int] = field(default_factory=list)
    """Pages by their numbers, as below: those of pictures, or of letters turned to curves."""
    is_pictured: bool = False
    """Whether one of them has pictures."""
    simplified: list[int] = field(default_factory=list)
    recognised: list[int] = field(default_factory=list)
    pages: list[PageLayout] = field(default_factory=list)
    held: int = 0
    """Characters of the pages' text."""
    pieces: int = 0
    has_text: bool = False
    repeated: int = 0
    comments: dict[int, list[Comment]] = field(default_factory=dict)


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
        listed = list(pages(file, budget))
        beside = Beside(file, listed)
        with _painter(options.engine, file, beside.drawer) as painter:
            for number, page in enumerate(listed, start=1):
                _read_page(page, number, painter, beside, seen, out, session)
        if file.repaired:
            out.notice("repaired", detail="xref")
        if not listed:
            raise refusal("malformed", stage=budget.stage)
        out.set_metadata("pages", len(listed))
        if not seen.has_text and not seen.comments and seen.is_pictured:
            raise refusal("scanned", stage=budget.stage)
        _write(seen, beside, out)
        _remark(seen, session, out)


class _Painter(Protocol):
    """What shows pages: each engine has one."""

    def paint(self, page: Page, number: int, /) -> tuple[Canvas, Matrix]: ...


@contextlib.contextmanager
def _painter(engine: str | None, file: PdfFile, drawer: Drawer) -> Iterator[_Painter]:
    if engine != "pdfium":
        yield drawer
        return
    # Imported here, since this loads native code: who does not use it does not carry it.
    from fumehood.loaders.shared.pdfium_pages import PdfiumPainter

    with contextlib.closing(PdfiumPainter(file.data, file.opened_by, drawer, file.budget)) as painter:
        yield painter


def _read_page(
    page: Page,
    number: int,
    painter: _Painter,
    beside: Beside,
    seen: _Seen,
    out: Builder,
    session: pdf_session.Session,
) -> None:
    damaged = session.damaged_streams
    canvas, matrix = painter.paint(page, number)
    remarks = beside.draw(page, number, canvas, matrix)
    before = pdf_edges.carried(seen.pages[-1]) if seen.pages else pdf_carried.NOTHING
    laid_out = pdf_layout.layout(canvas, session.budget, before)
    # Counted here as well: the text is held until all pages are read.
    seen.held += sum(len(piece.table.text if piece.table is not None else piece.text) for piece in laid_out.pieces)
    session.budget.check("output_bytes", session.budget.used("output_bytes") + seen.held)
    if session.damaged_streams > damaged:
        out.notice("part-unreadable", Locator(page=number), "stream")
    seen.pieces += len(laid_out.pieces)
    session.budget.check("blocks", seen.pieces)
    seen.pages.append(laid_out)
    if remarks:
        seen.comments[number] = remarks
    if laid_out.is_simplified:
        seen.simplified.append(number)
    if laid_out.recognised:
        seen.recognised.append(number)
    seen.repeated += laid_out.repeated
    seen.has_text |= bool(laid_out.pieces)
    seen.images += canvas.image_count
    seen.unmapped += canvas.unmapped
    if (canvas.image_count or canvas.is_drawn) and not laid_out.pieces:
        seen.without_text.append(number)
        seen.is_pictured |= canvas.image_count > 0


# ---- writing --------------------------------------------------------------------------------------------


def _write(seen: _Seen, beside: Beside, out: Builder) -> None:
    output = Output(seen.pages, beside.levels(), out)
    hidden = 0
    for number, page in enumerate(seen.pages, start=1):
        locator = beside.locator(number)
        output.write(page, number, locator)
        alternates, comments = list(beside.alternates(number)), seen.comments.get(number, ())
        if alternates or comments:
            output.finish()
        for alternate in alternates:
            out.paragraph(alternate, role="caption", locator=locator)
        for comment in comments:
            out.paragraph(comment.text, role="comment", locator=locator, visible=comment.is_visible)
            hidden += not comment.is_visible
    output.finish()
    hidden += output.hidden + beside.write_fields(out)
    beside.write_attachments(out)
    if hidden:
        out.notice("hidden-text", detail=hidden)


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
    if seen.repeated:
        out.notice("text-repeated", detail=seen.repeated)
    # Last, since a file of many pages may have more of these than notices are kept.
    _remark_on_pages("pages-without-text", seen.without_text, out)
    _remark_on_pages("text-recognised", seen.recognised, out)
    _remark_on_pages("layout-simplified", seen.simplified, out)


def _remark_on_pages(code: NoticeCode, numbers: Sequence[int], out: Builder) -> None:
    """A notice for each stretch of pages that follow one another: the first of them, and how many they are."""
    stretches: list[list[int]] = []
    for number in numbers:
        if stretches and number == sum(stretches[-1]):
            stretches[-1][1] += 1
        else:
            stretches.append([number, 1])
    for first, count in stretches:
        out.notice(code, Locator(page=first), count)
