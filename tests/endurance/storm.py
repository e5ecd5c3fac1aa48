"""Thousands of reads while workers crash, time out and are cancelled and zygotes are killed, all at random.

    python -m tests.endurance.storm --reads 20000 --backend trio --seed 1

Every document says its own number, so that an answer that is lost, doubled or another's is seen. Prints one
JSON object: how the calls ended, what is held before and after, and how memory went. After the storm comes a
calm, in which no zygote is replaced, so that the growth of one zygote can be seen at all.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

import anyio
import psutil

from fumehood import Kind, Limits, Reader, Refusal, register
from tests.endurance import holdings

Plan = Literal["calm", "crash", "timeout", "zygote", "cancel"]

SHARES: Final[dict[Plan, float]] = {"crash": 0.02, "timeout": 0.02, "zygote": 0.02, "cancel": 0.01}
"""Of all reads: the worker aborts, the deadline strikes, a zygote is killed meanwhile, the caller gives up."""
WORKERS: Final = 4
_CALLERS: Final = 8
_WALL_SECONDS: Final = 0.15
_SOON_SECONDS: Final = 0.01
"""As long as a read takes with its fork: so kills and cancellations fall on every stage of it."""
_LOST_SECONDS: Final = 60.0
_SAMPLES: Final = 40
_WARM_UP: Final = 100
_LIMITS: Final = Limits(heap_bytes=64 << 20)


@dataclass(slots=True)
class Seen:
    """What happened. `wrong`: answers that no such call can have, in words."""

    ended: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    killed: int = 0
    parent: list[tuple[float, float]] = field(default_factory=list)
    zygote: list[tuple[float, float]] = field(default_factory=list)


def plan(chance: random.Random) -> Plan:
    at = chance.random()
    for name, share in SHARES.items():
        if at < share:
            return name
        at -= share
    return "calm"


def document(number: int, planned: Plan) -> tuple[str, bytes]:
    if planned == "crash":
        return "obedient", b"abort"
    if planned == "timeout":
        return "obedient", b"sleep 30"
    if number % 4 == 0:
        return "text", b"text %d" % number
    return "obedient", b"say %d" % number


_EXPECTED: Final[dict[Plan, set[str]]] = {
    # A zygote that is killed takes every worker along that reads just then, whosever document it has.
    "calm": {"right", "crashed"},
    "zygote": {"right", "crashed"},
    "crash": {"crashed"},
    "timeout": {"wall-clock", "crashed"},
    "cancel": {"right", "crashed", "cancelled"},
}


class Storm:
    def __init__(self, reader: Reader, chance: random.Random) -> None:
        self._reader = reader
        self._chance = chance
        self.seen = Seen()

    async def run(self, reads: int, *, storming: bool) -> None:
        numbers = iter(range(reads))
        every = max(1, reads // _SAMPLES)
        async with anyio.create_task_group() as callers:
            for _ in range(_CALLERS):
                callers.start_soon(self._call_on, numbers, every, storming)

    async def _call_on(self, numbers: Iterator[int], every: int, storming: bool) -> None:
        for number in numbers:
            planned = plan(self._chance) if storming else "calm"
            ended = await self._answered(number, planned)
            self.seen.ended[f"{planned} {ended}"] += 1
            if ended not in (_EXPECTED[planned] if storming else {"right"}):
                self.seen.wrong.append(f"{number} {planned}: {ended}")
            if number % every == 0:
                self._sample(number, storming)

    async def _answered(self, number: int, planned: Plan) -> str:
        if planned != "zygote":
            return await self._read(number, planned)
        ended = []

        async def read() -> None:
            ended.append(await self._read(number, planned))

        async with anyio.create_task_group() as both:
            both.start_soon(read)
            await anyio.sleep(self._chance.random() * _SOON_SECONDS)
            self._kill_a_zygote()
        return ended[0]

    async def _read(self, number: int, planned: Plan) -> str:
        kind, data = document(number, planned)
        limits = _LIMITS.replace(wall_seconds=_WALL_SECONDS) if planned == "timeout" else _LIMITS
        patience = self._chance.random() * _SOON_SECONDS if planned == "cancel" else _LOST_SECONDS
        with anyio.move_on_after(patience):
            try:
                read = await self._reader.read(kind, data, limits=limits)
            except Refusal as refused:
                return refused.code
            return "right" if read.text.strip() == data.decode().removeprefix("say ") else f"another's: {read.text!r}"
        return "cancelled" if planned == "cancel" else "lost"

    def _kill_a_zygote(self) -> None:
        """Either of its two processes, by SIGKILL."""
        zygotes = self._reader._opened().zygotes()
        if not zygotes:
            return
        try:
            outer = psutil.Process(self._chance.choice(zygotes).pid)
            self._chance.choice([outer, *outer.children()]).send_signal(signal.SIGKILL)
        except psutil.Error:
            return  # Gone already, by a kill that came before.
        self.seen.killed += 1

    def _sample(self, number: int, storming: bool) -> None:
        self.seen.parent.append((number, holdings.resident_bytes()))
        if storming:
            return
        for process in self._reader.processes():
            if process.family == "kind:obedient" and process.resident_bytes > 1 << 20:
                outer = psutil.Process(process.pid)
                inner = outer.children()
                self.seen.zygote.append((number, holdings.resident_bytes(inner[0].pid if inner else outer.pid)))
                return


def _flat(points: list[tuple[float, float]]) -> float:
    """Bytes a read, over the second half: the first one fills caches and the allocator."""
    return holdings.slope(points[len(points) // 2 :])


async def weather(reads: int, seed: int) -> dict[str, Any]:
    chance = random.Random(seed)
    async with Reader(workers=WORKERS, queue=_CALLERS) as reader:
        for number in range(_WARM_UP):
            await reader.read("obedient", b"say %d" % number)
            await reader.read("text", b"warm")
        storm = Storm(reader, chance)
        await storm.run(reads, storming=True)
        gc.collect()
        calm = Storm(reader, chance)
        await calm.run(reads // 4, storming=False)
    return {
        "reads": reads,
        "seed": seed,
        "ended": dict(sorted((storm.seen.ended + calm.seen.ended).items())),
        "wrong": storm.seen.wrong + calm.seen.wrong,
        "zygotes_killed": storm.seen.killed,
        "parent_bytes_a_read": round(_flat(storm.seen.parent), 1),
        "zygote_bytes_a_read": round(_flat(calm.seen.zygote), 1),
        "parent_bytes": [int(storm.seen.parent[0][1]), int(calm.seen.parent[-1][1])],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reads", type=int, default=20_000)
    parser.add_argument("--backend", choices=["trio", "asyncio"], default="trio")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    sys.path.append(str(Path(__file__).parents[1] / "support"))
    register(Kind("obedient", "obedient"))
    holdings.adopt_orphans()
    holdings.own_ipc()
    anyio.run(weather, 4, options.seed, backend=options.backend)  # The loop's own threads and descriptors come to stay.
    before = holdings.holdings()
    report = anyio.run(weather, options.reads, options.seed, backend=options.backend)
    after = holdings.settled(before)
    report |= {"before": before._asdict(), "after": after._asdict(), "left": after != before}
    print(json.dumps(report))


if __name__ == "__main__":
    main()
