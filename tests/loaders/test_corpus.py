"""The corpus: expected strings of text, rtf and data are found, and nearly nothing is refused that should not be."""

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


def entries(folder: str) -> list[dict[str, str]]:
    with (Path(CORPUS or "") / "MANIFEST.tsv").open(encoding="utf-8", newline="") as manifest:
        rows = csv.DictReader(manifest, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [row for row in rows if row["kind"] == folder]


def data_of(entry: dict[str, str]) -> bytes:
    return (Path(CORPUS or "") / entry["path"]).read_bytes()


def folded(text: str) -> str:
    return " ".join(text.replace("\\", "").replace("<br>", " ").split())


# Of rtf, one expects the address of a link, which is no text of the document: `Document.links` has it.
@pytest.mark.parametrize(
    ("folder", "kind", "missing"),
    [
        ("txt", "text", 0),
        ("csv", "csv", 0),
        ("json", "json", 0),
        ("rtf", "rtf", 1),
        ("tsv", "tsv", 0),
        ("jsonl", "jsonl", 0),
        ("yaml", "yaml", 0),
        ("eml", "eml", 0),
        ("odt", "odt", 0),
        ("ods", "ods", 0),
        ("odp", "odp", 0),
        ("pptx", "pptx", 1),
    ],
)
def test_expected_strings_are_found(folder: str, kind: str, missing: int) -> None:
    misses, false_refusals = [], []
    for entry in entries(folder):
        try:
            text = read_in_process(kinds.get(kind), data_of(entry)).text
        except Refusal:
            text = ""
            false_refusals += [entry["path"]] if entry["expect"] == "text" else []
        if (
            entry["expect_contains"]
            and entry["expect"] != "refuse"
            and folded(entry["expect_contains"]) not in folded(text)
        ):
            misses.append(entry["path"])
    assert len(misses) <= missing, misses
    assert len(false_refusals) <= 2, false_refusals


def test_rtf_that_is_something_else_is_refused() -> None:
    for entry in entries("rtf"):
        if entry["expect"] == "refuse":
            with pytest.raises(Refusal) as refused:
                read_in_process(kinds.get("rtf"), data_of(entry))
            assert refused.value.code == "kind-mismatch"


@pytest.mark.parametrize(
    "folder", ["txt", "csv", "json", "markdown", "pdf", "rtf", "tsv", "jsonl", "yaml", "pptx", "odt", "ods", "odp"]
)
def test_content_and_name_together_give_the_kind(folder: str) -> None:
    wanted = {"txt": "text"}.get(folder, folder)
    wrong = []
    for entry in entries(folder):
        hint = kinds.by_extension(entry["path"])
        try:
            found = sniff(data_of(entry), hint.name if hint else None)
        except Refusal as refused:
            found = refused.code
        if found != wanted and entry["expect"] == "text":
            wrong.append((entry["path"], found))
    assert not wrong
