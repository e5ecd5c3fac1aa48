"""What files there are: those named, and those in the folders named.

Nothing of the size of a folder is held: entries come as the kernel gives them, sorted in runs, the largest files first.
One that takes long is better begun while there is other work than read alone at the end (the rule of the longest
processing time; Graham, "Bounds on Multiprocessing Timing Anomalies", 1969).

What a folder holds may be hostile too, so symbolic links are not followed unless that is asked for (one could point to
a secret of this machine), devices and pipes are not opened, and depth is bounded.
"""

from __future__ import annotations

import errno
import os
import stat
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from fumehood.ingest.items import Item, Skipped, Unlisted
from fumehood.ingest.patterns import Patterns

MAX_DEPTH: Final = 200
"""Of folders in folders: each has a descriptor open while it is listed, and 1,024 is what a process usually has."""
RUN: Final = 1_024
"""So many entries are sorted together."""

_Entry = tuple[os.DirEntry[str], os.stat_result | OSError]


class Listing:
    """The files under `paths`, each once, by absolute path; iterate it to list, as often as wanted.

    - `follow_links`: also what symbolic links inside folders point to. A link that is itself named is always followed.
    - `leave_out`: absolute paths that are never listed, such as the index itself.

    When an iteration has ended, `skipped` says what was left out, by reason, and `covers` what it would have come to.
    """

    def __init__(
        self,
        paths: Iterable[str],
        patterns: Patterns | None = None,
        *,
        follow_links: bool = False,
        leave_out: Iterable[str] = (),
    ) -> None:
        self._patterns = patterns or Patterns()
        self._follow = follow_links
        self._left_out = frozenset(leave_out)
        self._missing: list[Unlisted] = []
        # Folders that were named, and how many files were in each; None: it could not be listed to the end.
        self._found: dict[str, int | None] = {}
        self.skipped: Counter[Skipped] = Counter()
        roots: dict[str, None] = {}
        for path in paths:
            try:
                # Every link and `..` is resolved by the file system, so that one folder has one name.
                roots[os.path.realpath(path, strict=True)] = None
            except OSError as error:
                self._missing.append(Unlisted(os.path.abspath(path), error))
        self._roots = tuple(roots)

    def scopes(self) -> tuple[str, ...]:
        """What was named and is there, as an index takes it: what is gone can only lie in it."""
        return tuple("" if root == os.sep else root for root in self._roots)

    def covers(self, source: str) -> bool:
        """Whether the last iteration would have come to that path if it were there; never while a file is there.

        Not if its folder could not be listed to the end, and not if the patterns leave it out. A file that was moved
        while its folder was listed may have been missed.
        """
        around = self._around(source)
        if around is None or self._found[around] is None or self._is_file(source):
            return False
        return self._patterns.takes(source.removeprefix(around).split(os.sep))

    def is_empty(self, source: str) -> bool:
        """Whether the named folder around that path had no file at all that the patterns take."""
        around = self._around(source)
        return around is not None and self._found[around] == 0

    def _around(self, source: str) -> str | None:
        """The innermost folder around that path that was named."""
        return max((folder for folder in self._found if source.startswith(folder)), key=len, default=None)

    def _is_file(self, path: str) -> bool:
        try:
            return stat.S_ISREG(os.stat(path, follow_symlinks=self._follow).st_mode)
        except OSError:
            return False

    def __iter__(self) -> Iterator[Item | Unlisted]:
        self.skipped = Counter()
        self._found = {root.rstrip(os.sep) + os.sep: None for root in self._roots}
        yield from self._missing
        for root in self._roots:
            walk = _Walk(root, self._left_out.union(self._roots), self._patterns, self._follow, self.skipped)
            yield from walk.entries()
            if walk.whole:
                self._found[root.rstrip(os.sep) + os.sep] = walk.files


class _Walk:
    """One named path. `others`: what may lie in it and is left out, or is named itself and has a walk of its own."""

    def __init__(
        self, root: str, others: frozenset[str], patterns: Patterns, follow: bool, skipped: Counter[Skipped]
    ) -> None:
        self._root = root
        self._others = others
        self._patterns = patterns
        self._follow = follow
        self._skipped = skipped
        self.whole = True
        self.files = 0
        self._above: list[tuple[int, int]] = []

    def entries(self) -> Iterator[Item | Unlisted]:
        try:
            found = os.stat(self._root)
        except OSError as error:
            yield self._unlisted(self._root, error)
            return
        if not stat.S_ISDIR(found.st_mode):
            yield from self._file(self._root, found)
            return
        yield from self._folder(self._root, (), (found.st_dev, found.st_ino))

    def _folder(self, path: str, parts: tuple[str, ...], identity: tuple[int, int]) -> Iterator[Item | Unlisted]:
        if identity in self._above:
            self._skipped["symbolic-link"] += 1  # It leads back to a folder that it lies in.
            return
        if len(parts) > MAX_DEPTH:
            yield self._unlisted(path, OSError(errno.ELOOP, f"folders are nested deeper than {MAX_DEPTH}"))
            return
        self._above.append(identity)
        try:
            with os.scandir(path) as entries:
                while run := deque(sorted(map(self._looked_at, islice(entries, RUN)), key=_largest_first)):
                    while run:  # Only folders are held while one of them is listed.
                        entry, found = run.popleft()
                        yield from self._entry(entry, found, (*parts, entry.name))
        except OSError as error:
            if parts and isinstance(error, FileNotFoundError):
                self._skipped["vanished"] += 1
            else:
                yield self._unlisted(path, error)
        finally:
            self._above.pop()

    def _looked_at(self, entry: os.DirEntry[str]) -> _Entry:
        try:
            return entry, entry.stat(follow_symlinks=self._follow)
        except OSError as error:
            return entry, error

    def _entry(
        self, entry: os.DirEntry[str], found: os.stat_result | OSError, parts: tuple[str, ...]
    ) -> Iterator[Item | Unlisted]:
        if entry.path in self._others:
            return
        if isinstance(found, OSError):
            if entry.is_symlink():
                self._skipped["symbolic-link"] += 1  # To nowhere, or to itself.
            elif isinstance(found, FileNotFoundError):
                self._skipped["vanished"] += 1
            else:
                yield self._unlisted(entry.path, found)
            return
        if stat.S_ISLNK(found.st_mode):
            self._skipped["symbolic-link"] += 1
            return
        folder = stat.S_ISDIR(found.st_mode)
        if not (self._patterns.takes_folder(parts) if folder else self._patterns.takes_file(parts)):
            self._skipped["hidden-or-excluded"] += 1
        elif folder:
            yield from self._folder(entry.path, parts, (found.st_dev, found.st_ino))
        else:
            yield from self._file(entry.path, found)

    def _file(self, path: str, found: os.stat_result) -> Iterator[Item]:
        if stat.S_ISREG(found.st_mode):
            self.files += 1
            yield Item.of_file(os.path.realpath(path) if self._follow else path, path, found.st_size)
        else:
            self._skipped["special-file"] += 1

    def _unlisted(self, path: str, error: OSError) -> Unlisted:
        self.whole = False
        return Unlisted(path, error)


def _largest_first(looked_at: _Entry) -> tuple[int, str]:
    """Folders and what is no file come behind all files, by name."""
    entry, found = looked_at
    if isinstance(found, OSError) or not stat.S_ISREG(found.st_mode):
        return 1, entry.name
    return -found.st_size, entry.name
