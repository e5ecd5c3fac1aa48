"""How long it takes to get going: a bare interpreter, `import fumehood`, `fumehood --help`, the first read.

    python benchmarks/startup.py [--runs N]

Wall time of a fresh process each, medians of one run, the ways taken in turn.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from typing import Final

_WAYS: Final = {
    "bare interpreter": "pass",
    "import fumehood": "import fumehood",
    "fumehood --help": "from fumehood.cli import main; main(['--help'])",
    "first read of text": "import fumehood; fumehood.read_isolated('text', b'A note.')",
    "first read of pdf": "import fumehood\ntry:\n    fumehood.read_isolated('pdf', b'%PDF-1.4')\nexcept fumehood.Refusal:\n    pass",
}


def seconds(code: str) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=9)
    options = parser.parse_args()
    taken: dict[str, list[float]] = {way: [] for way in _WAYS}
    for _ in range(options.runs):
        for way, code in _WAYS.items():
            taken[way].append(seconds(code))
    bare = statistics.median(taken["bare interpreter"])
    for way, times in taken.items():
        print(
            f"{way:22}{1e3 * statistics.median(times):8.0f} ms, {1e3 * (statistics.median(times) - bare):6.0f} over a bare one"
        )


if __name__ == "__main__":
    main()
