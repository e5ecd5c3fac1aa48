"""Elements that show a part of what they hold, or nothing of it: lists of choices, media, images with links on them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from fumehood.loaders.shared.html_context import Context, unseen
from fumehood.loaders.shared.html_emit import Block
from fumehood.loaders.shared.html_inline import SHOWN
from fumehood.loaders.shared.html_walk import Handler, Walker

_ROWS: Final = re.compile(r"\s*\+?0*([0-9]{1,9})")


def _chosen(select: Any) -> Any | None:
    """The one option that a `select` shows while it is closed; None for a list box, which shows them all (4.10.7).

    That is the last one `selected`, else the first that can be chosen; a `select` whose options cannot be told shows all.
    """
    attributes = select.attrs or {}
    rows = _ROWS.match(attributes.get("size") or "")
    if "multiple" in attributes or (rows is not None and int(rows[1]) > 1):
        return None
    first = last = None
    for option, enabled in _options(select):
        if "selected" in (option.attrs or {}):
            last = option
        elif first is None and enabled:
            first = option
    return last or first


def _options(select: Any) -> Iterator[tuple[Any, bool]]:
    """The options of `select` and of the groups in it, and whether each can be chosen."""
    for child in select.children or ():
        if child.name == "option":
            yield child, _is_enabled(child)
        elif child.name == "optgroup":
            enabled = _is_enabled(child)
            for inner in child.children or ():
                if inner.name == "option":
                    yield inner, enabled and _is_enabled(inner)


def _is_enabled(element: Any) -> bool:
    return "disabled" not in (element.attrs or {})


def _select(walker: Walker, node: Any, context: Context) -> None:
    """Options, one in a line; nobody sees the others of a list that is closed."""
    around, walker.chosen = walker.chosen, _chosen(node)
    walker.afterwards(lambda: setattr(walker, "chosen", around))
    walker.as_block(Block("paragraph", "lines"), node, context)


def _group(walker: Walker, node: Any, context: Context) -> None:
    SHOWN["optgroup"](walker.emit, node, context if walker.chosen is None else unseen(context))
    walker.children(node, context)


def _option(walker: Walker, node: Any, context: Context) -> None:
    """What the attribute `label` says is shown instead of the content (4.10.10)."""
    if walker.chosen is not None and node is not walker.chosen:
        context = unseen(context)
    walker.enter_block(context)
    label = (node.attrs or {}).get("label")
    if label:
        walker.emit.label(label, node, context)
        walker.emit.line_break()
        context = unseen(context)
    walker.children(node, context)


def _textarea(walker: Walker, node: Any, context: Context) -> None:
    walker.emit.boundary()
    walker.afterwards(walker.emit.boundary)
    walker.children(node, context._replace(preserves="all"))


def _area(walker: Walker, node: Any, context: Context) -> None:
    """A link with a text, on a part of an image (4.8.14)."""
    walker.apart(node, context)
    walker.link(node, context)
    walker.emit.label((node.attrs or {}).get("alt"), node, context)


def _drawn(walker: Walker, node: Any, context: Context) -> None:
    """What stands in it is for browsers that do not know the element."""
    walker.apart(node, unseen(context))


def _played(walker: Walker, node: Any, context: Context) -> None:
    SHOWN["embed"](walker.emit, node, context)
    _drawn(walker, node, context)


ELEMENTS: Final[Mapping[str, Handler]] = {
    "select": _select,
    "optgroup": _group,
    "option": _option,
    "textarea": _textarea,
    "area": _area,
    **dict.fromkeys(("canvas", "meter", "progress"), _drawn),
    **dict.fromkeys(("audio", "video"), _played),
}
