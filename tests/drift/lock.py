"""The lock files `sandbox/syscalls/MACHINE-FAMILY.lock`: what workers were seen to call, and what is allowed besides."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from fumehood.kinds import ATTACHMENTS, kinds
from tests.drift.calls import Call, action

FOLDER: Final = Path(__file__).parents[2] / "sandbox" / "syscalls"
RECORDED: Final = "x86_64"
"""The machine that the lock files were recorded on; another one's filter is simulated over the same calls."""
_HEAD: Final = """\
# System calls that workers of the family {family} made behind their filter on {machine}: the call, those of its
# arguments that the filter looks at, and what the filter answered. Written by `benchmarks/syscalls.py`.
"""


def families() -> list[str]:
    """Those of the kinds that come with the package, and the one that reads all of them."""
    return sorted({ATTACHMENTS, *(kind.family for kind in kinds() if kind.module.startswith("fumehood."))})


def path(family: str, folder: Path = FOLDER) -> Path:
    return folder / f"{RECORDED}-{family}.lock"


def write(family: str, calls: Iterable[Call], folder: Path = FOLDER) -> None:
    lines = sorted(f"{call} {action(RECORDED, call)}" for call in calls)
    text = _HEAD.format(family=family, machine=RECORDED) + "\n".join(lines) + "\n"
    path(family, folder).write_text(text, encoding="utf-8")


def read(family: str, folder: Path = FOLDER) -> dict[Call, str]:
    """The calls, each with what the filter answered when it was recorded."""
    lines = path(family, folder).read_text(encoding="utf-8").splitlines()
    pairs = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    return {Call.parse(call): answer for call, answer in pairs}


def reasons(folder: Path = FOLDER) -> dict[str, str]:
    """What the filter allows although no worker was seen to need it, each with the reason."""
    lines = (folder / "unseen.tsv").read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines if line and not line.startswith("#"))
