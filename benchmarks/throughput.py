"""Documents a second over a folder, isolated against in-process; and what a reader does at ten times its capacity.

    python benchmarks/throughput.py FOLDER... [--kinds pdf,docx] [--every N] [--rounds N] [--workers 1,2,4] [--json]

The ways alternate within one run, round by round, so that the machine's mood falls on all of them alike; the
medians of the rounds are compared. Processor time is that of this process and of every zygote and worker.
In-process is one thread of this process, as an application without a jail has it.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import psutil

from fumehood import Reader, Refusal, kinds
from fumehood.sandbox.loading import read_in_process, warm

OVERLOAD = 10
_OVERLOAD_WORKERS = 2
_LEAST_SECONDS = 2.0
"""Of a run at capacity: how a flood begins and ends, with workers that wait, is then lost in it."""
_TICK_SECONDS = 0.01
_LOOK_SECONDS = 0.1
_SETTLE_SECONDS = 0.1


class Input(NamedTuple):
    kind: str
    data: bytes


class Cost(NamedTuple):
    """Seconds: of the clock, and of all processors together."""

    wall: float
    cpu: float


def documents(folders: Sequence[Path], wanted: frozenset[str], every: int) -> list[Input]:
    """Every `every`-th file of the wanted kinds, in the order of the names."""
    files = sorted(path for folder in folders for path in folder.rglob("*") if path.is_file())
    known = [(kinds.by_extension(path.name), path) for path in files]
    found = [(kind.name, path) for kind, path in known if kind is not None and kind.name in wanted]
    return [Input(kind, path.read_bytes()) for kind, path in found[::every]]


def processor_seconds() -> float:
    """Of this process, its zygotes, and every worker that they have reaped."""
    own = os.times()
    spent = own.user + own.system
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            spent += sum(process.cpu_times()[:4])
    return spent


def in_process(inputs: Sequence[Input]) -> None:
    for kind, data in inputs:
        with suppress(Refusal):
            read_in_process(kinds.get(kind), data)


async def isolated(reader: Reader, inputs: Sequence[Input]) -> None:
    """As many callers as there are workers, so that nothing waits for long and nothing is refused."""
    rest = iter(inputs)
    async with anyio.create_task_group() as callers:
        for _ in range(reader.workers):
            callers.start_soon(_read_on, reader, rest)


async def _read_on(reader: Reader, rest: Iterator[Input]) -> None:
    for kind, data in rest:
        with suppress(Refusal):
            await reader.read(kind, data)


async def cost(act: Callable[[], Awaitable[None]]) -> Cost:
    await anyio.sleep(_SETTLE_SECONDS)  # Spares that an earlier way asked for are forked by then.
    spent, began = processor_seconds(), time.perf_counter()
    await act()
    wall = time.perf_counter() - began
    await anyio.sleep(_SETTLE_SECONDS)
    return Cost(wall, processor_seconds() - spent)


async def compare(inputs: Sequence[Input], workers: Sequence[int], rounds: int) -> dict[str, list[Cost]]:
    """The cost of each way in each round: `in-process`, and by numbers of workers."""
    costs: dict[str, list[Cost]] = {name: [] for name in ("in-process", *map(str, workers))}
    wanted = {kind for kind, _ in inputs}
    for kind in wanted:
        warm(kinds.get(kind))

    async def inside() -> None:
        in_process(inputs)

    specimens = [Input(kind, kinds.get(kind).specimen) for kind in wanted]
    for _ in range(rounds):
        costs["in-process"].append(await cost(inside))
        for number in workers:
            async with Reader(workers=number) as reader:
                await isolated(reader, specimens)
                costs[str(number)].append(await cost(partial(isolated, reader, inputs)))
    return costs


class Flood:
    """Calls that come whether or not earlier ones were answered: `rate` a second. Without a reader they ask nothing."""

    def __init__(self, reader: Reader | None, inputs: Sequence[Input]) -> None:
        self._reader = reader
        self._inputs = inputs
        self.ended: Counter[str] = Counter()
        self.answered: list[int] = []
        """Which of the inputs were answered."""
        self.latencies: list[float] = []
        self.refusals: list[float] = []
        self.resident = 0
        self.processes = 0
        self.copies = 0

    async def run(self, rate: float, seconds: float = math.inf) -> None:
        began, sent, looked = time.perf_counter(), 0, 0.0
        async with anyio.create_task_group() as calls:
            while (now := time.perf_counter() - began) < seconds:
                for _ in range(int(now * rate) - sent):
                    calls.start_soon(self._call, sent % len(self._inputs))
                    sent += 1
                if now - looked >= _LOOK_SECONDS:
                    self._look()
                    looked = now
                await anyio.sleep(_TICK_SECONDS)

    async def _call(self, number: int) -> None:
        if self._reader is None:
            return
        document = self._inputs[number]
        began = time.perf_counter()
        try:
            await self._reader.read(document.kind, document.data)
        except Refusal as refused:
            if refused.code == "overloaded":
                self.ended["overloaded"] += 1
                self.refusals.append(time.perf_counter() - began)
                return
        self.ended["answered"] += 1
        self.answered.append(number)
        self.latencies.append(time.perf_counter() - began)

    def _look(self) -> None:
        self.resident = max(self.resident, psutil.Process().memory_info().rss)
        self.processes = max(self.processes, len(psutil.Process().children(recursive=True)))
        self.copies = max(self.copies, copies_of_documents())


def copies_of_documents() -> int:
    """Memory files of documents that this process holds open."""
    count = 0
    for entry in os.listdir("/proc/self/fd"):
        with suppress(OSError):
            count += "fumehood-document" in os.readlink(f"/proc/self/fd/{entry}")
    return count


async def weights(reader: Reader, inputs: Sequence[Input]) -> list[float]:
    """Processor seconds of each document's worker, the lesser of two readings: what one document is worth in others."""
    found = []
    for kind, data in inputs:
        seconds = []
        for _ in range(2):
            with suppress(Refusal):
                receipt = (await reader.read(kind, data)).receipt
                seconds.append(receipt.cpu_seconds if receipt else 0.0)
        found.append(min(seconds, default=0.0))
    return found


async def at_capacity(reader: Reader, inputs: Sequence[Input], rate: float) -> None:
    """`workers` callers that wait for each answer, beside as many calls as in a flood, which ask nothing.

    Those are the generator's own cost, which an application does not have in its process: its calls come anyway.
    """
    async with anyio.create_task_group() as beside:
        beside.start_soon(Flood(None, inputs).run, rate)
        await isolated(reader, inputs)
        beside.cancel_scope.cancel()


async def overload(inputs: Sequence[Input], rounds: int) -> dict[str, Any]:
    """At capacity: `workers` callers that wait for each answer. Over it: ten times as many calls come in the same time.

    Which documents are answered in a flood is chance, and one may take a hundred times as long as another: so what is
    compared is the work that was answered a second, each document counted by what it costs by itself; refused ones
    are left out. Each flood stands between two runs at capacity, and is compared with the mean of both. The generator
    of the calls runs beside all of them alike; what it takes by itself is shown.
    """
    async with Reader(workers=_OVERLOAD_WORKERS) as reader:
        worth = await weights(reader, inputs)
        pairs = [(document, value) for document, value in zip(inputs, worth, strict=True) if value]
        inputs, worth = [document for document, _ in pairs], [value for _, value in pairs]
        bare = await cost(partial(isolated, reader, inputs))
        again = math.ceil(_LEAST_SECONDS / bare.wall)
        inputs, worth = inputs * again, worth * again
        bare = await cost(partial(isolated, reader, inputs))
        rate = OVERLOAD * len(inputs) / bare.wall
        base = psutil.Process().memory_info().rss
        calm, floods, flooded = [await cost(partial(at_capacity, reader, inputs, rate))], [], []
        for _ in range(rounds):
            flood = Flood(reader, inputs)
            flooded.append(await cost(partial(flood.run, rate, calm[-1].wall)))
            floods.append(flood)
            calm.append(await cost(partial(at_capacity, reader, inputs, rate)))
    rates = [sum(worth) / way.wall for way in calm]
    prices = [way.cpu / sum(worth) for way in calm]
    done = [sum(worth[number] for number in flood.answered) for flood in floods]
    shares = [
        work / way.wall / statistics.mean(rates[at : at + 2])
        for at, (work, way) in enumerate(zip(done, flooded, strict=True))
    ]
    dearer = [
        way.cpu / work / statistics.mean(prices[at : at + 2])
        for at, (work, way) in enumerate(zip(done, flooded, strict=True))
    ]
    ended = sum((flood.ended for flood in floods), Counter[str]())
    return {
        "calls": ended.total(),
        "answered": ended["answered"],
        "overloaded": ended["overloaded"],
        "share_of_unloaded_throughput": {
            "median": round(statistics.median(shares), 3),
            "rounds": [round(share, 3) for share in shares],
            "calm_to_calm": [round(after / before, 3) for before, after in pairwise(rates)],
            "generator_alone": round(bare.wall / statistics.median(way.wall for way in calm), 3),
        },
        "cpu_of_the_same_work": {
            "median": round(statistics.median(dearer), 3),
            "rounds": [round(ratio, 3) for ratio in dearer],
            "calm_to_calm": [round(after / before, 3) for before, after in pairwise(prices)],
        },
        "latency_ms": quantiles([latency for flood in floods for latency in flood.latencies]),
        "refused_ms": quantiles([latency for flood in floods for latency in flood.refusals]),
        "parent_grown_mib": round((max(flood.resident for flood in floods) - base) / 2**20, 1),
        "processes": max(flood.processes for flood in floods),
        "copies_of_documents": max(flood.copies for flood in floods),
    }


def quantiles(seconds: Sequence[float]) -> dict[str, float]:
    """In milliseconds."""
    ordered = sorted(seconds) or [0.0]
    return {
        name: round(1e3 * ordered[min(len(ordered) - 1, int(len(ordered) * at))], 2)
        for name, at in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("most", 1.0))
    }


def summary(inputs: Sequence[Input], costs: dict[str, list[Cost]]) -> dict[str, Any]:
    base = Cost(*(statistics.median(column) for column in zip(*costs["in-process"], strict=True)))
    rows = {}
    for name, rounds in costs.items():
        middle = Cost(*(statistics.median(column) for column in zip(*rounds, strict=True)))
        rows[name] = {
            "documents_a_second": round(len(inputs) / middle.wall, 1),
            "wall_to_in_process": round(middle.wall / base.wall, 3),
            "cpu_to_in_process": round(middle.cpu / base.cpu, 3),
            "cpu_ms_a_document": round(1e3 * middle.cpu / len(inputs), 2),
        }
    return {"documents": len(inputs), "bytes": sum(len(data) for _, data in inputs), "ways": rows}


def show(result: dict[str, Any]) -> None:
    print(f"{result['documents']} documents, {result['bytes']:,} bytes; load {os.getloadavg()[0]:.2f} before the end")
    print(f"{'way':12}{'documents/s':>14}{'wall':>8}{'CPU':>8}{'CPU ms each':>14}")
    for name, row in result["ways"].items():
        way = name if name == "in-process" else f"{name} workers"
        print(
            f"{way:12}{row['documents_a_second']:14.1f}{row['wall_to_in_process']:8.3f}{row['cpu_to_in_process']:8.3f}"
            f"{row['cpu_ms_a_document']:14.2f}"
        )
    print(f"\n{OVERLOAD} times overload, {_OVERLOAD_WORKERS} workers:")
    for key, value in result["overload"].items():
        print(f"  {key.replace('_', ' ')}: {value}")


async def measure(options: argparse.Namespace) -> dict[str, Any]:
    inputs = documents(options.folders, frozenset(options.kinds.split(",")), options.every)
    numbers = [int(number) for number in options.workers.split(",")]
    costs = await compare(inputs, numbers, options.rounds)
    return {**summary(inputs, costs), "overload": await overload(inputs, options.rounds)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--kinds", default="pdf,docx")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", default="1,2,4")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    result = anyio.run(measure, options, backend="trio")
    print(json.dumps(result, indent=1)) if options.json else show(result)


if __name__ == "__main__":
    main()
