"""Word documents of the corpus: expected strings are found, what must be refused is, and nearly nothing else."""

from __future__ import annotations

import csv
import io
import os
import re
from collections import Counter
from pathlib import Path

import docx as python_docx
import pytest

from fumehood import kinds
from fumehood.errors import Refusal
from fumehood.sandbox.loading import read_in_process

CORPUS = os.environ.get("FUMEHOOD_CORPUS")

pytestmark = [pytest.mark.corpus, pytest.mark.skipif(not CORPUS, reason="FUMEHOOD_CORPUS is not set")]

FEW_WORDS = 6
"""Of one file, that may be cut otherwise than python-docx cuts them: in formulas and tracked changes."""


def entries() -> list[dict[str, str]]:
    with (Path(CORPUS or "") / "MANIFEST.tsv").open(encoding="utf-8", newline="") as manifest:
        rows = csv.DictReader(manifest, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [row for row in rows if row["kind"] == "docx"]


def texts() -> dict[str, str | None]:
    """The text of each file, None where it is refused."""
    found: dict[str, str | None] = {}
    for entry in entries():
        try:
            found[entry["path"]] = read_in_process(kinds.get("docx"), data_of(entry)).text
        except Refusal:
            found[entry["path"]] = None
    return found


def data_of(entry: dict[str, str]) -> bytes:
    return (Path(CORPUS or "") / entry["path"]).read_bytes()


def folded(text: str) -> str:
    return " ".join(text.replace("\\", "").replace("<br>", " ").split())


def test_expectations() -> None:
    read = texts()
    false_refusals = [e["path"] for e in entries() if e["expect"] == "text" and read[e["path"]] is None]
    false_reads = [e["path"] for e in entries() if e["expect"] == "refuse" and read[e["path"]] is not None]
    misses = [
        e["path"]
        for e in entries()
        if e["expect"] != "refuse" and folded(e["expect_contains"]) not in folded(read[e["path"]] or "")
    ]
    assert not false_reads
    assert len(false_refusals) <= 1, false_refusals
    assert len([path for path in misses if read[path] is not None]) <= 1, misses


def words_of(data: bytes) -> Counter[str]:
    document = python_docx.Document(io.BytesIO(data))
    return Counter(re.findall(r"\w+", " ".join(paragraph.text for paragraph in document.paragraphs)))


def test_what_python_docx_reads_is_read() -> None:
    read = texts()
    for entry in entries():
        text = read[entry["path"]]
        try:
            wanted = words_of(data_of(entry))
        except Exception:
            # It refuses Strict documents, and others that are well-formed.
            continue
        if text is not None:
            missing = wanted - Counter(re.findall(r"\w+", text.replace("\\", " ")))
            assert missing.total() <= FEW_WORDS, (entry["path"], missing)
