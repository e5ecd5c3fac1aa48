"""What an ingest costs beside reading alone, where the parent's time goes, and what a second run takes.

    python benchmarks/ingest.py FOLDER... [--rounds N]

Both ways read the same files by the same listing and alternate within one run: in this process by the library, where
reading keeps nothing, and by the commands, where `fumehood read` writes its Markdown to nowhere. Processor time is that
of all processes together; on a busy machine it says more than the clock. Times of SQLite and of chunking are those of
the threads that they run in.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import anyio

from fumehood import Document, Reader, Refusal
from fumehood.chunking import Chunk
from fumehood.index import SQLiteIndex
from fumehood.ingest import Chunker, Item, Listing, Pipeline

_CALLS = ("replace", "refuse", "adopt", "unchanged", "touch", "remove")
_MIB = 1024


def timed(spent: Counter[str], name: str, call: Callable[..., Any]) -> Callable[..., Any]:
    def timing(*arguments: Any, **options: Any) -> Any:
        began = time.thread_time()
        try:
            return call(*arguments, **options)
        finally:
            spent[name] += round((time.thread_time() - began) * 1e6)

    return timing


def watch(spent: Counter[str]) -> None:
    """Counts microseconds of every call from now on."""
    for name in _CALLS:
        setattr(SQLiteIndex, name, timed(spent, "sqlite", getattr(SQLiteIndex, name)))
    setattr(SQLiteIndex, "together", grouped(spent, SQLiteIndex.together))  # noqa: B010  # mypy forbids the assignment
    setattr(Chunker, "chunks", chunked_by(spent, Chunker.chunks))  # noqa: B010  # mypy forbids the assignment


def grouped(spent: Counter[str], together: Callable[..., AbstractContextManager[None]]) -> Callable[..., Any]:
    """The beginning and the end of a transaction, whose calls are counted by themselves."""

    @contextmanager
    def timing(index: SQLiteIndex) -> Iterator[None]:
        entered = together(index)
        timed(spent, "sqlite", entered.__enter__)()
        try:
            yield
        except BaseException as error:
            entered.__exit__(type(error), error, error.__traceback__)
            raise
        timed(spent, "sqlite", entered.__exit__)(None, None, None)

    return timing


def chunked_by(spent: Counter[str], chunks: Callable[[Chunker, Document], Iterator[Chunk]]) -> Callable[..., Any]:
    """Chunks are made while the index takes them, and that is none of SQLite's time."""

    def timing(chunker: Chunker, document: Document) -> Iterator[Chunk]:
        began = time.thread_time()
        made = chunks(chunker, document)
        while True:
            found = next(made, None)
            took = round((time.thread_time() - began) * 1e6)
            spent["chunking"] += took
            spent["sqlite"] -= took
            if found is None:
                return
            yield found
            began = time.thread_time()

    return timing


async def read(folders: Sequence[str]) -> None:
    async with Reader() as reader, anyio.create_task_group() as tasks:
        send, receive = anyio.create_memory_object_stream[Item](8)
        async with send, receive:
            for _ in range(reader.workers):
                tasks.start_soon(_read_on, reader, receive.clone())
            for item in Listing(folders):
                if isinstance(item, Item):
                    await send.send(item)


async def _read_on(reader: Reader, items: Any) -> None:
    async with items:
        async for item in items:
            try:
                await reader.read("auto", item.load(1 << 26), name=item.name)
            except Refusal:
                continue


async def ingest(folders: Sequence[str], path: Path) -> None:
    with SQLiteIndex(path) as index:
        async with Reader() as reader:
            summary = await Pipeline(index, reader).run(Listing(folders))
    print(
        f"  {summary.sources:,} files, {summary.succeeded:,} read, {summary.unchanged:,} unchanged, {summary.refused:,} refused"
    )


def cost(work: Callable[..., Awaitable[None]], *arguments: Any) -> tuple[float, float]:
    """Seconds: of the clock, of all processors."""
    clock, cpu = time.monotonic(), _processor_seconds()
    anyio.run(work, *arguments, backend="trio")
    return time.monotonic() - clock, _processor_seconds() - cpu


def cost_of_command(*arguments: str) -> tuple[float, float]:
    """The same of a command, which may refuse files."""
    clock, cpu = time.monotonic(), _processor_seconds()
    subprocess.run(
        [sys.executable, "-P", "-m", "fumehood", *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    return time.monotonic() - clock, _processor_seconds() - cpu


def show(name: str, spent: tuple[float, float]) -> None:
    print(f"  {name:16} {spent[0]:8.2f} s, {spent[1]:8.2f} s of processors")


def show_throughput(alone: tuple[float, float], ingested: tuple[float, float]) -> None:
    clock, cpu = (one / other for one, other in zip(alone, ingested, strict=True))
    print(f"  throughput {clock:.2f} of reading alone by the clock, {cpu:.2f} by processor time")


def _processor_seconds() -> float:
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--rounds", type=int, default=1)
    chosen = parser.parse_args()
    spent = Counter[str]()
    watch(spent)
    files = [item.source for item in Listing(chosen.folders) if isinstance(item, Item)]
    for _ in range(chosen.rounds):
        with tempfile.TemporaryDirectory() as folder:
            alone = cost(read, chosen.folders)
            spent.clear()
            first = cost(ingest, chosen.folders, Path(folder) / "index")
            parts = {name: micro / 1e6 for name, micro in spent.items()}
            second = cost(ingest, chosen.folders, Path(folder) / "index")
            read_command = cost_of_command("read", *files)
            ingest_command = cost_of_command("ingest", "--index", f"{folder}/other", *chosen.folders)
        show("read alone", alone)
        show("ingest", first)
        show("second run", second)
        for name, seconds in parts.items():
            print(f"  {name:16} {seconds:8.2f} s, {seconds / first[1]:.1%} of ingest's processor time")
        show_throughput(alone, first)
        print(f"  second run {second[1] / first[1]:.3f} of the first")
        show("fumehood read", read_command)
        show("fumehood ingest", ingest_command)
        show_throughput(read_command, ingest_command)
    print(f"peak memory of this process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _MIB:.0f} MiB")


if __name__ == "__main__":
    main()
