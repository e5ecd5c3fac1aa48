"""The version is written once, and what changed in it can be looked up."""

from __future__ import annotations

import re
from pathlib import Path

from fumehood.version import VERSION

CHANGES = Path(__file__).parents[1] / "CHANGELOG.md"


def test_it_has_the_form_of_a_release() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?(\.dev\d+)?", VERSION)


def test_the_newest_entry_of_the_changes_is_its() -> None:
    newest = re.search(r"^## (\S+?),? ", CHANGES.read_text("utf-8"), re.MULTILINE)
    assert newest is not None
    assert newest[1].rstrip(",") == VERSION
