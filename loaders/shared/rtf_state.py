"""What RTF's groups save and restore, and where text goes (RTF 1.9.1, "RTF Syntax")."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

from fumehood.loaders.shared.story_items import Hiding

_LONGEST: Final = 65_536
"""Characters of what stands beside the text: a title, an instruction."""


class Sink(Protocol):
    """Takes text in order; `hiding` says why it is not seen, None if it is."""

    def add(self, text: str, hiding: Hiding | None) -> None: ...


class Collected:
    """Text that is no paragraph: a title, a name, a field's instruction, a number in front of a paragraph."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0

    def add(self, text: str, hiding: Hiding | None) -> None:
        if self._length < _LONGEST:
            self._parts.append(text)
            self._length += len(text)

    def text(self) -> str:
        return "".join(self._parts)[:_LONGEST]


@dataclass(slots=True)
class Field:
    """One field. `shown`: what it shows if its result is empty; `form`: the parameters of a legacy form field."""

    target: str | None = None
    shown: str = ""
    has_result: bool = False
    form: dict[bytes, int] = field(default_factory=dict)
    entries: list[str] = field(default_factory=list)

    def text(self) -> str:
        r"""What the field shows beside its result: a symbol, a check box, the chosen entry (RTF 1.9.1, "Form Fields")."""
        kind = self.form.get(b"fftype")
        chosen = self.form.get(b"ffres", _UNSET)
        if chosen == _UNSET:
            chosen = self.form.get(b"ffdefres", 0)
        if kind == _CHECK_BOX:
            return "\u2612" if chosen else "\u2610"
        if kind == _DROP_DOWN and not self.has_result:
            return self.entries[chosen] if 0 <= chosen < len(self.entries) else ""
        return "" if self.has_result else self.shown


_CHECK_BOX: Final = 1
_DROP_DOWN: Final = 2
_UNSET: Final = 25


@dataclass(slots=True)
class State:
    r"""What a group inherits and gives back at its end. `closers` are its own: they run at its end.

    - `font`: None is the default one; `codec`, `symbols`: what it says about bytes.
    - `skip`: how many characters stand behind each `\u` for readers that do not know it.
    - `tiny`, `white`: how its letters look; `lit`: something is drawn behind or around them; `shaded`: behind the paragraph.
    - `boxed`: it stands in a shape, which may be filled.
    - `level`: of the tables that the paragraph is in, 0 for none; `nested`: the row being defined is of an inner one.
    - `style`, `outline`, `list_id`, `list_level`: of the paragraph.
    """

    sink: Sink
    codec: str
    symbols: str | None = None
    font: int | None = None
    skip: int = 1
    hidden: bool = False
    deleted: bool = False
    tiny: bool = False
    white: bool = False
    lit: bool = False
    shaded: bool = False
    boxed: bool = False
    field: Field | None = None
    in_table: bool = False
    itap: int = 1
    style: int = 0
    outline: int | None = None
    list_id: int = 0
    list_level: int = 0
    nested: bool = False
    closers: list[Callable[[], None]] | None = None

    @property
    def hiding(self) -> Hiding | None:
        if self.deleted:
            return "deleted-text"
        if self.hidden or self.tiny or (self.white and not (self.lit or self.shaded or self.boxed or self.in_table)):
            return "hidden-text"
        return None

    @property
    def level(self) -> int:
        return max(1, self.itap) if self.in_table else 0

    def inherited(self) -> State:
        """What a group starts with."""
        return State(
            self.sink,
            self.codec,
            self.symbols,
            self.font,
            self.skip,
            self.hidden,
            self.deleted,
            self.tiny,
            self.white,
            self.lit,
            self.shaded,
            self.boxed,
            self.field,
            self.in_table,
            self.itap,
            self.style,
            self.outline,
            self.list_id,
            self.list_level,
            self.nested,
        )

    def reset_characters(self) -> None:
        r"""`\plain`."""
        self.font = None
        self.hidden = self.deleted = self.tiny = self.white = self.lit = False

    def reset_paragraph(self) -> None:
        r"""`\pard`."""
        self.in_table = self.shaded = False
        self.itap = 1
        self.style = self.list_id = self.list_level = 0
        self.outline = None
