"""`fumehood kinds`: what can be read."""

from __future__ import annotations

import msgspec

from fumehood import cli_output, kinds
from fumehood.kinds import Kind


def show_kinds(*, json: bool) -> int:
    """Prints the registry; 0."""
    if json:
        cli_output.put(cli_output.OUT, msgspec.json.encode([_as_data(kind) for kind in kinds.kinds()]) + b"\n")
        return 0
    rows = [
        (kind.name, _list(kind.extensions), _list(kind.media_types), _list(sorted(kind.options)), _list(kind.engines))
        for kind in kinds.kinds()
    ]
    heads = ("KIND", "EXTENSIONS", "MEDIA TYPES", "OPTIONS", "ENGINES")
    cli_output.put_text(cli_output.table(heads, rows, cli_output.width()) + "\n")
    return 0


def _list(names: tuple[str, ...] | list[str]) -> str:
    return " ".join(names) or "-"


def _as_data(kind: Kind) -> dict[str, object]:
    return {
        "name": kind.name,
        "extensions": kind.extensions,
        "media_types": kind.media_types,
        "options": sorted(kind.options),
        "engines": kind.engines,
        "version": kind.version,
    }
