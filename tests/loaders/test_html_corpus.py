"""Pages and books of the corpus: expected strings are found, what must be refused is, and nearly nothing else."""

from __future__ import annotations

import pytest

from fumehood import kinds
from fumehood.errors import Refusal
from fumehood.sandbox.loading import read_in_process
from tests.loaders.test_corpus import CORPUS, data_of, entries, folded

pytestmark = [pytest.mark.corpus, pytest.mark.skipif(not CORPUS, reason="FUMEHOOD_CORPUS is not set")]


@pytest.mark.parametrize("kind", ["html", "epub"])
def test_expectations(kind: str) -> None:
    found: dict[str, str | None] = {}
    for entry in entries(kind):
        try:
            found[entry["path"]] = read_in_process(kinds.get(kind), data_of(entry)).text
        except Refusal:
            found[entry["path"]] = None
    assert [e["path"] for e in entries(kind) if e["expect"] == "text" and found[e["path"]] is None] == []
    assert [e["path"] for e in entries(kind) if e["expect"] == "refuse" and found[e["path"]] is not None] == []
    wanted = [e for e in entries(kind) if e["expect"] != "refuse"]
    assert [e["path"] for e in wanted if folded(e["expect_contains"]) not in folded(found[e["path"]] or "")] == []
