"""What the strategies write is nearly valid: most of it is read, and some of it is not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis.strategies import SearchStrategy

from fumehood.fuzz import generators
from fumehood.fuzz.bomb import READ
from fumehood.fuzz.generators import GENERATORS
from fumehood.fuzz.targets import TARGETS

QUIET = settings(
    max_examples=150,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def ends(make: Callable[[], SearchStrategy[bytes]], name: str) -> Counter[str]:
    seen: Counter[str] = Counter()

    @QUIET
    @given(make())
    def run(data: bytes) -> None:
        seen[TARGETS[name](data)] += 1

    run()
    return seen


@pytest.mark.parametrize(
    ("written", "target", "least"),
    [
        ("csv", "load:csv", 0.6),
        ("html", "load:html", 0.8),
        ("epub", "load:epub", 0.5),
        ("eml", "load:eml", 0.8),
        ("mbox", "load:mbox", 0.8),
        ("mhtml", "load:mhtml", 0.8),
        ("json", "load:json", 0.5),
        ("markdown", "load:markdown", 0.8),
        ("pdf", "load:pdf", 0.4),
        ("ipynb", "load:ipynb", 0.6),
        ("jsonl", "load:jsonl", 0.5),
        ("reply", "reply", 0.02),
        ("rtf", "load:rtf", 0.8),
        ("tsv", "load:tsv", 0.6),
        ("yaml", "load:yaml", 0.2),
        ("text", "load:text", 0.6),
        ("xml", "xml", 0.5),
        ("zip", "zip", 0.05),
        ("docx", "zip", 0.3),
        ("odp", "load:odp", 0.5),
        ("ods", "load:ods", 0.5),
        ("odt", "load:odt", 0.5),
        ("pptx", "load:pptx", 0.6),
        ("xlsx", "load:xlsx", 0.6),
    ],
)
def test_most_is_read(written: str, target: str, least: float) -> None:
    seen = ends(GENERATORS[written], target)
    assert least < seen[READ] / seen.total(), seen


@pytest.mark.parametrize(
    ("written", "target"), [("json", "load:json"), ("reply", "reply"), ("zip", "zip"), ("xml", "xml")]
)
def test_some_is_not(written: str, target: str) -> None:
    seen = ends(GENERATORS[written], target)
    assert seen.total() > seen[READ], seen


def test_every_name_has_a_strategy() -> None:
    for name in TARGETS:
        kind = TARGETS[name].kind
        assert isinstance(generators.for_target(name, kind), SearchStrategy)


def test_lies_are_told() -> None:
    """A header that claims something else than the data are."""
    entry = find(generators.zip_entries(), lambda entry: "size" in entry.local, settings=QUIET)
    assert entry.local["size"] != entry.size or entry.local["size"] in (0, 1, 2)
