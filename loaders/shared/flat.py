"""A nested value as lines of `path: text`, for kinds in which each value is one record among many."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fumehood.loaders.shared.tree import Members, Value, inline

_LONGEST: Final = 256
"""Characters of a path: names within names would else outweigh what they name a thousand times."""


def flat_lines(value: Value) -> list[str]:
    """A line for each scalar in `value`, in order, after the names that lead to it; a scalar by itself has none."""
    lines: list[str] = []
    stack: list[Iterator[tuple[str, Value]]] = [iter([("", value)])]
    while stack:
        following = next(stack[-1], None)
        if following is None:
            stack.pop()
            continue
        path, inner = following
        text = inline(inner)
        if text is not None:
            lines.append(f"{path}: {text}" if path else text)
        elif isinstance(inner, Members):
            stack.append(_members(path, inner))
        elif isinstance(inner, list):
            stack.append(_elements(path, inner))
    return lines


def _members(path: str, members: Members) -> Iterator[tuple[str, Value]]:
    return ((_joined(path, key), value) for key, value in members.pairs)


def _elements(path: str, values: list[Value]) -> Iterator[tuple[str, Value]]:
    """Scalars under the name of their list; what is nested under its own place as well."""
    for index, value in enumerate(values):
        yield (path if inline(value) is not None else _joined(path, str(index))), value


def _joined(path: str, key: str) -> str:
    key = " ".join(key.split()) or '""'
    return f"{path}.{key}"[-_LONGEST:] if path else key[:_LONGEST]
