"""Elements of HTML that stand in a line and show something else than their content."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from fumehood.loaders.shared.html_context import Context
from fumehood.loaders.shared.html_emit import Emitter

Show = Callable[[Emitter, Any, Context], None]
"""Shows an element that has no content, or what stands before its content."""

_NO_TEXT: Final = frozenset({"hidden", "password", "checkbox", "radio", "file", "range", "color"})
_SHOWN_BY_DEFAULT: Final = {"submit": "Submit", "reset": "Reset"}


def _image(emitter: Emitter, node: Any, context: Context) -> None:
    """An image's text; an empty one says that the image is decoration (4.8.4.4.4)."""
    attributes = node.attrs or {}
    alt = attributes.get("alt")
    if emitter.ends_in_image(context):
        # Two pictures are no word, while one may be the first letter of a word.
        emitter.space()
    emitter.label(alt, node, context)
    if alt != "" and context.seen and ("src" in attributes or "srcset" in attributes):
        emitter.tally.add("image-not-read", emitter.locator(node))


def _input(emitter: Emitter, node: Any, context: Context) -> None:
    attributes = node.attrs or {}
    kind = (attributes.get("type") or "text").lower()
    if kind in _NO_TEXT:
        return
    if kind == "image":
        emitter.label(attributes.get("alt"), node, context)
        return
    emitter.flow.space()
    shown = attributes.get("value") or attributes.get("placeholder")
    emitter.label(shown or ("" if "value" in attributes else _SHOWN_BY_DEFAULT.get(kind, "")), node, context)
    emitter.flow.space()


def _break(emitter: Emitter, node: Any, context: Context) -> None:
    if context.preserves == "all":
        emitter.text("\n", node, context)
    elif context.seen:
        emitter.flow.line_break()
    else:
        emitter.line_break()


def _rule(emitter: Emitter, node: Any, context: Context) -> None:
    emitter.boundary()


def _embedded(emitter: Emitter, node: Any, context: Context) -> None:
    """What another program shows; the content is for browsers that cannot."""
    attributes = node.attrs or {}
    if context.seen and ("src" in attributes or "data" in attributes):
        emitter.tally.add("object-not-read", emitter.locator(node))


def _labelled(emitter: Emitter, node: Any, context: Context) -> None:
    """A group of options."""
    emitter.line_break()
    emitter.label((node.attrs or {}).get("label"), node, context)
    emitter.line_break()


SHOWN: Final[Mapping[str, Show]] = {
    "img": _image,
    "input": _input,
    "br": _break,
    "hr": _rule,
    "embed": _embedded,
    "object": _embedded,
    "frame": _embedded,
    "optgroup": _labelled,
}
