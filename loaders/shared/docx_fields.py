"""Complex fields (ECMA-376 part 1, 17.16.18): an instruction that nobody sees, and the result that stands for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from fumehood.loaders.shared.docx_looks import VAL, is_on
from fumehood.loaders.shared.docx_styles import number
from fumehood.loaders.shared.ooxml_names import Element, attribute, names
from fumehood.loaders.shared.word_fields import link_target

MAX_OPEN: Final = 256
"""Fields within each other; more are read as if they were none."""

_CHECK_BOX: Final = names("w:checkBox")
_CHECKED: Final = names("w:checked")
_DEFAULT: Final = names("w:default")
_DROP_DOWN: Final = names("w:ddList")
_RESULT: Final = names("w:result")
_ENTRY: Final = names("w:listEntry")


@dataclass(slots=True)
class Field:
    """One open field. `start` is where the link in its result starts, in the paragraph at hand."""

    in_code: bool = True
    instruction: list[str] = field(default_factory=list)
    target: str | None = None
    start: int = 0


class Fields:
    """The fields that are open; they may span paragraphs."""

    def __init__(self) -> None:
        self._open: list[Field] = []
        self._ignored = 0
        self.in_code = False
        """Whether what comes next belongs to an instruction."""

    def begin(self) -> None:
        if len(self._open) >= MAX_OPEN:
            self._ignored += 1
            return
        self._open.append(Field())
        self.in_code = True

    def instruction(self, text: str) -> None:
        """More of the innermost field's instruction."""
        if self._open and self._open[-1].in_code:
            self._open[-1].instruction.append(text)

    def separate(self, at: int) -> None:
        """The innermost field's result starts at offset `at` of the paragraph."""
        if self._open and not self._ignored:
            innermost = self._open[-1]
            innermost.in_code = False
            innermost.target = link_target("".join(innermost.instruction))
            innermost.start = at
            self._look()

    def end(self) -> Field | None:
        """The innermost field, which ends; None if none is open."""
        if self._ignored:
            self._ignored -= 1
            return None
        ended = self._open.pop() if self._open else None
        self._look()
        return ended

    def close_paragraph(self) -> list[Field]:
        """The open fields that are links: their results go on at the start of the next paragraph.

        An instruction does not: a field that is never closed would take the rest of the document with it.
        """
        if not self._open:
            return []
        self._open = [one for one in self._open if not one.in_code]
        self.in_code = False
        return [one for one in self._open if one.target]

    def _look(self) -> None:
        self.in_code = any(one.in_code for one in self._open)


def form_text(properties: Element) -> str:
    """What a legacy form field shows that is no result of its own (17.16.7, 17.16.9): a box, or the chosen entry."""
    for child in properties:
        if child.tag in _CHECK_BOX:
            return "\u2612" if _is_checked(child) else "\u2610"
        if child.tag in _DROP_DOWN:
            return _selected(child)
    return ""


def _is_checked(box: Element) -> bool:
    for wanted in (_CHECKED, _DEFAULT):
        for found in box.iterchildren(*wanted):
            return is_on(found)
    return False


def _selected(choices: Element) -> str:
    entries = [attribute(entry, VAL) or "" for entry in choices.iterchildren(*_ENTRY)]
    for wanted in (_RESULT, _DEFAULT):
        for found in choices.iterchildren(*wanted):
            index = number(found)
            if index is not None and 0 <= index < len(entries):
                return entries[index]
    return entries[0] if entries else ""
