"""Files within a PDF (ISO 32000-2, 7.11.4, 12.5.6.15): of the document, and pinned to its pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pdfminer.pdftypes import PDFStream, resolve1

from fumehood.document import Locator
from fumehood.hygiene import clean_line
from fumehood.loaders.shared import pdf_trees
from fumehood.loaders.shared.attachments import attach
from fumehood.loaders.shared.builder import MAX_NAME, Builder
from fumehood.loaders.shared.pdf_file import PdfFile, array_of, dictionary, identity
from fumehood.loaders.shared.pdf_strings import text_string

_FILES = ("UF", "F", "DOS", "Mac", "Unix")
"""Of a file specification, the same file by names of different systems (table 43)."""


def write(file: PdfFile, pinned: list[tuple[int, Any]], out: Builder) -> None:
    """Says each file once: those of the name tree, associated ones, then those pinned to pages, with their page.

    Spends `parts`.
    """
    seen: dict[int, PDFStream] = {}
    for page, specification in _all(file, pinned):
        spec = dictionary(specification)
        stream = _stream(spec)
        if stream is not None and identity(stream) in seen:
            continue
        file.budget.spend("parts")
        name = clean_line(next((name for key in _FILES if (name := text_string(spec.get(key)))), ""))[:MAX_NAME]
        if stream is None:
            out.notice("part-missing", Locator(page=page, path=name or None), "attachment")
            continue
        seen[identity(stream)] = stream
        subtype = getattr(resolve1(stream.attrs.get("Subtype")), "name", "")
        attach(
            # Only for a reader of it: an attachment that nobody asked for is not inflated.
            stream.get_data() if out.nested is not None else b"",
            out,
            file.budget,
            Locator(page=page, path=name or None),
            name=name,
            media_type=subtype,
        )


def _all(file: PdfFile, pinned: list[tuple[int, Any]]) -> Iterator[tuple[int | None, Any]]:
    names = dictionary(file.catalog.get("Names"))
    for _, specification in pdf_trees.entries(names.get("EmbeddedFiles"), "Names", file.budget):
        yield None, specification
    for specification in array_of(file.catalog.get("AF")):
        yield None, specification
    yield from pinned


def _stream(specification: dict[str, Any]) -> PDFStream | None:
    embedded = dictionary(specification.get("EF"))
    for key in _FILES:
        stream = resolve1(embedded.get(key))
        if isinstance(stream, PDFStream):
            return stream
    return None
