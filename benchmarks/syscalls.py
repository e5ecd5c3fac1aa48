"""Records the system calls of each family's workers into `sandbox/syscalls/`, or shows how they differ from it.

    python benchmarks/syscalls.py [--check] [--family F,...] [FOLDER ...]

Our own documents are read always; every document of a known extension below FOLDER too. Needs strace(1) and
x86-64. A recording adds to what earlier ones saw; `--afresh` forgets that first.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT))

from tests.drift import lock, trace  # noqa: E402
from tests.drift.calls import Call, action  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--family", default=",".join(lock.families()))
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 if there is a difference")
    parser.add_argument("--afresh", action="store_true", help="forget what earlier recordings saw")
    options = parser.parse_args()
    why = trace.available()
    if why is not None:
        parser.error(why)
    differs = False
    for family in options.family.split(","):
        seen = trace.record(lock.RECORDED, [family], [folder.resolve() for folder in options.folders])
        known = frozenset[Call]() if options.afresh or not lock.path(family).exists() else frozenset(lock.read(family))
        print(f"{family}: {len(seen)} calls, {len(seen - known)} of them new")
        for call in sorted(seen - known):
            print(f"  + {call} {action(lock.RECORDED, call)}")
        differs |= not seen <= known
        if not options.check:
            lock.write(family, seen | known)
    return int(options.check and differs)


if __name__ == "__main__":
    sys.exit(main())
