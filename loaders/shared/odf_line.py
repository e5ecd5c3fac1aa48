"""The text of one paragraph while it is read: white space, links, what is hidden (ODF 1.3 part 3, 6.1)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from fumehood.document import Locator
from fumehood.hygiene import clean
from fumehood.loaders.shared import text_look
from fumehood.loaders.shared.builder import LinkSpan
from fumehood.loaders.shared.odf_styles import ParagraphStyle
from fumehood.loaders.shared.story_items import Hiding, Item, Paragraph, Reference
from fumehood.loaders.shared.text_look import Look

_ODD: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]|  ")
"""What does not stand in a paragraph as it is: white space that collapses, and controls."""
_RUNS: Final = re.compile(r"[ \t\r\n]+")


def is_odd(text: str) -> bool:
    """Whether white space collapses in `text`, but for spaces at its ends, or it holds controls."""
    # What is printable holds no controls, and most text is.
    return "  " in text or (not text.isprintable() and _ODD.search(text) is not None)


@dataclass(slots=True)
class _More:
    is_hidden: bool = False
    references: list[Reference] = field(default_factory=list)
    boxes: list[Item] = field(default_factory=list)
    formulas: list[str] = field(default_factory=list)
    links: list[LinkSpan] = field(default_factory=list)
    open_links: list[tuple[int, str]] = field(default_factory=list)
    hidden: list[tuple[Hiding, int, list[str]]] = field(default_factory=list)
    around: list[tuple[Hiding | None, Look]] = field(default_factory=list)


class Line:
    """A paragraph from its start to its end. Most are nothing but text, so that what else it may have is made when it comes.

    - `first`: its number; `style`: what its style says.
    - `level`: of a heading, else None; `start`: its number in a list, if given by hand; `is_numbered`: whether it has one.
    - `more`: what is more than text; `removed`: how many characters could not be kept.
    """

    level: int | None = None
    start = -1
    is_numbered = True
    removed = 0
    more: _More | None = None
    _hiding: Hiding | None = None
    _spans: Hiding | None = None
    _deleted: Hiding | None = None
    _look: Look = text_look.NONE
    _on_white = False

    def __init__(self, first: int, style: ParagraphStyle, *, on_white: bool = False) -> None:
        self.first = first
        self.style = style
        self._parts: list[str] = []
        self._length = 0
        self._spaced = True
        if on_white:
            self._on_white = True
        if style.look is not text_look.NONE:
            self._look = style.look
            self._judge()

    def _and_more(self) -> _More:
        if self.more is None:
            self.more = _More()
        return self.more

    @property
    def boxes(self) -> list[Item]:
        """What stands in it and cannot stand in its text: text boxes, tables, charts; to follow it."""
        return self._and_more().boxes

    @property
    def references(self) -> list[Reference]:
        """The notes and comments that are anchored in it."""
        return self._and_more().references

    @property
    def text(self) -> str:
        """White space at the end collapses to nothing."""
        text = "".join(self._parts)
        return text[:-1] if self._spaced and text else text

    # ---- text ------------------------------------------------------------------------------------

    def add(self, text: str) -> None:
        """Character data, whose white space collapses, over the borders of elements as well (6.1.2)."""
        if _ODD.search(text) is not None:
            text, removed = clean(_RUNS.sub(" ", text))
            self.removed += removed
        if self._spaced:
            text = text.lstrip(" ")
        if text:
            self._spaced = text[-1] == " "
            self._put(text)

    def literal(self, text: str) -> None:
        """Text that does not collapse: `text:s`, `text:tab`, `text:line-break`."""
        self._spaced = False
        self._put(text)

    def apart(self, text: str) -> None:
        """Text that belongs to no sentence: what a picture says, for one."""
        self.add(f" {text} ")

    def formula(self, text: str) -> None:
        self._and_more().formulas.append(text.strip())
        self.add(text)

    def _put(self, text: str) -> None:
        if self._hiding is None:
            self._parts.append(text)
            self._length += len(text)
        else:
            self.hide(self._hiding, text)

    # ---- what is hidden --------------------------------------------------------------------------

    @property
    def is_seen(self) -> bool:
        return self._hiding is None and not self._is_hidden

    @property
    def _is_hidden(self) -> bool:
        return self.style.hidden or (self.more is not None and self.more.is_hidden)

    def hide_all(self) -> None:
        """Nothing of it is seen."""
        self._and_more().is_hidden = True

    def delete(self, *, is_deleted: bool) -> None:
        """Whether what follows, in whatever spans, is text that a tracked change deletes."""
        self._deleted = "deleted-text" if is_deleted else None
        self._judge()

    def enter(self, hiding: Hiding | None, look: Look = text_look.NONE) -> None:
        """A span begins; what is in a hidden one is hidden as well, but one that can be seen may stand in one that cannot."""
        self._and_more().around.append((self._spans, self._look))
        self._spans = self._spans or hiding
        self._look = look.over(self._look)
        self._judge()

    def leave(self) -> None:
        around = self._and_more().around
        if around:
            self._spans, self._look = around.pop()
            self._judge()

    def _judge(self) -> None:
        unseen = self._look.is_unseen(on_white=self._on_white)
        self._hiding = self._deleted or self._spans or ("hidden-text" if unseen else None)

    def hide(self, why: Hiding, text: str) -> None:
        """Text that is not seen at this place."""
        hidden = self._and_more().hidden
        if hidden and hidden[-1][:2] == (why, self._length):
            hidden[-1][2].append(text)
        else:
            hidden.append((why, self._length, [text]))

    # ---- links -----------------------------------------------------------------------------------

    def open_link(self, target: str) -> None:
        self._and_more().open_links.append((self._length, target))

    def close_link(self) -> bool:
        """False if the link has no label and cannot be kept."""
        more = self._and_more()
        if not more.open_links:
            return True
        start, target = more.open_links.pop()
        if not target or self._hiding is not None:
            return True
        if start >= self._length:
            return False
        # A space is no part of an address (RFC 3986, appendix C), but people type it.
        more.links.append((start, self._length, target.strip().replace(" ", "%20")))
        return True

    # ---- the end ---------------------------------------------------------------------------------

    def taken(self, locator: Locator | None) -> Paragraph:
        """The paragraph that it was."""
        paragraph = Paragraph(self.text, role=self.style.role, locator=locator)
        more = self.more
        if more is not None:
            paragraph.references = more.references
            end = len(paragraph.text)
            paragraph.links = [(start, min(stop, end), target) for start, stop, target in more.links]
            paragraph.hidden = [(why, "".join(pieces)) for why, _, pieces in more.hidden]
            if more.formulas and paragraph.text.split() == " ".join(more.formulas).split():
                paragraph.role = "formula"
        if self._is_hidden and paragraph.text.strip():
            paragraph.hidden.insert(0, ("hidden-text", paragraph.text))
            paragraph.text, paragraph.links = "", []
        return paragraph
