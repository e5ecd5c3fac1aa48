"""What one PDF's reading has spent and met so far, for code that the library calls and we cannot hand it to.

Streams are decoded, CMaps looked up and fonts parsed deep inside pdfminer. They find the document they
work for here. A context variable, so that readings in different threads or tasks do not mix.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from fumehood.limits.budget import Budget


@dataclass(slots=True)
class Session:
    """Counters of one document."""

    budget: Budget
    missing_cmaps: set[str] = field(default_factory=set)
    """Names of CMaps that fonts ask for and that are not loaded."""
    damaged_streams: int = 0
    """Streams that could not be decoded to their end."""
    broken_fonts: int = 0
    """Fonts that could only be read in part, or not at all."""
    cycles: int = 0
    """Nodes of the page tree that were met again, and forms that draw themselves; both were passed over."""


_CURRENT: ContextVar[Session] = ContextVar("pdf session")


def current() -> Session:
    """The session of the document being read. Raises `LookupError` outside of :func:`opened`."""
    return _CURRENT.get()


@contextmanager
def opened(budget: Budget) -> Iterator[Session]:
    """A session for the time of the `with` block."""
    session = Session(budget)
    token = _CURRENT.set(session)
    try:
        yield session
    finally:
        _CURRENT.reset(token)
