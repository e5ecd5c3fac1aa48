"""Form fields with a value that no page has a place for (ISO 32000-2, 12.7.4): made by programs, and kept in the file alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from fumehood.limits.budget import Budget
from fumehood.loaders.shared import pdf_fields
from fumehood.loaders.shared.builder import MAX_NAME
from fumehood.loaders.shared.pdf_file import array_of, dictionary, identity
from fumehood.loaders.shared.pdf_strings import text_string


class Unplaced(NamedTuple):
    """`name`: the fully qualified one (12.7.4.2). `label`: what users are told it is (/TU), else its name."""

    name: str
    label: str
    value: str


def unplaced(catalog: dict[str, Any], placed: Collection[int], budget: Budget) -> Iterator[Unplaced]:
    """The fields none of whose widgets is on a page, in the order of the form. Spends `nodes`.

    `placed`: identities of the widgets that are. Raises the refusal `nesting`.
    """
    waiting = [(field, "", 1) for field in reversed(array_of(dictionary(catalog.get("AcroForm")).get("Fields")))]
    seen: dict[int, Any] = {}  # which keeps them
    while waiting:
        reference, prefix, depth = waiting.pop()
        field = dictionary(reference)
        budget.spend("nodes")
        budget.check("nesting", depth)
        if not field or identity(reference) in seen:
            continue
        seen[identity(reference)] = reference
        own = text_string(field.get("T"))
        name = f"{prefix}.{own}"[:MAX_NAME] if prefix and own else prefix or own[:MAX_NAME]
        kids = array_of(field.get("Kids"))
        budget.spend("nodes", len(kids))
        inner = [kid for kid in kids if "T" in dictionary(kid)]
        waiting.extend((kid, name, depth + 1) for kid in reversed(inner))
        if inner or identity(reference) in placed or any(identity(kid) in placed for kid in kids):
            continue
        value = pdf_fields.value(field, budget)
        if value.strip():
            yield Unplaced(name, text_string(field.get("TU")).strip() or name, value)
