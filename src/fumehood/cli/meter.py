"""How far an ingest is, in one line on a terminal: files, bytes, rate, what is left, what was refused."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable

from fumehood.cli import streams
from fumehood.cli.progress import StatusLine
from fumehood.cli.table import width
from fumehood.ingest import Item, Outcome, Unlisted
from fumehood.ingest.outcome import Tally
from fumehood.ingest.units import counted, size_text, time_text


class Meter:
    """Silent unless standard error is a terminal. What there is in all is counted ahead, by a listing of its own."""

    def __init__(self) -> None:
        self._line = StatusLine(wanted=os.isatty(streams.ERR))
        self._tally = Tally()
        self._began = time.monotonic()
        self._files = 0
        self._bytes = 0
        self._counted = False
        self._closed = False

    @property
    def wanted(self) -> bool:
        return self._line.wanted

    @property
    def done(self) -> int:
        return self._tally.sources

    def count(self, listing: Iterable[Item | Unlisted]) -> None:
        """Lists to the end, or until the meter is closed; blocks."""
        for item in listing:
            if self._closed:
                return
            self._files += 1
            self._bytes += item.size if isinstance(item, Item) else 0
        self._counted = True

    def add(self, outcome: Outcome) -> None:
        self._tally.add(outcome)

    def show(self) -> None:
        self._line.show(lambda: self.text(time.monotonic() - self._began)[: width() - 1])

    def clear(self) -> None:
        self._line.clear()

    def close(self) -> None:
        self._closed = True
        self.clear()

    def text(self, seconds: float) -> str:
        """The line, `seconds` after the beginning."""
        done, size, refused = self._tally.sources, self._tally.bytes, self._tally.refused
        files = f"{done:,} of {counted(self._files, 'file')}" if self._counted else counted(done, "file")
        of_bytes = f" of {size_text(self._bytes)}" if self._counted else ""
        parts = [files, f"{size_text(size)}{of_bytes}", f"{done / max(seconds, 0.001):,.1f}/s"]
        if self._counted and 0 < size < self._bytes:
            parts.append(f"{time_text(seconds * (self._bytes - size) / size)} left")
        parts.append(f"{refused:,} refused")
        return ", ".join(parts)
