"""Text as it stands: the source is the document's text, runs of lines that are not blank are its paragraphs."""

from __future__ import annotations

import re
from typing import Final

from fumehood.document import line_locator
from fumehood.loaders.shared.builder import Builder

# Possessive, so that a million blank lines are one match in linear time.
_GAP: Final = re.compile(r"(?:\A|\n)(?:[^\S\n]*+\n)++")


def plain(text: str, out: Builder) -> None:
    """Makes `text` the document, word for word, with a `paragraph` over each run of lines that are not blank.

    Locators have `line` and, where there is more than one, `line_end`. Linear in `text`. Within another document,
    whose text is Markdown, it is said paragraph by paragraph instead.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n") if out.is_within else out.verbatim(text)
    at, line = 0, 1
    for gap in _GAP.finditer(text):
        _paragraph(text, at, gap.start(), line, out)
        line += text.count("\n", at, gap.end())
        at = gap.end()
    _paragraph(text, at, len(text), line, out)


def _paragraph(text: str, start: int, end: int, line: int, out: Builder) -> None:
    body = text[start:end].rstrip()
    if not body:
        return
    last = line + body.count("\n")
    locator = line_locator(line, last)
    if out.is_within:
        out.paragraph(body, locator=locator)
    else:
        out.span(start, start + len(body), "paragraph", locator=locator)
