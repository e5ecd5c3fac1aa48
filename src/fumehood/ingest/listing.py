"""What files there are: those named, and those in the folders named.

Nothing of the size of a folder is held: entries come as the kernel gives them, sorted in runs. What a folder holds may
be hostile too, so symbolic links are not followed unless that is asked for (one could point to a secret of this
machine), devices and pipes are not opened, and depth is bounded.
"""

from __future__ import annotations

import errno
import os
import stat
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, Literal, NamedTuple

from fumehood.ingest.names import resolved, source_name
from fumehood.ingest.patterns import Patterns

MAX_DEPTH: Final = 200
"""Of folders in folders: each has a descriptor open while it is listed, and 1,024 is what a process usually has."""
_RUN: Final = 1_024
"""So many entries are sorted together."""

Skipped = Literal["hidden-or-excluded", "symbolic-link", "special-file", "vanished"]


class FileEntry(NamedTuple):
    """A file to read. `size`: as listed, in bytes; what is read may be more or less by then."""

    path: str
    source: str
    size: int


class Unlisted(NamedTuple):
    """What was named or found and cannot be listed, and why."""

    source: str
    error: OSError


@dataclass
class Scope:
    """What a listing came to, complete when it ends.

    - `folders`: resolved, those named that were listed without an error: what is not found there is gone.
    - `skipped`: what was left out, by reason.
    """

    folders: list[str] = field(default_factory=list)
    skipped: Counter[Skipped] = field(default_factory=Counter)


class Listing:
    """The files under `paths`, each once; iterate it to list, as often as wanted.

    `follow_links`: also what symbolic links inside folders point to. A link that is itself named is always followed.
    """

    def __init__(
        self, paths: Iterable[str], patterns: Patterns | None = None, *, follow_links: bool = False
    ) -> None:
        self._paths = tuple(paths)
        self._patterns = patterns or Patterns()
        self._follow = follow_links
        self.scope = Scope()

    @property
    def patterns(self) -> Patterns:
        return self._patterns

    def __iter__(self) -> Iterator[FileEntry | Unlisted]:
        self.scope = scope = Scope()
        roots: dict[str, None] = {}
        for path in self._paths:
            try:
                roots[resolved(path)] = None
            except OSError as error:
                yield Unlisted(source_name(os.path.abspath(path)), error)
        for root in roots:
            yield from _Walk(root, frozenset(roots), self._patterns, self._follow, scope).entries()


class _Walk:
    """One named path. What lies in it and is named itself is left to a walk of its own."""

    def __init__(self, root: str, roots: frozenset[str], patterns: Patterns, follow: bool, scope: Scope) -> None:
        self._root = root
        self._roots = roots
        self._patterns = patterns
        self._follow = follow
        self._scope = scope
        self._whole = True
        self._above: list[tuple[int, int]] = []

    def entries(self) -> Iterator[FileEntry | Unlisted]:
        try:
            found = os.stat(self._root)
        except OSError as error:
            yield Unlisted(source_name(self._root), error)
            return
        if not stat.S_ISDIR(found.st_mode):
            yield from self._file(self._root, found)
            return
        yield from self._folder(self._root, (), (found.st_dev, found.st_ino))
        if self._whole:
            self._scope.folders.append(self._root)

    def _folder(self, path: str, parts: tuple[str, ...], identity: tuple[int, int]) -> Iterator[FileEntry | Unlisted]:
        if identity in self._above:
            self._scope.skipped["symbolic-link"] += 1  # It leads back to a folder that it lies in.
            return
        if len(parts) > MAX_DEPTH:
            yield self._unlisted(path, OSError(errno.ELOOP, f"folders are nested deeper than {MAX_DEPTH}"))
            return
        self._above.append(identity)
        try:
            with os.scandir(path) as entries:
                while run := sorted(islice(entries, _RUN), key=lambda entry: entry.name):
                    for entry in run:
                        yield from self._entry(entry, (*parts, entry.name))
        except OSError as error:
            if parts and isinstance(error, FileNotFoundError):
                self._scope.skipped["vanished"] += 1
            else:
                yield self._unlisted(path, error)
        finally:
            self._above.pop()

    def _entry(self, entry: os.DirEntry[str], parts: tuple[str, ...]) -> Iterator[FileEntry | Unlisted]:
        if entry.path in self._roots:
            return
        try:
            found = entry.stat(follow_symlinks=self._follow)
        except OSError as error:
            if entry.is_symlink():
                self._scope.skipped["symbolic-link"] += 1  # To nowhere, or to itself.
            elif isinstance(error, FileNotFoundError):
                self._scope.skipped["vanished"] += 1
            else:
                yield self._unlisted(entry.path, error)
            return
        if stat.S_ISLNK(found.st_mode):
            self._scope.skipped["symbolic-link"] += 1
            return
        folder = stat.S_ISDIR(found.st_mode)
        if not (self._patterns.takes_folder(parts) if folder else self._patterns.takes_file(parts)):
            self._scope.skipped["hidden-or-excluded"] += 1
        elif folder:
            yield from self._folder(entry.path, parts, (found.st_dev, found.st_ino))
        else:
            yield from self._file(entry.path, found)

    def _file(self, path: str, found: os.stat_result) -> Iterator[FileEntry]:
        if stat.S_ISREG(found.st_mode):
            yield FileEntry(os.path.realpath(path) if self._follow else path, source_name(path), found.st_size)
        else:
            self._scope.skipped["special-file"] += 1

    def _unlisted(self, path: str, error: OSError) -> Unlisted:
        self._whole = False
        return Unlisted(source_name(path), error)


def counted(listing: Iterable[FileEntry | Unlisted]) -> Iterator[tuple[int, int]]:
    """Files and bytes so far, after each file: a second listing, ahead of the work, for a progress that knows its end."""
    files = size = 0
    for entry in listing:
        if isinstance(entry, FileEntry):
            files += 1
            size += entry.size
            yield files, size
