"""What brought a finding about, so that a thousand inputs with one cause are one finding."""

from __future__ import annotations

import hashlib
import traceback
from pathlib import Path
from typing import Final

from fumehood.fuzz.oracle import BrokenPromise, broken
from fumehood.fuzz.target import Target

_PACKAGE: Final = "fumehood"
_DIGITS: Final = 8


def cause_of(target: Target, error: BaseException) -> str:
    """The type of the error and where in this package it was raised; of a broken promise, for which kind as well."""
    place = _place(error)
    if isinstance(error, BrokenPromise):
        # It begins with which promise it was; the fault is wherever the kind's text is made.
        return f"{str(error).partition(':')[0]} ({target.kind or target.name}, {place})"
    return f"{type(error).__name__} ({place})"


def digest(cause: str) -> str:
    """A short name for a cause, for file names."""
    return hashlib.sha256(cause.encode("utf-8", "backslashreplace")).hexdigest()[:_DIGITS]


def told(error: BaseException) -> str:
    """The error with its traceback, for whoever mends it."""
    return "".join(traceback.format_exception(error))


def _place(error: BaseException) -> str:
    """The innermost frame of this package that is not the oracle's own way to say so."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_ours(frame)]
    if not frames:
        return "outside"
    last = frames[-1]
    return f"{Path(last.filename).name}:{last.name}:{last.lineno}"


def _is_ours(frame: traceback.FrameSummary) -> bool:
    return f"/{_PACKAGE}/" in frame.filename and frame.name != broken.__name__
