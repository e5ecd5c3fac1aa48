"""What an element of HTML hands down to its content: who sees it, and where on the page it stands."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from fumehood.loaders.shared.html_sheets import Place
from fumehood.loaders.shared.html_style import NOTHING, Display, Effect, Preserved, color, inline

_NEVER_SHOWN: Final = frozenset({"datalist", "annotation", "annotation-xml", "desc", "metadata", "defs"})
"""By the standard's own style sheet (15.3.1), and by MathML's and SVG's."""
_LANDMARKS: Final = {
    "nav": "nav",
    "aside": "aside",
    "navigation": "nav",
    "complementary": "aside",
    "banner": "header",
    "contentinfo": "footer",
    "search": "search",
}
_OF_THE_PAGE: Final = frozenset({"header", "footer"})
_SECTIONING: Final = frozenset({"article", "main", "section", "blockquote"})


class Context(NamedTuple):
    """Handed down from element to element; most share that of their parent.

    - `gone`: an ancestor is not shown at all. `shown`, `tiny`, `color`: what a descendant may change.
    - `landmark`: which part of the page it is in, `""` in its content.
    - `items`: its children make lines of their own, whatever they are (CSS Flexbox 1, 4; CSS Grid 1, 6).
    - `seen`: whether a reader sees text that stands here; of the others.
    - `place`: where it stands for the rules of style sheets; None where there are none. The last, as it changes most.
    """

    gone: bool = False
    shown: bool = True
    tiny: bool = False
    preserves: Preserved = ""
    color: str | None = None
    background: str | None = None
    landmark: str | None = None
    seen: bool = True
    items: bool = False
    place: Place | None = None


def unseen(context: Context) -> Context:
    """The context of what nobody sees in an element that is seen."""
    return context._replace(gone=True, seen=False)


def entered(node: Any, name: str, outer: Context) -> tuple[Context, Display | None]:
    """The context inside of `node`, and how it is displayed where its style says so."""
    attributes = node.attrs
    effect = NOTHING
    if outer.place is not None:
        get = attributes.get if attributes else {}.get
        place = outer.place.element(name, get("class") or "", get("id") or "")
        effect = place.effect
        if place.inside() is not outer.place:
            outer = Context(*outer[:-1], place)
    gone = name in _NEVER_SHOWN
    if attributes:
        if style := attributes.get("style"):
            effect = effect.under(inline(style))
        gone = gone or _is_gone(name, attributes, effect)
        effect = _of_attributes(name, attributes, effect)
    elif name == "dialog":
        gone = True
    landmark = _landmark(name, attributes, outer.landmark)
    if not gone and effect is NOTHING and landmark == outer.landmark and not outer.items:
        return outer, None
    return _under(outer, effect, gone or effect.display == "none" or effect.unseen is True, landmark), effect.display


def _is_gone(name: str, attributes: dict[str, str], effect: Effect) -> bool:
    # An image that has a text is there to be seen, whatever reads the page aloud has instead.
    if (attributes.get("aria-hidden") == "true" and name != "img") or "popover" in attributes:
        return True
    # A rule for the screen wins over the attribute (15.3.1).
    if "hidden" in attributes and effect.display is None:
        return True
    return name == "dialog" and "open" not in attributes


def _of_attributes(name: str, attributes: dict[str, str], effect: Effect) -> Effect:
    """Colours by attributes of old (15.3.4, 15.3.10), where style does not say others."""
    if "bgcolor" in attributes and effect.background is None:
        effect = effect._replace(background=color(attributes["bgcolor"] or "") or "")
    if "background" in attributes and effect.background is None:
        effect = effect._replace(background="")
    if name == "font" and "color" in attributes and effect.color is None:
        effect = effect._replace(color=color(attributes["color"] or ""))
    return effect


def _under(outer: Context, effect: Effect, gone: bool, landmark: str | None) -> Context:
    gone = outer.gone or gone
    shown = outer.shown if effect.shown is None else effect.shown
    tiny = outer.tiny if effect.tiny is None else effect.tiny
    ink = outer.color if effect.color is None else effect.color
    paper = outer.background if effect.background is None else effect.background
    hidden_by_color = ink == "transparent" or (bool(ink) and ink == paper)
    return Context(
        gone,
        shown,
        tiny,
        outer.preserves if effect.preserves is None else effect.preserves,
        ink,
        paper,
        landmark,
        not (gone or not shown or tiny or hidden_by_color),
        effect.items is True,
        outer.place,
    )


def _landmark(name: str, attributes: dict[str, str] | None, outer: str | None) -> str | None:
    found = _LANDMARKS.get(name)
    if attributes and (role := attributes.get("role")):
        found = _LANDMARKS.get(role.lower()) or found
    if found is not None:
        return found
    if outer is not None:
        return outer
    # Of the page only outside of its content: an article has a header of its own (4.3.8).
    if name in _OF_THE_PAGE:
        return name
    return "" if name in _SECTIONING else None
