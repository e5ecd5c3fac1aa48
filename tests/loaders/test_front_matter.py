"""Front matter: data that becomes metadata, and what is none and stays in the text."""

from __future__ import annotations

import pytest

from fumehood.document import Document
from fumehood.errors import Refusal
from fumehood.kinds import get
from fumehood.limits.policy import Limits
from fumehood.sandbox.loading import read_in_process


def read(text: str, limits: Limits | None = None) -> Document:
    return read_in_process(get("markdown"), text.encode(), limits)


def codes(document: Document) -> list[tuple[str, object]]:
    return [(notice.code, notice.detail) for notice in document.notices]


YAML = """---
title: "A title: two"
author: [Ann, Bob]
date: 2024-1-2
lastmod: 2024-01-02 10:00:00 +0900
tags:
  - one
  - two
lang: de
draft: true
nothing: ~
nested:
  deep: {x: 1}
---
text
"""
TOML = """+++
title = "A title: two"
authors = ["Ann", "Bob"]
date = 2024-01-02
lastmod = 2024-01-02T10:00:00+09:00
tags = ["one", "two"]
lang = "de"
draft = true
[nested.deep]
x = 1
+++
text
"""


@pytest.mark.parametrize("source", [YAML, TOML])
def test_yaml_and_toml(source: str) -> None:
    document = read(source)
    assert document.title == "A title: two"
    assert document.text == "text\n"
    assert document.metadata == {
        "author": "Ann, Bob",
        "created": "2024-01-02",
        "modified": "2024-01-02T10:00:00+09:00",
        "keywords": "one, two",
        "language": "de",
        "x-draft": "true",
        "x-nested.deep.x": "1",
    }
    assert document.notices == ()


def test_json_and_named_languages() -> None:
    assert read('---json\n{"title": "T", "n": [1, null]}\n---\nx').metadata == {"x-n": "1"}
    assert read("---toml\ntitle = 'T'\n---\nx").title == "T"
    assert read("---yml\ntitle: T\n...\nx").title == "T"


def test_lines_count_from_the_start_of_the_file() -> None:
    locator = read("---\r\na: b\r\n---\r\n\r\ntext\r\n").blocks[0].locator
    assert locator is not None
    assert locator.line == 5


@pytest.mark.parametrize("mark", ["---js", "--- coffee", "---JavaScript", ";;;"])
def test_programs_are_dropped_and_never_run(mark: str) -> None:
    document = read(f"{mark}\nrequire('fs').rmSync('/')\n{mark[:3]}\ntext")
    assert document.text == "text"
    assert codes(document) == [("script-present", "front-matter")]


@pytest.mark.parametrize(
    "source",
    [
        "---\n\nA text between breaks.\n\n---\nmore",
        "---\n- a\n- b\n---\n",
        "---\n---\n",
        "---\n# only a comment\n---\n",
        "---\na: b\n",
        "----\na: b\n----\n",
        " ---\na: b\n---\n",
        "---js\nnever closed\n",
        "---unknown\na: b\n---\n",
        "text\n---\na: b\n---\n",
    ],
)
def test_what_is_no_front_matter_stays_in_the_text(source: str) -> None:
    document = read(source)
    assert document.text == source
    assert document.metadata == {}
    assert codes(document) in ([], [("empty-document", None)])


@pytest.mark.parametrize(
    "source",
    [
        "---\na: [b,\n  c\n---\ntext",
        "---\n!!python/object/apply:os.system [id]: x\n  y\n---\ntext",
        "+++\na = \n+++\ntext",
        "+++\n" + "a." * 5_000 + "a = 1\n+++\ntext",
        "+++\na = " + "[" * 5_000 + "\n+++\ntext",
        "---\na:\n  " + "[" * 500 + "\n---\ntext",
        "---\n? [a, b]\n: c\n---\ntext",
        "---json\n" + '{"a":' * 5_000 + "\n---\ntext",
    ],
)
def test_what_does_not_parse_stays_in_the_text_with_a_notice(source: str) -> None:
    document = read(source)
    assert document.text == source
    assert ("unparsed", "front-matter") in codes(document)


def test_values_that_yaml_does_not_allow_are_taken_line_by_line() -> None:
    document = read("---\ntitle: One: two\n# a comment\nauthor: @ann\n---\ntext")
    assert (document.title, document.metadata, document.text) == ("One: two", {"author": "@ann"}, "text")
    assert codes(document) == [("repaired", "front-matter")]


def test_tags_of_yaml_are_not_followed() -> None:
    assert read("---\na: !!python/object/apply:os.system [id]\n---\n").metadata == {"x-a": "id"}


def test_aliases_are_not_multiplied() -> None:
    lines = ["a0: &a0 [x, x]"] + [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 40)]
    document = read("---\n" + "\n".join(lines) + "\n---\n")
    assert document.metadata["x-a39"] == "*a38, *a38"
    assert read("---\na: &x one\nb: *x\n---\n").metadata == {"x-a": "one", "x-b": "one"}


def test_events_are_counted() -> None:
    with pytest.raises(Refusal) as raised:
        read("---\n" + "a: b\n" * 1_000 + "---\n", Limits(nodes=1_000))
    assert (raised.value.code, raised.value.limit) == ("nodes", "nodes")


@pytest.mark.parametrize(
    ("value", "metadata"),
    [
        ("2024-02-03T04:05:06.7Z", {"created": "2024-02-03T04:05:06.7Z"}),
        ("2024-02-03 04:05", {"created": "2024-02-03T04:05:00"}),
        ("'2024-02-03 04:05:06 -05'", {"created": "2024-02-03T04:05:06-05:00"}),
        ("yesterday", {"x-date": "yesterday"}),
        ("2024-13-01", {"x-date": "2024-13-01"}),
    ],
)
def test_dates(value: str, metadata: dict[str, str]) -> None:
    assert read(f"---\ndate: {value}\n---\n").metadata == metadata


def test_keys_that_meet_and_keys_that_are_none() -> None:
    document = read("---\ndate: 2024-01-01\ncreated: 2024-01-02\nkeywords: a\ntags: b\n価格: 5\nTitle: t\n---\n")
    assert document.title == "t"
    assert document.metadata == {
        "created": "2024-01-01",
        "x-created": "2024-01-02",
        "keywords": "a, b",
        "x-front-matter": "価格: 5",
    }


def test_authors_with_details() -> None:
    source = "---\nauthors:\n- name: Ann\n  email: a@x.example\n- name: Bob\n---\n"
    assert read(source).metadata == {"author": "Ann, Bob", "x-authors.email": "a@x.example"}


def test_controls_never_reach_the_metadata() -> None:
    assert read('---\na: "\\x1b[31mx\\0\\ud800"\nb: c\x1b\n---\n').metadata == {"x-a": "[31mx", "x-b": "c"}
