"""A loader of XML: the names of its elements, counted inside the one parse that reads them."""

from __future__ import annotations

from xml.parsers import expat

from fumehood.kinds import ReadOptions
from fumehood.limits.budget import Budget
from fumehood.limits.xml import Counter, precheck
from fumehood.loaders.shared.builder import Builder

ENGINES: dict[str, str] = {}


def load(data: bytes, out: Builder, budget: Budget, options: ReadOptions) -> None:
    precheck(data, budget)
    counter = Counter(budget)
    open_elements: list[str] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        open_elements.append(name)
        counter.start(len(open_elements), len(attributes))
        out.paragraph(name)

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _name: open_elements.pop()
    parser.Parse(data, True)
