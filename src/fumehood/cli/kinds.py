"""`fumehood kinds`: what can be read."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from fumehood.cli import exits, streams
from fumehood.cli.table import table, width
from fumehood.kinds import Kind, kinds

_HEADS = ("KIND", "EXTENSIONS", "MEDIA TYPES", "OPTIONS", "ENGINES")


def show_kinds(*, json: bool) -> int:
    """Prints the registry. Raises `OSError` if it cannot be written."""
    if json:
        streams.put(msgspec.json.encode([_as_data(kind) for kind in kinds()]) + b"\n")
    else:
        streams.put_text(table(_HEADS, [_as_row(kind) for kind in kinds()], width()))
    return exits.DONE


def _as_row(kind: Kind) -> tuple[str, ...]:
    return (
        kind.name,
        _joined(kind.extensions),
        _joined(kind.media_types),
        _joined(sorted(kind.options)),
        _joined(kind.engines),
    )


def _joined(names: Iterable[str]) -> str:
    return " ".join(names) or "-"


def _as_data(kind: Kind) -> dict[str, object]:
    return {
        "name": kind.name,
        "extensions": kind.extensions,
        "media_types": kind.media_types,
        "options": sorted(kind.options),
        "engines": kind.engines,
        "version": kind.version,
        "chunker": kind.chunker,
    }
