"""From flows to blocks: what the walk over HTML says to the builder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal

from fumehood.document import Locator, Role
from fumehood.loaders.shared.builder import Builder, LinkSpan
from fumehood.loaders.shared.html_context import Context
from fumehood.loaders.shared.html_flow import Flow
from fumehood.loaders.shared.lines import behind
from fumehood.loaders.shared.tally import Tally

Locate = Callable[[int, str | None], Locator | None]
"""Where something stands: from its offset in the source, and its part of the page (`nav`, `footer`) if it has one."""

Inside = Literal["blocks", "lines", "cell"]


@dataclass(slots=True)
class Item:
    """A list item; `used`: its mark was written, what follows in it are paragraphs."""

    marker: str
    depth: int
    group: int
    used: bool = False


@dataclass(slots=True)
class Block:
    """What the flow becomes.

    - `inside`: what block elements in it make: blocks, lines until a list or table comes, or lines whatever comes.
    - `label`: stands in front of the first one.
    """

    role: Role = "paragraph"
    inside: Inside = "blocks"
    level: int = 1
    item: Item | None = None
    language: str = ""
    label: str = ""


PARAGRAPH: Final = Block()


class Emitter:
    """Holds the flow of what is seen, and that of what is not, until the block that they are in ends."""

    def __init__(self, out: Builder, locate: Locate, tally: Tally) -> None:
        self._out = out
        self._locate = locate
        self.flow = Flow()
        self._unseen = Flow()
        self.block = PARAGRAPH
        self.landmark: str | None = None
        self.tally = tally
        self.stands = False
        self._at = 0

    def text(self, data: str, node: Any, context: Context) -> None:
        if context.seen:
            flow = self.flow
            self._unseen.space()
        else:
            flow = self._unseen
        if context.preserves == "all":
            flow.add_preserved(data, node)
        elif context.preserves:
            flow.add_lines(data, node)
        else:
            flow.add(data, node)

    def label(self, text: str | None, node: Any, context: Context) -> None:
        """Text of an attribute that stands in a line."""
        if text:
            (self.flow if context.seen else self._unseen).add(text, node)

    def ends_in_image(self, context: Context) -> bool:
        """Whether the last text in the line is that of an image."""
        last: Any = (self.flow if context.seen else self._unseen).last
        return last is not None and last.name == "img"

    def line_break(self) -> None:
        self.flow.line_break()
        self._unseen.line_break()

    def space(self) -> None:
        self.flow.space()
        self._unseen.space()

    def boundary(self) -> None:
        """A block element begins or ends."""
        if self.block.inside == "blocks":
            self.flush()
        else:
            self.line_break()

    def begins_structure(self) -> bool:
        """What cannot stand in a line begins; False where it has to, since a cell or a heading is one block."""
        if self.block.inside == "cell":
            self.line_break()
            return False
        self.flush()
        return True

    def flush(self) -> None:
        """The flows become blocks: first what is seen, behind it what is not."""
        source = self.flow.source
        text, links = self.flow.take()
        if text:
            self._write(self.block, text, links, self.locator(source), True)
        source = self._unseen.source
        text, links = self._unseen.take()
        if text.strip():
            locator = self.locator(source)
            self.tally.add("hidden-text", locator)
            self._write(self.block, text, links, locator, False)

    def locator(self, node: Any) -> Locator | None:
        """Where `node` stands, or what comes next in the source, for what the parser put in by itself."""
        offset = None if node is None else node.origin_offset
        if offset is not None and not self.stands:
            self._at = offset
        return self._locate(self._at, self.landmark or None)

    def stand_at(self, node: Any) -> bool:
        """From here on all is where `node` is, until `stands` is what this returns."""
        before = self.stands
        self.locator(node)
        self.stands = True
        return before

    def _write(self, block: Block, text: str, links: list[LinkSpan], locator: Locator | None, seen: bool) -> None:
        out = self._out
        if block.role == "heading":
            out.heading(text, block.level, locator=locator, visible=seen, links=links)
        elif block.item is not None and not block.item.used:
            item = block.item
            item.used = True
            out.list_item(text, item.depth, item.group, marker=item.marker, locator=locator, visible=seen, links=links)
        elif block.role == "code":
            out.code(text, block.language, locator=locator, visible=seen)
        elif block.role == "quote":
            out.quote(text, locator=locator, visible=seen, links=links)
        else:
            if block.label:
                text, links = behind(block.label, (text, links))
                block.label = ""
            role = "paragraph" if block.item is not None else block.role
            out.paragraph(text, role=role, locator=locator, visible=seen, links=links)
