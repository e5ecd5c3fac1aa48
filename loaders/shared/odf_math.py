"""Formulas in MathML: the text they were typed as, where it is kept, else the text of their symbols."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from fumehood.loaders.shared.odf_names import Attributes, qname

_ANNOTATION: Final = qname("math:annotation")
_OTHER_ANNOTATION: Final = qname("math:annotation-xml")
_ENCODING: Final = "encoding"
_STARMATH: Final = "StarMath"


class Formula:
    """Takes what an element `math` holds and gives its text to `done` (MathML 3, 5.1).

    An annotation in StarMath is what the author typed, and reads better than symbols without their layout.
    """

    def __init__(self, done: Callable[[str], None]) -> None:
        self._done = done
        self._symbols: list[str] = []
        self._typed: list[str] = []
        self._annotation = 0
        self._is_typed = False

    def start(self, tag: str, attributes: Attributes) -> None:
        if self._annotation:
            self._annotation += 1
        elif tag in (_ANNOTATION, _OTHER_ANNOTATION):
            self._annotation = 1
            self._is_typed = tag == _ANNOTATION and attributes.get(_ENCODING, "").startswith(_STARMATH)

    def end(self, tag: str) -> None:
        if self._annotation:
            self._annotation -= 1

    def data(self, text: str) -> None:
        if not self._annotation:
            self._symbols.append(text)
        elif self._is_typed:
            self._typed.append(text)

    def close(self) -> None:
        typed = " ".join("".join(self._typed).split())
        self._done(typed or " ".join(" ".join(self._symbols).split()))
