"""Points and caps lie where they should."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import pytest

from fumehood.ingest.plot import HEIGHT, WIDTH, axis, plot
from fumehood.ingest.units import size_text, time_text

ACROSS = axis("bytes", 16, 16, 64 * 2**20, "input_bytes", size_text, 1e6)
UP = axis("time", 0.001, 10, 30, "wall_seconds", time_text, 2)


def test_an_axis_holds_its_cap_and_what_lies_beyond() -> None:
    assert ACROSS.share(16) == 0
    assert 0.9 < ACROSS.share(64 * 2**20) < 1
    beyond = axis("time", 0.001, 10, 30, "wall_seconds", time_text, 300)
    assert beyond.share(30) < beyond.share(300) < 1
    assert UP.share(0) == 0
    assert [time_text(value) for value in UP.ticks()] == ["1 ms", "10 ms", "100 ms", "1 s", "10 s"]


def test_a_plot_is_well_formed_and_shows_every_point_and_both_caps() -> None:
    points = [(100.0, 0.01, False, 1), (1e6, 2.0, True, 1_000)]
    root = ElementTree.fromstring(plot("<Title>", ACROSS, UP, points))
    said = ["".join(each.itertext()) for each in root.iter() if each.tag in ("text", "title")]
    assert "<Title>" in said
    assert {"input_bytes: 64 MiB", "wall_seconds: 30 s"} <= set(said)
    assert "1 read: 100 B, 10 ms" in said
    assert "1,000 refused: 977 KiB, 2 s" in said
    circles = [each.attrib for each in root.iter("circle")]
    assert [each["class"] for each in circles] == ["read", "refused"]
    assert float(circles[0]["r"]) < float(circles[1]["r"])
    assert all(0 < float(each["cx"]) < WIDTH and 0 < float(each["cy"]) < HEIGHT for each in circles)
    assert float(circles[0]["cx"]) < float(circles[1]["cx"])
    assert float(circles[0]["cy"]) > float(circles[1]["cy"])


@pytest.mark.parametrize("forbidden", ["style=", "<script", "href", "http"])
def test_a_plot_needs_nothing_from_outside(forbidden: str) -> None:
    assert not re.search(forbidden, plot("Title", ACROSS, UP, [(100.0, 0.01, False, 1)]))
