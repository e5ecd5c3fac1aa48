"""No file can take another's place by its name."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.hygiene import is_clean
from fumehood.ingest.names import resolved, source_name

PATHS = st.binary(min_size=1, max_size=12).map(os.fsdecode)
TRICKS = st.lists(st.sampled_from(["\\", "\n", "\\n", "\udcff", "\\udcff", "\\\\", "a", "\x1b", "\\x1b"]), max_size=6).map(
    "".join
)


@given(PATHS | TRICKS, PATHS | TRICKS)
def test_names_are_printable_and_no_two_paths_share_one(first: str, second: str) -> None:
    assert is_clean(source_name(first))
    assert (source_name(first) == source_name(second)) == (first == second)


def test_ordinary_names_stay_as_they_are() -> None:
    assert source_name("/home/a/Bericht (März) 報告.pdf") == "/home/a/Bericht (März) 報告.pdf"


def test_links_and_dots_are_resolved_by_the_file_system(tmp_path: Path) -> None:
    (tmp_path / "real" / "sub").mkdir(parents=True)
    (tmp_path / "link").symlink_to("real/sub")
    assert resolved(f"{tmp_path}/link/..") == str(tmp_path / "real")
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(OSError, match="loop"):
        resolved(f"{tmp_path}/loop")
