"""What was found once: files in `regressions/`, each with how a read of it must end, in `manifest.tsv`.

Columns: file, kind, expected (`read` or a refusal's code), what it was. A kind may be the name of a target that
belongs to none, such as `reply`.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent / "regressions"
MANIFEST: Final = FOLDER / "manifest.tsv"


@dataclass(frozen=True, slots=True)
class Finding:
    """One file of the folder."""

    file: str
    kind: str
    expected: str
    what: str

    def read(self) -> bytes:
        return (FOLDER / self.file).read_bytes()


def findings() -> tuple[Finding, ...]:
    """All of them, in the order of the manifest; none where the folder was not installed."""
    if not MANIFEST.exists():
        return ()
    with MANIFEST.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return tuple(Finding(row["file"], row["kind"], row["expected"], row["what"]) for row in rows)
