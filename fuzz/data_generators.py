"""Hypothesis strategies for RTF and for the kinds that hold data: nearly valid, now and then not."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from fumehood.fuzz import rtf_files

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
