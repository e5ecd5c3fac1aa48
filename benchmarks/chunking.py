"""Characters a second from documents to chunks, beside the splitters of other projects on the same text in one run.

    python benchmarks/chunking.py [--peers PEERS/bin/python] [--table] [--megabytes 1,20]

PEERS is an environment with `semantic-text-splitter`, `chonkie` and `langchain-text-splitters`. Processor time, the
best of three runs up to 4 MB, else of one; a peer that takes more than `--patience` seconds is stopped. `--table`
prints what each splitter keeps instead, as in docs/chunking.md.
"""

from __future__ import annotations

import argparse
import gc
import json
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from chunk_properties import Sample, Share, properties, sample
from peers_chunking import PEERS

import fumehood
from fumehood import Document, Limits
from fumehood.chunking import Chunk, chunk
from fumehood.document import Block, Locator, Role

SIZE: Final = 1_500
_HERE: Final = Path(__file__).parent
_PARAGRAPH: Final = (
    "The ledger of the harbour lists every vessel, its freight and the clause that its charter was signed under. "
)


def blocks_of(characters: int, kind: str) -> Document:
    """A document of one kind of block, as a loader makes it."""
    parts: list[str] = []
    blocks: list[Block] = []
    at = 0
    while at < characters:
        number = len(blocks)
        role, text, level, group = _block(kind, number)
        blocks.append(Block(at, at + len(text), role, level, group, Locator(line=number + 1)))
        parts.append(text)
        at += len(text) + 1 + (group is None)
    text = "".join(part + ("\n" if block.group else "\n\n") for part, block in zip(parts, blocks, strict=True))
    return Document("docx", None, {}, text, tuple(blocks), (), ())


def _block(kind: str, number: int) -> tuple[Role, str, int | None, int | None]:
    if kind == "prose":
        if number % 10 == 0:
            return "heading", f"## Section {number}", 2, None
        return "paragraph", _PARAGRAPH * (1 + number % 7), None, None
    if kind == "long paragraphs":
        return "paragraph", _PARAGRAPH * 60, None, None
    if kind == "list":
        return "list-item", f"- item {number} of the harbour's list, its freight", 1, 1 + number // 200
    return "table-row", f"| {number} | vessel {number} | {number * 7}.50 |", None if number else 1, 1


def seconds(act: Callable[[], Any], runs: int) -> float:
    best = float("inf")
    for _ in range(runs):
        gc.collect()
        began = time.process_time()
        act()
        best = min(best, time.process_time() - began)
    return best


def show_documents(sizes: Sequence[float]) -> None:
    print(f"over a Document, structure, max_size {SIZE:,}: million characters a second, memory over the text")
    for kind in ("prose", "long paragraphs", "list", "table"):
        cells = []
        for size in sizes:
            document = blocks_of(int(size * 1e6), kind)
            taken = seconds(lambda: chunk(document, "structure", max_size=SIZE), 3 if size <= 4 else 1)  # noqa: B023
            cells.append(f"{size:g} MB {len(document.text) / taken / 1e6:6.1f}, x{memory(document):.1f}")
        print(f"  {kind:18}{'   '.join(cells)}", flush=True)


def memory(document: Document) -> float:
    """The peak of what chunking allocates, as a multiple of the text's own bytes; on 4 MB at most, tracing is slow."""
    tracemalloc.start()
    chunks = chunk(document, "structure", max_size=SIZE)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / len(document.text.encode()) if chunks else 0.0


def show_jail(sizes: Sequence[float]) -> None:
    fumehood.read_isolated("markdown", b"warm")
    print("from Markdown bytes through the sandbox to chunks: million characters a second, time of worker and parent")
    for size in sizes:
        text = sample(int(size * 1e6)).text
        limits = Limits(output_bytes=4 * len(text) + 1_000_000, blocks=5_000_000)
        began = time.process_time()
        document = fumehood.read_isolated("markdown", text.encode(), limits=limits)
        worker = document.receipt.cpu_seconds if document.receipt else 0.0
        read = worker + time.process_time() - began
        chunk(document, "structure", max_size=SIZE)
        whole = worker + time.process_time() - began
        print(f"  {size:g} MB {len(text) / whole / 1e6:6.1f} (reading alone {len(text) / read / 1e6:.1f})", flush=True)


def peer(python: str, name: str, path: Path, runs: int, patience: float) -> dict[str, Any] | str:
    """What `peers_chunking.py` says, or why it says nothing."""
    command = [python, str(_HERE / "peers_chunking.py"), name, str(path), str(SIZE), str(runs)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=patience)
    except subprocess.TimeoutExpired:
        return f"over {patience:g} s"
    if done.returncode:
        return (done.stderr.strip().splitlines() or ["no reason given"])[-1][:60]
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


Found = tuple[float | str, dict[str, Share]]
"""Million characters a second, or why there is no speed; and what is kept."""


def compare(python: str | None, size: float, patience: float) -> Iterator[tuple[str, Callable[[], Found]]]:
    """Every splitter on one text, to be run in turn."""
    made = sample(int(size * 1e6))
    runs = 3 if size <= 4 else 1
    yield "fumehood structure", lambda: _ours(made, runs)
    yield "fumehood with parsing", lambda: _parsing(made)
    if python is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "text.md")
        path.write_text(made.text, encoding="utf-8")
        for name in PEERS:
            yield name, partial(_theirs, python, name, path, made, runs, patience)


def _ours(made: Sample, runs: int) -> Found:
    document = Document.from_markdown(made.text)
    chunks: list[Chunk] = chunk(document, "structure", max_size=SIZE)
    taken = seconds(lambda: chunk(document, "structure", max_size=SIZE), runs)
    kept = properties(made, [each.text for each in chunks], [each.embedding_text for each in chunks], SIZE)
    return len(made.text) / taken / 1e6, kept


def _parsing(made: Sample) -> Found:
    taken = seconds(lambda: chunk(Document.from_markdown(made.text), "structure", max_size=SIZE), 1)
    return len(made.text) / taken / 1e6, {}


def _theirs(python: str, name: str, path: Path, made: Sample, runs: int, patience: float) -> Found:
    answer = peer(python, name, path, runs, patience)
    if isinstance(answer, str):
        return answer, {}
    texts = answer["chunks"]
    return len(made.text) / answer["seconds"] / 1e6, properties(made, texts, texts, SIZE)


def show_speeds(python: str | None, sizes: Sequence[float], patience: float) -> None:
    print(f"the same Markdown text, {SIZE:,} characters a chunk: million characters a second")
    for size in sizes:
        print(f"  {size:g} MB")
        for name, run in compare(python, size, patience):
            speed, _ = run()
            print(f"    {name:26}{speed if isinstance(speed, str) else f'{speed:6.1f}'}", flush=True)


def show_table(python: str | None, patience: float) -> None:
    every = {name: run()[1] for name, run in compare(python, 1.0, patience)}
    found = {name: shares for name, shares in every.items() if shares}
    print(f"| property | {' | '.join(found)} |\n| --- |{' --- |' * len(found)}")
    for name in next(iter(found.values())):
        cells = [shares[name] for shares in found.values()]
        print(f"| {name} | {' | '.join(f'{100 * held / of:.1f} %' if of else '-' for held, of in cells)} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", help="the interpreter of an environment with the other splitters")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--megabytes", default="1,20")
    parser.add_argument("--patience", type=float, default=90.0)
    options = parser.parse_args()
    sizes = [float(size) for size in options.megabytes.split(",")]
    if options.table:
        show_table(options.peers, options.patience)
        return
    print(f"Python {sys.version.split()[0]}")
    show_documents(sizes)
    show_jail([size for size in sizes if size <= 20])
    show_speeds(options.peers, sizes, options.patience)


if __name__ == "__main__":
    main()
