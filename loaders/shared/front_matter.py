"""Front matter: the block of data before a Markdown text, taken out as metadata. Data only, nothing is run.

    ---            YAML          ---json / ---toml / ---yaml    the language named
    +++            TOML          ---js, ;;; and the like        a program: dropped unread

A block is front matter if it parses as a mapping; a text may as well begin with a thematic break. What
parses as nothing stays in the text, where nothing of it is lost.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from typing import Final

import yaml

from fumehood.document import METADATA_KEY
from fumehood.hygiene import clean
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.builder import Builder

MAX_LENGTH: Final = 65_536
"""Longer blocks are no front matter; they stay in the text."""
MAX_DEPTH: Final = 16
MAX_DOTS: Final = 200
"""In one line of TOML: reading a dotted key takes time that grows with the square of its parts."""

_OPENING: Final = re.compile(r"(---|\+\+\+|;;;)[ \t]*([A-Za-z][A-Za-z0-9+-]{0,20})?[ \t]*\n")
_CLOSINGS: Final = {
    "---": re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE),
    "+++": re.compile(r"^\+\+\+[ \t]*$", re.MULTILINE),
    ";;;": re.compile(r"^;;;[ \t]*$", re.MULTILINE),
}
_PROGRAMS: Final = ("js", "javascript", "jsx", "ts", "typescript", "coffee", "coffeescript", "cson", "lua", "python")
_LANGUAGES: Final = {"---": "yaml", "+++": "toml", ";;;": "js"}
_NAMES: Final = {"yml": "yaml"}
_SIMPLE_LINE: Final = re.compile(r"([A-Za-z_][\w .-]{0,60}?)[ \t]*:(?:[ \t]+(.*))?")

_VOCABULARY: Final = {
    "author": "author",
    "authors": "author",
    "subject": "subject",
    "tags": "keywords",
    "keywords": "keywords",
    "date": "created",
    "created": "created",
    "published": "created",
    "modified": "modified",
    "updated": "modified",
    "lastmod": "modified",
    "last-modified": "modified",
    "lang": "language",
    "language": "language",
    "generator": "generator",
}
_DATES: Final = ("created", "modified")
_DATE: Final = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})"
    r"(?:(?:[Tt]|[ \t]+)(\d{1,2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?[ \t]*(Z|z|[+-]\d{2}(?::?\d{2})?)?)?"
)

Entries = list[tuple[str, str]]
"""Dotted paths and values, in order; the items of a list have the path of the list."""


def take(text: str, out: Builder, budget: Budget) -> int:
    """Says the front matter of `text` to `out`; returns how long it is, 0 without one. Lines end with newlines."""
    opening = _OPENING.match(text)
    if opening is None:
        return 0
    mark, named = opening[1], (opening[2] or "").lower()
    language = _NAMES.get(named, named) or _LANGUAGES[mark]
    end = _CLOSINGS[mark].search(text, opening.end())
    if end is None:
        return 0
    length = end.end() + (end.end() < len(text))
    if language in _PROGRAMS:
        out.notice("script-present", detail="front-matter")
        return length
    if end.start() - opening.end() > MAX_LENGTH or language not in _READERS:
        return 0
    return _take_data(clean(text[opening.end() : end.start()])[0], language, length, out, budget)


def _take_data(source: str, language: str, length: int, out: Builder, budget: Budget) -> int:
    try:
        entries = _READERS[language](source, budget)
    # Each parser has its own errors; those of TOML, JSON and numbers too long are ValueErrors.
    except (yaml.YAMLError, ValueError, RecursionError):
        entries = _simple_lines(source) if language == "yaml" else None
        out.notice("unparsed" if entries is None else "repaired", detail="front-matter")
    if entries is None:
        return 0
    _say(entries, out)
    return length


# ---- readers: the entries of a block, or None if it is no mapping -------------------------------------


def _read_yaml(source: str, budget: Budget) -> Entries | None:
    """From the parser's events, so that nothing is built and an alias costs nothing: it is never followed."""
    return _YamlReader(budget).read(source)


class _YamlReader:
    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._entries: Entries = []
        self._anchors: dict[str, str] = {}

    def read(self, source: str) -> Entries | None:
        events = self._counted(yaml.parse(source, Loader=yaml.SafeLoader))
        for event in events:
            if isinstance(event, yaml.NodeEvent):
                if not isinstance(event, yaml.MappingStartEvent):
                    return None
                self._mapping(events, "", 1)
        return self._entries or None

    def _counted(self, events: Iterator[yaml.Event]) -> Iterator[yaml.Event]:
        for event in events:
            self._budget.spend("nodes")
            yield event

    def _node(self, event: yaml.Event, events: Iterator[yaml.Event], path: str, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise ValueError("nested too deep")
        if isinstance(event, yaml.ScalarEvent):
            self._scalar(event, path)
        elif isinstance(event, yaml.AliasEvent):
            self._entries.append((path, self._anchors.get(event.anchor or "", f"*{event.anchor}")))
        elif isinstance(event, yaml.MappingStartEvent):
            self._mapping(events, path, depth + 1)
        elif isinstance(event, yaml.SequenceStartEvent):
            for item in events:
                if isinstance(item, yaml.SequenceEndEvent):
                    return
                self._node(item, events, path, depth + 1)

    def _scalar(self, event: yaml.ScalarEvent, path: str) -> None:
        if event.anchor is not None:
            self._anchors[event.anchor] = event.value
        if event.style is not None or event.value not in ("", "~", "null", "Null", "NULL"):
            self._entries.append((path, event.value))

    def _mapping(self, events: Iterator[yaml.Event], path: str, depth: int) -> None:
        for key in events:
            if isinstance(key, yaml.MappingEndEvent):
                return
            if not isinstance(key, yaml.ScalarEvent):
                raise ValueError("a key is no scalar")
            if key.anchor is not None:
                self._anchors[key.anchor] = key.value
            self._node(next(events), events, _joined(path, key.value), depth)


def _read_toml(source: str, budget: Budget) -> Entries | None:
    if max(line.count(".") for line in source.split("\n")) > MAX_DOTS:
        raise ValueError("a key of too many parts")
    return list(_flattened(tomllib.loads(source), budget)) or None


def _read_json(source: str, budget: Budget) -> Entries | None:
    value = json.loads(source)
    return (list(_flattened(value, budget)) or None) if isinstance(value, dict) else None


_READERS: Final = {"yaml": _read_yaml, "toml": _read_toml, "json": _read_json}


def _flattened(value: object, budget: Budget, path: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    if depth > MAX_DEPTH:
        raise ValueError("nested too deep")
    budget.spend("nodes")
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flattened(inner, budget, _joined(path, str(key)), depth + 1)
    elif isinstance(value, list):
        for inner in value:
            yield from _flattened(inner, budget, path, depth + 1)
    elif isinstance(value, bool):
        yield path, str(value).lower()
    elif value is not None:
        yield path, str(value)


def _joined(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _simple_lines(source: str) -> Entries | None:
    """Front matter that people write and YAML does not allow, such as `title: One: two`: a key and a value per line."""
    entries: Entries = []
    for line in source.split("\n"):
        if not line.strip() or line.startswith("#"):
            continue
        match = _SIMPLE_LINE.fullmatch(line.rstrip())
        if match is None:
            return None
        if match[2]:
            entries.append((match[1], match[2].strip("\"'")))
    return entries or None


# ---- what it says ----------------------------------------------------------------------------------------


def _say(entries: Entries, out: Builder) -> None:
    """The title, the vocabulary, and everything else as `x-...`; names that fit no key stand together in one."""
    titled = False
    values: dict[str, list[str]] = {}
    for path, value in entries:
        name = re.sub(r"[^a-z0-9.]+", "-", path.lower()).strip("-.")
        if name == "title" and not titled:
            out.set_title(value)
            titled = True
            continue
        key, value = _key(name, path, value)
        if key in _DATES and key in values:
            key = f"x-{name}"
        values.setdefault(key, []).append(value)
    for key, parts in values.items():
        out.set_metadata(key, ", ".join(parts))


def _key(name: str, path: str, value: str) -> tuple[str, str]:
    if name in ("author.name", "authors.name"):
        return "author", value
    known = _VOCABULARY.get(name)
    if known in _DATES:
        date = _rfc3339(value)
        if date is not None:
            return known, date
    elif known is not None:
        return known, value
    key = f"x-{name}"
    return (key, value) if METADATA_KEY.fullmatch(key) else ("x-front-matter", f"{path}: {value}")


def _rfc3339(value: str) -> str | None:
    """A date, or a time with the zone that it was written with or none (RFC 3339 5.6); None if it is neither."""
    match = _DATE.fullmatch(value.strip())
    if match is None:
        return None
    year, month, day, hour, minute, second, fraction, zone = match.groups()
    if not (1 <= int(month) <= 12 and 1 <= int(day) <= 31):
        return None
    date = f"{year}-{int(month):02}-{int(day):02}"
    if hour is None:
        return date
    if int(hour) > 23 or int(minute) > 59 or int(second or 0) > 60:
        return None
    return f"{date}T{int(hour):02}:{minute}:{second or '00'}{fraction or ''}{_zone(zone)}"


def _zone(zone: str | None) -> str:
    if zone is None:
        return ""
    if zone in "Zz":
        return "Z"
    return f"{zone[:3]}:{zone[3:].lstrip(':') or '00'}"
