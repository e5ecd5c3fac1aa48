"""`fumehood doctor`: tries every layer of the sandbox on this machine and says what holds."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from typing import Any, Final

import anyio
import msgspec

from fumehood.cli import exits, streams
from fumehood.cli.advice import HOW_TO_GET, NOT_PROMISED, UNWITNESSED
from fumehood.cli.table import paragraph, table, width
from fumehood.errors import Refusal
from fumehood.hygiene import printable
from fumehood.reader import Reader
from fumehood.sandbox.layers import LAYERS, Layer, missing

_HEADS: Final = ("LAYER", "STATE", "TRIED", "WHAT HAPPENED")


def examine(require: frozenset[str], *, json: bool) -> int:
    """Prints what was seen of each layer; the exit code says whether `require` is met. Raises `OSError`."""
    layers, trouble = anyio.run(_layers, backend="trio")
    have = frozenset(layer.name for layer in layers if layer.state == "enforced")
    lacking = missing(require, have)
    ok = trouble is None and not lacking
    if json:
        streams.put(msgspec.json.encode(_as_data(ok, layers)) + b"\n")
    else:
        streams.put_text(_as_text(layers, trouble, require, lacking, width()))
    return exits.DONE if ok else exits.NO_SANDBOX


async def _layers() -> tuple[Sequence[Layer], str | None]:
    """What the witnesses say; if no zygote could be started, that nothing is enforced, and why."""
    try:
        async with Reader(workers=1, require=()) as reader:
            return await reader.layers(), None
    except Refusal as refused:
        why = f"the sandbox could not be started: {refused.detail}"
        return [Layer(name, "absent", why=why) for name in LAYERS], refused.detail


def _platform() -> str:
    return (
        f"{platform.system()} {platform.release()} {platform.machine()}, "
        f"{platform.python_implementation()} {platform.python_version()}"
    )


def _as_data(ok: bool, layers: Sequence[Layer]) -> dict[str, Any]:
    return {
        "ok": ok,
        "platform": _platform(),
        "layers": [{**msgspec.to_builtins(layer), "why": _why(layer)} for layer in layers],
    }


def _why(layer: Layer) -> str:
    """Why the layer is not enforced and how to get it; empty for one that is."""
    if layer.state == "enforced":
        return ""
    return f"{layer.why}; to get it: {_how(layer)}"


def _how(layer: Layer) -> str:
    return UNWITNESSED if layer.state == "unwitnessed" else HOW_TO_GET[layer.name]


# ---- for people ----------------------------------------------------------------------------------------


def _as_text(
    layers: Sequence[Layer], trouble: str | None, require: frozenset[str], lacking: Sequence[str], columns: int
) -> str:
    rows = [[printable(cell) for cell in (layer.name, layer.state, layer.tried, layer.seen)] for layer in layers]
    parts = [paragraph(printable(_platform()), columns), table(_HEADS, rows, columns)]
    if trouble is not None:
        parts.append(paragraph(f"The sandbox could not be started: {printable(trouble)}", columns))
    else:
        parts.extend(_absence(layer, columns) for layer in layers if layer.state != "enforced")
    promises = [paragraph(promise, columns, "- ", "  ") for promise in NOT_PROMISED]
    parts.append("\n".join(["What no layer can promise:", *promises]))
    parts.append(paragraph(_verdict(trouble, require, lacking), columns))
    return "\n\n".join(parts)


def _absence(layer: Layer, columns: int) -> str:
    return "\n".join(
        (
            f"{layer.name} is {layer.state}",
            paragraph(printable(layer.why), columns, "  why:  ", "        "),
            paragraph(_how(layer), columns, "  to get it:  ", "        "),
        )
    )


def _verdict(trouble: str | None, require: frozenset[str], lacking: Sequence[str]) -> str:
    if trouble is not None:
        return "No document is read on this machine."
    if lacking:
        accepted = ",".join(sorted(require.difference(lacking))) or "none"
        return f"Required and missing: {', '.join(lacking)}. Documents are refused, unless less is asked for: --require {accepted}"
    return "All that is required is enforced: documents are read."
