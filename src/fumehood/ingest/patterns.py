"""Which files of a folder are wanted: `--include` and `--exclude`, and what nobody means when they name a folder.

A pattern without a slash is compared with the last part of a path, at any depth; one with a slash with the whole path
from the named folder on. `*`, `?` and `[...]` are those of fnmatch and stay within a part; `**` stands for any number
of parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

NEVER: Final = frozenset({"node_modules"})
_ANY_PARTS: Final = "**"
_NO_NAMES: Final = frozenset({"", ".", ".."})
"""What no part of a path below a folder is called (path_resolution(7))."""


@dataclass(frozen=True, slots=True)
class Patterns:
    """`include`: at least one must match, if there are any; `exclude`: none may, for a file or a folder around it.

    Raises `TypeError` for one string, and `ValueError` for a pattern that no path can match.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for patterns in (self.include, self.exclude):
            if isinstance(patterns, str):
                raise TypeError(f"patterns are a tuple of strings, such as ('*.pdf',), not {patterns!r}")
            for pattern in patterns:
                _check(pattern)

    def takes_folder(self, parts: Sequence[str]) -> bool:
        """Whether a folder is looked into; `parts` lead to it from the named folder, which is looked into already."""
        return self._is_listed(parts[-1]) and not any(matches(pattern, parts) for pattern in self.exclude)

    def takes_file(self, parts: Sequence[str]) -> bool:
        return self.takes_folder(parts) and (
            not self.include or any(matches(pattern, parts) for pattern in self.include)
        )

    def takes(self, parts: Sequence[str]) -> bool:
        """Whether a listing comes to that file at all: every folder on the way is looked into, and it is taken."""
        return self.takes_file(parts) and all(self.takes_folder(parts[:end]) for end in range(1, len(parts)))

    @staticmethod
    def _is_listed(name: str) -> bool:
        return not name.startswith(".") and name not in NEVER


def _check(pattern: str) -> None:
    if not _NO_NAMES.isdisjoint(_parts(pattern)):
        raise ValueError(
            f"{pattern!r} matches nothing: each part of a path has a name; a pattern is such as '*.pdf' or 'reports/**'"
        )


def matches(pattern: str, parts: Sequence[str]) -> bool:
    """Whether `pattern` matches a path, given as its parts."""
    wanted = _parts(pattern)
    if len(wanted) == 1 and wanted[0] != _ANY_PARTS:
        return fnmatchcase(parts[-1], wanted[0])
    return _all_match(wanted, parts)


def _parts(pattern: str) -> list[str]:
    return pattern.strip("/").split("/")


def _all_match(wanted: Sequence[str], parts: Sequence[str]) -> bool:
    """Part by part: which prefixes of `parts` the parts of the pattern so far can stand for."""
    reached = {0}
    for part in wanted:
        if part == _ANY_PARTS:
            reached = set(range(min(reached), len(parts) + 1))
        else:
            reached = {end + 1 for end in reached if end < len(parts) and fnmatchcase(parts[end], part)}
        if not reached:
            return False
    return len(parts) in reached
