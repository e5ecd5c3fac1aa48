"""The whole attack suite, counted: `make attacks`.

First the tests of this folder, each attack against the whole jail; then spoilt replies against the decoder by the
hundred thousand; then every attack again in jails that lack layers, which writes docs/attacks.md. The last line is
`attacks N, escapes N, survivors N`; the exit status is 0 only if nothing escaped, nothing survived and nothing else
was wrong.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Final

import pytest

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[1]
for entry in (str(ROOT), str(HERE.parent / "support")):
    if entry not in sys.path:
        sys.path.append(entry)

_REPLIES: Final = 200_000


class Tally:
    """Counts, as a plugin of pytest, and whatever else is wrong."""

    def __init__(self) -> None:
        self.attacks = 0
        self.escapes = 0
        self.survivors = 0
        self.faults: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and "attack" in report.keywords and not report.skipped:
            self.attacks += 1
            self.escapes += report.failed
        elif report.when == "teardown" and report.failed:
            self.survivors += 1
        if report.failed:
            self.faults.append(f"{report.nodeid} ({report.when})")


def _against_the_jail(tally: Tally) -> None:
    status = pytest.main(["-q", "--no-header", "-c", str(ROOT / "pyproject.toml"), str(HERE)], plugins=[tally])
    if status != pytest.ExitCode.OK and not tally.faults:
        tally.faults.append(f"the tests ended with {status!r}")
    print(f"{tally.attacks:,} attacks on the whole jail")


# What is imported below would be imported before pytest has prepared for it, if it stood at the top.


def _against_the_decoder(tally: Tally) -> None:
    from tests.attacks import decoder

    taken = 0
    for seed in range(_REPLIES):
        tally.attacks += 1
        try:
            taken += decoder.attack(seed)
        except Exception as error:
            tally.escapes += 1
            tally.faults.append(f"reply {seed}: {error!r}")
    print(f"{_REPLIES:,} spoilt replies against the decoder, {taken:,} of them still valid")


def _layer_by_layer(tally: Tally) -> None:
    from tests.attacks.ablation import run as ablation
    from tests.attacks.ablation.search import Verdict
    from tests.attacks.jail import left_behind, state

    before = state()
    lacking = ablation.lacking()
    done = ablation.run()
    left = [*left_behind(), *([] if state() == before else [f"{before} became {state()}"])]
    tally.survivors += len(left)
    tally.faults += left
    tally.attacks += len(done.found)
    tally.escapes += sum(one.verdict is Verdict.ESCAPED for one in done.found.values())
    tally.faults += ablation.faults(done)
    print(f"{len(done.found):,} attacks layer by layer: {done.trials:,} trials in {done.jails} weakened jails")
    if lacking:
        print(f"docs/attacks.md is left as it is, since this machine or user lacks {', '.join(lacking)}")
    else:
        ablation.write_page(done)


def main() -> int:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    tally = Tally()
    for part in (_against_the_jail, _against_the_decoder, _layer_by_layer):
        began = time.monotonic()
        try:
            part(tally)
        except Exception as error:  # The other parts are still worth their while.
            tally.faults.append(f"{part.__name__} broke off: {error!r}")
        print(f"  in {time.monotonic() - began:.0f} s", flush=True)
    for fault in tally.faults:
        print(f"wrong: {fault}")
    print(f"attacks {tally.attacks}, escapes {tally.escapes}, survivors {tally.survivors}")
    return 1 if tally.faults or tally.escapes or tally.survivors else 0


if __name__ == "__main__":
    sys.exit(main())
