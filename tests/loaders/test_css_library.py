"""Sheets beside a document: read once each, in the order in which they apply."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from fumehood.errors import Refusal
from fumehood.limits.budget import Budget
from fumehood.limits.policy import Limits
from fumehood.loaders.shared.css_library import Library
from fumehood.loaders.shared.tally import Tally


def library(sheets: Mapping[str, str], read: list[str], limits: Limits | None = None) -> Library:
    def resolve(address: str, page: str) -> str:
        return "" if ":" in address else address

    def data(name: str) -> bytes | None:
        read.append(name)
        return sheets[name].encode() if name in sheets else None

    return Library(resolve, data, Tally(), Budget(limits or Limits()))


def classes(found: object) -> str:
    assert isinstance(found, tuple)
    return "".join(word for sheet in found for rule in sheet.rules for word in rule.subject.classes)


def test_imports_come_first_and_each_sheet_once() -> None:
    hides = "display:none"
    sheets = {
        "a": f"@import 'b'; @import 'c'; .a{{{hides}}}",
        "b": f"@import 'c'; @import 'a'; .b{{{hides}}}",
        "c": f".c{{{hides}}}",
    }
    read: list[str] = []
    find = library(sheets, read).finder("page")
    assert classes(find("a")) == "cba"
    assert classes(find("b")) == "cab"
    assert find("a") is find("a")
    assert read == ["a", "b", "c"]


def test_what_lies_elsewhere_is_none_and_what_is_missing_is_empty() -> None:
    read: list[str] = []
    find = library({}, read).finder("page")
    assert find("http://a.example/") is None
    assert classes(find("gone")) == ""
    assert classes(find("gone")) == ""
    assert read == ["gone"]


def test_chains_of_imports_are_counted() -> None:
    """Each of them with all behind it would take quadratic time."""
    sheets = {str(number): f"@import '{number + 1}';" for number in range(500)}
    find = library(sheets, [], Limits(nodes=20_000)).finder("page")
    with pytest.raises(Refusal) as caught:
        [find(name) for name in sheets]
    assert caught.value.code == "nodes"
