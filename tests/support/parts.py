"""A loader of ZIP archives: each entry is a paragraph of its length in bytes."""

from __future__ import annotations

from fumehood.kinds import ReadOptions
from fumehood.limits.budget import Budget
from fumehood.limits.zip import Archive
from fumehood.loaders.shared.builder import Builder

ENGINES: dict[str, str] = {}


def load(data: bytes, out: Builder, budget: Budget, options: ReadOptions) -> None:
    archive = Archive.check(data, budget)
    for entry in archive.entries:
        out.paragraph(str(sum(map(len, archive.chunks(entry)))))
