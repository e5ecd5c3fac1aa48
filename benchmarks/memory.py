"""Memory of the parent over many reads, refusals among them.

    python benchmarks/memory.py [--reads N]

The first hundred reads fill caches and allocators; growth is counted from there.
"""

from __future__ import annotations

import argparse
import gc
import os

import psutil
from documents import ORDINARY, TINY

import fumehood
from fumehood import Limits, Refusal

_WARM = 100


def one(number: int) -> None:
    documents = [*TINY.items(), *ORDINARY.items()]
    kind, data = documents[number % len(documents)]
    try:
        match number % 7:
            case 5:
                fumehood.read_isolated("json", b"[" * 100_000)
            case 6:
                fumehood.read_isolated(kind, data, limits=Limits(output_bytes=1))
            case _:
                fumehood.read_isolated(kind, data)
    except Refusal:
        pass


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reads", type=int, default=1_000)
    options = parser.parse_args()
    process = psutil.Process()
    for number in range(_WARM):
        one(number)
    gc.collect()
    base, most = process.memory_info().rss, 0
    descriptors = len(os.listdir("/proc/self/fd"))
    print(f"after {_WARM} reads: {base / 2**20:.1f} MiB, {descriptors} descriptors")
    for number in range(options.reads):
        one(number)
        most = max(most, process.memory_info().rss)
        if (number + 1) % max(1, options.reads // 5) == 0:
            print(f"after {number + 1:6,} more: {(process.memory_info().rss - base) / 2**20:+.2f} MiB")
    gc.collect()
    grown = process.memory_info().rss - base
    print(
        f"grown {grown / 2**20:+.2f} MiB, at most {(most - base) / 2**20:+.2f}, {len(os.listdir('/proc/self/fd'))} descriptors"
    )
    fumehood.close_default_reader()
    print(f"{len(process.children(recursive=True))} processes left")


if __name__ == "__main__":
    main()
