"""How fast and how well PDFs are read: both of our engines, and others, over the same files in one run.

    python benchmarks/pdf.py CORPUS [--rounds N] [--pages N] [--every N] [--only NAME,...] [--json]
    python benchmarks/pdf.py CORPUS --env ENV           # peers from an environment of their own, as many as are there

CORPUS is a folder with `MANIFEST.tsv` and, for some files, whole texts below `truth/`. Everybody runs in a process of
their own, without a jail, and is asked for each file in turns. `pages/s` is by processor time, the best of all rounds,
over the files that all of them read, or found to be without words; `100 pages` is the wall time of one long file of
our making. `strings` is how many of the manifest's strings are found; `words` is how many of the truths' words are
there (recall) and how many of those given are of the truth (precision). The last lines are of our engines through the
jail, warm, and say which engine `auto` should take: PDFium where it finds as many strings and words as the other, and
gives as few others.

All files take the peers many minutes: `--every 4` takes every fourth, `--only NAME,...` some of the readers.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import anyio
from peers import Peer, entries, folded

from fumehood import Reader, ReadOptions, Refusal, kinds
from fumehood.sandbox.loading import read_in_process

KIND: Final = kinds.get("pdf")
OURS: Final = ("fumehood-pdfium", "fumehood-pdfminer")
HERE: Final = ("pdfminer", "pypdfium2")
ELSEWHERE: Final = ("kreuzberg", "pypdf", "pdfplumber")
_SENTENCE: Final = "The ledger of the harbour lists every vessel, its freight and the clause of its charter in "


@dataclass
class Result:
    """What was measured of one reader: seconds by file, the best of all rounds."""

    name: str
    texts: dict[Path, str] = field(default_factory=dict)
    seconds: dict[Path, float] = field(default_factory=dict)
    long_seconds: float | None = None
    strings: int = 0
    recall: list[float] = field(default_factory=list)
    precision: list[float] = field(default_factory=list)


def long_file(count: int) -> bytes:
    """`count` pages of 44 lines each, numbered so that no two are the same."""
    objects = ["<</Type/Catalog/Pages 2 0 R>>", "", "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
    kids = []
    for page in range(count):
        lines = " ".join(f"({_SENTENCE}{page * 44 + line}) Tj T*" for line in range(44))
        content = f"BT /F1 10 Tf 60 760 Td 16 TL {lines} ET"
        objects.append(f"<</Length {len(content)}>>\nstream\n{content}\nendstream")
        kids.append(f"{len(objects) + 1} 0 R")
        objects.append(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents {len(objects)} 0 R/Resources<</Font<</F1 3 0 R>>>>>>"
        )
    objects[1] = f"<</Type/Pages/Count {count}/Kids[{' '.join(kids)}]>>"
    body, offsets = b"%PDF-1.4\n", []
    parts = [body]
    at = len(body)
    for number, written in enumerate(objects, 1):
        offsets.append(at)
        parts.append(f"{number} 0 obj\n{written}\nendobj\n".encode("latin-1"))
        at += len(parts[-1])
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    parts.append(
        f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n<</Size {len(objects) + 1}/Root 1 0 R>>\n"
        f"startxref\n{at}\n%%EOF\n".encode("latin-1")
    )
    return b"".join(parts)


def words(text: str) -> Counter[str]:
    """Words as a multiset, Markdown's marks and escapes left out."""
    return Counter(folded(text).replace("|", " ").replace("#", " ").split())


def truths(corpus: Path) -> dict[Path, Counter[str]]:
    """Words of the PDFs whose whole text is known."""
    found = {}
    for path in sorted((corpus / "truth").glob("pdf__*.txt")):
        found[corpus / "pdf" / path.stem.removeprefix("pdf__")] = words(path.read_text(encoding="utf-8"))
    return found


def measure(peer: Peer, result: Result, paths: Iterable[Path], rounds: int) -> None:
    for path in paths:
        text = peer.read(path)
        if text is None:
            continue
        result.texts[path] = text
        # A peer that is lost on the way has read the file, and takes no part in what is timed.
        with contextlib.suppress(RuntimeError):
            result.seconds[path] = min(peer.cpu_seconds(path) for _ in range(rounds))


def judge(result: Result, rows: Iterable[Mapping[str, str]], known: Mapping[Path, Counter[str]], corpus: Path) -> None:
    for row in rows:
        text = result.texts.get(corpus / row["path"])
        if row["expect"] != "refuse" and row["expect_contains"] and text is not None:
            result.strings += folded(row["expect_contains"]) in folded(text)
    for path, truth in known.items():
        given = words(result.texts.get(path, ""))
        both = (given & truth).total()
        result.recall.append(both / max(1, truth.total()))
        if given:
            result.precision.append(both / given.total())


def page_count(path: Path) -> int:
    """By our own count. Files that are refused have none."""
    try:
        return int(read_in_process(KIND, path.read_bytes(), options=ReadOptions(engine="pdfminer")).metadata["pages"])
    except Refusal:
        return 0


async def through_the_jail(data: bytes, rounds: int) -> dict[str, float]:
    """Wall seconds of the long file, the best of all rounds, by warm workers."""
    found = {}
    async with Reader(workers=1) as reader:
        for engine in (name for name in KIND.engines if kinds.is_installed(KIND, name)):
            options = ReadOptions(engine=engine)
            taken = []
            for _ in range(rounds + 1):
                began = time.perf_counter()
                await reader.read("pdf", data, options=options)
                taken.append(time.perf_counter() - began)
            found[engine] = min(taken[1:])
    return found


def summary(results: Iterable[Result], counts: Mapping[Path, int], expected: int) -> list[dict[str, Any]]:
    read = list(results)
    timed = set.intersection(*(set(result.seconds) for result in read)) & {path for path in counts if counts[path]}
    # Who gives nothing of what others find words in has not read it, however fast.
    common = {path for path in timed if len({bool(words(result.texts[path])) for result in read}) == 1}
    total = sum(counts[path] for path in common)
    rows = []
    for result in read:
        seconds = sum(result.seconds[path] for path in common)
        rows.append(
            {
                "reader": result.name,
                "files": len(result.texts),
                "common": len(common),
                "pages": total,
                "seconds": seconds,
                "pages_per_second": total / seconds,
                "long_seconds": result.long_seconds,
                "strings": result.strings,
                "expected": expected,
                "recall": statistics.fmean(result.recall) if result.recall else 0.0,
                "precision": statistics.fmean(result.precision) if result.precision else 0.0,
            }
        )
    return rows


def table(rows: Iterable[Mapping[str, Any]], jail: Mapping[str, float], pages: int) -> str:
    lines = [
        f"| reader | files read | CPU | pages/s | {pages} pages | strings | recall | precision |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        long = "-" if row["long_seconds"] is None else f"{row['long_seconds']:.2f} s"
        lines.append(
            f"| {row['reader']} | {row['files']} | {row['seconds']:.2f} s | {row['pages_per_second']:.0f} | {long} "
            f"| {row['strings']} of {row['expected']} | {row['recall']:.3f} | {row['precision']:.3f} |"
        )
    lines.extend(f"{engine} through the jail, {pages} pages, warm: {taken:.3f} s" for engine, taken in jail.items())
    return "\n".join(lines)


def verdict(rows: Iterable[Mapping[str, Any]]) -> str:
    """Which engine `auto` should take by what was measured, and which it takes."""
    known = {row["reader"]: row for row in rows}
    taken = f"engine=auto takes {kinds.engine_of(KIND, ReadOptions())}"
    if not set(OURS) <= set(known):
        return taken
    pdfium, pdfminer = (known[name] for name in OURS)
    is_as_good = all(pdfium[figure] >= pdfminer[figure] for figure in ("strings", "recall", "precision"))
    return f"{taken}; by what is read it should take {'pdfium' if is_as_good else 'pdfminer'}"


def readers(env: Path | None, only: str | None) -> dict[str, Peer]:
    found = {name: Peer(Path(sys.executable), name) for name in (*OURS, *HERE)}
    if env is not None:
        found |= {name: Peer(env / "bin" / "python", name) for name in ELSEWHERE}
    return found if only is None else {name: found[name] for name in only.split(",")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--env", type=Path, help="an environment that has some of the peers")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every Nth file alone")
    parser.add_argument("--only", metavar="NAME,...", help="these readers alone")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = entries(options.corpus, "pdf")[:: options.every]
    paths = [options.corpus / row["path"] for row in rows]
    known = {path: truth for path, truth in truths(options.corpus).items() if path in paths}
    long = long_file(options.pages)
    results = []
    with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
        file.write(long)
        file.flush()
        for name, peer in readers(options.env, options.only).items():
            result = Result(name)
            if peer.read(Path(file.name)) is None:
                print(f"{name}: not installed, or does not read", file=sys.stderr)
                peer.close()
                continue
            # A peer that takes a minute for it is lost on the way.
            with contextlib.suppress(RuntimeError):
                result.long_seconds = min(peer.seconds([Path(file.name)]) for _ in range(options.rounds))
            measure(peer, result, paths, options.rounds)
            judge(result, rows, known, options.corpus)
            peer.close()
            results.append(result)
            print(f"{name}: done", file=sys.stderr)
    counts = {path: page_count(path) for path in paths}
    expected = sum(1 for row in rows if row["expect_contains"] and row["expect"] != "refuse")
    found = summary(results, counts, expected)
    jail = anyio.run(through_the_jail, long, options.rounds, backend="trio")
    if options.json:
        print(json.dumps({"readers": found, "jail": jail, "auto": verdict(found)}, indent=1))
    else:
        print(table(found, jail, options.pages), verdict(found), sep="\n")


if __name__ == "__main__":
    main()
