"""Filters as conditions of SQL. Values are always parameters."""

from __future__ import annotations

from typing import NamedTuple

from fumehood.index import rows
from fumehood.index.model import Filters, checked_namespace


class Condition(NamedTuple):
    """SQL that joins with AND, and its parameters in order. Empty: no condition."""

    sql: str
    parameters: tuple[object, ...]


def of_sources(filters: Filters) -> Condition:
    """About `s`, a row of sources. Raises `ValueError` for a bound that is no date and a namespace that has no name."""
    parts: list[Condition] = []
    if filters.namespace is not None:
        named_so = (checked_namespace(filters.namespace),)
        parts.append(Condition("s.namespace = (SELECT id FROM namespaces WHERE name = ?)", named_so))
    if filters.source_prefix:
        parts.append(named(filters.source_prefix))
    for key, value in (filters.metadata or {}).items():
        parts.append(
            Condition(
                "EXISTS (SELECT 1 FROM properties p WHERE p.source = s.id AND p.key = ? AND p.value = ?)",
                (key, rows.spelled(value)),
            )
        )
    parts += [
        Condition(f"substr(s.date, 1, {len(date)}) {operator} ?", (date,))
        for operator, bound in ((">=", filters.since), ("<=", filters.until))
        if bound is not None
        for date in (_date(bound),)
    ]
    return _joined(parts)


def named(prefix: str) -> Condition:
    """Sources whose name begins so, by the order of their bytes: no byte of UTF-8 is 0xFF (RFC 3629, 3)."""
    low = rows.name_bytes(prefix)
    return Condition("s.name >= ? AND s.name < ?", (low, low + b"\xff"))


def of_chunks(filters: Filters) -> Condition:
    """About `c`, a row of chunks."""
    parts: list[Condition] = []
    if filters.role is not None:
        parts.append(Condition("instr(c.roles, ?)", (f"|{filters.role}|",)))
    if filters.kind is not None:
        parts.append(Condition("(SELECT d.kind FROM documents d WHERE d.id = c.document) = ?", (filters.kind,)))
    sources = of_sources(filters)
    if sources.sql:
        parts.append(
            Condition(
                f"EXISTS (SELECT 1 FROM sources s WHERE s.document = c.document AND {sources.sql})",  # noqa: S608  # ours
                sources.parameters,
            )
        )
    return _joined(parts)


def _joined(parts: list[Condition]) -> Condition:
    return Condition(
        " AND ".join(part.sql for part in parts), tuple(value for part in parts for value in part.parameters)
    )


def _date(bound: str) -> str:
    date = rows.sortable(bound)
    if date is None:
        raise ValueError(f"{bound!r} is no date; write one as 2024, 2024-05, 2024-05-31 or 2024-05-31T12:00:00Z")
    return date
