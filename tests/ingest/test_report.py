"""The report is one page that needs nothing, shows everything, and is opened by anybody."""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from fumehood import Limits
from fumehood.errors import refusal
from fumehood.ingest import Outcome
from fumehood.ingest.findings import Findings
from fumehood.ingest.outcome import Tally
from fumehood.ingest.report import POLICY, report, write_report

from .test_markup import Reading

HOSTILE = "<script>alert(1)</script>\u202e\u0627\n'\"&.pdf"


def page(*outcomes: Outcome, kept: int = 0) -> str:
    tally, findings = Tally(), Findings()
    for outcome in outcomes:
        tally.add(outcome)
        findings.add(outcome)
    tally.skipped["symbolic-link"] = 2
    return report(tally.summary(3.0, kept=kept), findings, Limits(), index=HOSTILE, ended="2026-05-01 12:00 UTC")


def full_page() -> str:
    read = [
        Outcome(
            source=f"reports/{number}.pdf",
            status="read",
            kind="pdf",
            size=1_000 * 2**number,
            chunks=number,
            pages=1,
            seconds=0.002 * 2**number,
            peak_bytes=100_000 * 2**number,
            notices=("hidden-text",),
        )
        for number in range(12)
    ]
    return page(
        *read,
        Outcome(source=HOSTILE, status="refused", kind="pdf", size=500, seconds=0.3, refusal=refusal("malformed")),
        Outcome(source="gone.txt", status="failed", error="Permission denied"),
        Outcome(source="unchanged.txt", status="unchanged", kind="text", size=9),
    )


def test_it_says_what_happened() -> None:
    said = Reading(full_page()).text
    for expected in (
        "15 sources",
        "12 read, 1 unchanged, 1 refused, 1 failed",
        "Left out by the listing: 2 symbolic-link.",
        "the document is broken beyond reading",
        "Permission denied",
        "hidden-text",
        "reports/11.pdf",
        "wall_seconds: 30 s",
        "heap_bytes: 512 MiB",
        "input_bytes: 64 MiB",
    ):
        assert expected in said


def test_names_cannot_do_anything() -> None:
    text = full_page()
    assert "<script" not in text
    shown = r"<bdi>&lt;script&gt;alert(1)&lt;/script&gt;\u202e" + "\u0627" + r"\n&#39;&quot;&amp;.pdf</bdi>"
    assert text.count(shown) == 3  # The index, the refusal, and among the slowest.


def test_it_needs_nothing_and_may_do_nothing() -> None:
    text = full_page()
    assert POLICY.startswith("default-src 'none'; style-src 'sha256-")
    assert POLICY.replace("'", "&#39;") in text
    assert not re.search(
        r"(?i)<(script|link|img|iframe|object|a|form)\b|\bon[a-z]+=|style=|url\(|@import|http:|https:", text
    )


def test_a_run_without_anything_has_a_report() -> None:
    tally = Tally()
    text = report(tally.summary(0.0), Findings(), Limits(), index="i", ended="now")
    assert "0 sources" in text
    assert "<svg" not in text


def test_what_was_kept_is_told() -> None:
    assert "Not found, but kept: 7 sources; " in page(kept=7)


def test_it_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text("before")
    write_report(str(path), "after")
    assert path.read_text() == "after"
    with pytest.raises(OSError, match="missing"):
        write_report(str(tmp_path / "missing" / "report.html"), "after")
    (tmp_path / "folder").mkdir()
    with pytest.raises(IsADirectoryError):
        write_report(str(tmp_path / "folder"), "after")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["folder", "report.html"]


# ---- in a browser ----------------------------------------------------------------------------------------

CHROMIUM = os.environ.get("FUMEHOOD_CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
INK, CAP = (0x1B, 0x1F, 0x24), (0xC2, 0x41, 0x0C)


needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; FUMEHOOD_CHROMIUM names one")


def colours(text: str, folder: Path) -> Counter[tuple[int, int, int]]:
    """How many pixels of each colour Chromium shows of a page."""
    (folder / "report.html").write_text(text, encoding="utf-8")
    assert CHROMIUM is not None
    ran = subprocess.run(
        [
            CHROMIUM,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--enable-logging=stderr",
            f"--user-data-dir={folder / 'profile'}",
            "--window-size=900,1100",
            f"--screenshot={folder / 'shot.png'}",
            f"file://{folder / 'report.html'}",
        ],
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert "Content Security Policy" not in ran.stderr
    return Counter(pixels((folder / "shot.png").read_bytes()))


@needs_chromium
def test_chromium_shows_it(tmp_path: Path) -> None:
    seen = colours(full_page(), tmp_path)
    (background, most), *_ = seen.most_common(1)
    assert background == (255, 255, 255)
    assert most > 500_000
    assert seen[INK] > 200  # Text in the style sheet's own colour: the policy lets the style sheet through.
    assert seen[CAP] > 10
    points = sum(count for (red, green, blue), count in seen.items() if blue > red + 80 and green > red)
    assert points > 100


@needs_chromium
def test_a_name_stays_in_its_place(tmp_path: Path) -> None:
    """Marks upon marks would be drawn over all that stands above, and a long name would leave a reason no room."""

    def ink(name: str) -> int:
        refused = Outcome(source=name, status="refused", kind="pdf", size=500, refusal=refusal("malformed"))
        return colours(page(refused), tmp_path)[INK]

    plain = ink("e")
    assert abs(ink("e" + "\u0301" * 300) - plain) < 300
    assert ink("e" * 4_000) > plain


def pixels(png: bytes) -> Iterator[tuple[int, int, int]]:
    """Of a PNG with 8 bits a channel, without interlace (ISO/IEC 15948, 9.2)."""
    width, height, depth, colour = struct.unpack(">IIBB", png[16:26])
    size = {2: 3, 6: 4}[colour]
    assert depth == 8
    at, packed = 8, b""
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        packed += png[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    data, stride = zlib.decompress(packed), width * size
    above = bytearray(stride)
    for row in range(height):
        start = row * (stride + 1)
        above = _unfiltered(data[start], bytearray(data[start + 1 : start + 1 + stride]), above, size)
        yield from zip(above[0::size], above[1::size], above[2::size], strict=True)


def _unfiltered(kind: int, line: bytearray, above: bytearray, size: int) -> bytearray:
    for at in range(len(line)):
        left = line[at - size] if at >= size else 0
        up = above[at]
        corner = above[at - size] if at >= size else 0
        guess = {0: 0, 1: left, 2: up, 3: (left + up) // 2}.get(kind)
        if guess is None:
            guess = min((left, up, corner), key=lambda each: abs(left + up - corner - each))
        line[at] = (line[at] + guess) & 0xFF
    return line
