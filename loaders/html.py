"""Web pages (WHATWG HTML), and XHTML, as a browser without scripts shows them."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import Final

from fumehood.kinds import ReadOptions
from fumehood.limits.budget import Budget
from fumehood.loaders.shared import html_document, html_encoding
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.encoding import warm as warm

ENGINES: Final[Mapping[str, str]] = {"justhtml": version("justhtml")}


def load(data: bytes, out: Builder, budget: Budget, options: ReadOptions) -> None:
    """Raises the refusal `kind-mismatch` for what is no text, `nodes` and `nesting`."""
    html_document.read(html_encoding.decode(data, out, options.charset), out, budget)
