"""RTF's syntax: every byte is of one token, runs are worked out once, and a group is skipped without being read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood import Limits
from fumehood.errors import Refusal
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.rtf_tokens import BINARY, TEXT, TOKEN, UNICODE, WORDS, Runs, group_end, number, words

SYNTAX = st.lists(
    st.sampled_from([rb"\b", rb"\u-5 ", b"\\'e9", b"{", b"}", b"text", b"\r\n", rb"\bin3 ", b"\\", b" ", b"\xff"]),
    max_size=40,
)


@given(SYNTAX)
def test_tokens_cover_all_but_a_backslash_at_the_end(parts: list[bytes]) -> None:
    data = b"".join(parts)
    covered = b"".join(token[0] for token in TOKEN.finditer(data))
    assert covered == data or (covered + b"\\" == data)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (rb"\bin5 ", BINARY),
        (rb"\bin", BINARY),
        (rb"\binary5 ", WORDS),
        (rb"\u5", UNICODE),
        (rb"\ul5", WORDS),
        (rb"\u", WORDS),
        (b"a", TEXT),
    ],
)
def test_kinds_of_tokens(data: bytes, kind: int) -> None:
    token = TOKEN.match(data)
    assert token is not None
    assert token.lastindex == kind
    assert token[0] == data


def test_words_and_their_parameters() -> None:
    assert words(rb"\a\b-1 \c0" + b"\n" + rb"\dd99999999999999999999") == [
        (b"a", None),
        (b"b", -1),
        (b"c", 0),
        (b"dd", 99999999999),
    ]
    assert number(b"1" * 1_000_000) == 11111111111


def test_runs_do_what_their_words_do() -> None:
    seen: list[tuple[str, int | None]] = []
    runs = Runs({b"a": lambda value: seen.append(("a", value)), b"b": lambda value: seen.append(("b", value))})
    for _ in range(2):
        run = runs.of(rb"\a1\x\b ")
        assert run.known
        for act, value in run.effects:
            act(value)
    assert seen == [("a", 1), ("b", None)] * 2
    assert not runs.of(rb"\x\a").known


@pytest.mark.parametrize(
    ("rest", "end"),
    [
        (b"a}b", 1),
        (b"{a}{}}", 5),
        (rb"\}\{}", 4),
        (rb"\bin3 }}}}", 9),
        (rb"\binx }", 6),
        (b"never", 5),
        (rb"\bin99 }", 8),
        (b"\\", 1),
    ],
)
def test_where_a_group_ends(rest: bytes, end: int) -> None:
    assert group_end(rest, 0, 1, Budget(Limits())) == end


def test_depth_is_bounded_while_skipping() -> None:
    with pytest.raises(Refusal) as refused:
        group_end(b"{" * 1_000, 0, 1, Budget(Limits(nesting=100)))
    assert refused.value.code == "nesting"
