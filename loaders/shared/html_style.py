"""What style says about who sees a text: inline styles, and the rules of `<style>` whose selectors are simple.

No cascade is computed. A rule counts if its selector is a type, classes and an id of one element; rules of media other
than the screen do not. Of the properties, only those that hide, and those that make lines, are looked at.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from fumehood.limits.budget import Budget

Display = Literal["none", "block", "inline"]
Preserved = Literal["", "lines", "all"]
"""What of white space stands as it is (CSS Text 3, 3)."""


class Effect(NamedTuple):
    """What declarations do to an element; None where they say nothing.

    - `display`: whether it is not there, makes lines of its own, or stands in a line.
    - `shown`: `visibility`, which descendants may take back.
    - `unseen`: it is there, but nobody sees it: no size, no opacity, off the screen.
    - `tiny`: its letters have no size; descendants may have another.
    - `preserves`: which white space stands as it is.
    - `items`: its children make lines of their own.
    - `color`, `background`: as :func:`_color` names them; an empty background is a picture or unknown.
    """

    display: Display | None = None
    shown: bool | None = None
    unseen: bool | None = None
    tiny: bool | None = None
    preserves: Preserved | None = None
    color: str | None = None
    background: str | None = None
    items: bool | None = None

    def under(self, other: Effect) -> Effect:
        """Both, where `other` wins."""
        return Effect(
            other.display or self.display,
            self.shown if other.shown is None else other.shown,
            self.unseen if other.unseen is None else other.unseen,
            self.tiny if other.tiny is None else other.tiny,
            self.preserves if other.preserves is None else other.preserves,
            self.color if other.color is None else other.color,
            self.background if other.background is None else other.background,
            self.items if other.items is None else other.items,
        )


NOTHING: Final = Effect()

_TELLING: Final = re.compile(
    r"display|visibility|font|color|background|position|width|height|opacity|clip|indent|mso-hide|white-space|content-vis|float",
    re.IGNORECASE,
)
_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_LENGTH: Final = re.compile(
    r"([+-]?(?:[0-9]{1,9}\.?[0-9]{0,9}|\.[0-9]{1,9}))(px|pt|em|rem|ex|ch|cm|mm|in|pc|vw|vh|%)?$"
)
_TO_PIXELS: Final = {
    "pt": 1.33,
    "em": 16.0,
    "rem": 16.0,
    "ex": 8.0,
    "ch": 8.0,
    "cm": 37.8,
    "mm": 3.78,
    "in": 96.0,
    "pc": 16.0,
}
_OFF_SCREEN: Final = -500.0
"""Left of it, or above, by so many pixels nothing is seen; honest margins are smaller."""
_TINY: Final = 1.0
_INLINE: Final = frozenset({"inline", "inline-block", "inline-flex", "inline-grid", "inline-table", "contents", "ruby"})
_PRESERVING: Final[Mapping[str, Preserved]] = {
    "pre": "all",
    "pre-wrap": "all",
    "break-spaces": "all",
    "pre-line": "lines",
}
_COLORS: Final = {
    "white": "ffffff",
    "black": "000000",
    "red": "ff0000",
    "lime": "00ff00",
    "blue": "0000ff",
    "yellow": "ffff00",
    "aqua": "00ffff",
    "cyan": "00ffff",
    "fuchsia": "ff00ff",
    "magenta": "ff00ff",
    "silver": "c0c0c0",
    "gray": "808080",
    "grey": "808080",
    "maroon": "800000",
    "green": "008000",
    "navy": "000080",
    "olive": "808000",
    "teal": "008080",
    "purple": "800080",
}
_HEX: Final = re.compile(r"#([0-9a-f]{6}|[0-9a-f]{3})")
_RGB: Final = re.compile(
    r"rgba?\(\s*([0-9]{1,3})[\s,]+([0-9]{1,3})[\s,]+([0-9]{1,3})\s*(?:[,/]\s*([0-9.]{1,9})%?\s*)?\)"
)

_MAX_SHEET: Final = 1 << 20
_SELECTOR: Final = re.compile(r"([a-z][a-z0-9]*)?((?:[.#][a-z_-][\w-]*)*)$", re.IGNORECASE)
_PART: Final = re.compile(r"[.#][^.#]+")


@lru_cache(maxsize=4_096)
def inline(style: str) -> Effect:
    """What the value of a `style` attribute does."""
    if _TELLING.search(style) is None:
        return NOTHING
    return _effect(style)


def color(value: str) -> str | None:
    """A colour as six hexadecimal digits where it can be told, in small letters; None for what is none.

    Of colours with names, those of HTML 4 are known; any other name stands for itself.
    """
    value = value.strip().lower()
    found = _HEX.match(value)
    if found is not None:
        digits = found[1]
        return digits if len(digits) == 6 else "".join(digit * 2 for digit in digits)
    found = _RGB.match(value)
    if found is not None:
        if found[4] is not None and float(found[4].rstrip(".") or 0) == 0:
            return "transparent"
        return "".join(f"{min(int(part), 255):02x}" for part in found.groups()[:3])
    return (
        _COLORS.get(value, value) if value.isalpha() and value not in {"inherit", "initial", "unset", "none"} else None
    )


def _effect(declarations: str) -> Effect:
    found: dict[str, str] = {}
    for declaration in declarations.split(";"):
        name, colon, value = declaration.partition(":")
        if colon:
            found[name.strip().lower()] = value.replace("!important", "").strip().lower()
    return Effect(
        _display(found),
        _shown(found),
        _unseen(found) or None,
        _tiny(found),
        _PRESERVING.get(found["white-space"], "") if "white-space" in found else None,
        color(found["color"]) if "color" in found else None,
        _background(found),
        found["display"].endswith(("flex", "grid")) if "display" in found else None,
    )


def _display(found: Mapping[str, str]) -> Display | None:
    display = found.get("display", "")
    if display == "none" or found.get("mso-hide") == "all" or found.get("content-visibility") == "hidden":
        return "none"
    # What is placed by itself, or beside the text, is a block whatever it was (CSS 2.1, 9.7). So would be what floats to
    # the left, but a capital that does is the first letter of a word.
    if found.get("position") in {"absolute", "fixed"} or found.get("float") == "right":
        return "block"
    if not display or display in {"inherit", "initial", "unset", "revert"} or "{" in display:
        return None
    return "inline" if display in _INLINE else "block"


def _shown(found: Mapping[str, str]) -> bool | None:
    visibility = found.get("visibility")
    if visibility in {"hidden", "collapse"}:
        return False
    return True if visibility == "visible" else None


def _unseen(found: Mapping[str, str]) -> bool:
    if _is(found, "opacity", 0):
        return True
    if found.get("overflow", "").startswith(("hidden", "clip")) and (
        _is(found, "width", _TINY)
        or _is(found, "height", _TINY)
        or _is(found, "max-height", 0)
        or _is(found, "max-width", 0)
    ):
        return True
    placed = found.get("position") in {"absolute", "fixed"}
    if placed and (_is(found, "left", _OFF_SCREEN) or _is(found, "top", _OFF_SCREEN) or _clips(found)):
        return True
    return _is(found, "text-indent", _OFF_SCREEN)


def _tiny(found: Mapping[str, str]) -> bool | None:
    if "font-size" in found:
        return _is(found, "font-size", 0)
    return found["font"].startswith(("0 ", "0px", "0/")) if "font" in found else None


def _clips(found: Mapping[str, str]) -> bool:
    clip = found.get("clip", "").replace(" ", "").replace("px", "")
    return clip in {"rect(0,0,0,0)", "rect(0000)", "rect(1,1,1,1)", "rect(1111)"} or "inset(50%)" in found.get(
        "clip-path", ""
    )


def _is(found: Mapping[str, str], name: str, most: float) -> bool:
    """Whether the length of that property is given and at most so many pixels."""
    length = _LENGTH.match(found.get(name, "").strip())
    return length is not None and float(length[1]) * _TO_PIXELS.get(length[2] or "", 1.0) <= most


def _background(found: Mapping[str, str]) -> str | None:
    value = found.get("background-color") or found.get("background")
    if found.get("background-image", "none") != "none" or (value and ("url(" in value or "gradient" in value)):
        return ""
    if not value:
        return None
    named = color(value.split()[0] if "(" not in value else value)
    return None if named == "transparent" else named or ""


class _Rule(NamedTuple):
    """`type`: empty for any; `classes`: all must be the element's. `weight`: specificity, then place."""

    type: str
    classes: frozenset[str]
    effect: Effect
    weight: tuple[int, int, int, int]


class StyleSheet:
    """The rules of a document's `<style>` elements that hide or show, by what they ask for."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._rules: dict[str, dict[tuple[str, frozenset[str]], _Rule]] = {}
        self._known: dict[tuple[str, str, str], Effect] = {}
        self._count = 0

    def __bool__(self) -> bool:
        return bool(self._rules)

    def add(self, text: str) -> None:
        """Reads one sheet; of a very long one, the start."""
        self._known.clear()
        text = _COMMENT.sub(" ", text[:_MAX_SHEET])
        at = 0
        while (opened := text.find("{", at)) >= 0:
            closed = text.find("}", at)
            if 0 <= closed < opened:  # the end of a group of rules
                at = closed + 1
                continue
            head = text[at:opened].rpartition(";")[2].strip()
            if head.startswith("@"):
                at = opened + 1 if _is_for_screen(head) else _end_of_group(text, opened)
                continue
            closed = text.find("}", opened)
            closed = len(text) if closed < 0 else closed
            self._rule(head, text[opened + 1 : closed])
            at = closed + 1

    def effect(self, name: str, classes: str, identifier: str) -> Effect:
        """What the rules do to an element of that name, with that `class` and `id` attribute."""
        if f"#{identifier}" not in self._rules:
            identifier = ""
        asked = (name, classes, identifier)
        found = self._known.get(asked)
        if found is None:
            found = self._known[asked] = self._effect(*asked)
        return found

    def _effect(self, name: str, classes: str, identifier: str) -> Effect:
        keys = [name]
        words = frozenset(classes.split()) if classes else frozenset()
        keys += [f".{word}" for word in words]
        if identifier:
            keys.append(f"#{identifier}")
        asked = [rule for key in keys for rule in self._rules.get(key, {}).values()]
        self._budget.spend("nodes", len(asked))
        rules = [rule for rule in asked if rule.type in ("", name) and rule.classes <= words]
        effect = NOTHING
        for rule in sorted(rules, key=lambda rule: rule.weight):
            effect = effect.under(rule.effect)
        return effect

    def _rule(self, selectors: str, declarations: str) -> None:
        if _TELLING.search(declarations) is None:
            return
        # Colours of rules are left alone: what else lies behind a text, simple rules do not tell.
        effect = _effect(declarations)._replace(color=None, background=None)
        if effect == NOTHING:
            return
        for selector in selectors.split(","):
            match = _SELECTOR.match(selector.strip())
            if match is not None and match[0]:
                self._keep(match[1] or "", _PART.findall(match[2]), effect)

    def _keep(self, name: str, parts: list[str], effect: Effect) -> None:
        classes = [part[1:] for part in parts if part[0] == "."]
        ids = [part[1:] for part in parts if part[0] == "#"]
        if len(ids) > 1:
            return
        self._count += 1
        identifier = ids[0] if ids else ""
        key = f"#{identifier}" if ids else f".{classes[0]}" if classes else name.lower()
        rule = _Rule(name.lower(), frozenset(classes), effect, (len(ids), len(classes), bool(name), self._count))
        same = self._rules.setdefault(key, {})
        before = same.get(rule[:2])
        same[rule[:2]] = rule if before is None else rule._replace(effect=before.effect.under(effect))


def _is_for_screen(head: str) -> bool:
    """Whether the rules in an at-rule may count here and now."""
    if not head.startswith("@media"):
        return head.startswith(("@layer", "@charset"))
    query = head.removeprefix("@media").strip().lower()
    return query in {"all", "screen", "only screen", ""}


def _end_of_group(text: str, opened: int) -> int:
    depth, at = 0, opened
    for brace in re.finditer(r"[{}]", text[opened:]):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return opened + brace.end()
        at = opened + brace.end()
    return at
