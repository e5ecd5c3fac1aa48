"""Real documents: every promise holds for every one that the built-in loaders read."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import pytest

from fumehood import kinds
from fumehood.chunking import chunk, get_strategy, strategies
from fumehood.chunking.options import resolve
from fumehood.errors import Refusal
from fumehood.sandbox.loading import read_in_process
from fumehood.testing import check_chunks

CORPUS = os.environ.get("FUMEHOOD_CORPUS")
LARGEST = 300_000
"""Bytes; larger files would take most of the time and show nothing else."""

pytestmark = [pytest.mark.corpus, pytest.mark.skipif(not CORPUS, reason="FUMEHOOD_CORPUS is not set")]


def paths() -> list[Path]:
    with (Path(CORPUS or "") / "MANIFEST.tsv").open(encoding="utf-8", newline="") as manifest:
        rows = csv.DictReader(manifest, delimiter="\t", quoting=csv.QUOTE_NONE)
        found = [Path(CORPUS or "") / row["path"] for row in rows]
    return [path for path in found if path.stat().st_size <= LARGEST and kinds.by_extension(path.name)]


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "variant", [{}, {"max_size": 300, "min_size": 100, "overlap": 0}, {"max_tokens": 100}], ids=str
)
def test_every_promise_holds(variant: dict[str, int]) -> None:
    for number, path in enumerate(paths()):
        kind = kinds.by_extension(path.name)
        assert kind is not None
        try:
            document = read_in_process(kind, path.read_bytes())
        except Refusal:
            continue
        # All strategies take turns; the kind's own is run on each.
        for name in {kind.chunker, strategies()[number % len(strategies())].name}:
            options = resolve(get_strategy(name).defaults, variant)
            try:
                check_chunks(document, chunk(document, name, **variant), options)  # type: ignore[arg-type]
            except AssertionError as broken:
                raise AssertionError(f"{path.name}, {name}: {broken}") from broken
