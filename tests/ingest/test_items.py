"""What a pipeline takes in."""

from __future__ import annotations

from array import array
from pathlib import Path

import pytest

from fumehood.ingest import Item


def test_bytes_stay_as_they_are() -> None:
    data = bytearray(b"abc")
    item = Item.of_bytes(data, "a", name="a.txt")
    assert (bytes(item.load(2)), item.size, item.name) == (b"ab", 3, "a.txt")
    assert bytes(Item.of_bytes(array("H", [1, 2]), "a").load(9)) == b"\x01\x00\x02\x00"
    assert bytes(Item.of_bytes(memoryview(b"abcd")[::2], "a").load(9)) == b"ac"
    with pytest.raises(TypeError):
        Item.of_bytes("text", "a")


def test_a_file_is_called_by_its_path(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"abc")
    item = Item.of_file(str(tmp_path / "a.txt"))
    assert (item.source, item.name) == (str(tmp_path / "a.txt"),) * 2
    assert item.load(10) == b"abc"
