"""Every limit of `Limits`, by every way in: one more than the bound is refused by its name, just the bound is read."""

from __future__ import annotations

import contextlib
import functools
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import pytest

from fumehood import Document, Limits, Reader, Refusal, read_isolated
from fumehood.cli import main
from fumehood.limits.policy import LIMIT_NAMES, MIB
from tests.limits.zip_writer import Member, write

Result = Document | dict[str, Any]
"""A document, or a refusal's facts."""
Read = Callable[[str, list[bytes], Limits], list[Result]]


@dataclass(frozen=True)
class Case:
    """A document just within the bound, one beyond it, and what the refusal of the latter says."""

    kind: str
    bound: int | float
    within: bytes
    beyond: bytes
    code: str
    observed: int | None = None


def spent(limit: str, code: str, bound: int = 7) -> Case:
    """A loader that spends just so much."""
    within, beyond = (f"spend {limit} {amount}".encode() for amount in (bound, bound + 1))
    return Case("obedient", bound, within, beyond, code, bound + 1)


def flat(elements: int) -> bytes:
    return b"<r>" + b"<a/>" * (elements - 1) + b"</r>"


def deep(levels: int) -> bytes:
    return b"<a>" * levels + b"</a>" * levels


def attributed(attributes: int) -> bytes:
    return b"<r " + b" ".join(b'a%d=""' % number for number in range(attributes)) + b"/>"


def zipped(*bodies: bytes) -> bytes:
    return write([Member(b"%d.xml" % number, body) for number, body in enumerate(bodies)])


TEN = b"0123456789"

CASES: dict[str, Case] = {
    "input_bytes": Case("text", 10, TEN, TEN + b"0", "input-too-large", 11),
    "heap_bytes": Case("obedient", 64 * MIB, b"allocate 16", b"allocate 96", "memory"),
    "wall_seconds": Case("obedient", 0.5, b"say x", b"sleep 30", "wall-clock"),
    "cpu_seconds": Case("obedient", 1, b"say x", b"spin", "cpu-time"),
    "inflated_bytes": Case("parts", 20, zipped(TEN, TEN), zipped(TEN, TEN + b"0"), "inflated-too-large", 21),
    "entry_bytes": Case("parts", 10, zipped(TEN, TEN), zipped(TEN, TEN + b"0"), "inflated-too-large", 11),
    "inflate_ratio": Case("parts", 100.0, zipped(bytes(4 * MIB)), zipped(bytes(4 * MIB + 1)), "zip-ratio"),
    "archive_entries": Case("parts", 2, zipped(b"1", b"2"), zipped(b"1", b"2", b"3"), "too-many-entries", 3),
    "xml_elements": Case("elements", 7, flat(7), flat(8), "xml-elements", 8),
    "nodes": Case("elements", 7, attributed(7), attributed(8), "nodes", 8),
    "nesting": Case("elements", 7, deep(7), deep(8), "nesting", 8),
    "table_cells": spent("table_cells", "table-cells"),
    "pages": spent("pages", "pages"),
    "parts": spent("parts", "parts"),
    "image_pixels": spent("image_pixels", "image-pixels"),
    "output_bytes": Case("obedient", 10, b"fill 10 x", b"fill 11 x", "output-too-large", 11),
    "blocks": Case("text", 2, b"a\n\nb\n", b"a\n\nb\n\nc\n", "output-too-large", 3),
}


def facts_or_document(read_one: Callable[[], Document]) -> Result:
    try:
        return read_one()
    except Refusal as refusal:
        return refusal.to_dict()


def by_sync_call(kind: str, documents: list[bytes], limits: Limits) -> list[Result]:
    return [facts_or_document(lambda data=data: read_isolated(kind, data, limits=limits)) for data in documents]  # type: ignore[misc]


@pytest.fixture(scope="module")
def by_async_call() -> Iterator[Read]:
    """One `Reader` for all, which takes its limits with each read."""
    with contextlib.ExitStack() as stack:
        portal = stack.enter_context(anyio.from_thread.start_blocking_portal())
        reader = stack.enter_context(portal.wrap_async_context_manager(Reader(workers=1)))

        def read(kind: str, documents: list[bytes], limits: Limits) -> list[Result]:
            async def read_one(data: bytes) -> Document:
                return await reader.read(kind, data, limits=limits)

            return [facts_or_document(functools.partial(portal.call, read_one, data)) for data in documents]

        yield read


@pytest.fixture
def by_command(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> Read:
    def read(kind: str, documents: list[bytes], limits: Limits) -> list[Result]:
        paths = [tmp_path / str(number) for number in range(len(documents))]
        for path, data in zip(paths, documents, strict=True):
            path.write_bytes(data)
        changed = {
            name: getattr(limits, name) for name in LIMIT_NAMES if getattr(limits, name) != getattr(Limits(), name)
        }
        options = [f"--limit={name}={value}" for name, value in changed.items()]
        main(["read", "--kind", kind, "--format", "json", *options, *map(str, paths)])
        said = map(json.loads, capfdbinary.readouterr().out.splitlines())
        return [Document.from_json(json.dumps(line["document"])) if line["ok"] else line["refusal"] for line in said]

    return read


@pytest.fixture(params=["sync_call", "async_call", "command"])
def read(request: pytest.FixtureRequest) -> Read:
    if request.param == "sync_call":
        return by_sync_call
    way: Read = request.getfixturevalue(f"by_{request.param}")
    return way


def test_every_limit_is_here() -> None:
    assert set(CASES) == set(LIMIT_NAMES)


@pytest.mark.parametrize("name", LIMIT_NAMES)
def test_up_to_the_bound_is_read_and_one_more_is_refused(name: str, read: Read) -> None:
    case = CASES[name]
    within, beyond = read(case.kind, [case.within, case.beyond], Limits().replace(**{name: case.bound}))
    assert isinstance(within, Document)
    assert isinstance(beyond, dict)
    assert (beyond["code"], beyond["limit"], beyond["bound"]) == (case.code, name, case.bound)
    if case.observed is not None:
        assert beyond["observed"] == case.observed
