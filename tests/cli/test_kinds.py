from __future__ import annotations

import json

from fumehood.kinds import kinds

from .conftest import COMMAND, Run


def test_the_table_names_every_built_in_kind(run: Run) -> None:
    said = run("kinds").stdout.decode()
    lines = said.splitlines()
    assert lines[0].split() == ["KIND", "EXTENSIONS", "MEDIA", "TYPES", "OPTIONS", "ENGINES"]
    assert {"csv", "json", "markdown", "pdf", "text"} <= {line.split(" ")[0] for line in lines}
    assert max(map(len, lines)) <= 80


def test_json_is_the_registry(run: Run) -> None:
    listed = {kind["name"]: kind for kind in json.loads(run("kinds", "--json").stdout)}
    for kind in kinds():
        if kind.module.startswith("fumehood."):
            assert listed[kind.name] == {
                "name": kind.name,
                "extensions": list(kind.extensions),
                "media_types": list(kind.media_types),
                "options": sorted(kind.options),
                "engines": list(kind.engines),
                "version": kind.version,
                "chunker": kind.chunker,
            }


def test_a_pipe_that_nobody_reads(run: Run) -> None:
    ran = run("kinds", command=("sh", "-c", '"$0" "$@" | true; exit 0', *COMMAND))
    assert (ran.returncode, ran.stderr) == (0, b"")
