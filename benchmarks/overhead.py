"""What isolation costs: in-process, isolated, the first read of a process, and an interpreter per document.

    python benchmarks/overhead.py [--reads N] [--kinds K,...] [--json]

Every row of one table was measured in one run, alternating between the ways, so that the machine's mood
falls on all of them alike.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from documents import ORDINARY, TINY

import fumehood
from fumehood import kinds
from fumehood.sandbox.loading import read_in_process, warm

_ONE_INTERPRETER = """
import sys
from fumehood import kinds
from fumehood.sandbox.loading import read_in_process
read_in_process(kinds.get(sys.argv[1]), sys.stdin.buffer.read())
"""
_FIRST_READ = """
import sys, time
import fumehood
data = sys.stdin.buffer.read()
began = time.perf_counter()
fumehood.read_isolated(sys.argv[1], data)
print(time.perf_counter() - began)
"""
_FRESH = 5


def seconds(act: Callable[[], Any]) -> float:
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def interpreter(kind: str, data: bytes) -> None:
    subprocess.run([sys.executable, "-c", _ONE_INTERPRETER, kind], input=data, check=True)


def first_read(kind: str, data: bytes) -> float:
    done = subprocess.run([sys.executable, "-c", _FIRST_READ, kind], input=data, capture_output=True, check=True)
    return float(done.stdout)


def quantile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def measure(kind: str, data: bytes, reads: int) -> dict[str, Any]:
    known = kinds.get(kind)
    warm(known)
    for _ in range(5):
        fumehood.read_isolated(kind, data)
    inside: list[float] = []
    isolated: list[float] = []
    for _ in range(reads):
        inside.append(seconds(lambda: read_in_process(known, data)))
        isolated.append(seconds(lambda: fumehood.read_isolated(kind, data)))
    fresh = [seconds(lambda: interpreter(kind, data)) for _ in range(_FRESH)]
    first = [first_read(kind, data) for _ in range(_FRESH)]
    over = [a - b for a, b in zip(isolated, inside, strict=True)]
    return {
        "kind": kind,
        "bytes": len(data),
        "in_process_ms": _milliseconds(inside),
        "isolated_ms": _milliseconds(isolated),
        "over_ms": _milliseconds(over),
        "interpreter_ms": 1e3 * statistics.median(fresh),
        "first_read_ms": 1e3 * statistics.median(first),
        "isolated_to_in_process": statistics.median(isolated) / statistics.median(inside),
        "interpreter_to_isolated": statistics.median(fresh) / statistics.median(isolated),
    }


def _milliseconds(values: list[float]) -> dict[str, float]:
    return {f"p{round(share * 100)}": 1e3 * quantile(values, share) for share in (0.5, 0.95, 0.99)}


def show(title: str, rows: list[dict[str, Any]]) -> None:
    print(f"\n{title}")
    print(
        f"{'kind':10}{'bytes':>8} | {'in-process':^20} | {'isolated':^20} | {'over':^20} | "
        f"{'interp.':>8}{'first':>8} | {'isol/in':>8}{'interp/isol':>12}"
    )
    for row in rows:
        parts = [
            " ".join(f"{row[name][p]:6.2f}" for p in ("p50", "p95", "p99"))
            for name in ("in_process_ms", "isolated_ms", "over_ms")
        ]
        print(
            f"{row['kind']:10}{row['bytes']:8,} | {' | '.join(parts)} | {row['interpreter_ms']:8.1f}{row['first_read_ms']:8.1f} | "
            f"{row['isolated_to_in_process']:8.1f}{row['interpreter_to_isolated']:12.1f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reads", type=int, default=300)
    parser.add_argument("--kinds", default=",".join(TINY))
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    result = {
        name: [measure(kind, documents[kind], options.reads) for kind in options.kinds.split(",")]
        for name, documents in (("tiny", TINY), ("ordinary", ORDINARY))
    }
    if options.json:
        print(json.dumps(result, indent=1))
        return
    print(
        f"milliseconds; p50 p95 p99 of {options.reads} reads; load before {os.getloadavg()[0]:.2f}; {os.cpu_count()} processors"
    )
    for name, rows in result.items():
        show(f"{name} documents", rows)


if __name__ == "__main__":
    main()
