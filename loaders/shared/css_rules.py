"""A style sheet's text to its rules (CSS Syntax 3, CSS 2.1, chapter 4), in linear time.

Only what counts on a screen is kept: of groups of rules (`@media`, `@supports`) those for any screen, and of rules those
whose selectors are made of types, classes, ids, descendants and children.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.html_style import NOTHING, Effect, of_rule


class Compound(NamedTuple):
    """What one element must be. `type`: empty for any; `classes`: it has them all; `identifier`: empty for any."""

    type: str
    classes: frozenset[str]
    identifier: str


Chain = tuple[Compound, ...]
"""An element, its parent, the parent of that: what stands between `>`, from right to left."""


class Rule(NamedTuple):
    """`chains`: the first is the element's own, each further one stands somewhere above the one before.

    `weight`: importance, then specificity (Selectors 4, 17).
    """

    chains: tuple[Chain, ...]
    effect: Effect
    weight: tuple[bool, int, int, int]

    @property
    def subject(self) -> Compound:
        return self.chains[0][0]


class Sheet(NamedTuple):
    """One sheet: its rules in order, and the addresses of the sheets that it imports, which come before it."""

    rules: tuple[Rule, ...]
    imports: tuple[str, ...]


_OPAQUE: Final = re.compile(
    r"""/\*(?:[^*]|\*(?!/))*+(?:\*/)?|"(?:[^"\\\n]|\\.)*+"?|'(?:[^'\\\n]|\\.)*+'?|url\([^"')]*+\)?|<!--|-->""",
    re.DOTALL | re.IGNORECASE,
)
"""A comment, a string, an address without quotes, and marks that hide a sheet in HTML (CSS Syntax 3, 4.3)."""
_MARK: Final = re.compile(r"[{}()\[\]]")
_STRUCTURE: Final = frozenset("{}()[];")
_CLOSING: Final = {"{": "}", "(": ")", "[": "]"}
_IMPORT: Final = re.compile(
    r"""@import\s+(?:url\(\s*)?(?:"([^"]{1,2000})"|'([^']{1,2000})'|([^\s"')]{1,2000}))\s*\)?\s*([^;]{0,200})$""",
    re.IGNORECASE,
)
_SCREEN: Final = frozenset({"", "all", "screen", "only screen"})
_STEP: Final = re.compile(r"[^\s>]+|>")
_COMPOUND: Final = re.compile(r"(\*|[a-z][a-z0-9-]*)?((?:[.#][a-z_-][\w-]*)*)$", re.IGNORECASE)
_PART: Final = re.compile(r"[.#][^.#]+")
_MAX_STEPS: Final = 16
"""Of a selector: longer ones are nobody's."""


def read(text: str, budget: Budget) -> Sheet:
    """All of a sheet. Raises `nodes` for more rules and selectors than are left."""
    rules: list[Rule] = []
    imports: list[str] = []
    for head, declarations in _Blocks(_OPAQUE.sub(_plain, text)):
        budget.spend("nodes")
        if declarations is None:
            imports += _imported(head)
        else:
            rules += _rules(head, declarations, budget)
    return Sheet(tuple(rules), tuple(imports))


def is_for_screen(media: str) -> bool:
    """Whether a list of media queries (Media Queries 4, 3) names any screen; None of its features is looked at."""
    return any(query.strip() in _SCREEN for query in media.lower().split(","))


def _plain(found: re.Match[str]) -> str:
    """A comment is white space; what a string or an address holds is no structure."""
    text = found[0]
    if text[0] in "/<-":
        return " "
    # What is quoted in an address comes as a string by itself.
    inner = text[1:] if text[0] in "\"'" else text[4:-1]
    return text if _STRUCTURE.isdisjoint(inner) else '""'


class _Blocks:
    """Heads with their declarations, in order; the statements before the first block, with None."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._start = 0
        self._head: str | None = None  # of the rule at hand
        self._groups = 0
        self._closing: list[str] = []  # of what is passed over
        self._is_first = True

    def __iter__(self) -> Iterator[tuple[str, str | None]]:
        for mark in _MARK.finditer(self._text):
            found = mark[0]
            if self._closing:
                self._pass_over(found, mark.end())
            elif found in "[(":
                # Whatever they hold belongs to them, braces too (CSS Syntax 3, 5.4.8).
                self._closing.append(_CLOSING[found])
            elif found == "{":
                yield from self._opened(self._text[self._start : mark.start()])
                self._start = mark.end()
            elif found == "}":
                yield from self._closed(mark.start(), mark.end())
        if self._head is not None and "}" not in self._closing:
            yield self._head, self._text[self._start :]
        elif self._is_first:
            yield self._text, None

    def _pass_over(self, found: str, end: int) -> None:
        if found in _CLOSING:
            self._closing.append(_CLOSING[found])
        elif found == self._closing[-1]:
            self._closing.pop()
            if found == "}" and not self._closing:
                self._start = end

    def _opened(self, before: str) -> Iterator[tuple[str, str | None]]:
        statements, _, last = before.rpartition(";")
        if self._head is not None:
            # A rule within a rule (CSS Nesting 1) is for elements in other places.
            yield self._head, statements
            self._closing.append("}")
            return
        if self._is_first and statements:
            yield statements, None
        self._is_first = False
        last = last.strip()
        if not last.startswith("@"):
            self._head = last
        elif _is_transparent(last):
            self._groups += 1
        else:
            self._closing.append("}")

    def _closed(self, at: int, end: int) -> Iterator[tuple[str, str | None]]:
        if self._head is not None:
            yield self._head, self._text[self._start : at]
            self._head = None
        elif self._groups:
            self._groups -= 1
        else:
            # It closes nothing, and is part of the next selector, which is none then.
            return
        self._start = end


def _is_transparent(head: str) -> bool:
    """Whether the rules in an at-rule count here and now."""
    name, _, rest = head.partition(" ")
    return is_for_screen(rest) if name.lower() == "@media" else name.lower() == "@layer"


def _imported(statements: str) -> Iterator[str]:
    for statement in statements.split(";"):
        found = _IMPORT.match(statement.strip())
        if found is not None and is_for_screen(found[4]):
            yield found[1] or found[2] or found[3]


def _rules(selectors: str, declarations: str, budget: Budget) -> Iterator[Rule]:
    effects = [(is_important, effect) for is_important, effect in of_rule(declarations) if effect != NOTHING]
    if not effects:
        return
    for selector in selectors.split(","):
        budget.spend("nodes")
        chains = _chains(selector)
        if chains:
            compounds = [compound for chain in chains for compound in chain]
            ids = sum(bool(compound.identifier) for compound in compounds)
            classes = sum(len(compound.classes) for compound in compounds)
            types = sum(bool(compound.type) for compound in compounds)
            for is_important, effect in effects:
                yield Rule(chains, effect, (is_important, ids, classes, types))


def _chains(selector: str) -> tuple[Chain, ...]:
    """The selector's chains from right to left; empty for one that asks for more than is known here."""
    steps = _STEP.findall(selector)
    if not 0 < len(steps) <= _MAX_STEPS:
        return ()
    chains: list[list[Compound]] = []
    is_child = False
    for step in reversed(steps):
        if step == ">":
            if is_child or not chains:
                return ()
            is_child = True
            continue
        compound = _compound(step)
        if compound is None:
            return ()
        if is_child:
            chains[-1].append(compound)
        else:
            chains.append([compound])
        is_child = False
    return () if is_child else tuple(tuple(chain) for chain in chains)


def _compound(text: str) -> Compound | None:
    found = _COMPOUND.match(text)
    if found is None or not found[0]:
        return None
    parts = _PART.findall(found[2])
    ids = {part[1:] for part in parts if part[0] == "#"}
    if len(ids) > 1:
        return None
    name = "" if found[1] in (None, "*") else found[1].lower()
    return Compound(name, frozenset(part[1:] for part in parts if part[0] == "."), next(iter(ids), ""))
