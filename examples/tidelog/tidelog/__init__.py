"""The logs of our tide gauges, as a kind that Fumehood reads.

from fumehood import read_isolated, register
from tidelog import KIND

register(KIND)
document = read_isolated("auto", data, name="harwich.tide")

The application imports this module, and never the loader: that one is imported where it runs, in a sandbox.
"""

from __future__ import annotations

from fumehood import Kind

SPECIMEN = """\
TIDELOG 1
station: Harwich
keeper: M. Brown

[2026-03-01]
06:12 3.41 high
12:30 0.62 low
! The gauge was cleaned at noon.
"""

KIND = Kind(
    "tidelog",
    "tidelog.loader",
    extensions=("tide",),
    media_types=("text/x-tidelog",),
    version=1,
    chunker="records",
    specimen=SPECIMEN.encode(),
)
