"""HTML and SVG put together from elements, so that no text can become markup.

Text is escaped wherever it is put in; what is not escaped has a type of its own, which only this module makes. Names
from outside are also isolated for direction: one in Arabic, or with an override in it, moves nothing around it
(UAX #9, section 2.7).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from fumehood.hygiene import printable

_ESCAPES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})
_VOID: Final = frozenset({"meta"})
"""Elements without an end tag (HTML, section 13.1.2)."""


class Markup(str):
    """What is markup already."""

    __slots__ = ()


def escaped(text: str) -> Markup:
    return text if isinstance(text, Markup) else Markup(text.translate(_ESCAPES))


def join(parts: Iterable[str]) -> Markup:
    return Markup("".join(map(escaped, parts)))


def element(tag: str, /, *contents: str, **attributes: str) -> Markup:
    """An element. `class_` is the attribute `class`, and `text_anchor` is `text-anchor`."""
    said = "".join(
        f' {key.rstrip("_").replace("_", "-") if key.islower() else key}="{escaped(value)}"'
        for key, value in attributes.items()
    )
    if tag in _VOID:
        return Markup(f"<{tag}{said}>")
    return Markup(f"<{tag}{said}>{join(contents)}</{tag}>")


def isolated(name: str) -> Markup:
    """A name from outside, made printable."""
    return element("bdi", printable(name))


def style(rules: str) -> Markup:
    """A style sheet of our own: the one text that is put in as it stands."""
    return Markup(f"<style>{rules}</style>")
