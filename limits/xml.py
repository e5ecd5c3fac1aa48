"""XML that cannot hurt: judged by its prolog and by counting bytes, then counted exactly inside the one real parse.

A second parse costs as much as reading the document, so there is none. `precheck` refuses at once what is certainly
too much, by bounds that hold for every well-formed document; `Counter` has the last word.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from fumehood.errors import refusal
from fumehood.limits.budget import Budget
from fumehood.limits.xml_prolog import in_utf8, root_start

MAX_ATTRIBUTES: Final = 50_000
"""Of one element, namespace declarations included. A parser holds them all at once, 300 bytes and more for each."""

_BLOCK: Final = 4 * 1024
"""Depth is looked at after so many bytes."""
_CUT: Final = 2
"""By how much the end of a block that cuts a tag in front of its slash makes the depth look greater."""
_QUIET: Final = 64 * 1024
"""A start tag of `MAX_ATTRIBUTES` attributes, five bytes each at least, has this much in it without a `<`."""

_TAG_NAME: Final = re.compile(rb"<[^\s/>!?<][^\s/><]*+")
_ATTRIBUTE: Final = re.compile(rb"""\s*+[^\s=<>"'/]++\s*+=\s*+(["'])""")


def none_of(_text: bytes) -> int:
    """Every element of `text` counts against `xml_elements`."""
    return 0


def precheck(part: bytes, budget: Budget, uncounted: Callable[[bytes], int] = none_of) -> None:
    """Judges one XML part before its parser runs. Linear; spends nothing.

    `uncounted` says how many elements of a text are spent from another limit, at least as exactly: a table's cells.

    Raises a `Refusal` of stage `precheck`: `malformed` for a document type declaration, an encoding that could hide
    one, or no root element; `xml-elements`, `nesting` and `nodes` for what is certainly more than is left.
    """
    with budget.during("precheck"):
        text = in_utf8(part)
        root = root_start(text, utf16=text is not part)
        _check_attributes(text, root)
        _check_elements(text, root, budget, uncounted)


def _check_elements(text: bytes, root: int, budget: Budget, uncounted: Callable[[bytes], int]) -> None:
    """Two bounds from below, both out of counts of single bytes, which are the cheapest there are.

    Outside of markup no `<` is literal (XML 1.0, 2.4), so each begins a start tag, an end tag or an empty one. A start
    tag opens a level, and an end tag closes one; both others have a slash, so two for each slash is too much rather
    than too little to take off.
    """
    tags = slashes = 0
    most = budget.left("xml_elements")
    deepest = budget.limits.nesting
    is_plain = True
    for at in range(root, len(text), _BLOCK):
        tags += text.count(b"<", at, at + _BLOCK)
        slashes += text.count(b"/", at, at + _BLOCK)
        depth = tags - 2 * slashes - _CUT
        if is_plain and depth > deepest:
            if _only_tags(text, root, at + _BLOCK):
                raise budget.exceeded("nesting", depth)
            # What is no tag stays in front of all that follows, so this is looked at once.
            is_plain = False
    if tags > most and _only_tags(text, root, len(text)):
        elements = tags - text.count(b"</", root) - uncounted(text)
        if elements > most:
            raise budget.exceeded("xml_elements", budget.used("xml_elements") + elements)


def _only_tags(text: bytes, start: int, stop: int) -> bool:
    """Whether each `<` is of a tag: in comments, CDATA and processing instructions they may be anything."""
    return text.find(b"<!", start, stop) < 0 and text.find(b"<?", start, stop) < 0


def _check_attributes(text: bytes, root: int) -> None:
    at = root
    while at + _QUIET <= len(text):
        if text.find(b"<", at, at + _QUIET) >= 0:
            at += _QUIET
            continue
        tag = text.rfind(b"<", root, at)
        following = text.find(b"<", at)
        at = len(text) if following < 0 else following
        if text.count(b"=", tag, at) > MAX_ATTRIBUTES:
            _count_attributes(text, tag)


def _count_attributes(text: bytes, tag: int) -> None:
    name = _TAG_NAME.match(text, tag)
    at = len(text) if name is None else name.end()
    found = 0
    while (attribute := _ATTRIBUTE.match(text, at)) is not None:
        found += 1
        if found > MAX_ATTRIBUTES:
            raise refusal("nodes", bound=MAX_ATTRIBUTES, observed=found, stage="precheck")
        at = text.find(attribute[1], attribute.end()) + 1
        if at == 0:
            break


class Counter:
    """Counts inside the one parse that reads a part; the sums are the budget's, over all of the document's parts."""

    __slots__ = ("_budget", "_deepest")

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._deepest = budget.limits.nesting

    def start(self, depth: int, attributes: int = 0, namespaces: int = 0) -> None:
        """One element begins; `depth` is 1 for the root. Raises `xml-elements`, `nesting` or `nodes`."""
        self._budget.spend("xml_elements")
        if depth > self._deepest:
            raise self._budget.exceeded("nesting", depth)
        if attributes or namespaces:
            self._budget.spend("nodes", attributes + namespaces)

    def text(self, length: int) -> None:
        """One text node is `length` characters long. Raises `inflated-too-large` beyond `entry_bytes`."""
        self._budget.check("entry_bytes", length)
