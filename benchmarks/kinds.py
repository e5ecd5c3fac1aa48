"""How fast loaders are by themselves, in this process and without a jail: documents made here, by processor time.

Prints a line for each kind's measure: the best of three runs. A kind is a line in `MEASURES`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Final, NamedTuple

from kind_documents import Made, letter, page, presentation, rich_text, spreadsheet, word, workbook

from fumehood import kinds
from fumehood.sandbox.loading import read_in_process

_RUNS: Final = 3


class Measure(NamedTuple):
    kind: str
    what: str
    unit: str
    make: Callable[[], Made]


MEASURES: Final = (
    Measure("xlsx", "20,000 rows of 10", "cells", lambda: workbook(20_000, 10)),
    Measure("xlsx", "100,000 rows of 10", "cells", lambda: workbook(100_000, 10)),
    Measure("ods", "20,000 rows of 10", "cells", lambda: spreadsheet(20_000, 10)),
    Measure("odt", "20,000 paragraphs", "paragraphs", lambda: letter(20_000)),
    Measure("docx", "20,000 paragraphs", "paragraphs", lambda: word(20_000)),
    Measure("pptx", "150 slides", "slides", lambda: presentation(150)),
    Measure("html", "10,000 paragraphs", "paragraphs", lambda: page(10_000)),
    Measure("rtf", "20,000 paragraphs", "paragraphs", lambda: rich_text(20_000)),
)


def seconds(kind: str, data: bytes) -> float:
    """Processor time of the fastest read."""
    best = float("inf")
    for _ in range(_RUNS):
        start = time.process_time()
        read_in_process(kinds.get(kind), data)
        best = min(best, time.process_time() - start)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", metavar="KIND", nargs="*", help="only these; all if left out")
    measured = {measure.kind for measure in MEASURES} & kinds.names()
    wanted = set(parser.parse_args().kinds) or measured
    if not wanted <= measured:
        parser.error(f"measured are {', '.join(sorted(measured))}")
    print(f"{'kind':8} {'document':24} {'CPU s':>7} {'units/s':>12} {'MB/s':>7}")
    for measure in MEASURES:
        if measure.kind not in wanted:
            continue
        made = measure.make()
        taken = seconds(measure.kind, made.data)
        print(
            f"{measure.kind:8} {measure.what:24} {taken:7.2f} {made.units / taken:12,.0f} {made.size / taken / 1e6:7.1f}"
            f"  {measure.unit}"
        )


if __name__ == "__main__":
    main()
