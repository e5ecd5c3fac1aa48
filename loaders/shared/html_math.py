"""Formulas of MathML in one line, with the usual signs between their parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

# Between the parts of a formula, which a browser sets above and below each other.
_SIGNS: Final[Mapping[str, tuple[str, ...]]] = {
    "mfrac": ("/",),
    "msup": ("^",),
    "mover": ("^",),
    "msub": ("_",),
    "munder": ("_",),
    "msubsup": ("_", "^"),
    "munderover": ("_", "^"),
}
_SEPARATORS: Final[Mapping[str, str]] = {"mtable": "; ", "mtr": " "}
"""Between all parts of a table of formulas."""


def formula_parts(node: Any) -> list[Any]:
    """The children of `node` that count, and between them the signs to be shown, as strings."""
    signs, separator = _SIGNS.get(node.name, ()), _SEPARATORS.get(node.name, "")
    parts: list[Any] = []
    place = 0
    for child in node.children or ():
        if child.name[0] == "#" and not (child.data or "").strip():
            continue
        sign = "" if not place else signs[place - 1] if place <= len(signs) else separator
        parts += (sign, child) if sign else (child,)
        place += 1
    return parts
