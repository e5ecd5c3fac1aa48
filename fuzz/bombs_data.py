"""Bombs of the kinds that hold data: YAML 1.2, XML 1.0, JSON lines, notebooks, tab-separated values."""

from __future__ import annotations

import json

from fumehood.fuzz.bomb import READ, Bomb, bomb


def aliases(levels: int) -> bytes:
    """Each list names the one before it twice (YAML 1.2, 7.1)."""
    lines = [b"a0: &a0 [x, x]"]
    lines += [b"a%d: &a%d [*a%d, *a%d]" % (level, level, level - 1, level - 1) for level in range(1, levels)]
    return b"\n".join(lines)


def merges(levels: int) -> bytes:
    """Each mapping takes in the one before it, twice."""
    lines = [b"m0: &m0 {a: b}"]
    lines += [b"m%d: &m%d {<<: [*m%d, *m%d]}" % (level, level, level - 1, level - 1) for level in range(1, levels)]
    return b"\n".join(lines)


def notebook(*cells: object) -> bytes:
    return json.dumps({"nbformat": 4, "metadata": {}, "cells": cells}).encode()


BOMBS: tuple[Bomb, ...] = (
    bomb("aliases.yaml", "lists that double sixty times", lambda: aliases(60), READ, holds="a59"),
    bomb("merges.yaml", "mappings that double sixty times", lambda: merges(60), READ, holds="m59"),
    # libyaml has a bound of its own on brackets.
    bomb("brackets.yaml", "100,000 lists within each other", lambda: b"[" * 100_000, "nesting", "malformed"),
    bomb("dashes.yaml", "100,000 lists within each other, by dashes", lambda: b"- " * 100_000, "nesting"),
    bomb(
        "keys.yaml",
        "50,000 keys",
        lambda: b"".join(b"k%d: x\n" % number for number in range(50_000)),
        READ,
        holds="k49999",
    ),
    bomb("same-keys.yaml", "50,000 equal keys", lambda: b"k: x\n" * 50_000, READ, notice="repaired"),
    bomb("line.yaml", "one line of 5 MB", lambda: b"a: " + b"x" * 5_000_000, READ, holds="xxx"),
    bomb("documents.yaml", "50,000 documents", lambda: b"--- a\n" * 50_000, READ),
    bomb("deep.xml", "200,000 elements within each other", lambda: b"<a>" * 200_000 + b"</a>" * 200_000, "nesting"),
    bomb(
        "attributes.xml",
        "200,000 attributes",
        lambda: b"<a " + b" ".join(b"a%d=''" % number for number in range(200_000)) + b"/>",
        "nodes",
    ),
    bomb("elements.xml", "100,000 elements", lambda: b"<r>" + b"<a>x</a>" * 100_000 + b"</r>", READ, holds="a: x"),
    bomb(
        "mixed.xml",
        "text at each of 250 depths",
        lambda: b"<a>x" * 250 + b"y" * 1_000_000 + b"</a>" * 250,
        READ,
        holds="xxy",
    ),
    bomb(
        "names.xml",
        "200 elements within each other, with names of 10 kB",
        lambda: (
            b"".join(b"<%s>" % (b"n" * 10_000) for _ in range(200))
            + b"<a>x</a>" * 5_000
            + b"".join(b"</%s>" % (b"n" * 10_000) for _ in range(200))
        ),
        READ,
        holds="a: x",
    ),
    bomb("doctype.xml", "an entity", lambda: b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "malformed"),
    bomb("lines.jsonl", "100,000 records", lambda: b'{"a":1}\n' * 100_000, READ, holds="a: 1"),
    bomb("brackets.jsonl", "a record, then 5,000,000 brackets", lambda: b"{}\n" + b"[" * 5_000_000, "nesting"),
    bomb("broken.jsonl", "100,000 broken lines", lambda: b"{}\n" + b"[[[[\n" * 100_000, READ, notice="unparsed"),
    bomb(
        "cells.ipynb",
        "20,000 cells",
        lambda: notebook(*[{"cell_type": "markdown", "source": "# a"}] * 20_000),
        READ,
        holds="# a",
    ),
    bomb(
        "picture.ipynb",
        "a picture of 10 MB",
        lambda: notebook(
            {
                "cell_type": "code",
                "source": "x",
                "outputs": [{"output_type": "display_data", "data": {"image/png": "A" * 10_000_000}}],
            }
        ),
        READ,
        notice="image-not-read",
    ),
    bomb(
        "ticks.ipynb", "a million backticks", lambda: notebook({"cell_type": "code", "source": "`" * 1_000_000}), READ
    ),
    bomb("columns.tsv", "one row of 300,000 columns", lambda: b"\t".join([b"a"] * 300_000), READ, spends="table_cells"),
    bomb(
        "language.ipynb",
        "a language with a name of 1 MB, in 5,000 cells",
        lambda: json.dumps(
            {
                "metadata": {"kernelspec": {"language": "x" * 1_000_000}},
                "cells": [{"cell_type": "code", "source": "a"}] * 5_000,
            }
        ).encode(),
        READ,
    ),
)
