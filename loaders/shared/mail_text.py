"""Bodies of mail in plain text: paragraphs and quotes, flowed (RFC 3676) or not; and enriched text (RFC 1896)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from fumehood.document import line_locator
from fumehood.loaders.shared.builder import Builder

_QUOTE_MARKS: Final = re.compile(r"(?:> ?)*")
_FLOWED_MARKS: Final = re.compile(r">*")
_SIGNATURE: Final = "-- "
_TAG: Final = re.compile(r"<<|</?([A-Za-z0-9-]{1,60})>")
_LINE_ENDS: Final = re.compile(r"\n+")


class _Line(NamedTuple):
    """A line as it was before it was wrapped: the depth of its quotes, its text, and the lines it stands on."""

    depth: int
    text: str
    first: int
    last: int


def say(text: str, parameters: Mapping[str, str], out: Builder) -> None:
    """Says `text`, whose `Content-Type` has `parameters`: a `paragraph` or `quote` for each run of lines that are not blank.

    Marks of quotes within quotes stay in the text. Linear.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if parameters.get("format", "").lower() == "flowed":
        logical = _flowed(lines, parameters.get("delsp", "").lower() == "yes")
    else:
        logical = _fixed(lines)
    run: list[_Line] = []
    for line in logical:
        if run and (not line.text.strip() or line.depth != run[0].depth):
            _say_run(run, out)
            run = []
        if line.text.strip():
            run.append(line)
    _say_run(run, out)


def _say_run(run: list[_Line], out: Builder) -> None:
    if not run:
        return
    locator = line_locator(run[0].first, run[-1].last)
    marks = "> " * (run[0].depth - 1)
    text = "\n".join(marks + line.text for line in run)
    if run[0].depth:
        out.quote(text, locator=locator)
    else:
        out.paragraph(text, locator=locator)


def _fixed(lines: list[str]) -> Iterator[_Line]:
    for number, line in enumerate(lines, 1):
        marks = _QUOTE_MARKS.match(line)
        end = 0 if marks is None else marks.end()
        yield _Line(line.count(">", 0, end), line[end:], number, number)


def _flowed(lines: list[str], delsp: bool) -> Iterator[_Line]:
    """RFC 3676, 4: a line that ends in a space goes on in the next one, if that is quoted as deep."""
    pieces: list[str] = []
    depth = first = 0
    for number, line in enumerate(lines, 1):
        marks = _FLOWED_MARKS.match(line)
        end = 0 if marks is None else marks.end()
        text = line[end:].removeprefix(" ")
        if pieces and (end != depth or text == _SIGNATURE):
            yield _Line(depth, "".join(pieces), first, number - 1)
            pieces = []
        if not pieces:
            depth, first = end, number
        is_soft = text.endswith(" ") and text != _SIGNATURE
        pieces.append(text[:-1] if is_soft and delsp else text)
        if not is_soft:
            yield _Line(depth, "".join(pieces), first, number)
            pieces = []
    if pieces:
        yield _Line(depth, "".join(pieces), first, len(lines))


def plain_of(text: str, *, is_richtext: bool) -> str:
    """The words of enriched text (RFC 1896), or of the richtext before it (RFC 1341, 7.1.3), which has its line ends marked."""
    pieces: list[str] = []
    at = 0
    held: int | None = None  # where what nobody sees began; without an end it is seen after all
    for tag in _TAG.finditer(text):
        pieces.append(_unwrapped(text[at : tag.start()], is_richtext))
        at = tag.end()
        name = (tag[1] or "").lower()
        if tag[0] == "<<":
            pieces.append("<")
        elif name in _UNSEEN and tag[0][1] != "/":
            held = len(pieces) if held is None else held
        elif name in _UNSEEN and held is not None:
            del pieces[held:]
            held = None
        elif is_richtext and name in _RICHTEXT:
            pieces.append(_RICHTEXT[name])
    pieces.append(_unwrapped(text[at:], is_richtext))
    return "".join(pieces)


_UNSEEN: Final = frozenset({"param", "comment"})
_RICHTEXT: Final[Mapping[str, str]] = {"nl": "\n", "lt": "<", "np": "\n\n", "paragraph": "\n\n"}


def _unwrapped(text: str, is_richtext: bool) -> str:
    """One line end is a space, of more there is one less (RFC 1896); in richtext all are spaces."""
    return _LINE_ENDS.sub(lambda run: " " if is_richtext or len(run[0]) == 1 else run[0][1:], text.replace("\r", ""))
