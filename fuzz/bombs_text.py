"""Bombs of JSON (RFC 8259), CSV (RFC 4180), Markdown (CommonMark 0.31) and plain text."""

from __future__ import annotations

from fumehood.fuzz.bomb import READ, Bomb, bomb


def columns(count: int, rows: int) -> bytes:
    row = b",".join(b"%d" % number for number in range(count)) + b"\n"
    return row * rows


def members(count: int) -> bytes:
    """Keys of one object, all equal."""
    return b"{" + b",".join([b'"k":1'] * count) + b"}"


def anchors(levels: int, fan: int) -> bytes:
    """Front matter in which each list names the one before it `fan` times (YAML 1.2, 7.1)."""
    lines = [b"a0: &a0 [" + b",".join([b"x"] * fan) + b"]"]
    for level in range(1, levels + 1):
        lines.append(b"a%d: &a%d [%s]" % (level, level, b",".join([b"*a%d" % (level - 1)] * fan)))
    return b"---\n" + b"\n".join(lines) + b"\n---\n\nHello.\n"


def ragged(width: int, rows: int) -> bytes:
    """One wide row and many narrow ones: filled up, they would be a thousand million cells."""
    return b"x" + b",y" * width + b"\n" + b"a\n" * rows


def distinct_keys(count: int) -> bytes:
    """Records that have no key in common, which as a table would be `count` times `count` cells."""
    return b"[" + b",".join(b'{"k%d":1}' % number for number in range(count)) + b"]"


BOMBS: tuple[Bomb, ...] = (
    bomb("deep.json", "100,000 arrays within each other", lambda: b"[" * 100_000 + b"]" * 100_000, "nesting"),
    bomb("unclosed.json", "100,000 opening brackets", lambda: b"[" * 100_000, "nesting"),
    bomb("number.json", "a number of a million digits", lambda: b"[" + b"7" * 1_000_000 + b"]", READ, holds="777"),
    bomb(
        "exponent.json",
        "a power that is never worked out",
        lambda: b"[1e999999999, -1E-999999999]",
        READ,
        holds="1e999999999",
    ),
    bomb("same-keys.json", "100,000 equal keys", lambda: members(100_000), READ),
    bomb("values.json", "3,000,000 values", lambda: b"[" + b"1," * 3_000_000 + b"1]", "nodes"),
    bomb(
        "columns.csv",
        "three rows of a million columns",
        lambda: columns(1_000_000, 3),
        "table-cells",
        spends="table_cells",
    ),
    bomb("row.csv", "one row of a million columns", lambda: columns(1_000_000, 1), READ, spends="table_cells"),
    bomb("quotes.csv", "a million quotation marks", lambda: b'"' * 1_000_001, READ),
    bomb("empty.csv", "a thousand rows of a thousand empty cells", lambda: (b"," * 999 + b"\n") * 1_000, READ),
    bomb("quotes.md", "50,000 quotes within each other", lambda: b">" * 50_000 + b" deep\n", READ, holds="deep"),
    bomb("lists.md", "20,000 lists within each other", lambda: b"- " * 20_000 + b"deep\n", READ, holds="deep"),
    bomb(
        "brackets.md",
        "100,000 opening brackets, then openers of emphasis",
        lambda: b"[" * 100_000 + b"\n\n" + b"*a " * 100_000 + b"\n",
        READ,
    ),
    bomb("link-tails.md", "50,000 beginnings of a link's target", lambda: b"[a](<b" * 50_000 + b"\n", READ),
    bomb(
        "backticks.md",
        "runs of backticks, each of another length",
        lambda: b" ".join(b"`" * number for number in range(1, 1_500)) + b"\n",
        READ,
    ),
    bomb("long-line.md", "one line of 5 MB", lambda: b"# Long\n\n" + b"x" * 5_000_000 + b"\n", READ, holds="xxx"),
    bomb("pipes.md", "a table's row of 200,000 cells", lambda: b"|a|b|\n|-|-|\n" + b"|c" * 200_000 + b"\n", READ),
    bomb(
        "definitions.md", "50,000 definitions of one reference", lambda: b"[a]: /b\n" * 50_000 + b"[a]\n" * 50_000, READ
    ),
    bomb("line.txt", "one line of 5 MB", lambda: b"x" * 5_000_000, READ, holds="xxx"),
    bomb("breaks.txt", "5,000,000 empty lines", lambda: b"a" + b"\n" * 5_000_000 + b"b", READ),
    bomb("controls.txt", "5,000,000 control characters", lambda: b"a" + b"\x01" * 5_000_000, "kind-mismatch"),
    bomb(
        "anchors.md", "front matter that names itself 9 to the 12th times", lambda: anchors(11, 9), READ, holds="Hello."
    ),
    bomb("ragged.csv", "a row of 20,000 cells and 50,000 of one", lambda: ragged(20_000, 50_000), READ),
    bomb("distinct-keys.json", "5,000 records without a common key", lambda: distinct_keys(5_000), READ, holds="k4999"),
)
