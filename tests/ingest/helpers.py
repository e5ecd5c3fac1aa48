"""A reader that needs no sandbox, and how the tests of the pipeline use it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import anyio
import msgspec

from fumehood import Document, Limits, Reader
from fumehood.document import Receipt
from fumehood.errors import refusal
from fumehood.index import SQLiteIndex
from fumehood.ingest import Outcome, Pipeline


class PlainReader(Reader):
    """Takes everything for Markdown, but for deep JSON, and what begins with the code of a refusal: `REFUSE malformed`."""

    def __init__(self, workers: int = 2, limits: Limits | None = None) -> None:
        super().__init__(workers=workers, limits=limits)
        self.read_now = 0
        self.reads = 0

    async def check(self) -> None:
        """There is nothing that it needs."""

    async def read(self, kind: str, data: Any, **how: Any) -> Document:
        self.reads += 1
        self.read_now += 1
        try:
            assert self.read_now <= self.workers
            await anyio.sleep(0)
            text = bytes(data).decode("utf-8", "replace")
            if text.startswith("[" * 257):
                raise refusal("nesting", limit="nesting", bound=256, observed=257)
            if text.startswith("REFUSE "):
                raise refusal(text.split()[1])  # type: ignore[arg-type]
            document = Document.from_markdown(text)
            receipt = Receipt(
                loader="plain",
                version=1,
                engine="fumehood",
                sha256=hashlib.sha256(data).hexdigest(),
                size=len(data),
                wall_seconds=0.001,
                cpu_seconds=0.001,
                peak_bytes=1_000_000,
                layers=(),
                inflated_bytes=0,
            )
            return msgspec.structs.replace(document, receipt=receipt)
        finally:
            self.read_now -= 1


def fill(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def statuses(outcomes: Iterable[Outcome]) -> dict[str, str]:
    return {Path(outcome.source).name: outcome.status for outcome in outcomes}


def run(use: Callable[[Pipeline, SQLiteIndex], Any], path: Path, *, backend: str = "trio", **options: Any) -> Any:
    """What `use` returns of a pipeline into the index at `path`."""

    async def main() -> Any:
        with SQLiteIndex(path, wait_seconds=0.2) as index:
            reader = options.pop("reader", None) or PlainReader()
            return await use(Pipeline(index, reader, **options), index)

    return anyio.run(main, backend=backend)
