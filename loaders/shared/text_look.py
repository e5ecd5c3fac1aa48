"""How text looks, as far as it decides whether anybody sees it: what a run says, over what its styles say."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Final, NamedTuple

LEAST_POINTS: Final = 1.5
"""Letters below this size are dots on paper, and nothing that people read is set in them."""


class Look(NamedTuple):
    """None where nothing is said.

    - `hidden`: text that is not to be shown; `tiny`: below `LEAST_POINTS`; `white`: of exactly that colour.
    - `backed`: something may be drawn behind or around the letters that makes white ones seen.
    """

    hidden: bool | None = None
    tiny: bool | None = None
    white: bool | None = None
    backed: bool = False

    def over(self, further: Look) -> Look:
        """What this one says, and where it says nothing what `further` does. What is drawn behind stays there."""
        return Look(
            further.hidden if self.hidden is None else self.hidden,
            further.tiny if self.tiny is None else self.tiny,
            further.white if self.white is None else self.white,
            self.backed or further.backed,
        )

    def is_unseen(self, *, on_white: bool) -> bool:
        """Whether nobody sees the text. `on_white`: nothing but white paper is behind the paragraph."""
        return bool(self.hidden or self.tiny or (on_white and self.white and not self.backed))


NONE: Final = Look()


def together(looks: Iterable[Look]) -> Look:
    """What all of them say, each over those behind it."""
    return reduce(Look.over, looks, NONE)
