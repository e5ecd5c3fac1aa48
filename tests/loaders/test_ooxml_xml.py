"""One pass over a part: events as they come, memory given back, and what breaks it."""

from __future__ import annotations

import pytest

from fumehood.errors import Refusal
from fumehood.limits.budget import Budget
from fumehood.limits.policy import Limits
from fumehood.loaders.shared.ooxml_xml import BrokenXml, release, stream


def events(part: bytes, *tags: str, **limits: int) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for what, element in stream(part, Budget(Limits(**limits)), tags):
        found.append((what, element.text or ""))
        if what == "end":
            release(element)
    return found


def test_starts_and_ends_of_the_elements_asked_for() -> None:
    part = b"<r><a>1</a><b/><a>2</a></r>"
    assert events(part, "a") == [("start", "1"), ("end", "1"), ("start", "2"), ("end", "2")]


def test_the_text_behind_a_released_element_does_no_harm() -> None:
    part = b"<r>" + b"<a>x</a> tail of some length <!-- c --> and more \n" * 5_000 + b"</r>"
    assert len(events(part, "a")) == 10_000


def test_what_comes_before_a_break_is_given() -> None:
    found: list[str] = []

    def read() -> None:
        for what, element in stream(b"<r>" + b"<a/>" * 100_000 + b"</b>", Budget(Limits()), ["a"]):
            found.append(what)
            release(element)

    with pytest.raises(BrokenXml):
        read()
    assert len(found) > 50_000


@pytest.mark.parametrize("part", [b"", b"no markup", b"<a></b>", b"<a", b"<a>&b;</a>", b"<a>\x01</a>"])
def test_what_is_not_well_formed_is_broken(part: bytes) -> None:
    with pytest.raises(BrokenXml):
        events(part, "a")


def test_comments_and_processing_instructions_are_no_text() -> None:
    assert events(b"<a>one<!-- x --><?y z?>two</a>", "a")[-1] == ("end", "onetwo")


@pytest.mark.parametrize(
    ("part", "limits", "code"),
    [
        (b"<r>" + b"<a/>" * 100 + b"</r>", {"xml_elements": 100}, "xml-elements"),
        (b"<a>" * 3_000 + b"</a>" * 3_000, {}, "nesting"),
        (b"<a>" * 3_000 + b"</a>" * 3_000, {"nesting": 5_000}, "nesting"),
        (b"<!DOCTYPE a><a/>", {}, "malformed"),
    ],
)
def test_bounds(part: bytes, limits: dict[str, int], code: str) -> None:
    with pytest.raises(Refusal) as caught:
        events(part, "a", **limits)
    assert caught.value.code == code


def test_elements_are_spent_over_all_parts() -> None:
    budget = Budget(Limits(xml_elements=150))
    part = b"<r>" + b"<a/>" * 99 + b"</r>"
    assert len(list(stream(part, budget, ["a"]))) == 198
    assert budget.used("xml_elements") == 100
    with pytest.raises(Refusal):
        list(stream(part, budget, ["a"]))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("padding", range(12))
def test_elements_are_counted_exactly_wherever_pieces_end(encoding: str, padding: int) -> None:
    part = f'<?xml version="1.0" encoding="{encoding}"?><r><!-- {"x" * padding} -->{"<a>y</a><b/>" * 20_000}</r>'
    budget = Budget(Limits())
    for _, element in stream(part.encode(encoding), budget, ["a"]):
        release(element)
    assert budget.used("xml_elements") == 40_001


def test_a_text_of_eleven_megabytes_is_read() -> None:
    (_, start), (_, end) = events(b"<a>" + b"x" * 11_000_000 + b"</a>", "a")
    assert len(start) <= len(end) == 11_000_000
