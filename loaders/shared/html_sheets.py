"""The style sheets of a document of HTML, and what their rules do to an element by where it stands.

Of the cascade (CSS Cascade 4, 6) importance, specificity and order count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from fumehood.limits.budget import Budget
from fumehood.loaders.shared import css_rules
from fumehood.loaders.shared.css_rules import Chain, Compound, Rule, Sheet, is_for_screen
from fumehood.loaders.shared.html_nodes import content
from fumehood.loaders.shared.html_style import NOTHING, Effect
from fumehood.loaders.shared.tally import Tally

Find = Callable[[str], Sequence[Sheet] | None]
"""The sheet at an address, behind those it imports; None for what lies elsewhere."""

_INSTRUCTION: Final = "?xml-stylesheet"
_PSEUDO_ATTRIBUTE: Final = re.compile(r"""([a-z]{1,20})\s*=\s*(?:"([^"]{0,2000})"|'([^']{0,2000})')""")


def nowhere(address: str) -> None:
    """Finds no sheet."""


class Styles:
    """Makes the style sheet of each page. Pages of one book that have the same sheets share it."""

    def __init__(self, tally: Tally, budget: Budget) -> None:
        self._tally = tally
        self._budget = budget
        self._made: dict[tuple[int, ...], tuple[StyleSheet, list[Sheet]]] = {}

    def of(self, root: Any, find: Find) -> StyleSheet:
        """That of a tree: all its sheets, in the order of the source. What is not found is counted, `external-target`."""
        page = _Page(find, self._tally, self._budget)
        page.read(root)
        if page.has_own:
            return StyleSheet(page.sheets, self._budget)
        asked = tuple(map(id, page.sheets))
        if asked not in self._made:
            # With the sheets, so that no other one has their identity.
            self._made[asked] = StyleSheet(page.sheets, self._budget), page.sheets
        return self._made[asked][0]


class _Page:
    def __init__(self, find: Find, tally: Tally, budget: Budget) -> None:
        self._find = find
        self._tally = tally
        self._budget = budget
        self.sheets: list[Sheet] = []
        self.has_own = False

    def read(self, root: Any) -> None:
        waiting = [root]
        while waiting:
            node = waiting.pop()
            name = node.name
            if name == "style":
                self._own(node.attrs or {}, content(node))
            elif name == "link":
                self._linked(node.attrs or {})
            elif name == "#comment":
                self._instruction(node.data or "")
            elif name != "#text" and node.children:
                waiting.extend(reversed(node.children))

    def _own(self, attributes: Mapping[str, str], text: str) -> None:
        """A `style` element (WHATWG HTML, 4.2.6)."""
        if not _counts(attributes):
            return
        sheet = css_rules.read(text, self._budget)
        for address in sheet.imports:
            self._add(address)
        self.sheets.append(sheet)
        self.has_own = True

    def _linked(self, attributes: Mapping[str, str]) -> None:
        """A `link` element (4.6.7.22). Alternate sheets are not applied until somebody chooses them."""
        kinds = (attributes.get("rel") or "").lower().split()
        if "stylesheet" in kinds and "alternate" not in kinds and _counts(attributes):
            self._add(attributes.get("href") or "")

    def _instruction(self, text: str) -> None:
        """A processing instruction (Associating Style Sheets with XML documents 1.0), which HTML takes for a comment."""
        if text.startswith(_INSTRUCTION):
            said = {name: double or single for name, double, single in _PSEUDO_ATTRIBUTE.findall(text)}
            if said.get("alternate") != "yes" and _counts(said):
                self._add(said.get("href", ""))

    def _add(self, address: str) -> None:
        if not address.strip():
            return
        sheets = self._find(address.strip())
        if sheets is None:
            self._tally.add("external-target")
        else:
            self._budget.spend("nodes", len(sheets))
            self.sheets += sheets


def _counts(attributes: Mapping[str, str]) -> bool:
    language = (attributes.get("type") or "").partition(";")[0].strip().lower()
    return language in ("", "text/css") and is_for_screen(attributes.get("media") or "")


class StyleSheet:
    """The rules of a page, by what they ask of an element itself. Elements are asked for by :attr:`root` downwards."""

    def __init__(self, sheets: Sequence[Sheet], budget: Budget) -> None:
        rules = [rule for sheet in sheets for rule in sheet.rules]
        self._budget = budget
        self._by_key: dict[str, list[tuple[Rule, int]]] = {}
        self._words: dict[str, frozenset[str]] = {"": frozenset()}
        budget.spend("nodes", len(rules))
        # Of rules that are repeated word by word the last one counts; pages repeat whole sheets.
        for rule, order in {rule: order for order, rule in enumerate(rules)}.items():
            self._by_key.setdefault(_key(rule.subject), []).append((rule, order))
        compounds = [compound for rule in rules for chain in rule.chains for compound in chain]
        self._classes = frozenset(word for compound in compounds for word in compound.classes)
        self._ids = frozenset(compound.identifier for compound in compounds) - {""}
        self.is_deep = any(len(rule.chains) > 1 or len(rule.chains[0]) > 1 for rule in rules)
        self.root = Place(self, None, "", frozenset(), "", NOTHING) if rules else None

    def words(self, classes: str) -> frozenset[str]:
        """Those of a `class` attribute that a rule asks for."""
        found = self._words.get(classes)
        if found is None:
            found = self._words[classes] = self._classes.intersection(classes.split())
        return found

    def identifier(self, value: str) -> str:
        return value if value in self._ids else ""

    def effect(self, place: Place) -> Effect:
        """What all rules together do to an element at that place."""
        keys = ["*", place.name, *(f".{word}" for word in place.classes)]
        if place.identifier:
            keys.append(f"#{place.identifier}")
        asked = [found for key in keys for found in self._by_key.get(key, ())]
        self._budget.spend("nodes", 1 + len(asked))
        matching = [(rule.weight, order, rule.effect) for rule, order in asked if self._matches(rule.chains, place)]
        effect = NOTHING
        for _, _, of_rule in sorted(matching, key=lambda found: found[:2]):
            effect = effect.under(of_rule)
        return effect

    def _matches(self, chains: tuple[Chain, ...], place: Place) -> bool:
        at = _above_chain(chains[0], place)
        steps = 0
        for chain in chains[1:]:
            # The nearest place will do: what stands above another one stands above this one, too.
            found: Place | None = None
            while at is not None and at.above is not None and found is None:
                steps += 1
                found = _above_chain(chain, at)
                at = at.above if found is None else found
            at = found
            if at is None:
                break
        self._budget.spend("nodes", steps)
        return at is not None


class Place:
    """Where elements stand as far as rules can tell: those with equal names, classes and ids all the way up share one."""

    __slots__ = ("_below", "_sheet", "above", "classes", "effect", "identifier", "name")

    def __init__(
        self,
        sheet: StyleSheet,
        above: Place | None,
        name: str,
        classes: frozenset[str],
        identifier: str,
        effect: Effect | None = None,
    ) -> None:
        self._sheet = sheet
        self._below: dict[tuple[str, frozenset[str], str], Place] = {}
        self.above = above
        self.name = name
        self.classes = classes
        self.identifier = identifier
        self.effect = sheet.effect(self) if effect is None else effect

    def element(self, name: str, classes: str, identifier: str) -> Place:
        """That of an element right in one that stands here."""
        sheet = self._sheet
        asked = (name, sheet.words(classes), sheet.identifier(identifier))
        found = self._below.get(asked)
        if found is None:
            found = self._below[asked] = Place(sheet, self, *asked)
        return found

    def inside(self) -> Place:
        """Where the content of an element at this place is, for rules that ask for what is above: else the root."""
        return self if self._sheet.is_deep or self.above is None else self.above


def _key(subject: Compound) -> str:
    """The most special thing that it asks for."""
    if subject.identifier:
        return f"#{subject.identifier}"
    return f".{min(subject.classes)}" if subject.classes else subject.type or "*"


def _above_chain(chain: Chain, place: Place | None) -> Place | None:
    """The place above the last compound of `chain`, if its first is at `place`; None if it is not."""
    for compound in chain:
        if place is None or place.above is None or not _is(compound, place):
            return None
        place = place.above
    return place


def _is(compound: Compound, place: Place) -> bool:
    return (
        (not compound.type or compound.type == place.name)
        and compound.classes <= place.classes
        and (not compound.identifier or compound.identifier == place.identifier)
    )
