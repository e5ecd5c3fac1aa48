"""Objects of files whose cross-references are of no use."""

from __future__ import annotations

import re
from typing import cast

from hypothesis import given
from hypothesis import strategies as st

from fumehood import Limits
from fumehood.limits.budget import Budget
from fumehood.loaders.shared import pdf_repair

_PIECES = (b"obj", b"endobj", b"1", b"22", b" ", b"\n", b"\0", b"x", b"12345678901", b"<<", b" " * 8, b"1 0 obj")


class _Broken:
    """As much of a broken file as objects are looked for in."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.budget = Budget(Limits())


@given(st.lists(st.sampled_from(_PIECES), max_size=12).map(b"".join))
def test_objects_are_found_wherever_their_numbers_are(data: bytes) -> None:
    expected = {
        int(match[1]): (match.start(), int(match[2]))
        for match in re.finditer(rb"([0-9]{1,10})[\0\t\n\f\r ]{1,8}([0-9]{1,5})[\0\t\n\f\r ]{0,8}obj(?![A-Za-z])", data)
    }
    found = pdf_repair.find_objects(cast(pdf_repair.Broken, _Broken(data)))
    assert {number: (place.offset, place.generation) for number, place in found.items()} == expected
