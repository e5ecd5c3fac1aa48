"""Presentations of OpenDocument (ODF 1.3), as a package or as one XML file."""

from __future__ import annotations

from fumehood.kinds import ReadOptions
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.odf_document import ENGINES, read_presentation, warm

__all__ = ["ENGINES", "load", "warm"]


def load(data: bytes, out: Builder, budget: Budget, options: ReadOptions) -> None:
    """Raises the refusals of the archive's and the XML's prechecks, `kind-mismatch`, `encrypted` and `malformed`."""
    read_presentation(data, out, budget)
