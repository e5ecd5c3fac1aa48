"""Where inputs come from: seeds that suit, and the same inputs for the same seed."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from fumehood.fuzz.inputs import generated, mutated, seeds_for
from fumehood.fuzz.targets import TARGETS


@pytest.mark.parametrize(
    ("target", "suited"),
    [
        ("load:csv", [b"a,b"]),
        ("jail:json", [b"{}"]),
        ("chunk:fixed", [b"# a"]),
        ("zip", [b"PK\x05\x06"]),
        ("auto", [b"a,b", b"PK\x05\x06", b"{}", b"# a"]),
        ("reply", []),
    ],
)
def test_files_of_a_folder_go_where_they_suit(target: str, suited: list[bytes], tmp_path: Path) -> None:
    for name, data in {"a.csv": b"a,b", "b.docx": b"PK\x05\x06", "c.json": b"{}", "d.md": b"# a"}.items():
        (tmp_path / name).write_bytes(data)
    own = seeds_for(TARGETS[target], None)
    assert own
    assert seeds_for(TARGETS[target], tmp_path) == own + suited


def test_mutations_begin_with_the_seeds_themselves() -> None:
    starts = [b'{"a": 1}', b"[2]"]
    first, again = (list(islice(mutated(TARGETS["load:json"], starts, 5), 30)) for _ in range(2))
    assert first[:2] == starts
    assert first == again
    assert len(set(first)) > 15


def test_options_are_drawn_before_what_is_made_of_seeds() -> None:
    made = list(islice(mutated(TARGETS["chunk:fixed"], [b"# a", b"b"], 5), 40))
    assert [data[2:] for data in made[:2]] == [b"# a", b"b"]
    assert len({data[:2] for data in made}) > 30


@pytest.mark.parametrize("target", ["load:csv", "reply", "arguments", "pdf-streams"])
def test_generated_inputs_are_the_same_for_the_same_seed(target: str) -> None:
    first, again, other = (list(islice(generated(TARGETS[target], seed), 60)) for seed in (1, 1, 2))
    assert first == again != other
    assert len(set(first)) > 20
