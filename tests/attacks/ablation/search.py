"""Which layers stop an attack, found by leaving layers out until it succeeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Hashable, Iterable, Mapping
from enum import Enum
from typing import Final, NamedTuple, TypeVar

from tests.attacks.ablation.layers import EVERYTHING, NOTHING, ORDER, Profile, closed

_LIKELY: Final = 2
"""Half of all attacks are stopped by the two filters, which come first, and by nothing else."""


class Verdict(Enum):
    STOPPED = "stopped"
    ESCAPED = "succeeds with every layer in place"
    IMPOSSIBLE = "cannot be done on this machine, with or without layers"
    UNSTEADY = "is stopped once and not another time with the same layers gone"
    NOT_TRIED = "does not succeed with no layer in place, so it is not really tried"


class Found(NamedTuple):
    """`stopped_by`: in the order they are asked; each stops the attack once those before it are left out."""

    verdict: Verdict
    stopped_by: tuple[str, ...] = ()


Search = Generator[Profile, bool, Found]
"""Yields what to leave out, is sent whether the attack then succeeded, and returns what it found."""

_Name = TypeVar("_Name", bound=Hashable)


def search() -> Search:
    """Finds the last layer that still stops the attack when all before it are gone; without that one, the last but one; and on.

    Takes for granted that leaving out more never stops an attack.
    """
    if (yield NOTHING):
        return Found(Verdict.ESCAPED)
    if not (yield EVERYTHING):
        return Found(Verdict.NOT_TRIED)
    found: Profile = NOTHING
    while not found or not (yield closed(found)):
        fewest, most, middle = 1, len(ORDER), _LIKELY
        while fewest < most:
            if (yield closed(found.union(ORDER[:middle]))):
                most = middle
            else:
                fewest = middle + 1
            middle = (fewest + most) // 2
        if ORDER[most - 1] in found:
            return Found(Verdict.UNSTEADY, tuple(sorted(found)))
        found |= {ORDER[most - 1]}
    return Found(Verdict.STOPPED, tuple(name for name in ORDER if name in found))


def search_all(
    names: Iterable[_Name], try_them: Callable[[Profile, list[_Name]], Mapping[_Name, bool]]
) -> dict[_Name, Found]:
    """The same for many attacks at once: `try_them` starts one weakened jail for all that ask for the same one."""
    found: dict[_Name, Found] = {}
    known: dict[tuple[_Name, Profile], bool] = {}
    searches = {name: search() for name in names}
    asking = {name: next(one) for name, one in searches.items()}
    while asking:
        profile, _ = Counter(asking.values()).most_common(1)[0]
        trying = [name for name, wanted in asking.items() if wanted == profile]
        for name, succeeded in try_them(profile, trying).items():
            known[name, profile] = succeeded
        for name in trying:
            try:
                while (name, asking[name]) in known:
                    asking[name] = searches[name].send(known[name, asking[name]])
            except StopIteration as ended:
                found[name] = ended.value
                del asking[name]
    return found
