"""JSON (RFC 8259) as readable Markdown, with a JSON pointer to each block."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fumehood.errors import refusal
from fumehood.kinds import ReadOptions
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.encoding import decode
from fumehood.loaders.shared.encoding import warm as warm
from fumehood.loaders.shared.json_text import measure, parsed
from fumehood.loaders.shared.plain import plain
from fumehood.loaders.shared.tree import write_tree

ENGINES: Final[Mapping[str, str]] = {}


def load(data: bytes, out: Builder, budget: Budget, options: ReadOptions) -> None:
    """Raises the refusals `kind-mismatch`, `nesting`, `nodes`, and `malformed` unless `options.lenient`."""
    text = decode(data, out, options.charset)
    measure(text, budget)
    try:
        value = parsed(text)
    except ValueError:
        if not options.lenient:
            raise refusal("malformed") from None
        out.notice("unparsed")
        plain(text, out)
        return
    write_tree(value, out, budget)
