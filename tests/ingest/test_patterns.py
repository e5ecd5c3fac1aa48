"""Which files of a folder are wanted."""

from __future__ import annotations

import pytest

from fumehood.ingest.patterns import Patterns, matches


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("*.pdf", "a.pdf", True),
        ("*.pdf", "x/y/a.pdf", True),
        ("*.pdf", "a.PDF", False),
        ("x/*.pdf", "x/a.pdf", True),
        ("x/*.pdf", "x/y/a.pdf", False),
        ("x/**/*.pdf", "x/a.pdf", True),
        ("x/**/*.pdf", "x/y/z/a.pdf", True),
        ("**/y/*", "x/y/a.pdf", True),
        ("**", "x/y/a.pdf", True),
        ("x/**", "y/a.pdf", False),
        ("/a.pdf", "a.pdf", True),
        ("old/", "old", True),
        ("[ab].txt", "b.txt", True),
        ("a/b", "a/b/c", False),
    ],
)
def test_a_pattern_matches(pattern: str, path: str, expected: bool) -> None:
    assert matches(pattern, path.split("/")) is expected


def test_many_stars_are_no_trap() -> None:
    assert not matches("/".join(["**", "a"] * 200) + "/b", ["a"] * 400)
    assert not matches("*a" * 30 + "b", ["a" * 250])


@pytest.mark.parametrize(
    ("path", "expected"),
    [("a.pdf", True), ("a.txt", False), ("old/a.pdf", False), (".x/a.pdf", False), ("x/node_modules/a.pdf", False)],
)
def test_what_a_listing_comes_to_is_known_without_listing(path: str, expected: bool) -> None:
    assert Patterns(include=("*.pdf",), exclude=("old",)).takes(path.split("/")) is expected


@pytest.mark.parametrize("pattern", ["", "/", "a//b", "./*.pdf", "a/../*.pdf", "**/."])
def test_a_pattern_that_nothing_matches_is_a_mistake(pattern: str) -> None:
    for mistaken in ({"include": ("*.md", pattern)}, {"exclude": (pattern,)}):
        with pytest.raises(ValueError, match=r"matches nothing.* such as"):
            Patterns(**mistaken)


def test_one_string_is_no_patterns() -> None:
    with pytest.raises(TypeError, match="tuple of strings"):
        Patterns(include="*.pdf")  # type: ignore[arg-type]
