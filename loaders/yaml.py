"""YAML 1.2 as readable Markdown, with a JSON pointer to each block, from the parser's events: no object is ever made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import yaml

from fumehood.document import line_locator
from fumehood.errors import refusal
from fumehood.hygiene import clean
from fumehood.kinds import ReadOptions
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.encoding import decode
from fumehood.loaders.shared.encoding import warm as warm
from fumehood.loaders.shared.plain import plain
from fumehood.loaders.shared.tree import write_tree
from fumehood.loaders.shared.yaml_events import compose

ENGINES: Final[Mapping[str, str]] = {"pyyaml": yaml.__version__}


def load(data: bytes, out: Builder, budget: Budget, options: ReadOptions) -> None:
    """Raises the refusals `kind-mismatch`, `nesting`, `nodes`, and `malformed` unless `options.lenient`."""
    # The parser takes controls for errors (YAML 1.2.2, 5.1), where elsewhere they are but taken out.
    text, removed = clean(decode(data, out, options.charset))
    if removed:
        out.notice("controls-removed", detail=removed)
    try:
        documents, comments = compose(text, budget)
    except (yaml.YAMLError, ValueError):
        if not options.lenient:
            raise refusal("malformed") from None
        out.notice("unparsed")
        plain(text, out)
        return
    for index, document in enumerate(documents):
        write_tree(document, out, budget, pointer=f"/{index}" if len(documents) > 1 else "")
    for line, comment in comments:
        out.paragraph(comment, role="comment", locator=line_locator(line, line + comment.count("\n")))
