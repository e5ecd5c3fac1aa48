"""`mc:AlternateContent` around what is read as it comes (ECMA-376 part 3, 7.5): one branch of each counts."""

from __future__ import annotations

from typing import Final

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.ooxml_names import Element, names, understands

BRANCHES: Final = ("mc:AlternateContent", "mc:Choice", "mc:Fallback")

_ALTERNATES: Final = frozenset(names("mc:AlternateContent"))
_CHOICE: Final = frozenset(names("mc:Choice"))


class Branches:
    """Judges branches as they start: the first choice that is understood, else the fallback."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._skipped = 0
        self._open: list[bool] = []  # whether each open branch is skipped
        self._taken: list[bool] = []  # whether a branch of each open choice was taken

    @property
    def skipped(self) -> bool:
        """Whether what comes next is in a branch that does not count."""
        return self._skipped > 0

    def event(self, starts: bool, element: Element) -> bool:
        """Takes the start or end of one of `BRANCHES`; False at the end of a choice of which nothing was read."""
        if element.tag in _ALTERNATES:
            if starts:
                self._taken.append(False)
            elif self._taken:
                return self._taken.pop() or self.skipped
        elif starts:
            taken = bool(self._taken) and self._taken[-1]
            skip = taken or (element.tag in _CHOICE and not understands(element, self._budget))
            if self._taken and not skip:
                self._taken[-1] = True
            self._open.append(skip)
            self._skipped += skip
        elif self._open:
            self._skipped -= self._open.pop()
        return True
