"""Markdown's block structure as spans over the source: CommonMark 0.31 with GitHub's tables and footnotes.

One pass, line by line, without a tree: the open containers (quotes, list items, footnotes) are a stack,
and below them stands at most one open leaf. Whatever the input, the work grows with its length:

- a line pays for the container marks it shows; a blank line, which shows none, skips all list items at once;
- whether a line is a thematic break is decided once for the line, not once for each mark in it;
- below `MAX_DEPTH` containers further marks are text.

What is a block here, where the specification leaves it to the reader of its tree:

- A block starts with the marks on its first line (`>`, `-`, `1.`, `#`) and holds those inside it.
- Text in a quote has the role `quote`, in a list item `list-item`, in a footnote `note`: the innermost counts.
  A heading inside one of them is its text, since it heads no section of the document.
- Code and tables are themselves wherever they stand. An item that begins with one gives its mark as a block.
- Comments, scripts, styles, processing instructions and link reference definitions are invisible blocks.
- Thematic breaks and the marks of empty lines in a quote belong to none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from enum import Enum
from typing import Final, Literal, NamedTuple

from fumehood.markdown_grammar import (
    ATX,
    BULLET,
    DEFINITION,
    DELIMITER_ROW,
    FENCE,
    FENCE_CLOSING,
    FOOTNOTE,
    HTML_ENDS,
    HTML_HIDDEN,
    HTML_START,
    HTML_TAG_ALONE,
    ORDERED,
    SETEXT,
    SPACES,
    cells,
    is_definition,
    reference_label,
)

MAX_DEPTH: Final = 1_000
"""Containers within each other; honest documents have fewer than ten."""

Content = Literal["inline", "code", "html", "definitions"]
"""How the text of a block is read: only in `inline` are there links; `definitions` are of link references."""

SpanRole = Literal["heading", "paragraph", "list-item", "table-row", "code", "quote", "note", "comment"]


class Span(NamedTuple):
    """A leaf: `text[start:end]` on lines `line` to `line_end`, counting from 1, both inclusive.

    - `level`: of a heading, the depth of a list item, 1 on a table's header row.
    - `group`: one number for all items of a list or rows of a table.
    - `visible`: False for what a browser would not show.
    """

    start: int
    end: int
    role: SpanRole
    level: int | None
    group: int | None
    line: int
    line_end: int
    visible: bool = True
    content: Content = "inline"


def scan(text: str, references: MutableMapping[str, str] | None = None) -> Iterator[Span]:
    """The blocks of `text`, in order, disjoint, none empty. Lines end with a newline character only.

    Link reference definitions are added to `references`: normalised label (see :func:`reference_label`)
    to destination, as written. It is whole once the iterator is at its end.
    """
    scanner = _Scanner(text, {} if references is None else references)
    start, number, size = 0, 0, len(text)
    while start < size:
        end = text.find("\n", start)
        if end < 0:
            end = size
        number += 1
        scanner.line(start, end, number)
        if scanner.done:
            yield from scanner.done
            scanner.done.clear()
        start = end + 1
    scanner.finish()
    yield from scanner.done


_STRUCTURAL: Final = frozenset(" \t>#`~<=-*_+|:[0123456789")
"""First characters of a line that may be more than a paragraph's text."""


class _Leaf(Enum):
    NONE = 0
    PARAGRAPH = 1
    FENCED = 2
    INDENTED = 3
    HTML = 4
    TABLE = 5


class _Found(Enum):
    """What stands at the cursor."""

    TEXT = 0
    CONTAINER = 1
    LEAF = 2


class _Inside(NamedTuple):
    """What the text in a container is: its role, and for list items depth and list."""

    role: SpanRole
    level: int | None = None
    group: int | None = None


class _List(NamedTuple):
    """A list that the next item may still join: its bullet or delimiter (CommonMark 5.3), and its number."""

    kind: str
    group: int


class _Marker(NamedTuple):
    """The marks of an item that has no text yet: `text[start:end]`, the item `depth` containers deep."""

    start: int
    end: int
    inside: _Inside
    line: int
    depth: int


_QUOTE: Final = 0
"""In the stack of containers; a positive number is an item or footnote, and the columns its lines are indented by."""
_TOP: Final = _Inside("paragraph")
_FOOTNOTE_INDENT: Final = 4


class _Scanner:
    """The state between two lines."""

    def __init__(self, text: str, references: MutableMapping[str, str]) -> None:
        self.done: list[Span] = []
        self._text = text
        self._references = references
        # The open containers, outermost first; `_inside` and `_lists` have one more, for the document itself.
        self._stack: list[int] = []
        self._quotes: list[int] = []
        self._inside: list[_Inside] = [_TOP]
        self._lists: list[_List | None] = [None]
        self._groups = 0
        # The line: its end, number and first character that is no white space; the cursor: the next such
        # character and its column, and the column up to which containers have taken the line.
        self._end = self._number = self._lead = 0
        self._at = self._at_column = self._column = 0
        self._matched = 0  # how many containers the line has continued or opened
        self._fresh = 0  # where the last item mark of this line ends, 0 without one
        self._tails: dict[str, int] = {}
        self._marker: _Marker | None = None
        # The open leaf: where it starts, and where it ended when it was last seen to go on.
        self._leaf = _Leaf.NONE
        self._start = self._first = 0
        self._last = self._last_number = 0
        # A paragraph: where the text of its first and last line starts, and of all lines if definitions may be among them.
        self._text_start = self._last_text_start = 0
        self._lines: list[int] = []
        self._swallowed: _Marker | None = None
        self._fence = ("", 0)
        self._html = ""
        self._visible = True
        self._table = 0

    # ---- lines -----------------------------------------------------------------------------------

    def line(self, start: int, end: int, number: int) -> None:
        """Takes the line `text[start:end]`."""
        self._end, self._number = end, number
        if self._leaf is _Leaf.PARAGRAPH and not self._stack and start < end and self._text[start] not in _STRUCTURAL:
            self._extend_paragraph(start)
            return
        self._column = self._fresh = 0
        if self._tails:
            self._tails = {}
        self._skip_spaces(start, 0)
        self._lead = self._at
        matched = self._match_containers()
        if matched == len(self._stack) and self._leaf in _CONTINUED and _CONTINUED[self._leaf](self):
            return
        if self._at == end:
            self._close_to(matched)
            return
        self._open_blocks(matched)

    def finish(self) -> None:
        """Closes what is open at the end of the text."""
        self._close_to(0)
        self._flush_marker()

    def _skip_spaces(self, position: int, column: int) -> None:
        """Moves the cursor to the next character that is no white space; tab stops are four apart (CommonMark 2.2)."""
        match = SPACES.match(self._text, position, self._end)
        at = position if match is None else match.end()
        if self._text.find("\t", position, at) < 0:
            self._at_column = column + at - position
        else:
            phase = column % 4
            self._at_column = column - phase + len((" " * phase + self._text[position:at]).expandtabs(4))
        self._at = at

    def _match_containers(self) -> int:
        """How many of the open containers the line continues (CommonMark appendix, phase 1)."""
        stack = self._stack
        matched = quotes = 0
        while matched < len(stack):
            if self._at == self._end:
                return self._match_blank(quotes)
            width = stack[matched]
            indent = self._at_column - self._column
            if width == _QUOTE:
                if indent > 3 or self._text[self._at] != ">":
                    break
                self._take_quote_mark()
                quotes += 1
            elif indent >= width:
                self._column += width
            else:
                break
            matched += 1
        return matched

    def _match_blank(self, quotes: int) -> int:
        """A blank line continues all items up to the next quote, but not an item that began with one (5.2)."""
        matched = self._quotes[quotes] if quotes < len(self._quotes) else len(self._stack)
        hollow = self._marker is not None and self._marker.depth == len(self._stack)
        return matched - 1 if hollow and matched == len(self._stack) else matched

    def _take_quote_mark(self) -> None:
        after = self._at + 1
        self._column = self._at_column + 1
        self._skip_spaces(after, self._column)
        if self._at > after:
            self._column += 1

    def _open_blocks(self, matched: int) -> None:
        """Phase 2: new containers, then the leaf that the rest of the line starts or continues."""
        self._matched = matched
        while self._at < self._end:
            if self._at_column - self._column >= 4:
                if self._leaf is not _Leaf.PARAGRAPH:
                    self._indented_code()
                    return
                break
            start = _STARTS.get(self._text[self._at])
            found = _Found.TEXT if start is None else start(self)
            if found is _Found.LEAF:
                return
            if found is _Found.TEXT:
                break
        self._take_text()

    def _take_text(self) -> None:
        if self._at == self._end:
            self._hold_marker()
        elif self._leaf is _Leaf.PARAGRAPH:
            # Complete or lazy (5.1): a paragraph is only open here if nothing else was opened on this line.
            self._extend_paragraph(self._at)
        elif self._leaf is _Leaf.TABLE and self._matched == len(self._stack):
            self._emit(self._lead, self._end, "table-row", None, self._table, self._number, self._number)
        else:
            self._begin(_Leaf.PARAGRAPH, own_role=False)
            self._text_start = self._last_text_start = self._at
            self._lines = [self._at] if self._text[self._at] == "[" else []

    def _extend_paragraph(self, at: int) -> None:
        self._last_text_start = at
        if self._lines:
            self._lines.append(at)
        self._last, self._last_number = self._end, self._number

    def _extend(self) -> None:
        if self._at < self._end:
            self._last, self._last_number = self._end, self._number

    def _in_paragraph(self) -> bool:
        """Whether the line continues a paragraph unless it starts something else, not counting lazy lines."""
        return self._leaf is _Leaf.PARAGRAPH and self._matched == len(self._stack)

    # ---- containers ------------------------------------------------------------------------------

    def _push(self, width: int, inside: _Inside) -> None:
        if width == _QUOTE:
            self._quotes.append(len(self._stack))
        self._stack.append(width)
        self._inside.append(inside)
        self._lists.append(None)
        self._matched = len(self._stack)

    def _close_to(self, depth: int) -> None:
        """Closes the open leaf and all containers but the outermost `depth`."""
        self._close_leaf()
        if depth < len(self._stack):
            del self._stack[depth:]
            del self._inside[depth + 1 :]
            del self._lists[depth + 1 :]
            while self._quotes and self._quotes[-1] >= depth:
                self._quotes.pop()

    def _quote(self) -> _Found:
        if self._matched >= MAX_DEPTH:
            return _Found.TEXT
        self._close_to(self._matched)
        self._lists[-1] = None
        self._take_quote_mark()
        self._push(_QUOTE, _Inside("quote"))
        return _Found.CONTAINER

    def _bullet_item(self) -> _Found:
        match = BULLET.match(self._text, self._at, self._end)
        return _Found.TEXT if match is None else self._item(match.end(), match[0], interrupts=True)

    def _ordered_item(self) -> _Found:
        match = ORDERED.match(self._text, self._at, self._end)
        if match is None:
            return _Found.TEXT
        return self._item(match.end(), match[0][-1], interrupts=int(match[1]) == 1)

    def _item(self, mark_end: int, kind: str, *, interrupts: bool) -> _Found:
        """A list item (CommonMark 5.2). Only one that starts with 1 and has text interrupts a paragraph."""
        if self._matched >= MAX_DEPTH:
            return _Found.TEXT
        if self._in_paragraph() and not (interrupts and self._text[mark_end : self._end].strip(" \t")):
            return _Found.TEXT
        self._close_to(self._matched)
        joined = self._lists[-1]
        if joined is None or joined.kind != kind:
            self._groups += 1
            joined = self._lists[-1] = _List(kind, self._groups)
        depth = 1 + next((inside.level for inside in reversed(self._inside) if inside.level is not None), 0)
        self._take_item_mark(mark_end, _Inside("list-item", depth, joined.group))
        return _Found.CONTAINER

    def _take_item_mark(self, mark_end: int, inside: _Inside) -> None:
        """Takes the mark and the white space after it; the item's lines are indented by both."""
        indent = self._at_column - self._column
        width = indent + mark_end - self._at
        self._column += width
        self._skip_spaces(mark_end, self._column)
        spaces = self._at_column - self._column
        if self._at == self._end or spaces > 4:
            spaces = 1
        self._column += spaces
        self._fresh = mark_end
        self._push(width + spaces, inside)

    def _footnote(self) -> _Found:
        """A footnote's definition, as GitHub reads it: its later lines are indented by four."""
        match = FOOTNOTE.match(self._text, self._at, self._end)
        if match is None or self._matched >= MAX_DEPTH:
            return _Found.TEXT
        self._close_to(self._matched)
        self._lists[-1] = None
        self._column = self._at_column + match.end() - self._at
        self._fresh = match.end()
        self._skip_spaces(match.end(), self._column)
        self._column = self._at_column
        self._push(_FOOTNOTE_INDENT, _Inside("note"))
        return _Found.CONTAINER

    # ---- leaves ----------------------------------------------------------------------------------

    def _begin(self, leaf: _Leaf, *, own_role: bool) -> None:
        """Opens a leaf at the cursor, with the marks before it on its line, or those of an item that waits for text.

        A leaf with a role of its own does not take an item's mark; that becomes a block.
        """
        self._close_to(self._matched)
        self._lists[-1] = None
        inside = self._inside[-1]
        takes_marker = not own_role and inside.role in ("list-item", "note")
        self._swallowed = None
        self._start, self._first = self._lead, self._number
        if self._fresh and not takes_marker:
            self._hold_marker()
        elif self._fresh:
            self._swallowed = self._fresh_marker()
        waiting = self._marker
        if waiting is not None and takes_marker and not self._fresh and waiting.depth == len(self._stack):
            self._marker, self._swallowed = None, waiting
            self._start, self._first = waiting.start, waiting.line
        self._flush_marker()
        if self._fresh and not takes_marker:
            self._start = self._after_spaces(self._fresh)
        self._leaf = leaf
        self._visible = True
        self._last, self._last_number = self._end, self._number

    def _after_spaces(self, position: int) -> int:
        match = SPACES.match(self._text, position)
        return position if match is None else match.end()

    def _fresh_marker(self) -> _Marker:
        marked = max(index for index, inside in enumerate(self._inside) if inside.role != "quote")
        return _Marker(self._lead, self._fresh, self._inside[marked], self._number, len(self._stack))

    def _hold_marker(self) -> None:
        """Keeps the marks of this line's items until the text of the last one is found, or not."""
        if self._fresh:
            self._flush_marker()
            self._marker = self._fresh_marker()

    def _flush_marker(self) -> None:
        if self._marker is not None:
            start, end, inside, line, _ = self._marker
            self._marker = None
            self._emit(start, end, inside.role, inside.level, inside.group, line, line)

    def _emit(
        self,
        start: int,
        end: int,
        role: SpanRole,
        level: int | None,
        group: int | None,
        line: int,
        line_end: int,
        visible: bool = True,
        content: Content = "inline",
    ) -> None:
        text = self._text
        while text[end - 1] in " \t":
            end -= 1
        self.done.append(Span(start, end, role, level, group, line, line_end, visible, content))

    def _close_leaf(self) -> None:
        leaf, self._leaf = self._leaf, _Leaf.NONE
        if leaf is _Leaf.PARAGRAPH:
            if self._take_definitions():
                self._emit_text(*self._inside[-1])
        elif leaf is _Leaf.HTML:
            self._emit_html()
        elif leaf is _Leaf.FENCED or leaf is _Leaf.INDENTED:
            self._emit(self._start, self._last, "code", None, None, self._first, self._last_number, content="code")

    def _emit_text(self, role: SpanRole, level: int | None, group: int | None) -> None:
        self._emit(self._start, self._last, role, level, group, self._first, self._last_number)

    # ---- headings and thematic breaks --------------------------------------------------------------

    def _emit_heading(self, level: int) -> None:
        self._leaf = _Leaf.NONE
        if self._stack:
            self._emit_text(*self._inside[-1])
        else:
            self._emit_text("heading", level, None)

    def _atx_heading(self) -> _Found:
        match = ATX.match(self._text, self._at, self._end)
        if match is None:
            return _Found.TEXT
        self._begin(_Leaf.NONE, own_role=False)
        self._emit_heading(len(match[1]))
        return _Found.LEAF

    def _setext_heading(self) -> _Found:
        """An underline makes the paragraph above it a heading, unless that is nothing but definitions."""
        if not self._in_paragraph() or SETEXT.match(self._text, self._at, self._end) is None:
            return _Found.TEXT
        if not self._take_definitions():
            self._leaf = _Leaf.NONE
            return _Found.TEXT
        self._extend()
        self._emit_heading(1 if self._text[self._at] == "=" else 2)
        return _Found.LEAF

    def _dash(self) -> _Found:
        for start in (self._setext_heading, self._thematic_break, self._bullet_item):
            found = start()
            if found is not _Found.TEXT:
                return found
        return self._table_start()

    def _star(self) -> _Found:
        found = self._thematic_break()
        return self._bullet_item() if found is _Found.TEXT else found

    def _thematic_break(self) -> _Found:
        mark = self._text[self._at]
        if self._at < self._tail(mark) or self._text.count(mark, self._at, self._end) < 3:
            return _Found.TEXT
        self._begin(_Leaf.NONE, own_role=True)
        return _Found.LEAF

    def _tail(self, mark: str) -> int:
        """From where on the line holds nothing but `mark` and white space."""
        tail = self._tails.get(mark)
        if tail is None:
            tail = self._lead + len(self._text[self._lead : self._end].rstrip(mark + " \t"))
            self._tails[mark] = tail
        return tail

    # ---- code ------------------------------------------------------------------------------------

    def _indented_code(self) -> None:
        self._begin(_Leaf.INDENTED, own_role=True)
        if self._start == self._at == self._lead:
            # The first line keeps its indentation, so that the lines of the block line up.
            self._start = self._text.rfind("\n", 0, self._lead) + 1

    def _fenced_code(self) -> _Found:
        match = FENCE.match(self._text, self._at, self._end)
        if match is None:
            return _Found.TEXT
        self._begin(_Leaf.FENCED, own_role=True)
        self._fence = (self._text[self._at], len(match[1] or match[2]))
        return _Found.LEAF

    def _continue_fenced(self) -> bool:
        self._extend()
        if self._at < self._end and self._text[self._at] == self._fence[0] and self._at_column - self._column <= 3:
            match = FENCE_CLOSING.match(self._text, self._at, self._end)
            if match is not None and len(match[1]) >= self._fence[1]:
                self._close_leaf()
        return True

    def _continue_indented(self) -> bool:
        if self._at < self._end and self._at_column - self._column < 4:
            return False
        self._extend()
        return True

    # ---- HTML ------------------------------------------------------------------------------------

    def _html_block(self) -> _Found:
        match = HTML_START.match(self._text, self._at, self._end)
        if match is not None and match.lastgroup is not None:
            condition = match.lastgroup
        elif self._leaf is not _Leaf.PARAGRAPH and HTML_TAG_ALONE.match(self._text, self._at, self._end):
            condition = "block"
        else:
            return _Found.TEXT
        at = self._at
        visible = HTML_HIDDEN.match(self._text, at) is None
        # A visible item's mark is not hidden with what follows it.
        self._begin(_Leaf.HTML, own_role=not visible)
        self._html, self._visible = condition, visible
        self._end_html(at)
        return _Found.LEAF

    def _continue_html(self) -> bool:
        if self._at == self._end and self._html == "block":
            return False
        self._extend()
        self._end_html(self._at)
        return True

    def _end_html(self, at: int) -> None:
        """Closes the block if its end condition is met on this line; what follows a comment there is text."""
        end = HTML_ENDS.get(self._html)
        match = None if end is None else end.search(self._text, at, self._end)
        if match is None:
            return
        if self._html != "comment":
            self._close_leaf()
            return
        after = match.end()
        rest = self._after_spaces(after)
        while self._text.startswith("<!--", rest) and (closing := self._text.find("-->", rest, self._end)) >= 0:
            after = closing + 3
            rest = self._after_spaces(after)
        self._last = after
        self._close_leaf()
        if rest < self._end:
            role, level, group = self._inside[-1]
            self._emit(rest, self._end, role, level, group, self._number, self._number)

    def _emit_html(self) -> None:
        role, level, group = self._inside[-1]
        if self._html == "comment":
            role, level, group = "comment", None, None
        self._emit(self._start, self._last, role, level, group, self._first, self._last_number, self._visible, "html")

    # ---- tables ----------------------------------------------------------------------------------

    def _table_start(self) -> _Found:
        """GFM 4.10: a delimiter row below a line with as many cells, which must show a pipe."""
        text = self._text
        if not self._in_paragraph() or DELIMITER_ROW.match(text, self._at, self._end) is None:
            return _Found.TEXT
        at = self._last_text_start
        header = text[at : self._last].strip(" \t")
        delimiters = text[self._at : self._end].strip(" \t")
        if "|" not in header or cells(header) != cells(delimiters):
            return _Found.TEXT
        start, level = self._split_header(at), 1
        self._groups += 1
        self._table = self._groups
        self._emit(start, self._end, "table-row", level, self._table, self._number - 1, self._number)
        self._leaf = _Leaf.TABLE
        return _Found.LEAF

    def _split_header(self, at: int) -> int:
        """Ends the paragraph before its last line, which starts at `at`; returns where the header row starts."""
        if at != self._text_start:
            del self._lines[-1:]
            line_start = self._text.rfind("\n", 0, at)
            self._last, self._last_number = line_start, self._number - 2
            self._close_leaf()
            return self._after_spaces(line_start + 1)
        if self._swallowed is None:
            return self._start
        self._marker = self._swallowed
        self._flush_marker()
        return self._after_spaces(self._text.rfind("\n", 0, at) + 1) if self._swallowed.line < self._number - 1 else at

    # ---- link reference definitions ----------------------------------------------------------------

    def _take_definitions(self) -> bool:
        """Takes the definitions that a paragraph begins with (CommonMark 4.7); says whether text is left of it."""
        text = self._text
        if not self._lines:
            return True
        content = "\n".join(text[at : self._line_end(at)] for at in self._lines)
        position = 0
        while (match := DEFINITION.match(content, position)) and is_definition(match):
            self._references.setdefault(reference_label(match["label"]), match["destination"])
            position = match.end()
        if position == 0:
            return True
        role, level, group = self._inside[-1]
        if position == len(content):
            self._emit(
                self._start, self._last, role, level, group, self._first, self._last_number, False, "definitions"
            )
            return False
        # A definition ends with its line, so what is left starts with one.
        taken = content.count("\n", 0, position)
        line_start = text.rfind("\n", 0, self._lines[taken]) + 1
        number = self._last_number - len(self._lines) + 1 + taken
        self._emit(self._start, line_start - 1, role, level, group, self._first, number - 1, False, "definitions")
        self._start, self._first = self._after_spaces(line_start), number
        self._text_start = self._lines[taken]
        self._lines = []
        self._swallowed = None
        return True

    def _line_end(self, at: int) -> int:
        end = self._text.find("\n", at)
        return len(self._text) if end < 0 else end


_STARTS: Final[dict[str, Callable[[_Scanner], _Found]]] = {
    ">": _Scanner._quote,
    "#": _Scanner._atx_heading,
    "`": _Scanner._fenced_code,
    "~": _Scanner._fenced_code,
    "<": _Scanner._html_block,
    "=": _Scanner._setext_heading,
    "-": _Scanner._dash,
    "*": _Scanner._star,
    "+": _Scanner._bullet_item,
    "_": _Scanner._thematic_break,
    "|": _Scanner._table_start,
    ":": _Scanner._table_start,
    "[": _Scanner._footnote,
    **dict.fromkeys("0123456789", _Scanner._ordered_item),
}
"""What may start where a line has the character."""

_CONTINUED: Final[dict[_Leaf, Callable[[_Scanner], bool]]] = {
    _Leaf.FENCED: _Scanner._continue_fenced,
    _Leaf.INDENTED: _Scanner._continue_indented,
    _Leaf.HTML: _Scanner._continue_html,
}
