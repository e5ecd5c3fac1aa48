"""Hypothesis strategies for RTF, for the kinds that hold data, and for targets of no kind: nearly valid, now and then not."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from fumehood.fuzz import rtf_files
from fumehood.kinds import OPTION_NAMES
from fumehood.limits.policy import LIMIT_NAMES

_TEXTS = st.sampled_from(["a", "One two.", "caf\u00e9", "| x", "# y", "- z", "```", "x\ny", "", "\u2028"])


def rtfs() -> SearchStrategy[bytes]:
    word = st.sampled_from(rtf_files.WORDS)
    run = st.lists(word, max_size=6).map(b" ".join)
    inside = st.recursive(
        run,
        lambda inner: st.lists(
            run | inner | st.builds(rtf_files.group, st.sampled_from(rtf_files.GROUPS), inner), min_size=1, max_size=4
        ).map(b" ".join),
        max_leaves=12,
    )
    whole = inside.map(rtf_files.document)
    cut = st.builds(lambda data, end: data[: len(data) * end // 10], whole, st.integers(5, 9))
    return st.one_of(whole, whole, whole, cut)


def _values() -> SearchStrategy[Any]:
    leaf = st.none() | st.booleans() | st.integers(-9, 10**20) | _TEXTS
    return st.recursive(
        leaf, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXTS, inner, max_size=4), max_leaves=12
    )


def jsonls() -> SearchStrategy[bytes]:
    line = _values().map(json.dumps)
    broken = st.sampled_from(["{", "[1,", "words", "{}{}", "NaN", '"'])
    return st.lists(line | line | line | broken, max_size=6).map(lambda lines: "\n".join(lines).encode())


def ipynbs() -> SearchStrategy[bytes]:
    source = _TEXTS | st.lists(_TEXTS, max_size=3)
    form = st.sampled_from(["text/plain", "text/markdown", "text/html", "image/png", "application/json"])
    output = st.fixed_dictionaries(
        {"output_type": st.sampled_from(["stream", "error", "display_data", "pyout", "other"])},
        optional={
            "text": source,
            "data": st.dictionaries(form, source, max_size=2),
            "traceback": source,
            "png": _TEXTS,
        },
    )
    cell = st.fixed_dictionaries(
        {"cell_type": st.sampled_from(["code", "markdown", "raw", "heading", "other"]), "source": source},
        optional={"outputs": st.lists(output, max_size=3) | _values(), "level": st.integers(0, 9)},
    )
    cells = st.lists(cell | _values(), max_size=4)
    notebook = st.fixed_dictionaries({"nbformat": st.just(4), "cells": cells}) | st.fixed_dictionaries(
        {"worksheets": st.lists(st.fixed_dictionaries({"cells": cells}), max_size=2)}
    )
    return notebook.map(lambda made: json.dumps(made).encode())


def yamls() -> SearchStrategy[bytes]:
    scalar = st.sampled_from(["a", "1", "~", "'q'", '"\\u263a"', "*x", "&x b", "!t c", "|\n  d\n", "true", "# e", ""])
    flow = st.recursive(
        scalar,
        lambda inner: (
            st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]")
            | st.lists(inner, max_size=3).map(lambda items: "{" + ", ".join(f"k: {item}" for item in items) + "}")
        ),
        max_leaves=6,
    )
    line = st.builds(
        lambda indent, start, value: f"{'  ' * indent}{start}{value}",
        st.integers(0, 2),
        st.sampled_from(["k: ", "- ", "? ", ": ", "<<: ", "", "--- ", "# "]),
        flow,
    )
    return st.lists(line, max_size=8).map(lambda lines: "\n".join(lines).encode())


def packed_streams() -> SearchStrategy[bytes]:
    """For `pdf-streams`: the number of a filter, a predictor, and data that the filter undoes, now and then cut."""
    plain = st.binary(max_size=200)
    body = st.one_of(
        st.tuples(st.just(0), plain.map(zlib.compress)),
        st.tuples(st.sampled_from([1, 2]), plain),
        st.tuples(st.just(3), plain.map(lambda data: data.hex().encode() + b">")),
        st.tuples(st.just(4), plain.map(lambda data: base64.a85encode(data) + b"~>")),
    )
    return st.builds(
        lambda packed, predictor, keep: bytes([packed[0], *predictor]) + packed[1][: len(packed[1]) * keep // 10],
        body,
        st.tuples(st.sampled_from([0, 2, 10, 12, 15]), st.integers(0, 4), st.integers(0, 9)),
        st.integers(7, 10),
    )


def argument_lines() -> SearchStrategy[bytes]:
    """For `arguments`: names of limits and options with values that suit some of them."""
    value = st.one_of(
        st.sampled_from(
            ["1", "0", "-1", "64MiB", "1e9", "inf", "nan", "true", "null", '"pdfminer.six"', "utf-8", "\u0661", ""]
        ),
        st.integers(-(2**70), 2**70).map(str),
        st.text(max_size=5),
    )
    name = st.sampled_from([*LIMIT_NAMES, *OPTION_NAMES, "nothing"])
    line = st.builds("{}={}".format, name, value) | st.sampled_from(["pdf", "text", "auto", "nothing"])
    return st.lists(line, max_size=5).map(lambda lines: "\n".join(lines).encode("utf-8", "surrogatepass"))


def queries() -> SearchStrategy[bytes]:
    """For `query`: words that are there and some that are not, operators, brackets and quotation marks in any order."""
    words = ["annual", "report", "draft", "alpha", "beta", "foo-bar", "rep*", "caf\u00e9", "\u6771\u4eac", "nothing"]
    marks = [*"\"()*-^+:{},'\\", "\u201c", "\u201d", "AND", "OR", "NOT", "NEAR", "NEAR/2", "NEAR(", "NEAR/999999"]
    piece = st.one_of(st.sampled_from(words), st.sampled_from(marks), st.text(max_size=5))
    pieces = st.lists(piece, max_size=40)
    nested = st.lists(st.sampled_from(["alpha (", "alpha OR beta (", "alpha OR beta -gamma -("]), max_size=40)
    said = pieces.map(" ".join) | pieces.map("".join) | nested.map(lambda opened: " ".join([*opened, "report"]))
    return said.map(lambda text: text.encode("utf-8", "surrogatepass"))


def globs() -> SearchStrategy[bytes]:
    """For `globs`: a pattern that often fits the path below it."""
    part = st.sampled_from(["a", "b.md", "*", "?.md", "**", "[!b]*", "[]", ".git", "node_modules", "\udcff", ""])
    parts = st.lists(part, max_size=6).map("/".join)
    said = st.builds(lambda pattern, path: f"{pattern}\n{path}", parts, parts)
    return said.map(lambda text: text.encode("utf-8", "surrogateescape"))
