"""Plain text. The document's text is the source; a blank line ends a paragraph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fumehood.kinds import ReadOptions
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.encoding import decode
from fumehood.loaders.shared.encoding import warm as warm
from fumehood.loaders.shared.plain import plain

ENGINES: Final[Mapping[str, str]] = {}


def load(data: bytes, out: Builder, _budget: Budget, options: ReadOptions) -> None:
    """Raises the refusal `kind-mismatch` for what is no text."""
    plain(decode(data, out, options.charset), out)
