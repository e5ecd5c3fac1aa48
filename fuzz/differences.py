"""Targets that compare a loader with another reader of the format, where both read what they were given."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Final

from fumehood import kinds
from fumehood.document import Document
from fumehood.errors import Refusal
from fumehood.fuzz.bomb import READ
from fumehood.fuzz.oracle import broken, check_refusal
from fumehood.fuzz.reads import attempt, checked
from fumehood.fuzz.target import FUZZ_LIMITS, Target
from fumehood.hygiene import clean
from fumehood.kinds import ReadOptions
from fumehood.sandbox.loading import read_in_process

_WORD: Final = re.compile(r"[^\W_]+")
_SEPARATOR_LINE: Final = re.compile(r"\s*\"?sep=", re.IGNORECASE)
"""What a spreadsheet writes above a table to name its delimiter; to the standard library it is a row."""
_MANY_WORDS: Final = 20
_DELIMITERS: Final = ",;\t|"


def targets() -> Iterator[Target]:
    """Those whose other reader is here."""
    yield Target("differ:csv", csv_cells, "csv")
    if find_spec("docx") is not None:
        yield Target("differ:docx", docx_words, "docx")
    if len(kinds.get("pdf").engines) > 1:
        yield Target("differ:pdf", pdf_engines, "pdf")


# ---- the engines of PDF ---------------------------------------------------------------------------------------------------


def pdf_engines(data: bytes) -> str:
    """Every engine keeps the promises; they agree on what is encrypted; none loses, without a word, what another finds."""
    kind = kinds.get("pdf")
    read = {engine: attempt(kind, data, ReadOptions(engine=engine), FUZZ_LIMITS) for engine in kind.engines}
    for outcome in read.values():
        checked(outcome, kind, FUZZ_LIMITS)
    codes = [outcome.code if isinstance(outcome, Refusal) else READ for outcome in read.values()]
    if "encrypted" in codes and READ in codes:
        broken("encrypted to one engine, read by another", codes)
    silent = [
        len(_WORD.findall(each.text)) for each in read.values() if isinstance(each, Document) and not each.notices
    ]
    if silent and min(silent) == 0 and max(silent) >= _MANY_WORDS:
        broken("words of which an engine says nothing", silent)
    return codes[0]


def _read(kind: str, data: bytes) -> Document | str:
    """The document, or the code of its refusal."""
    try:
        return read_in_process(kinds.get(kind), data, FUZZ_LIMITS)
    except Refusal as refused:
        check_refusal(refused, FUZZ_LIMITS)
        return refused.code


# ---- CSV and the standard library ----------------------------------------------------------------------------------------


def csv_cells(data: bytes) -> str:
    """What was read without a notice has the words of some delimiter's cells, in their order."""
    ours = _read("csv", data)
    if isinstance(ours, str):
        return ours
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return READ
    if ours.notices or clean(text)[1] or _SEPARATOR_LINE.match(text):
        return READ
    found = _WORD.findall(ours.text.replace("<br>", " "))
    if all(found != _cell_words(text, delimiter) for delimiter in _DELIMITERS):
        broken("a table of other words than the standard library's", found)
    return READ


def _cell_words(text: str, delimiter: str) -> list[str]:
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    return [word for row in rows for cell in row for word in _WORD.findall(cell.replace("<br>", " "))]


# ---- Word documents and python-docx ----------------------------------------------------------------------------------------


def docx_words(data: bytes) -> str:
    """Every word that python-docx finds in paragraphs, those of tables among them, is in our text."""
    ours = _read("docx", data)
    if isinstance(ours, str):
        return ours
    # Where a word ends is what readers may differ about: between runs, say, with text between them that is none.
    letters = "".join(_WORD.findall(ours.text))
    missing = {word for word in _docx_words(data) if word not in letters}
    if missing:
        broken("words that another reader finds", sorted(missing))
    return READ


def _docx_words(data: bytes) -> set[str]:
    """Nothing where it finds no way in: it has no errors of its own that one could name."""
    import docx
    from docx.oxml.ns import qn
    from docx.text.paragraph import Paragraph

    try:
        document = docx.Document(io.BytesIO(data))
        texts = [Paragraph(each, document.part).text for each in document.element.body.iter(qn("w:p"))]
    except Exception:
        return set()
    return {word for text in texts for word in _WORD.findall(text)}
