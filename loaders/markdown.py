"""Markdown: the source as it stands, its blocks as spans over it, front matter taken out as metadata."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fumehood.document import line_locator
from fumehood.kinds import ReadOptions
from fumehood.limits.budget import Budget
from fumehood.loaders.shared import front_matter
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.encoding import decode
from fumehood.loaders.shared.encoding import warm as warm
from fumehood.loaders.shared.markdown_blocks import say_blocks

ENGINES: Final[Mapping[str, str]] = {}


def load(data: bytes, out: Builder, budget: Budget, options: ReadOptions) -> None:
    """Raises the refusal `kind-mismatch` for what is no text."""
    source = decode(data, out, options.charset).replace("\r\n", "\n").replace("\r", "\n")
    taken = front_matter.take(source, out, budget)
    before = source.count("\n", 0, taken)
    text = out.verbatim(source[taken:])
    say_blocks(text, 0, out, budget, lambda span: line_locator(before + span.line, before + span.line_end))
