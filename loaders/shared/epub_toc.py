"""What an EPUB's table of contents calls its chapters: the navigation document (EPUB 3.3, 7), or the NCX of EPUB 2."""

from __future__ import annotations

import posixpath
from typing import Any, Final, NamedTuple

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.epub_package import Container, Package, resolved
from fumehood.loaders.shared.html_nodes import text_of
from fumehood.loaders.shared.html_source import is_xml, normalised, parse

NCX_TYPE: Final = "application/x-dtbncx+xml"


class Entry(NamedTuple):
    """`level`: how deep in the table, from 1."""

    title: str
    level: int


def titles(container: Container, package: Package, budget: Budget) -> dict[str, Entry]:
    """For each file that the table of contents names, the first entry that does."""
    nav = next((item for item in package.items.values() if "nav" in item.properties), None)
    if nav is not None and container.has(nav.path):
        found = _of_nav(container, nav.path, budget)
        if found:
            return found
    ncx = package.items.get(package.toc)
    if ncx is None or not container.has(ncx.path):
        ncx = next((item for item in package.items.values() if item.media_type == NCX_TYPE), None)
    return _of_ncx(container, ncx.path) if ncx is not None and container.has(ncx.path) else {}


def _of_nav(container: Container, path: str, budget: Budget) -> dict[str, Entry]:
    data = container.read(path)
    if data is None:
        return {}
    text = normalised(data.decode("utf-8", "replace"))
    root = parse(text, budget, xml=is_xml(text))
    folder = posixpath.dirname(path)
    found: dict[str, Entry] = {}
    waiting: list[tuple[Any, int, bool]] = [(root, 0, False)]
    while waiting:
        node, level, within = waiting.pop()
        if node.name == "#text":
            continue
        attributes = node.attrs or {}
        within = within or (node.name == "nav" and "toc" in (attributes.get("epub:type") or "").split())
        if within and node.name == "a":
            _add(found, attributes.get("href") or "", folder, text_of(node), level)
        elif node.children:
            budget.spend("nodes", len(node.children))
            waiting.extend((child, level + (node.name == "ol"), within) for child in reversed(node.children))
    return found


def _of_ncx(container: Container, path: str) -> dict[str, Entry]:
    """Each `navPoint` has its label, its content, and those below it (NCX 2005-1)."""
    folder = posixpath.dirname(path)
    found: dict[str, Entry] = {}
    level = 0
    label = ""
    for event, local, element in container.elements(path, ("navPoint", "text", "content")):
        if local == "navPoint":
            level += 1 if event == "start" else -1
        elif event == "end" and level:
            if local == "text":
                label = element.text or ""
            else:
                _add(found, element.get("src") or "", folder, label, level)
    return found


def _add(found: dict[str, Entry], href: str, folder: str, title: str, level: int) -> None:
    path = resolved(href, folder)
    title = " ".join(title.split())
    if path and title:
        found.setdefault(path, Entry(title, max(1, level)))
