"""A loader that does as the document says: `sleep 5`, `spin`, `abort`, `exit`, `allocate 100`, `say hello`, `fill 1000000 x`."""

from __future__ import annotations

import os
import time

from fumehood.errors import refusal
from fumehood.kinds import ReadOptions
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.builder import Builder

ENGINES: dict[str, str] = {}


def load(data: bytes, out: Builder, budget: Budget, options: ReadOptions) -> None:
    order, _, rest = data.decode("utf-8").partition(" ")
    match order:
        case "sleep":
            time.sleep(float(rest))
        case "spin":
            while True:
                pass
        case "abort":
            os.abort()
        case "exit":
            os._exit(int(rest))
        case "raise":
            raise {"MemoryError": MemoryError, "RecursionError": RecursionError, "SystemExit": SystemExit}.get(rest, ValueError)("a secret")
        case "recurse":
            load(data, out, budget, options)
        case "allocate":
            out.paragraph(str(len(bytearray(int(rest) * 1024 * 1024))))
        case "fill":
            count, _, piece = rest.partition(" ")
            out.paragraph(piece * (int(count) // len(piece)))
        case "blocks":
            for _number in range(int(rest)):
                out.paragraph("x")
        case "mutate":
            os.environ["MUTATED"] = rest
        case "spend":
            name, _, amount = rest.partition(" ")
            budget.spend(name, int(amount))
        case "refuse":
            raise refusal(rest)  # type: ignore[arg-type]
        case "cwd":
            out.paragraph(str(dict(os.environ)))
        case "stderr":
            os.write(2, rest.encode("utf-8"))
        case "pid":
            out.paragraph(str(os.getpid()))
        case _:
            out.paragraph(rest)
