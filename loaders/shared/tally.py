"""What a part leaves out, counted."""

from __future__ import annotations

from fumehood.document import Locator
from fumehood.errors import NoticeCode
from fumehood.loaders.shared.builder import Builder


class Tally:
    """Counts what is left out, to be said once for each part and reason, and not a thousand times."""

    def __init__(self, part: str | None = None, slide: int | None = None) -> None:
        self._place = Locator(part=part, slide=slide)
        self._counts: dict[NoticeCode, int] = {}
        self._first: dict[NoticeCode, Locator] = {}

    def add(self, code: NoticeCode, locator: Locator | None = None, count: int = 1) -> None:
        """One more; `locator` is kept if it is the first."""
        if code not in self._counts:
            self._first[code] = locator or self._place
        self._counts[code] = self._counts.get(code, 0) + count

    def say(self, out: Builder) -> None:
        """A notice for each code, with the first place and the count."""
        for code, count in self._counts.items():
            first = self._first[code]
            out.notice(code, None if first == Locator() else first, count)
        self._counts.clear()
