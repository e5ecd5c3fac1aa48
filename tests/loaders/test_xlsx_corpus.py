"""Workbooks of the corpus: expected strings are found, what must be refused is, and nearly nothing else."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import pytest

from fumehood import kinds
from fumehood.errors import Refusal
from fumehood.loaders.sniff import sniff
from fumehood.sandbox.loading import read_in_process

CORPUS = os.environ.get("FUMEHOOD_CORPUS")

pytestmark = [pytest.mark.corpus, pytest.mark.skipif(not CORPUS, reason="FUMEHOOD_CORPUS is not set")]


def entries() -> list[dict[str, str]]:
    with (Path(CORPUS or "") / "MANIFEST.tsv").open(encoding="utf-8", newline="") as manifest:
        rows = csv.DictReader(manifest, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [row for row in rows if row["kind"] == "xlsx"]


def data_of(entry: dict[str, str]) -> bytes:
    return (Path(CORPUS or "") / entry["path"]).read_bytes()


def folded(text: str) -> str:
    return " ".join(text.replace("\\", "").replace("<br>", " ").split())


def test_expectations() -> None:
    false_reads, false_refusals, misses = [], [], []
    for entry in entries():
        try:
            text = read_in_process(kinds.get("xlsx"), data_of(entry)).text
        except Refusal as refused:
            if entry["expect"] == "text":
                false_refusals.append((entry["path"], refused.code))
            continue
        if entry["expect"] == "refuse":
            false_reads.append(entry["path"])
        elif folded(entry["expect_contains"]) not in folded(text):
            misses.append(entry["path"])
    assert not false_reads
    assert not misses
    assert not false_refusals


def test_content_and_name_together_give_the_kind() -> None:
    wrong = [
        entry["path"]
        for entry in entries()
        if entry["expect"] == "text" and {sniff(data_of(entry), hint) for hint in ("xlsx", None)} != {"xlsx"}
    ]
    assert not wrong
