"""The text of XML, whatever its vocabulary: what a parser's events say, as records and paragraphs.

    <book id="7"><title>Tides</title><year>1998</year></book>      a record: book id="7", title: Tides, year: 1998
    <p>Some <b>bold</b> text</p>                                    a paragraph, as is any long text
    <!-- what nobody sees -->                                       a comment that is not visible

Names are local ones: prefixes and namespaces say where a name is from, not what it names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from fumehood.document import Locator
from fumehood.limits.budget import Budget
from fumehood.limits.xml import Counter
from fumehood.loaders.shared.builder import MAX_NAME, Builder, name

_LONG: Final = 200
"""Characters from which a text is prose and no field."""
_LINES_OF_A_RECORD: Final = 20


class _Piece(NamedTuple):
    """A run of text, an element that holds no other, the attributes of one that does, or a comment.

    `path` is its element's; pieces of one `group`, a path as well, may stand in one record.
    """

    kind: Literal["run", "element", "comment"]
    label: str
    text: str
    path: str
    group: str
    has_attributes: bool = False


class _Mixed(NamedTuple):
    """The pieces `first` to `last`, exclusive, are one text: that of an element which holds text and elements."""

    first: int
    last: int
    path: str


@dataclass(slots=True)
class _Open:
    """An element that is open. `first` is the place of its first piece."""

    label: str
    path: str
    first: int
    has_attributes: bool
    has_text: bool = False
    has_children: bool = False
    counts: dict[str, int] = field(default_factory=dict)


class ElementText:
    """Takes a parser's events; :meth:`say` writes the document, once it is known to be whole.

    Raises the refusals `xml-elements`, `nesting` and `nodes`.
    """

    def __init__(self, out: Builder, budget: Budget) -> None:
        self._out = out
        self._counter = Counter(budget)
        self._open: list[_Open] = []
        self._run: list[str] = []
        self._pieces: list[_Piece] = []
        self._mixed: list[_Mixed] = []  # in order, disjoint

    # ---- events ----------------------------------------------------------------------------------

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._end_run()
        self._counter.start(len(self._open) + 1, len(attributes))
        local = tag.rpartition("}")[2]
        path = self._path(local)
        label = local + "".join(
            f' {key.rpartition("}")[2]}="{" ".join(value.split())}"' for key, value in attributes.items()
        )
        self._open.append(_Open(label, path, len(self._pieces), bool(attributes)))
        if attributes:
            self._pieces.append(_Piece("element", label, "", path, path, True))

    def data(self, text: str) -> None:
        self._run.append(text)

    def end(self, _tag: str) -> None:
        self._end_run()
        element = self._open.pop()
        group = self._open[-1].path if self._open else ""
        if not element.has_children:
            text = "".join(piece.text for piece in self._pieces[element.first :] if piece.kind == "run")
            comments = [piece for piece in self._pieces[element.first :] if piece.kind == "comment"]
            del self._pieces[element.first :]
            if text.strip() or element.has_attributes:
                self._pieces.append(_Piece("element", element.label, text, element.path, group, element.has_attributes))
            self._pieces += comments
        elif element.has_text:
            while self._mixed and self._mixed[-1].first >= element.first:
                self._mixed.pop()
            self._mixed.append(_Mixed(element.first, len(self._pieces), element.path))

    def comment(self, text: str) -> None:
        self._end_run()
        path = self._open[-1].path if self._open else ""
        self._pieces.append(_Piece("comment", "", text, path, path))

    def close(self) -> None:
        """The parser has come to the end."""

    def _end_run(self) -> None:
        if not self._run:
            return
        text = "".join(self._run)
        self._run.clear()
        self._counter.text(len(text))
        if self._open:
            element = self._open[-1]
            if text.isspace():
                text = "\n" if "\n" in text else " "
            else:
                element.has_text = True
            self._pieces.append(_Piece("run", "", text, element.path, element.path))

    def _path(self, local: str) -> str:
        """Of the element that starts; the second of a name is `[2]` (XPath 1.0, 2.5). Cut where a locator would be."""
        if not self._open:
            return f"/{local}"[:MAX_NAME]
        around = self._open[-1]
        around.has_children = True
        count = around.counts.get(local, 0) + 1
        around.counts[local] = count
        return f"{around.path}/{local}{f'[{count}]' if count > 1 else ''}"[:MAX_NAME]

    # ---- the document ----------------------------------------------------------------------------

    def say(self) -> None:
        """Writes all that was found, in order."""
        record = _Record(self._out)
        left_out = at = 0
        for mixed in self._mixed:
            for piece in self._pieces[at : mixed.first]:
                record.add(piece)
            within = self._pieces[mixed.first : mixed.last]
            record.prose("".join(piece.text for piece in within if piece.kind != "comment"), mixed.path)
            for piece in within:
                if piece.kind == "comment":
                    record.add(piece)
            left_out += sum(piece.has_attributes for piece in within)
            at = mixed.last
        for piece in self._pieces[at:]:
            record.add(piece)
        record.end()
        if record.hidden:
            self._out.notice("hidden-text", detail=record.hidden)
        if left_out:
            self._out.notice("layout-simplified", detail=left_out)


class _Record:
    """Writes the document. Collects short fields of one element, and writes what is no field by itself. `hidden`: comments that it wrote."""

    def __init__(self, out: Builder) -> None:
        self._out = out
        self._lines: list[str] = []
        self._group = ""
        self.hidden = 0

    def add(self, piece: _Piece) -> None:
        if piece.kind == "run":
            return
        text = piece.text.strip()
        if piece.kind == "comment":
            self.end()
            self.hidden += bool(text)
            self._out.paragraph(text, role="comment", locator=_locator(piece.path), visible=False)
        elif len(text) > _LONG:
            self.prose(f"{piece.label}: {text}" if piece.has_attributes else text, piece.path)
        else:
            if piece.group != self._group or len(self._lines) == _LINES_OF_A_RECORD:
                self.end()
                self._group = piece.group
            self._lines.append(f"{piece.label}: {' '.join(text.split())}" if text else piece.label)

    def prose(self, text: str, path: str) -> None:
        """Writes what is no field."""
        self.end()
        self._out.paragraph(text, locator=_locator(path))

    def end(self) -> None:
        """Writes the fields so far."""
        if self._lines:
            self._out.paragraph("\n".join(self._lines), role="record", locator=_locator(self._group))
            self._lines = []


def _locator(path: str) -> Locator | None:
    found = name(path)
    return None if found is None else Locator(path=found)
