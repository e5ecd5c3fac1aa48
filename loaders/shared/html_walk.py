"""The walk over a tree of HTML, in document order and without recursion, to blocks.

Text goes into a flow. Where a block element begins or ends, the flow becomes a block; inside of what is one block by
itself (a heading, a list item, a table's cell) only a line ends there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.html_context import Context, entered
from fumehood.loaders.shared.html_emit import Block, Emitter, Item, Locate
from fumehood.loaders.shared.html_flow import Flow
from fumehood.loaders.shared.html_inline import SHOWN
from fumehood.loaders.shared.html_lists import ListState, opened
from fumehood.loaders.shared.html_math import formula_parts
from fumehood.loaders.shared.html_names import BLOCKS, MATH_TOKENS, NOT_TEXT
from fumehood.loaders.shared.html_nodes import code_language, content, is_in_paragraph, is_note
from fumehood.loaders.shared.html_sheets import Find, Styles
from fumehood.loaders.shared.html_source import normalised, parse
from fumehood.loaders.shared.html_table import Grid, is_layout
from fumehood.loaders.shared.tally import Tally

Resolve = Callable[[str], str | None]
"""A link's absolute target from its `href`; None for what leads nowhere from here."""
Head = Callable[[Any], None]
"""Takes a `title`, `meta`, `base` or `link` element."""

Handler = Callable[["Walker", Any, Context], None]
"""Reads an element."""

_HEAD: Final = frozenset({"title", "meta", "base", "link"})
_OFTEN_BLOCKS: Final = frozenset({"a", "img", "input", "q"})
"""Inline elements with a way of their own that style often makes blocks."""
_MAX_FRAMES: Final = 8
"""Documents in attributes of documents; a browser has a bound as well."""

_Step = tuple[Any, Context | None]
"""A node and what is handed down to it, or what is to be done then, and None."""


class Walker:
    """Reads one document. What it leaves out is counted in `tally`; `elements`: what further ones do.

    `styles`, `find`: its style sheets, by their addresses.
    """

    def __init__(
        self,
        out: Builder,
        budget: Budget,
        locate: Locate,
        resolve: Resolve,
        head: Head,
        styles: Styles,
        find: Find,
        tally: Tally,
        elements: Mapping[str, Handler],
    ) -> None:
        self._out = out
        self._budget = budget
        self._resolve = resolve
        self._head = head
        self.emit = Emitter(out, locate, tally)
        self._handlers = {**_HANDLERS, **elements}
        self._styles = styles
        self._find = find
        self._stack: list[_Step] = []
        self._depth = 0
        self._frames = 0
        self._lists: list[ListState] = []
        self._grids: list[Grid | None] = []  # of the tables around, None for one that is there for the layout
        self._deferred: list[tuple[Any, Context]] = []  # tables in cells of the table at hand
        self.chosen: Any | None = None  # the one option that is seen of the list at hand

    def read(self, root: Any, *, paper: str | None = None, is_styled: bool = True) -> None:
        """All of a tree; `paper`: the colour behind it, if that is known; `is_styled`: it may have style sheets."""
        sheet = self._styles.of(root, self._find) if is_styled else None
        self.children(root, Context(background=paper, place=None if sheet is None else sheet.root))
        stack = self._stack
        while stack:
            node, context = stack.pop()
            if context is None:
                node()
                continue
            name = node.name
            if name == "#text":
                self.emit.text(node.data, node, context)
            elif name in NOT_TEXT or name[0] in "#!":
                self._unread(node, name)
            else:
                self._element(node, name, context)
        self.emit.flush()

    # ---- elements --------------------------------------------------------------------------------

    def _element(self, node: Any, name: str, outer: Context) -> None:
        attributes = node.attrs
        self._budget.spend("nodes", 1 + len(attributes) if attributes else 1)
        is_html = node.namespace == "html"
        if is_html and name in _HEAD:
            if not self._frames:
                self._head(node)
            return
        context, display = entered(node, name, outer)
        if outer.items and (name not in BLOCKS or display == "inline"):
            self.enter_block(context)
        handler = self._handlers.get(name) if is_html else _FOREIGN.get(name)
        if handler is not None:
            if display == "block" and name in _OFTEN_BLOCKS:
                self._line(node, context)
            handler(self, node, context)
        elif node.namespace == "math" and name not in MATH_TOKENS:
            self._formula(node, context)
        elif name in BLOCKS and is_html:
            if display == "inline":
                self.children(node, context)
            else:
                self._block(node, context)
        elif display == "block":
            self._line_or_block(node, context)
        else:
            self.children(node, context)

    def children(self, node: Any, context: Context) -> None:
        children = node.children
        if children:
            self._budget.spend("nodes", len(children))
            self._stack.extend([(child, context) for child in reversed(children)])

    def afterwards(self, act: Callable[[], object]) -> None:
        """What is to be done when the element at hand ends; its children are put on top of that."""
        self._stack.append((act, None))

    def _block(self, node: Any, context: Context) -> None:
        """An element that begins and ends a line."""
        if is_note(node):
            self.as_block(Block("note", "lines"), node, context)
            return
        self.enter_block(context)
        self.children(node, context)

    def _line_or_block(self, node: Any, context: Context) -> None:
        if is_note(node):
            self._block(node, context)
            return
        self._line(node, context)
        self.children(node, context)

    def _line(self, node: Any, context: Context) -> None:
        """Only style makes `node` a block: it is a line of its paragraph, as in verse, if it is in one."""
        if is_in_paragraph(node):
            self.emit.line_break()
            self.afterwards(self.emit.line_break)
        else:
            self.enter_block(context)

    def enter_block(self, context: Context) -> None:
        self._depth += 1
        self._budget.check("nesting", self._depth)
        self.emit.boundary()
        self.afterwards(partial(self._leave_block, self.emit.landmark))
        self.emit.landmark = context.landmark

    def _leave_block(self, landmark: str | None) -> None:
        self.emit.boundary()
        self.emit.landmark = landmark
        self._depth -= 1

    def as_block(self, block: Block, node: Any, context: Context) -> None:
        """The content of `node` becomes blocks like `block`, unless it is part of one that cannot hold others."""
        self.enter_block(context)
        if self.emit.begins_structure():
            self.afterwards(partial(self._restore, self.emit.block))
            self.emit.block = block
        self.children(node, context)

    def _restore(self, block: Block) -> None:
        self.emit.flush()
        self.emit.block = block

    def _unread(self, node: Any, name: str) -> None:
        if name == "script":
            self.emit.tally.add("script-present", self.emit.locator(node))

    # ---- text --------------------------------------------------------------------------------------

    def _heading(self, node: Any, context: Context) -> None:
        self.as_block(Block("heading", "cell", level=int(node.name[1])), node, context)

    def _quote(self, node: Any, context: Context) -> None:
        self.as_block(Block("quote"), node, context)

    def _caption(self, node: Any, context: Context) -> None:
        self.as_block(Block("caption", "cell"), node, context)

    def _code(self, node: Any, context: Context) -> None:
        self.as_block(Block("code", "cell", language=code_language(node)), node, context._replace(preserves="all"))

    def link(self, node: Any, context: Context) -> None:
        href = (node.attrs or {}).get("href")
        if href and context.seen:
            target = self._resolve(href.strip())
            if target is None:
                self.emit.tally.add("link-dropped", self.emit.locator(node))
            else:
                self.emit.flow.open_link(target)
                self.afterwards(self.emit.flow.close_link)
        self.children(node, context)

    def _quoted(self, node: Any, context: Context) -> None:
        """The quotation marks of 15.3.6."""
        self._around("\u201c", "\u201d", node, context)

    def _around(self, before: str, after: str, node: Any, context: Context) -> None:
        self.emit.text(before, node, context)
        self.afterwards(partial(self.emit.text, after, node, context))
        self.children(node, context)

    def _ruby_text(self, node: Any, context: Context) -> None:
        """What stands above its base comes in parentheses behind it, as `rp` would have it (4.5.12)."""
        self._around("(", ")", node, context)

    def _formula(self, node: Any, context: Context) -> None:
        parts = formula_parts(node)
        self._budget.spend("nodes", len(parts))
        for part in reversed(parts):
            if isinstance(part, str):
                self.afterwards(partial(self.emit.text, part, node, context))
            else:
                self._stack.append((part, context))

    def apart(self, node: Any, context: Context) -> None:
        self.emit.space()
        self.afterwards(self.emit.space)
        self.children(node, context)

    # ---- lists -------------------------------------------------------------------------------------

    def _list(self, node: Any, context: Context) -> None:
        self.enter_block(context)
        apart = self.emit.begins_structure()
        around = self._lists[-1] if self._lists else None
        group = around.group if around is not None else self._out.new_group() if apart else 0
        self._lists.append(opened(node, group, 1 + (0 if around is None else self._emit_depth(around))))
        self.afterwards(self._end_list)
        self.children(node, context)

    def _emit_depth(self, around: ListState) -> int:
        item = self.emit.block.item
        return around.depth if item is None else item.depth

    def _end_list(self) -> None:
        if self.emit.block.inside != "cell":
            self.emit.flush()
        self._lists.pop()

    def _item(self, node: Any, context: Context) -> None:
        if not self._lists:
            self._lists.append(ListState(self._out.new_group(), 1))
            self.afterwards(self._end_list)
        state = self._lists[-1]
        marker = state.marker(node)
        if self.emit.block.inside == "cell" and marker != "-":
            self.enter_block(context)
            self.emit.label(marker + " ", node, context)
            self.children(node, context)
            return
        if is_note(node):
            # A note of a list of them, with the number that it has there.
            label = "" if marker == "-" else f"{marker} "
            self.as_block(Block("note", "lines", label=label), node, context)
            return
        self.as_block(Block("list-item", "lines", item=Item(marker, state.depth, state.group)), node, context)

    def _term(self, node: Any, context: Context) -> None:
        """A term and what it means are items, the one within the other."""
        if not self._lists:
            self._block(node, context)
            return
        state = self._lists[-1]
        depth = state.depth + (node.name == "dd")
        self.as_block(Block("list-item", "lines", item=Item("-", depth, state.group)), node, context)

    # ---- tables ------------------------------------------------------------------------------------

    def _table(self, node: Any, context: Context) -> None:
        in_cell = self.emit.block.inside == "cell"
        in_table = any(grid is not None for grid in self._grids)
        if is_layout(node) or (in_cell and not in_table):
            if in_cell:
                self.emit.tally.add("layout-simplified", self.emit.locator(node))
            self._grids.append(None)
            self.afterwards(self._grids.pop)
            self._block(node, context)
        elif in_cell:
            self._out.notice("nested-table", self.emit.locator(node))
            self.emit.line_break()
            self._deferred.append((node, context))
        else:
            self.enter_block(context)
            self.emit.flush()
            self._grids.append(Grid(self._budget))
            self.afterwards(self._end_table)
            self.children(node, context)

    def _end_table(self) -> None:
        grid = self._grids.pop()
        if grid is not None:
            grid.write(self._out)
        # What nobody sees in its cells comes behind it.
        self.emit.flush()
        self._stack.extend(reversed(self._deferred))
        self._deferred = []

    def _rows(self, node: Any, context: Context) -> None:
        if self._grids and self._grids[-1] is not None:
            self.children(node, context)
        else:
            self._block(node, context)

    def _row(self, node: Any, context: Context) -> None:
        grid = self._grids[-1] if self._grids else None
        if grid is None:
            self._block(node, context)
            return
        grid.start_row(self.emit.locator(node))
        self.afterwards(grid.end_row)
        self.children(node, context)

    def _cell(self, node: Any, context: Context) -> None:
        grid = self._grids[-1] if self._grids else None
        if grid is None:
            self._block(node, context)
            return
        emitter = self.emit
        self.afterwards(partial(self._end_cell, node, grid, emitter.flow, emitter.block, self._lists))
        emitter.flow, emitter.block, self._lists = Flow(), Block(inside="cell"), []
        self.children(node, context)

    def _end_cell(self, node: Any, grid: Grid, flow: Flow, block: Block, lists: list[ListState]) -> None:
        emitter = self.emit
        text, links = emitter.flow.take()
        attributes = node.attrs or {}
        grid.add_cell(text, links, attributes.get("colspan") or "", attributes.get("rowspan") or "")
        emitter.flow, emitter.block, self._lists = flow, block, lists
        emitter.line_break()

    # ---- documents in documents ----------------------------------------------------------------------

    def _iframe(self, node: Any, context: Context) -> None:
        document = (node.attrs or {}).get("srcdoc")
        if document:
            self._inner(document, node, context)
        else:
            SHOWN["frame"](self.emit, node, context)

    def _no_frames(self, node: Any, context: Context) -> None:
        """Where there are frames, this is all the text there is."""
        self._inner(content(node), node, context)

    def _inner(self, text: str, node: Any, context: Context) -> None:
        if self._frames >= _MAX_FRAMES:
            self.emit.tally.add("object-not-read", self.emit.locator(node))
            return
        self._frames += 1
        self.emit.boundary()
        # Offsets in there are of another source.
        self.afterwards(partial(self._end_inner, self.emit.stand_at(node)))
        self.enter_block(context)
        root = parse(normalised(text), self._budget)
        self.children(root, context._replace(place=self._styles.of(root, self._find).root))

    def _end_inner(self, stands: bool) -> None:
        self._frames -= 1
        self.emit.stands = stands


def _shown(name: str) -> Handler:
    show = SHOWN[name]

    def handle(walker: Walker, node: Any, context: Context) -> None:
        show(walker.emit, node, context)
        walker.children(node, context)

    return handle


_HANDLERS: Final[Mapping[str, Handler]] = {
    **{name: _shown(name) for name in SHOWN},
    **{f"h{level}": Walker._heading for level in range(1, 7)},
    "a": Walker.link,
    "blockquote": Walker._quote,
    "caption": Walker._caption,
    "figcaption": Walker._caption,
    "pre": Walker._code,
    "listing": Walker._code,
    "xmp": Walker._code,
    "plaintext": Walker._code,
    "q": Walker._quoted,
    "rt": Walker._ruby_text,
    "ul": Walker._list,
    "ol": Walker._list,
    "dl": Walker._list,
    "menu": Walker._list,
    "dir": Walker._list,
    "li": Walker._item,
    "dt": Walker._term,
    "dd": Walker._term,
    "table": Walker._table,
    "tbody": Walker._rows,
    "thead": Walker._rows,
    "tfoot": Walker._rows,
    "tr": Walker._row,
    "td": Walker._cell,
    "th": Walker._cell,
    "iframe": Walker._iframe,
    "noframes": Walker._no_frames,
}
_FOREIGN: Final[Mapping[str, Handler]] = {
    "a": Walker.link,
    "text": Walker.apart,
    "title": Walker.apart,
}
