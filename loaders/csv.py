"""Comma-separated values (RFC 4180), with the other delimiters in use, as one table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fumehood.kinds import ReadOptions
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.delimited import read_delimited
from fumehood.loaders.shared.encoding import warm as warm

ENGINES: Final[Mapping[str, str]] = {}


def load(data: bytes, out: Builder, budget: Budget, options: ReadOptions) -> None:
    """Raises the refusals `kind-mismatch` for what is no text, `nodes` and `table-cells` for too much of it."""
    read_delimited(data, out, budget, options)
