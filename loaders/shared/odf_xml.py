"""One pass over a part's XML, each element given to whoever asked for it; no tree is built."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, Protocol, cast

from lxml import etree

from fumehood.limits.budget import Budget
from fumehood.limits.xml import none_of, precheck
from fumehood.limits.xml_prolog import without_document_type
from fumehood.loaders.shared.odf_names import Attributes, qname
from fumehood.loaders.shared.ooxml_xml import elements_of, explained

Start = Callable[[Attributes], None]
End = Callable[[], None]
Data = Callable[[str], None]


_NONE: Final[Attributes] = {}
"""What the parser gives for no attributes is slow to ask."""


def _whole(part: bytes) -> tuple[bytes]:
    return (part,)


class Subtree(Protocol):
    """Takes all of one element but its root; see :meth:`Dispatcher.divert`."""

    def start(self, tag: str, attributes: Attributes) -> None: ...
    def end(self, tag: str) -> None: ...
    def data(self, text: str) -> None: ...
    def close(self) -> None: ...


class Dispatcher:
    """A parser target: calls what is registered for an element when it starts and when it ends.

    Elements that nobody asked for are looked into all the same: text may stand in what was invented later.
    `sink` takes character data; None where none is wanted. `before_next` is called once, before the next element starts.
    """

    __slots__ = (
        "_budget",
        "_deepest",
        "_depth",
        "_diverted",
        "_ends",
        "_skipped",
        "_starts",
        "before_next",
        "sink",
    )

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._deepest = budget.limits.nesting
        self._depth = 0
        self._skipped = 0
        self._diverted: Subtree | None = None
        self._starts: dict[str, Start] = {}
        self._ends: dict[str, End] = {}
        self.sink: Data | None = None
        self.before_next: End | None = None

    def on(self, short: str, start: Start | None = None, end: End | None = None) -> None:
        """Registers what takes the start and the end of the elements of that name, prefix included."""
        if start is not None:
            self._starts[qname(short)] = start
        if end is not None:
            self._ends[qname(short)] = end

    def skip_all(self, *short: str) -> None:
        """Elements of these names are left out with all they hold."""
        for name in short:
            self.on(name, self._skip)

    def _skip(self, attributes: Attributes) -> None:
        self.skip()

    def skip(self) -> None:
        """Leaves out the element that is just starting, its end included."""
        self._skipped = 1

    def divert(self, subtree: Subtree) -> None:
        """Gives all that the element just starting holds to `subtree`, and closes that at its end."""
        self._skipped = 1
        self._diverted = subtree

    def check_depth(self, levels: int) -> None:
        """Raises `nesting` if so many levels more than those that are open would be too many."""
        self._budget.check("nesting", self._depth + levels)

    def forget(self) -> None:
        """Lets go of all that is registered: readers and what they are registered with hold each other."""
        self._starts.clear()
        self._ends.clear()
        self.sink = self.before_next = self._diverted = None

    # ---- the parser's side -----------------------------------------------------------------------

    def start(self, tag: str, attributes: Attributes) -> None:
        self._depth += 1
        if self._depth > self._deepest:
            raise self._budget.exceeded("nesting", self._depth)
        if self._skipped:
            self._skipped += 1
            if self._diverted is not None:
                self._diverted.start(tag, attributes)
            return
        if self.before_next is not None:
            act, self.before_next = self.before_next, None
            act()
        handler = self._starts.get(tag)
        if handler is not None:
            handler(attributes or _NONE)

    def end(self, tag: str) -> None:
        self._depth -= 1
        if self._skipped:
            self._end_skipped(tag)
            return
        handler = self._ends.get(tag)
        if handler is not None:
            handler()

    def _end_skipped(self, tag: str) -> None:
        self._skipped -= 1
        diverted = self._diverted
        if diverted is None:
            return
        if self._skipped:
            diverted.end(tag)
        else:
            self._diverted = None
            diverted.close()

    def data(self, text: str) -> None:
        if self._skipped:
            if self._diverted is not None:
                self._diverted.data(text)
        elif self.sink is not None:
            self.sink(text)

    def close(self) -> None:
        """The parser wants to be told of the end."""


def read(
    part: bytes,
    target: Dispatcher,
    budget: Budget,
    uncounted: Callable[[bytes], int] = none_of,
    pieces: Callable[[bytes], Iterable[bytes]] = _whole,
) -> None:
    """Reads a part that may carry a document type without an internal subset, which is not looked at.

    A part that holds nothing at all has no elements, and is no fault. `uncounted` is that of the prechecks. `pieces`
    gives what the parser reads of a part that passed them. Raises `BrokenXml` where the XML breaks, after all that
    comes before, and what the prechecks refuse.
    """
    if not part.strip():
        return
    part = without_document_type(part)
    precheck(part, budget, uncounted)
    budget.spend("xml_elements", elements_of(part) - uncounted(part))
    # The prechecks bound depth and text; libxml2's own, lower bounds would refuse what the limits allow.
    parser = etree.XMLParser(
        target=cast("etree.ParserTarget", target),
        # There are none but XML's own five; without this, a target is given `&#38;` for `&` in attributes.
        resolve_entities="internal",  # type: ignore[arg-type]
        load_dtd=False,
        no_network=True,
        huge_tree=True,
        collect_ids=False,
    )
    try:
        for piece in pieces(part):
            parser.feed(piece)
        parser.close()
    except etree.XMLSyntaxError as error:
        raise explained(error, budget) from None
