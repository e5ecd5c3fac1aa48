"""From source text to a tree, bounded before the parser starts."""

from __future__ import annotations

import re
from typing import Final

from justhtml import Node
from justhtml.parser.engine import ParseEngine, compile_raw_engine_plan

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.html_names import VOID

_XML_START: Final = re.compile(r"\ufeff?\s*<\?xml\s")
_XHTML_ROOT: Final = re.compile(
    r"""<html\s[^<>]{0,1000}xmlns\s*=\s*["']http://www\.w3\.org/1999/xhtml["']""", re.IGNORECASE
)
_EMPTY_ELEMENT: Final = re.compile(r"""<([A-Za-z_][\w:.-]*)((?:\s+[^\s=<>"'/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*/>""")
_SUBSET: Final = re.compile(r"<!DOCTYPE[^>\[]{0,2000}\[", re.IGNORECASE)
_CDATA: Final = "<![CDATA["
_HEAD: Final = 4_096
_LITERAL: Final = re.compile(r"<(?![A-Za-z/!?])")
_FEW_LITERALS: Final = 1_000
_AGAIN: Final = 8
"""An element that nobody wrote counts as so many: memory must not run out before the count does."""
_FEW_OPEN: Final = 100
"""Elements that are open at once on an ordinary page."""


def is_xml(text: str) -> bool:
    """Whether `text` says it is XML, by its first words or by the namespace of its root."""
    return _XML_START.match(text) is not None or _XHTML_ROOT.search(text, 0, _HEAD) is not None


def normalised(text: str) -> str:
    """`text` with newlines for all line ends (WHATWG HTML, 13.2.3.5)."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def parse(text: str, budget: Budget, *, xml: bool = False) -> Node:
    """The tree of normalised `text`. Raises `nodes` for more elements, or more work on them, than is left."""
    _check_tags(text, budget)
    if xml:
        text = _as_html(text)
    if text.count("<") > _FEW_LITERALS and sum(1 for _ in _LITERAL.finditer(text)) > _FEW_LITERALS:
        # The parser adds each to the text before it by itself, which takes quadratic time.
        text = _LITERAL.sub("&lt;", text)
    return _BoundedEngine(text, budget).parse()


class _BoundedEngine(ParseEngine):
    """The parser, spending for what it does more than once for a tag.

    Its own door, `JustHTML`, is not taken: where that keeps the places of nodes, it makes text of `<?xml ... ?>` and
    the like.
    """

    __slots__ = ("_budget",)

    def __init__(self, text: str, budget: Budget) -> None:
        self._budget = budget
        plan = compile_raw_engine_plan(False, False)
        super().__init__(text, fragment=False, scripting_enabled=False, plan=plan, track_node_locations=True)

    def _line_col_at_pos(self, pos: int) -> tuple[int, int]:
        """Asked for with every node. Lines are counted from offsets here, and only where a block begins."""
        return 0, 0

    def _reconstruct_active_formatting(self) -> None:
        """Every block opens all formatting elements again that were open in the last one (13.2.4.3)."""
        self._budget.spend("nodes", _AGAIN * len(self._active_formatting))
        super()._reconstruct_active_formatting()

    def _adoption_agency(self, subject: str, *, tag_start: int | None = None, tag_end: int | None = None) -> None:
        """An end tag of one looks through all open elements (13.2.6.4.7)."""
        looked_at = len(self._active_formatting) + len(self._stack)
        if looked_at > _FEW_OPEN:
            self._budget.spend("nodes", looked_at)
        super()._adoption_agency(subject, tag_start=tag_start, tag_end=tag_end)


def loses_end(text: str) -> bool:
    """Whether the end of `text` stands in a comment or a tag that nothing closes, and so is lost."""
    tag = text.rfind("<")
    if tag > text.rfind(">") and text[tag + 1 : tag + 2].isalpha():
        return True
    comment = text.rfind("<!--")
    return comment >= 0 and text.find("-->", comment + 2) < 0


def _check_tags(text: str, budget: Budget) -> None:
    elements = text.count("<") - text.count("</")
    if elements > budget.left("nodes"):
        budget.spend("nodes", elements)


def _as_html(text: str) -> str:
    """XHTML in the words of HTML: empty elements get end tags, CDATA is escaped, the internal subset is taken out."""
    subset = _SUBSET.search(text, 0, _HEAD)
    if subset is not None:
        end = text.find("]", subset.end())
        end = text.find(">", end) + 1 if end >= 0 else 0
        # Lines are counted further on.
        text = text[: subset.start()] + "\n" * text.count("\n", subset.start(), end) + text[end:] if end else text
    return _EMPTY_ELEMENT.sub(_closed, _without_cdata(text))


def _closed(tag: re.Match[str]) -> str:
    name = tag[1]
    return tag[0] if name.lower() in VOID else f"<{name}{tag[2]}></{name}>"


def _without_cdata(text: str) -> str:
    pieces: list[str] = []
    at = 0
    while (start := text.find(_CDATA, at)) >= 0 and (end := text.find("]]>", start)) >= 0:
        pieces += (text[at:start], text[start + len(_CDATA) : end].replace("&", "&amp;").replace("<", "&lt;"))
        at = end + len("]]>")
    return "".join(pieces) + text[at:] if pieces else text
