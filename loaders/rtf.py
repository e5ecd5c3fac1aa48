"""Rich Text Format (Microsoft's RTF 1.9.1) by our own bounded reader: one pass over the tokens, no recursion."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from fumehood.errors import refusal
from fumehood.kinds import ReadOptions
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.encoding import warm as warm
from fumehood.loaders.shared.rtf_document import Document

ENGINES: Final[Mapping[str, str]] = {}

_START: Final = re.compile(rb"(?:\xef\xbb\xbf)?[ \t\r\n\0]*(?=\{[ \t\r\n]*\\rtf)")


def load(data: bytes, out: Builder, budget: Budget, _options: ReadOptions) -> None:
    """Raises the refusals `kind-mismatch` for what does not start as RTF does, `nesting`, `nodes` and `table-cells`."""
    start = _START.match(data)
    if start is None:
        raise refusal("kind-mismatch", stage="precheck")
    Document(data, out, budget).read(start.end())
