"""JSON (RFC 8259) as readable Markdown, with a JSON pointer to each block.

Depth and size are counted before the parser runs: it recurses, and its exception would say nothing. Numbers
stay the digits they are. `NaN` and `Infinity` are no JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Final, NoReturn, cast

from fumehood.errors import refusal
from fumehood.kinds import ReadOptions
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.encoding import decode
from fumehood.loaders.shared.encoding import warm as warm
from fumehood.loaders.shared.plain import plain
from fumehood.loaders.shared.tree import Members, Number, Value, write_tree

ENGINES: Final[Mapping[str, str]] = {}

# A string, also one that never ends, so that each character is looked at once; or what structures.
_TOKEN: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{},]', re.DOTALL)


def load(data: bytes, out: Builder, budget: Budget, options: ReadOptions) -> None:
    """Raises the refusals `kind-mismatch`, `nesting`, `nodes`, and `malformed` unless `options.lenient`."""
    text = decode(data, out, options.charset)
    measure(text, budget)
    try:
        value = _parsed(text)
    except ValueError:
        if not options.lenient:
            raise refusal("malformed") from None
        out.notice("unparsed")
        plain(text, out)
        return
    write_tree(value, out, budget)


def measure(text: str, budget: Budget) -> None:
    """Checks depth and number of values, by brackets and commas, of `text` that need not be JSON. Linear."""
    depth = strings = separators = 0
    for match in _TOKEN.finditer(text):
        char = match[0][0]
        if char == '"':
            strings += 1
        elif char in "[{":
            depth += 1
            separators += 1
            budget.check("nesting", depth)
        elif char == ",":
            separators += 1
        else:
            depth -= 1
        # Every container is a value and so is what stands before a comma; half of the strings may be keys.
        if separators > budget.limits.nodes or strings > 2 * budget.limits.nodes:
            break
    budget.spend("nodes", max(separators, strings // 2))


def _parsed(text: str) -> Value:
    """Raises `ValueError` for what is no JSON."""
    return cast(
        "Value",
        json.loads(text, object_pairs_hook=Members, parse_int=Number, parse_float=Number, parse_constant=_no_number),
    )


def _no_number(_name: str) -> NoReturn:
    raise ValueError("NaN and Infinity are not of JSON (RFC 8259, section 6)")
