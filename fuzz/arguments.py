"""The target `arguments`: what callers hand over beside a document is taken, or is a `TypeError` or a `ValueError`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from fumehood import Reader, kinds
from fumehood.fuzz.bomb import READ
from fumehood.fuzz.oracle import broken
from fumehood.fuzz.target import Target
from fumehood.kinds import AUTO, OPTION_NAMES, ReadOptions
from fumehood.limits.policy import LIMIT_NAMES, Limits, parse_limit

MISTAKE: Final = "caller-mistake"
"""Beside the codes of refusals."""


def targets() -> Iterator[Target]:
    yield Target("arguments", arguments)


def arguments(data: bytes) -> str:
    """Lines of `NAME=VALUE`, as limits and as options; a line without `=` names the kind."""
    kind = AUTO
    limits: dict[str, Any] = {}
    options: dict[str, Any] = {}
    try:
        for line in data.decode("utf-8", "replace").split("\n"):
            name, equals, value = line.partition("=")
            if not equals:
                kind = name or kind
            elif name in OPTION_NAMES:
                options[name] = _value(value)
            else:
                limits[name] = parse_limit(name, value)
        made = Limits(**limits)
        _taken(kind, made, ReadOptions(**options))
    except (TypeError, ValueError):
        return MISTAKE
    for name, value in limits.items():
        if getattr(made, name) != value or value <= 0:
            broken("a limit that is not what was asked for", (name, value))
    return READ


def _value(text: str) -> Any:
    """JSON where it is some, so that options come in every type; else the text."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return text


def _taken(kind: str, limits: Limits, options: ReadOptions) -> None:
    """Asks a reader that was not opened, which checks the call first. Raises `TypeError` and `ValueError`."""
    if kind not in (AUTO, *(known.name for known in kinds.kinds())):
        raise ValueError(kind)
    call = Reader().read(kind, b"", limits=limits, name=str(options.charset), options=options)
    try:
        call.send(None)
    except RuntimeError:
        _check_options(options)
    else:
        call.close()
        broken("a reader that was not opened, and reads")


def _check_options(options: ReadOptions) -> None:
    for name in OPTION_NAMES:
        value = getattr(options, name)
        wanted = bool if name in ("attachments", "lenient") else str
        if value is not None and type(value) is not wanted:
            broken("an option of another type was taken", (name, value))


def lines() -> bytes:
    """A seed that names every limit and option once."""
    limits = (f"{name}={getattr(Limits(), name)}" for name in LIMIT_NAMES)
    return "\n".join(("pdf", *limits, "password=a", 'engine="pdfminer.six"', "entry_bytes=64MiB")).encode()
