"""What a PDF holds beside the contents of its pages: annotations, outline, labels, tags, attachments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pdfminer.pdftypes import resolve1

from fumehood.document import Locator
from fumehood.loaders.shared import pdf_annotations, pdf_attachments, pdf_outline, pdf_unplaced
from fumehood.loaders.shared.builder import Builder, name
from fumehood.loaders.shared.pdf_annotations import Comment
from fumehood.loaders.shared.pdf_content import Drawer
from fumehood.loaders.shared.pdf_destinations import Destinations, page_numbers
from fumehood.loaders.shared.pdf_file import PdfFile, dictionary, identity
from fumehood.loaders.shared.pdf_geometry import Matrix
from fumehood.loaders.shared.pdf_glyphs import Canvas
from fumehood.loaders.shared.pdf_headings import title_key
from fumehood.loaders.shared.pdf_labels import Labels
from fumehood.loaders.shared.pdf_pages import Page
from fumehood.loaders.shared.pdf_structure import Structure

_LONGEST_HEADING = 200


class Beside:
    """Of one document. `drawer` draws its pages, and its annotations with either engine."""

    def __init__(self, file: PdfFile, listed: Sequence[Page]) -> None:
        self.drawer = Drawer(file.catalog)
        self._file = file
        self._pages = listed
        self._destinations = Destinations(file, page_numbers([page.number for page in listed]), len(listed))
        self._labels = Labels(file.catalog, file.budget)
        self._structure = Structure(file)
        self._tagged: dict[str, int] = {}
        self._files: list[tuple[int, Any]] = []
        self._dropped = 0
        self._placed: dict[int, Any] = {}
        self._are_stale = resolve1(dictionary(file.catalog.get("AcroForm")).get("NeedAppearances")) is True

    def draw(self, page: Page, number: int, canvas: Canvas, matrix: Matrix) -> list[Comment]:
        """Draws a page's annotations onto its canvas. Returns its comments."""
        self._note_headings(page, canvas)
        canvas.items = self._structure.items.get(page.number or 0, {})
        remarks = pdf_annotations.draw(
            page, self.drawer, self._destinations, canvas, matrix, self._file.budget, are_stale=self._are_stale
        )
        self._placed.update((identity(widget), widget) for widget in remarks.widgets)
        self._files.extend((number, specification) for specification in remarks.files)
        self._dropped += remarks.dropped
        return remarks.comments

    def _note_headings(self, page: Page, canvas: Canvas) -> None:
        """What is written within the marks of headings: each element's text as it will stand on the page."""
        levels = self._structure.headings.get(page.number or 0)
        if not levels:
            return
        texts: dict[int, list[str]] = {}
        for runs in canvas.runs.values():
            for run in runs:
                mark = run.style.mark
                if mark is not None and mark in levels:
                    texts.setdefault(mark, []).append(run.text)
        for mark, parts in texts.items():
            key = title_key("".join(parts)[:_LONGEST_HEADING])
            if key:
                self._tagged.setdefault(key, levels[mark])

    def levels(self) -> dict[str, int]:
        """Levels of headings by the keys of their titles. Tags say more than the outline, which may skip some."""
        found: dict[str, int] = {}
        for entry in pdf_outline.read(self._file.catalog, self._file.budget):
            key = title_key(entry.title)
            if key:
                found.setdefault(key, entry.level)
        return found | self._tagged

    def locator(self, number: int) -> Locator:
        """Of a page; its label, where it has one, is its `part`."""
        return Locator(page=number, part=self._labels.label(number))

    def alternates(self, number: int) -> Iterable[str]:
        """Alternate texts of the pictures on a page."""
        page = self._pages[number - 1].number
        return () if page is None else self._structure.alternates.get(page, ())

    def write_fields(self, out: Builder) -> int:
        """What was filled in, but is on no page. Returns how many fields: nobody sees them."""
        count = 0
        for field in pdf_unplaced.unplaced(self._file.catalog, self._placed, self._file.budget):
            said = f"{field.label}: {field.value}" if field.label else field.value
            out.paragraph(said, locator=Locator(path=name(field.name)), visible=False)
            count += 1
        return count

    def write_attachments(self, out: Builder) -> None:
        """The files within, and a notice of the links that were not kept."""
        pdf_attachments.write(self._file, self._files, out)
        if self._dropped:
            out.notice("link-dropped", detail=self._dropped)
