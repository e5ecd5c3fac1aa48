"""What the suite says of a loader that breaks a promise: which one, by which input, and what to do about it."""

from __future__ import annotations

from typing import NoReturn

_SHOWN = 300


def breach(kind: str, what: str, advice: str, data: bytes | None = None) -> NoReturn:
    """Raises `AssertionError`; `data` is the input that showed it."""
    lines = [f"the loader of {kind} {what}", f"what to do: {advice}"]
    if data is not None:
        more = f" … ({len(data):,} bytes)" if len(data) > _SHOWN else ""
        lines.append(f"the input: {data[:_SHOWN]!r}{more}")
    raise AssertionError("\n".join(lines))
