"""Applications that are killed by SIGKILL while they read: what of theirs is still alive a second later.

    python -m tests.endurance.orphans [--few]

Prints one JSON list; each entry names the stage, how long after its begin the application was killed, and how
many processes were left.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import anyio

from fumehood import Kind, Limits, Reader, Refusal, register
from tests.endurance import holdings

_SUPPORT: Final = Path(__file__).parents[1] / "support"
_LIMITS: Final = Limits(wall_seconds=60.0, cpu_seconds=60)
_LARGE: Final = b"fill 30000000 x"


def _begun() -> None:
    print("begun", flush=True)


async def _starting(reader: Reader) -> None:
    _begun()
    await reader.read("text", b"x")


async def _waiting(reader: Reader) -> None:
    """Spares wait, nobody reads."""
    await reader.read("obedient", b"say x")
    _begun()
    await anyio.sleep(60)


async def _closing(reader: Reader) -> None:
    await reader.read("obedient", b"say x")
    _begun()


async def _replacing(reader: Reader) -> None:
    await reader.read("obedient", b"say x")
    _begun()
    try:
        await reader.read("obedient", b"abort")
    except Refusal:
        await anyio.sleep(60)


def _reading(kind: str, order: bytes) -> Callable[[Reader], Any]:
    async def act(reader: Reader) -> None:
        await reader.read("obedient", b"say warm")
        _begun()
        while True:
            await reader.read(kind, order)

    return act


STAGES: Final[dict[str, tuple[Callable[[Reader], Any], tuple[float, ...]]]] = {
    # A zygote that starts is exec'd, imports, enters its namespaces, is witnessed and sealed, in half a second.
    "starting": (_starting, (0.15, 0.0, 0.05, 0.1, 0.2, 0.3, 0.4)),
    "waiting": (_waiting, (0.05,)),
    "sniffing": (_reading("auto", b"a letter"), (0.003, 0.007)),
    "sleeping": (_reading("obedient", b"sleep 60"), (0.05,)),
    "spinning": (_reading("obedient", b"spin"), (0.05,)),
    "replying": (_reading("obedient", _LARGE), (0.02, 0.05)),
    "replacing": (_replacing, (0.02, 0.1)),
    "closing": (_closing, (0.0, 0.003)),
}


async def _leaking(_reader: Reader) -> None:
    """The control: a process that nothing ties to its parent is seen to be left."""
    subprocess.Popen(["/bin/sleep", "60"], start_new_session=True)
    _begun()
    await anyio.sleep(60)


CONTROL: Final = "leaking"
STAGES[CONTROL] = (_leaking, (0.0,))
FEW: Final = ("starting", "sleeping", "replying", CONTROL)


async def _victim(stage: str) -> None:
    async with Reader(workers=2, limits=_LIMITS) as reader:
        await STAGES[stage][0](reader)


def _be_victim(stage: str) -> None:
    sys.path.append(str(_SUPPORT))
    register(Kind("obedient", "obedient"))
    anyio.run(_victim, stage, backend="trio")


def kill_at(stage: str, delay: float) -> int:
    """How many processes are left a second after the application was killed."""
    victim = subprocess.Popen([sys.executable, "-P", "-c", _BOOT, *sys.path, stage], stdout=subprocess.PIPE)
    assert victim.stdout is not None
    victim.stdout.readline()
    time.sleep(delay)
    victim.kill()
    victim.wait()
    victim.stdout.close()
    until = time.monotonic() + 1.0
    while holdings.survivors() and time.monotonic() < until:
        time.sleep(0.01)
    left = holdings.survivors()
    for process in left:
        process.kill()
    return len(left)


_BOOT: Final = (
    "import sys; sys.path[:] = sys.argv[1:-1]; from tests.endurance.orphans import _be_victim; _be_victim(sys.argv[-1])"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--few", action="store_true", help="one moment of some stages")
    few = parser.parse_args().few
    holdings.adopt_orphans()
    seen = [
        {"stage": stage, "after_seconds": delay, "left": kill_at(stage, delay)}
        for stage, (_, delays) in STAGES.items()
        if not few or stage in FEW
        for delay in (delays[:1] if few else delays)
    ]
    print(json.dumps(seen))


if __name__ == "__main__":
    main()
