"""YAML 1.2 from its events to trees of text: an alias is never followed, a tag is never obeyed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import yaml

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.flat import flat_lines
from fumehood.loaders.shared.tree import Members, Number, Value

_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""libyaml reads thirty times as fast; where it was not built in, the parser in Python gives the same events."""

# YAML 1.2.2, 10.3.2: the core schema, as far as it matters here: what is null, and what is a number.
_NULL: Final = frozenset({"", "~", "null", "Null", "NULL"})
_NUMBER: Final = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_OWN_TAGS: Final = "tag:yaml.org,2002:"
_SHORT: Final = 200
"""Characters up to which an alias gives the text it stands for; beyond, and for what is nested, it gives its name."""
_COMMENT: Final = re.compile(r"(?:^|(?<=[ \t]))#[^\n]*")
# YAML 1.1, 4.2: what both parsers count as the end of a line.
_BREAK: Final = re.compile("[\n\x85\u2028\u2029]")

Comment = tuple[int, str]
"""The line it starts on, from 1, and its text without the marks."""


def compose(text: str, budget: Budget) -> tuple[list[Value], list[Comment]]:
    """The documents in `text`, and its comments. Linear; raises `yaml.YAMLError`, and the refusals `nesting` and `nodes`."""
    composer = _Composer(budget)
    for event in yaml.parse(text, Loader=_LOADER):
        composer.take(event)
    return composer.documents, list(_comments(text, composer.ends))


class _Composer:
    """Builds trees; nothing recurses, so that depth is the budget's business."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._open: list[tuple[yaml.CollectionStartEvent, list[Value]]] = []
        self._anchors: dict[str, str] = {}
        self.documents: list[Value] = []
        self.ends: dict[int, int] = {}
        """For lines that hold something: up to which column, the whole line for those inside of a text."""

    def take(self, event: yaml.Event) -> None:
        self._budget.spend("nodes")
        if isinstance(event, yaml.ScalarEvent):
            self._cover(event)
            self._add(self._scalar(event))
        elif isinstance(event, yaml.AliasEvent):
            self._cover(event)
            name = event.anchor or ""
            self._add(self._anchors.get(name, f"*{name}"))
        elif isinstance(event, yaml.CollectionStartEvent):
            self._budget.check("nesting", len(self._open) + 1)
            self._open.append((event, []))
        elif isinstance(event, yaml.CollectionEndEvent):
            self._cover(event)
            start, children = self._open.pop()
            self._add(_tagged(start.tag, _collection(start, children)))
        elif isinstance(event, yaml.DocumentStartEvent):
            self._anchors.clear()

    def _add(self, value: Value) -> None:
        if self._open:
            self._open[-1][1].append(value)
        else:
            self.documents.append(value)

    def _scalar(self, event: yaml.ScalarEvent) -> Value:
        text = event.value
        if event.anchor is not None and len(text) <= _SHORT:
            self._anchors[event.anchor] = text
        value: Value = text
        if event.implicit[0]:
            value = None if text in _NULL else Number(text) if _NUMBER.fullmatch(text) else text
        return _tagged(event.tag, value)

    def _cover(self, event: yaml.Event) -> None:
        first, last = event.start_mark, event.end_mark
        if first is None or last is None:
            return
        for line in range(first.line, last.line):
            self.ends[line] = -1
        if self.ends.get(last.line) != -1:
            self.ends[last.line] = max(self.ends.get(last.line, 0), last.column)


def _tagged(tag: str | None, value: Value) -> Value:
    """A tag that is not of YAML itself says something: `!Ref Bucket`. It stands before a scalar, and above the rest."""
    if tag is None or tag == "!" or tag.startswith(_OWN_TAGS):
        return value
    if isinstance(value, str):
        return f"{tag} {value}".rstrip()
    return Members([(tag, value)])


def _collection(start: yaml.CollectionStartEvent, children: list[Value]) -> Value:
    if isinstance(start, yaml.SequenceStartEvent):
        return children
    keys, values = children[::2], children[1::2]
    return Members([(_key(key), value) for key, value in zip(keys, values, strict=True)])


def _key(key: Value) -> str:
    if key is None:
        return "null"
    return key if isinstance(key, str) else ", ".join(flat_lines(key))


def _comments(text: str, ends: dict[int, int]) -> Iterator[Comment]:
    """Comments (YAML 1.2.2, 6.6), those on lines that follow each other as one."""
    pending: list[str] = []
    first = 0
    for number, line in enumerate(_BREAK.split(text)):
        found = None if ends.get(number) == -1 else _COMMENT.search(line, ends.get(number, 0))
        comment = found[0].lstrip("#").strip() if found else ""
        if comment and pending and first + len(pending) == number:
            pending.append(comment)
            continue
        if pending:
            yield first + 1, "\n".join(pending)
            pending = []
        if comment:
            first, pending = number, [comment]
    if pending:
        yield first + 1, "\n".join(pending)
