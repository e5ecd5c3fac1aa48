"""JSON (RFC 8259) parsed within bounds: numbers stay the digits they are, `NaN` and `Infinity` are no JSON.

Depth and size are counted before the parser runs: it recurses, and its exception would say nothing.
"""

from __future__ import annotations

import json
import re
from typing import Final, NoReturn, cast

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.tree import Members, Number, Value

# A string, also one that never ends, so that each character is looked at once; or what structures.
_TOKEN: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{},]', re.DOTALL)


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


def _no_number(_name: str) -> NoReturn:
    raise ValueError("NaN and Infinity are not of JSON (RFC 8259, section 6)")


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=Members, parse_int=Number, parse_float=Number, parse_constant=_no_number
)


def parsed(text: str) -> Value:
    """The value that `text` is, which was measured. Raises `ValueError` for what is no JSON."""
    return cast("Value", _DECODER.decode(text))


def parsed_at(text: str, at: int) -> tuple[Value, int]:
    """The value that starts at `at`, and where it ends. Raises `ValueError` if there is none."""
    value, end = _DECODER.raw_decode(text, at)
    return cast("Value", value), end
