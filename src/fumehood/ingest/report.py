"""The report of a run as one page of HTML: no network, no scripts, and nothing of a document but names and codes.

The page may be mailed around and opened anywhere, and names of files are the sender's to choose; so its policy allows
one style sheet, by its digest, and nothing else (CSP level 3, section 2.3).
"""

from __future__ import annotations

import base64
import hashlib
import os
import tempfile
from collections.abc import Iterable, Sequence
from typing import Final

from fumehood.ingest.findings import MOST_LISTED, MOST_RANKED, Cloud, Findings
from fumehood.ingest.markup import Markup, element, escaped, isolated, join, style
from fumehood.ingest.outcome import NOTHING_LISTED, KindRow, Outcome, Summary
from fumehood.ingest.plot import axis, plot
from fumehood.ingest.units import counted, size_text, time_text
from fumehood.limits.policy import Limits

# Names may be long or hold a tower of marks: each has a box of its own, which nothing in it widens or leaves.
_STYLE: Final = """
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #fff; --faint: #6b7480; --rule: #d9dee4; --read: #1f6feb;
  --refused: #c2410c; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ed; --paper: #14171a; --faint: #98a1ac; --rule: #30363d;
  --read: #6cb0ff; --refused: #ff9b5e; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 62rem;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
p.faint, td.faint { color: var(--faint); }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: start; padding: .25rem .8rem .25rem 0; border-bottom: 1px solid var(--rule); vertical-align: top; }
.table { overflow-x: auto; }
bdi { display: inline-block; max-width: 30rem; max-height: 7.5em; overflow: auto; overflow-wrap: anywhere;
  vertical-align: top; }
td bdi { min-width: 8rem; }
.number { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
tfoot td { font-weight: 600; }
svg { width: 100%; height: auto; font: 11px system-ui, sans-serif; }
svg text { fill: var(--faint); } .grid line { stroke: var(--rule); } .cap line { stroke: var(--refused);
  stroke-dasharray: 5 4; } svg .cap text { fill: var(--refused); }
circle { fill-opacity: .55; } circle.read { fill: var(--read); } circle.refused { fill: var(--refused); }
"""
_DIGEST: Final = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
POLICY: Final = f"default-src 'none'; style-src 'sha256-{_DIGEST}'; base-uri 'none'; form-action 'none'"

_KIB: Final = 1024.0
_LEAST_SIZE: Final = 16.0
_BY_SIXTEEN: Final = 16.0
_BY_TEN: Final = 10.0


def write_report(path: str, page: str) -> None:
    """Writes a report, whole or not at all, for its owner to read: names of files may be private. Raises `OSError`."""
    descriptor, beside = tempfile.mkstemp(prefix=".report-", dir=os.path.dirname(path) or ".")
    try:
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(page)
        os.replace(beside, path)
    except OSError:
        os.unlink(beside)
        raise


def report(summary: Summary, findings: Findings, limits: Limits, *, index: str, ended: str) -> str:
    """The page. `index`: the name of the index; `ended`: when, as a text."""
    return "<!doctype html>\n" + element(
        "html",
        element(
            "head",
            element("meta", charset="utf-8"),
            element("meta", http_equiv="Content-Security-Policy", content=POLICY),
            element("meta", name="viewport", content="width=device-width"),
            element("meta", name="referrer", content="no-referrer"),
            element("title", "Ingest report"),
            style(_STYLE),
        ),
        element(
            "body",
            element("h1", "Ingest report"),
            element("p", isolated(index), f", {ended}, {time_text(summary.seconds)}", class_="faint"),
            _totals(summary),
            _plots(findings, limits),
            _refusals(summary, findings),
            _failures(summary, findings),
            _notices(findings),
            _ranked("Slowest", findings.slowest.largest()),
            _ranked("Heaviest", findings.heaviest.largest()),
        ),
        lang="en",
    )


# ---- totals --------------------------------------------------------------------------------------------

_TOTALS: Final = ("kind", "read", "unchanged", "refused", "failed", "chunks", "pages", "time")


def _totals(summary: Summary) -> Markup:
    done = "would be read" if summary.dry_run else "read"
    said = (
        f"{counted(summary.sources, 'source')}, {size_text(summary.bytes)}: {summary.succeeded:,} {done}, "
        f"{summary.unchanged:,} unchanged, {summary.refused:,} refused, {summary.failed:,} failed; "
        f"{summary.pruned:,} pruned; {counted(summary.chunks, 'chunk')}."
    )
    left_out = ", ".join(f"{count:,} {reason}" for reason, count in summary.skipped.items())
    rows = [_kind_row(kind, row) for kind, row in summary.by_kind.items()]
    return join(
        (
            element("h2", "Totals"),
            element("p", said),
            element("p", f"Left out by the listing: {left_out}.", class_="faint") if left_out else "",
            element("p", f"Not found, but kept: {counted(summary.kept, 'source')}; {NOTHING_LISTED}.")
            if summary.kept
            else "",
            _table(_TOTALS, rows, numbers_from=1, foot=_kind_row("all", summary.total)),
        )
    )


def _kind_row(kind: str, row: KindRow) -> tuple[str, ...]:
    counts = (row.read, row.unchanged, row.refused, row.failed, row.chunks, row.pages)
    return (kind, *(f"{count:,}" for count in counts), time_text(row.seconds))


# ---- plots ---------------------------------------------------------------------------------------------


def _plots(findings: Findings, limits: Limits) -> Markup:
    shown = [
        _plot(
            "Time of a read against size", "time", findings.times, _BY_TEN, limits.wall_seconds, "wall_seconds", limits
        ),
        _plot(
            "Memory of a worker against size",
            "memory",
            findings.memory,
            _BY_SIXTEEN,
            limits.heap_bytes,
            "heap_bytes",
            limits,
        ),
    ]
    return join((element("h2", "Time and memory against size"), *shown)) if any(shown) else Markup("")


def _plot(title: str, label: str, cloud: Cloud, step: float, cap: float, cap_name: str, limits: Limits) -> Markup:
    points = cloud.places()
    if not points:
        return Markup("")
    across = axis(
        "bytes of the file",
        _LEAST_SIZE,
        _BY_SIXTEEN,
        limits.input_bytes,
        "input_bytes",
        size_text,
        max(point[0] for point in points),
    )
    show = time_text if label == "time" else size_text
    up = axis(label, cloud.least, step, cap, cap_name, show, max(point[1] for point in points))
    refused = sum(point[3] for point in points if point[2])
    read = sum(point[3] for point in points) - refused
    said = f"{title}: {read:,} read (blue), {refused:,} refused (orange); dashed lines are caps."
    return join((element("p", said), plot(title, across, up, points)))


# ---- lists ---------------------------------------------------------------------------------------------


def _refusals(summary: Summary, findings: Findings) -> Markup:
    if not summary.refused:
        return Markup("")
    codes = [(code, f"{count:,}") for code, count in summary.refusals.items()]
    rows = [
        (isolated(each.source), each.refusal.code, each.refusal.message)
        for each in findings.refused
        if each.refusal is not None
    ]
    return join(
        (
            element("h2", "Refused"),
            _table(("code", "files"), codes, numbers_from=1),
            element("p", _how_many(len(rows), summary.refused), class_="faint"),
            _table(("file", "code", "reason"), rows),
        )
    )


def _failures(summary: Summary, findings: Findings) -> Markup:
    if not summary.failed:
        return Markup("")
    rows = [(isolated(each.source), isolated(each.error or "")) for each in findings.failed]
    return join(
        (
            element("h2", "Failed"),
            element("p", _how_many(len(rows), summary.failed), class_="faint"),
            _table(("file", "why"), rows),
        )
    )


def _how_many(listed: int, of: int) -> str:
    return f"The first {MOST_LISTED:,} of {of:,}." if listed < of else f"All {of:,}."


def _notices(findings: Findings) -> Markup:
    if not findings.notices:
        return Markup("")
    rows = [(code, f"{findings.noticed[code]:,}", f"{count:,}") for code, count in findings.notices.most_common()]
    return join((element("h2", "Notices"), _table(("notice", "files", "times"), rows, numbers_from=1)))


def _ranked(title: str, outcomes: Sequence[Outcome]) -> Markup:
    if not outcomes:
        return Markup("")
    rows = [
        (
            isolated(each.source),
            each.kind,
            size_text(each.size),
            time_text(each.seconds),
            "" if each.peak_bytes is None else size_text(each.peak_bytes),
        )
        for each in outcomes
    ]
    return join(
        (
            element("h2", title),
            element("p", f"At most {MOST_RANKED}.", class_="faint"),
            _table(("file", "kind", "size", "time", "memory"), rows, numbers_from=2),
        )
    )


def _table(
    heads: Sequence[str], rows: Iterable[Sequence[str]], *, numbers_from: int | None = None, foot: Sequence[str] = ()
) -> Markup:
    def cells(name: str, values: Sequence[str]) -> Markup:
        return element("tr", *(_cell(name, value, at, numbers_from) for at, value in enumerate(values)))

    table = element(
        "table",
        element("thead", cells("th", heads)),
        element("tbody", *(cells("td", row) for row in rows)),
        element("tfoot", cells("td", foot)) if foot else "",
    )
    return element("div", table, class_="table")


def _cell(name: str, value: str, at: int, numbers_from: int | None) -> Markup:
    attributes = {"class": "number"} if numbers_from is not None and at >= numbers_from else {}
    if name == "th":
        attributes["scope"] = "col"
    return element(name, escaped(value), **attributes)
