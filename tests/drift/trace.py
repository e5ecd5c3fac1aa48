"""Records which system calls workers make once their filter is loaded, by strace(1).

The tracer sees a call before the filter does, so one that is denied or killed for is seen too.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from fumehood.sandbox.descriptors import INPUT
from tests.drift.calls import PID, Call, looked_at

ROOT: Final = Path(__file__).parents[2]
_BOOT: Final = (
    "import sys; sys.path[:] = sys.argv[1].split(':'); from tests.drift.drive import main; main(*sys.argv[2:])"
)
_CALL: Final = re.compile(r"^(\w+)\(([^)]*)")
_LOADED: Final = re.compile(r"^prctl\(0x16, 0x2, .*= 0$")
"""prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ...)"""
_READS: Final = f"lseek({INPUT:#x}, "
"""What only a worker with a document does: canaries load a filter too."""


class Killed(Exception):
    """A worker made a call that it was killed for: the allow-list is too narrow, or the document took it over."""


def available() -> str | None:
    """Why nothing can be recorded here, or None."""
    if shutil.which("strace") is None:
        return "there is no strace(1)"
    tried = subprocess.run(["strace", "-qq", "-o", "/dev/null", "true"], capture_output=True, check=False)
    return None if tried.returncode == 0 else "strace(1) may not trace here"


def record(machine: str, families: Sequence[str], folders: Sequence[Path] = ()) -> frozenset[Call]:
    """The calls of every worker of `families` that reads: our own documents, and those of `folders`. Raises `Killed`."""
    with tempfile.TemporaryDirectory() as place:
        prefix = f"{place}/trace"
        strace = ["strace", "-f", "-ff", "-qq", "--raw=all", "-o", prefix]
        drive = [sys.executable, "-c", _BOOT, ":".join([str(ROOT), *sys.path]), ",".join(families), *map(str, folders)]
        subprocess.run([*strace, *drive], check=True, stdout=subprocess.DEVNULL)
        traces = [path.read_text(encoding="utf-8", errors="replace") for path in sorted(Path(place).iterdir())]
    return frozenset(call for trace in traces for call in calls(machine, trace))


def calls(machine: str, trace: str) -> Iterator[Call]:
    """What one process called behind its filter, if it read a document. Raises `Killed`."""
    lines = trace.splitlines()
    loaded = next((at for at, line in enumerate(lines) if _LOADED.match(line)), None)
    if loaded is None:
        return
    behind = lines[loaded + 1 :]
    if not any(line.startswith(_READS) for line in behind):
        return
    if behind[-1].startswith("+++ killed by SIGSYS"):
        raise Killed(behind[-2])
    wanted = looked_at(machine)
    for line in behind:
        made = _CALL.match(line)
        if made:
            yield _call(made[1], made[2], wanted.get(made[1], ()))


def _call(name: str, written: str, wanted: Sequence[int]) -> Call:
    if name == "tgkill":
        written = re.sub(r"^\w+", hex(PID), written)  # In its own namespace it has another number each time.
    values = [int(value, 0) for value in written.split(", ") if value and " " not in value]
    return Call(name, tuple((at, values[at]) for at in wanted))
