"""The target `pdf-streams`: the filters of PDF by themselves, behind no object and no cross-reference."""

from __future__ import annotations

import base64
import contextlib
import zlib
from collections.abc import Iterator
from typing import Final

from fumehood.errors import Refusal
from fumehood.fuzz.bomb import READ
from fumehood.fuzz.oracle import broken, check_refusal
from fumehood.fuzz.target import FUZZ_LIMITS, Target
from fumehood.limits.budget import Budget
from fumehood.loaders.shared import pdf_filters
from fumehood.loaders.shared.pdf_filters import Meter

_FILTERS: Final = (
    pdf_filters.flate,
    pdf_filters.lzw,
    pdf_filters.run_length,
    pdf_filters.ascii_hex,
    pdf_filters.ascii_85,
)
_FLATE, _HEX, _BASE_85 = 0, 3, 4


def targets() -> Iterator[Target]:
    yield Target("pdf-streams", pdf_streams)


def pdf_streams(data: bytes) -> str:
    """The first byte names a filter, the next three a predictor: all output is counted, and what others read is the same."""
    head, body = data[:4].ljust(4, b"\0"), data[4:]
    number = head[0] % len(_FILTERS)
    budget = Budget(FUZZ_LIMITS)
    meter = Meter(budget, len(body))
    try:
        plain = _FILTERS[number](body, meter)
        if len(plain) > meter.total or meter.total > budget.used("inflated_bytes"):
            broken("output that was not counted", (len(plain), meter.total))
        if not meter.damaged:
            _compare(number, body, plain)
        pdf_filters.predicted(plain, meter, predictor=head[1] % 20, colors=head[2] % 5, bits=8, columns=head[3])
    except Refusal as refused:
        check_refusal(refused, FUZZ_LIMITS)
        return refused.code
    return READ


def _compare(number: int, body: bytes, plain: bytes) -> None:
    """With the standard library, where it has the filter and no complaint."""
    with contextlib.suppress(ValueError, zlib.error):
        if number == _FLATE:
            theirs = zlib.decompressobj().decompress(body)
        elif number == _HEX:
            theirs = bytes.fromhex(body.partition(b">")[0].decode("ascii"))
        elif number == _BASE_85:
            theirs = base64.a85decode(body.lstrip().removeprefix(b"<~").partition(b"~")[0])
        else:
            return
        if theirs != plain:
            broken("a stream that is something else to others", (plain[:40], theirs[:40]))
