"""What was listed may be something else by the time it is opened."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fumehood.ingest.contents import contents


def test_no_more_than_allowed_is_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"0123456789")
    assert contents(str(tmp_path / "a"), 4) == b"0123"
    assert contents(str(tmp_path / "a"), 40) == b"0123456789"


def test_a_large_file_is_read_whole(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(bytes(3_000_000))
    assert len(contents(str(tmp_path / "a"), 10**9)) == 3_000_000


def test_a_link_or_a_pipe_in_its_place_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/etc/passwd")
    for name in ("pipe", "link", "missing", "."):
        with pytest.raises(OSError):  # noqa: PT011  (each has an error of its own)
            contents(str(tmp_path / name), 10)
