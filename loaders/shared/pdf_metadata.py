"""What a PDF says about itself (ISO 32000-2, 14.3), and what it holds that is not read (7.7.2)."""

from __future__ import annotations

from typing import Final

from fumehood.loaders.shared import pdf_xmp
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.pdf_file import PdfFile, dictionary
from fumehood.loaders.shared.pdf_strings import date, text_string

_KEYS: Final = (("author", "Author"), ("subject", "Subject"), ("keywords", "Keywords"))


def describe(file: PdfFile, out: Builder) -> None:
    """Sets title and metadata, by the information dictionary and, where that says nothing, by XMP (14.3.2).

    Says what the catalog holds that is not read.
    """
    info = dictionary(file.trailer.get("Info"))
    out.set_title(text_string(info.get("Title")))
    for key, name in _KEYS:
        out.set_metadata(key, text_string(info.get(name)))
    for key, name in (("created", "CreationDate"), ("modified", "ModDate")):
        moment = date(info.get(name))
        if moment is not None:
            out.set_metadata(key, moment)
    out.set_metadata("generator", text_string(info.get("Producer")) or text_string(info.get("Creator")))
    out.set_metadata("language", text_string(file.catalog.get("Lang")))
    for key, value in pdf_xmp.properties(file.catalog.get("Metadata"), out, file.budget).items():
        if key == "title":
            out.set_title(out.title or value)
        elif key not in out.metadata:
            out.set_metadata(key, value)
    _remark_on_catalog(file, out)


def _remark_on_catalog(file: PdfFile, out: Builder) -> None:
    names = dictionary(file.catalog.get("Names"))
    action = dictionary(file.catalog.get("OpenAction"))
    if "JavaScript" in names or "JS" in action or "AA" in file.catalog:
        out.notice("script-present", detail="javascript")
    if "XFA" in dictionary(file.catalog.get("AcroForm")):
        out.notice("object-not-read", detail="xfa")
