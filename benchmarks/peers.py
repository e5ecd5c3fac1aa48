"""How fast and how well others read the same files: kreuzberg and markitdown, in an environment of their own.

    python benchmarks/peers.py CORPUS --make ENV        # makes the environment first, which takes minutes
    python benchmarks/peers.py CORPUS --env ENV [--kinds K,...] [--rounds N] [--json]

CORPUS is a folder with `MANIFEST.tsv` (columns `path`, `kind`, `expect`, `expect_contains`). For each kind that we
read, the files that both we and kreuzberg read are read again and again, in turns: by us isolated, in warm workers,
two at once; by kreuzberg in its caller's process, one after the other, without its cache. `wall` is the best round
of all files. `strings` is how many of the manifest's strings stand in the texts, of all files of the kind.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import selectors
import subprocess
import sys
import time
import venv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import anyio

from fumehood import Reader, Refusal, kinds

REQUIREMENTS: Final = ("kreuzberg==4.10.*", "markitdown[pptx,docx,xlsx,xls,pdf,outlook]>=0.1.9")
PEERS: Final = ("kreuzberg", "markitdown")
WORKERS: Final = 2
PATIENCE: Final = 60.0
"""Seconds that a peer may take for one file; it is killed then, and has not read it."""

_ESCAPES: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_LINKS: Final = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
_MARKS: Final = re.compile(r"[*_`]+")


class Peer:
    """One peer in a process of its own, started anew after it was lost."""

    def __init__(self, python: Path, name: str) -> None:
        self._command = [str(python), str(Path(__file__).with_name("peer_reader.py")), name]
        self._process: subprocess.Popen[str] | None = None

    def read(self, path: Path) -> str | None:
        """The file's text; None if the peer fails, dies or takes too long."""
        answer = self._ask({"read": str(path)}, PATIENCE)
        return None if answer is None else answer.get("text")

    def seconds(self, paths: Iterable[Path]) -> float:
        """The wall time of reading all, which it has read before. Raises `RuntimeError` if it is lost."""
        files = list(map(str, paths))
        answer = self._ask({"time": files}, PATIENCE * len(files))
        if answer is None:
            raise RuntimeError(f"{self._command[-1]} does not answer any more")
        return float(answer["seconds"])

    def cpu_seconds(self, path: Path) -> float:
        """The processor time of reading one file, which it has read before. Raises `RuntimeError` if it is lost."""
        answer = self._ask({"time": [str(path)], "cpu": True}, PATIENCE)
        if answer is None:
            raise RuntimeError(f"{self._command[-1]} does not answer any more")
        return float(answer["seconds"])

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _ask(self, request: Mapping[str, Any], patience: float) -> dict[str, Any] | None:
        if self._process is None:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
            )
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            with selectors.DefaultSelector() as waiting:
                waiting.register(process.stdout, selectors.EVENT_READ)
                line = process.stdout.readline() if waiting.select(patience) else ""
        except BrokenPipeError:
            line = ""
        if not line:
            self.close()
            return None
        answer: dict[str, Any] = json.loads(line)
        return answer


@dataclass
class Result:
    """What was measured of one kind; seconds, and strings found."""

    kind: str
    files: int = 0
    both: int = 0
    ours: list[float] = field(default_factory=list)
    theirs: list[float] = field(default_factory=list)
    expected: int = 0
    strings: dict[str, int] = field(default_factory=dict)

    def as_row(self) -> dict[str, Any]:
        row: dict[str, Any] = {"kind": self.kind, "files": self.files, "both": self.both, "expected": self.expected}
        if self.both:
            ours, theirs = min(self.ours), min(self.theirs)
            row |= {"wall": ours, "kreuzberg_wall": theirs, "ratio": theirs / ours}
        return row | {f"{name}_strings": found for name, found in self.strings.items()}


def entries(corpus: Path, kind: str) -> list[dict[str, str]]:
    with (corpus / "MANIFEST.tsv").open(encoding="utf-8", newline="") as manifest:
        rows = csv.DictReader(manifest, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [row for row in rows if row["kind"] == kind]


def folded(text: str) -> str:
    """Without Markdown's inline marks and escapes, white space as single spaces: peers write different dialects."""
    return " ".join(_MARKS.sub("", _ESCAPES.sub(r"\1", _LINKS.sub(r"\1", text.replace("<br>", " ")))).split())


async def ours(reader: Reader, kind: str, path: Path) -> str | None:
    try:
        return (await reader.read(kind, path.read_bytes())).text
    except Refusal:
        return None


async def our_seconds(reader: Reader, kind: str, paths: Iterable[Path]) -> float:
    """The wall time of reading all, `WORKERS` at once."""
    waiting = list(paths)[::-1]

    async def work() -> None:
        while waiting:
            await ours(reader, kind, waiting.pop())

    began = time.perf_counter()
    async with anyio.create_task_group() as group:
        for _ in range(WORKERS):
            group.start_soon(work)
    return time.perf_counter() - began


async def measure(reader: Reader, peers: Mapping[str, Peer], corpus: Path, kind: str, rounds: int) -> Result:
    rows = entries(corpus, kind)
    result = Result(kind, len(rows), strings=dict.fromkeys(("our", *peers), 0))
    both: list[Path] = []
    for row in rows:
        path = corpus / row["path"]
        texts = {"our": await ours(reader, kind, path), **{name: peer.read(path) for name, peer in peers.items()}}
        if row["expect_contains"] and row["expect"] != "refuse":
            result.expected += 1
            for name, text in texts.items():
                result.strings[name] += folded(row["expect_contains"]) in folded(text or "")
        if texts["our"] is not None and texts["kreuzberg"] is not None:
            both.append(path)
    result.both = len(both)
    for _ in range(rounds if both else 0):
        result.ours.append(await our_seconds(reader, kind, both))
        result.theirs.append(peers["kreuzberg"].seconds(both))
    return result


async def run(python: Path, corpus: Path, names: list[str], rounds: int) -> list[Result]:
    peers = {name: Peer(python, name) for name in PEERS}
    results: list[Result] = []
    try:
        async with Reader(workers=WORKERS) as reader:
            for name in names:
                results.append(await measure(reader, peers, corpus, name, rounds))
                print(f"{name}: done", file=sys.stderr)
    finally:
        for peer in peers.values():
            peer.close()
    return results


def make(folder: Path) -> None:
    """A virtual environment with the peers in it."""
    venv.create(folder, with_pip=True)
    subprocess.run([folder / "bin" / "python", "-m", "pip", "install", "--quiet", *REQUIREMENTS], check=True)


def python_of(options: argparse.Namespace) -> Path:
    """The peers' interpreter. Exits with what to do if there is none."""
    if options.make is not None:
        make(options.make)
    python = (options.make or options.env or Path("no-environment")) / "bin" / "python"
    if not python.exists():
        sys.exit(
            f"the peers need an environment of their own, and there is none at {python}: make one by --make ENV, "
            f"or by hand: python -m venv ENV && ENV/bin/pip install {' '.join(map(repr, REQUIREMENTS))}; "
            "then say --env ENV"
        )
    return python


def table(results: Iterable[Result]) -> str:
    lines = [
        "| kind | files | read by both | wall | kreuzberg's | ratio | strings | kreuzberg's | markitdown's |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for result in results:
        row = result.as_row()
        wall = (
            f"{row['wall']:.3f} s | {row['kreuzberg_wall']:.3f} s | {row['ratio']:.2f}" if result.both else "- | - | -"
        )
        strings = " | ".join(str(row[f"{name}_strings"]) for name in ("our", *PEERS))
        lines.append(f"| {result.kind} | {result.files} | {result.both} | {wall} | {strings} of {result.expected} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--env", type=Path, help="an environment that has the peers")
    parser.add_argument("--make", type=Path, metavar="ENV", help="makes that environment first")
    parser.add_argument("--kinds", help="names, with commas between them; all that the corpus has files of by default")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    python = python_of(options)
    names = options.kinds.split(",") if options.kinds else [kind.name for kind in kinds.kinds()]
    names = [name for name in names if entries(options.corpus, name)]
    results = anyio.run(run, python, options.corpus, names, options.rounds, backend="trio")
    print(json.dumps([result.as_row() for result in results], indent=1) if options.json else table(results))


if __name__ == "__main__":
    main()
