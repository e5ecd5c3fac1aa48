"""How far the work is: one line on a terminal that nothing else is printed to, for work that takes its time."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Final

from fumehood.cli import streams

_AFTER_SECONDS: Final = 1.0
_EVERY_SECONDS: Final = 0.2
_CLEAR_LINE: Final = b"\r\x1b[K"
"""ECMA-48, 8.3.41: erase in line."""


class StatusLine:
    """A line that is shown now and then, the first time after a second, and taken away again."""

    def __init__(self, *, wanted: bool) -> None:
        self._wanted = wanted
        self._next = time.monotonic() + _AFTER_SECONDS
        self._shown = False

    @property
    def wanted(self) -> bool:
        return self._wanted

    def show(self, text: Callable[[], str]) -> None:
        """Shows `text()`, if it is time to."""
        now = time.monotonic()
        if self._wanted and now >= self._next:
            self._next = now + _EVERY_SECONDS
            self._shown = True
            streams.remark(f"\r{text()}".encode())

    def clear(self) -> None:
        """Takes the line away, before something else is printed there."""
        if self._shown:
            self._shown = False
            streams.remark(_CLEAR_LINE)


class Progress:
    """Counts what is done out of `total`. Silent unless standard error alone is a terminal."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._line = StatusLine(wanted=total > 1 and os.isatty(streams.ERR) and not os.isatty(streams.OUT))

    def advance(self) -> None:
        """One more is done."""
        self._done += 1
        self._line.show(lambda: f"{self._done:,} of {self._total:,} files")

    def clear(self) -> None:
        self._line.clear()
