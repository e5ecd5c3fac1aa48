"""How long the event loop is held while large documents come and go.

    python benchmarks/event_loop.py [--mebibytes N] [--backend trio|asyncio]

A task wakes every millisecond; what it is late is what everything else in the application would be late. The same
without any read, in the same run, says what the machine itself does.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio

from fumehood import Limits, Reader

_SETTLE_SECONDS = 1.0


class Heartbeat:
    """The longest pause between two wakes, in milliseconds."""

    def __init__(self) -> None:
        self.longest = 0.0

    async def run(self) -> None:
        last = time.perf_counter()
        while True:
            await anyio.sleep(0.001)
            now = time.perf_counter()
            self.longest, last = max(self.longest, 1e3 * (now - last)), now


@asynccontextmanager
async def watched(name: str) -> AsyncIterator[None]:
    heartbeat = Heartbeat()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(heartbeat.run)
        await anyio.sleep(0.05)
        heartbeat.longest = 0.0
        began = time.perf_counter()
        yield
        print(f"{name:42} {1e3 * (time.perf_counter() - began):8.0f} ms, loop held at most {heartbeat.longest:6.1f} ms")
        tasks.cancel_scope.cancel()


async def measure(mebibytes: int) -> None:
    limits = Limits(input_bytes=512 << 20, output_bytes=512 << 20, heap_bytes=4 << 30, blocks=5_000_000)
    size = mebibytes << 20
    line = b"one two three four five six seven eight nine ten\n"
    wide = "eins zwei drei vier fünf sechs sieben € acht 😀 neun zehn\n".encode()
    async with Reader(limits=limits) as reader:
        await reader.read("text", b"warm")
        async with watched("nothing"):
            await anyio.sleep(_SETTLE_SECONDS)
        documents = {
            "one line of ASCII": b"x" * size,
            "lines of ASCII in one block": line * (size // len(line)),
            "a block every line": (line + b"\n") * (size // (len(line) + 1)),
            "wide characters": wide * (size // len(wide)),
            "ASCII with one wide character at its end": b"x" * size + "😀".encode(),
        }
        for name, data in documents.items():
            async with watched(name):
                document = await reader.read("text", data)
            print(f"{'':42} {len(document.text):,} code points, {len(document.blocks):,} blocks")
            del document


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mebibytes", type=int, default=32)
    parser.add_argument("--backend", choices=["trio", "asyncio"], default="trio")
    options = parser.parse_args()
    anyio.run(measure, options.mebibytes, backend=options.backend)


if __name__ == "__main__":
    main()
