"""What each bomb ends as in a worker, how long that takes, and how much memory.

    python benchmarks/bombs.py [--only NAME,...] [--bare] [--folder DIR]

`--bare` adds what the parsing library does by itself in 60 seconds and 4 GiB, which takes minutes. `--folder`
reads the hostile files of a folder with a `manifest.json` (file name to `kind` and `class`) in place of our own.

- `memory`: the peak of the worker above what its zygote held, as the kernel counted it.
- `inflated`: bytes that were inflated, where the worker or a refusal says so.
- `?`: it ends as something else than it must, or breaks a bound that it is not about to spend.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import anyio

from fumehood import Limits, Reader, ReadOptions, Refusal, kinds
from fumehood.fuzz.bomb import READ, Bomb
from fumehood.fuzz.bombs import BOMBS
from fumehood.sandbox.document_file import sealed
from fumehood.sandbox.jobs import Deadline
from fumehood.sandbox.layers import DEFAULT_REQUIRE
from fumehood.sandbox.verdict import judge

MIB = 1 << 20
MOST_SECONDS = 2.0
MOST_BYTES = 64 * MIB
BARE_SECONDS = 60
BARE_BYTES = 4 << 30


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one read ended. `inflated_bytes` is None where nobody says."""

    code: str
    limit: str | None
    seconds: float
    peak_bytes: int
    inflated_bytes: int | None


async def read(reader: Reader, kind: str, data: bytes) -> Outcome:
    """A read as `Reader.read` does it, that keeps what the kernel saw when it is refused."""
    limits = Limits()
    document = await sealed(memoryview(data))
    host = reader._opened()
    began = time.perf_counter()
    seen = await host.read(
        kinds.get(kind), document, limits, ReadOptions(), frozenset(DEFAULT_REQUIRE), Deadline(limits.wall_seconds)
    )
    seconds = time.perf_counter() - began
    os.close(document.descriptor)
    ending = seen.finished.ending
    refused = judge(ending, limits)
    if refused is None:
        contents = await seen.finished.reply.contents()
        return Outcome(READ, None, seconds, ending.peak_bytes, contents.inflated_bytes)
    return Outcome(refused.code, refused.limit, seconds, ending.peak_bytes, _inflated(refused))


def _inflated(refused: Refusal) -> int | None:
    if refused.limit in ("inflated_bytes", "entry_bytes") and refused.observed is not None:
        return int(refused.observed)
    return None


# ---- the parsing library by itself --------------------------------------------------------------------------------

_BARE = {
    "pdf": "from pdfminer.high_level import extract_text; import io; print(len(extract_text(io.BytesIO(data))))",
    "docx": "import docx, io; print(sum(len(p.text) for p in docx.Document(io.BytesIO(data)).paragraphs))",
    "json": "import json; print(len(json.loads(data)))",
    "csv": "import csv; print(sum(len(row) for row in csv.reader(data.decode().splitlines(True))))",
    "markdown": "import markdown_it; print(len(markdown_it.MarkdownIt('commonmark').enable('table').parse(data.decode())))",
    "text": "print(len(data.decode()))",
}


_SCRIPT = """
import sys
data = sys.stdin.buffer.read()
try:
    {}
except BaseException as error:
    sys.exit(type(error).__name__)
"""


def bare(kind: str, data: bytes) -> str:
    """How the library ended by itself: `read`, the exception's name, `60 s` or a signal."""

    def capped() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (BARE_BYTES, BARE_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    began = time.perf_counter()
    try:
        done = subprocess.run(
            [sys.executable, "-c", _SCRIPT.format(_BARE[kind])],
            input=data,
            capture_output=True,
            timeout=BARE_SECONDS,
            preexec_fn=capped,
        )
    except subprocess.TimeoutExpired:
        return f"over {BARE_SECONDS} s"
    took = f"{time.perf_counter() - began:.1f} s"
    if done.returncode < 0:
        return f"signal {-done.returncode}, {took}"
    return f"{done.stderr.decode().strip() if done.returncode else READ}, {took}"


# ---- the table ------------------------------------------------------------------------------------------------------


def complaint(bomb: Bomb, outcome: Outcome) -> str:
    if bomb.ends and outcome.code not in bomb.ends:
        return f"? wanted {' or '.join(sorted(bomb.ends))}"
    if outcome.seconds > MOST_SECONDS and bomb.spends is None:
        return "? slow"
    if outcome.peak_bytes > MOST_BYTES and bomb.spends is None:
        return "? large"
    return f"spends {bomb.spends}" if bomb.spends else ""


def row(bomb: Bomb, outcome: Outcome, library: str) -> str:
    inflated = "" if outcome.inflated_bytes is None else f"{outcome.inflated_bytes / MIB:.1f}"
    code = outcome.code + (f" ({outcome.limit})" if outcome.limit else "")
    return (
        f"{bomb.name:26}{code:42}{1e3 * outcome.seconds:9.1f}{outcome.peak_bytes / MIB:9.1f}{inflated:>10} "
        f"{library:30}{complaint(bomb, outcome)}"
    ).rstrip()


def of_folder(folder: Path) -> Iterator[Bomb]:
    """The hostile files of the folder; how they are to end, nobody says."""
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    for name, facts in sorted(manifest.items()):
        if facts["class"] == "hostile":
            path = folder / name
            yield Bomb(name, facts["kind"], facts["what"], path.read_bytes, frozenset())


async def measure(bombs: list[Bomb], *, with_bare: bool) -> None:
    print(f"{'':26}{'ends as':42}{'ms':>9}{'MiB':>9}{'inflated':>10} {'the library itself' if with_bare else ''}")
    seconds: list[float] = []
    async with Reader(workers=1) as reader:
        for kind in sorted({bomb.kind for bomb in bombs}):
            await read(reader, kind, kinds.get(kind).specimen)
        for bomb in bombs:
            data = bomb.make()
            outcome = await read(reader, bomb.kind, data)
            seconds.append(outcome.seconds)
            library = await anyio.to_thread.run_sync(bare, bomb.kind, data) if with_bare else ""
            print(row(bomb, outcome, library), flush=True)
    print(
        f"median {1e3 * statistics.median(seconds):.1f} ms, longest {1e3 * max(seconds):.1f} ms, {len(seconds)} files"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="names, or kinds, with commas between them")
    parser.add_argument("--bare", action="store_true")
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    bombs = list(of_folder(options.folder)) if options.folder else list(BOMBS)
    wanted = set(options.only.split(",")) if options.only else None
    known = {kind.name for kind in kinds.kinds()}
    chosen = [bomb for bomb in bombs if wanted is None or bomb.name in wanted or bomb.kind in wanted]
    for kind in sorted({bomb.kind for bomb in chosen} - known):
        print(f"no loader for {kind}: {sum(bomb.kind == kind for bomb in chosen)} files left out")
    anyio.run(lambda: measure([bomb for bomb in chosen if bomb.kind in known], with_bare=options.bare), backend="trio")


if __name__ == "__main__":
    main()
