"""What must not be loaded is not: the parent has no parser in it, so starting up stays quick.

The contracts in `pyproject.toml` hold the same arrows for what the source says; this holds them for what runs.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

PARSERS = frozenset(
    {"charset_normalizer", "cryptography", "csv", "defusedxml", "email", "html", "json", "pdfminer"}
    | {"tarfile", "tomllib", "xml", "yaml", "zipfile"}
)
LOOPS = frozenset({"asyncio", "trio"})
HEAVY = frozenset({"multiprocessing", "pickle", "psutil", "ssl", "sqlite3"})
CHILD = frozenset(f"fumehood.sandbox.{name}" for name in ("loading", "witness", "worker", "zygote"))

IMPORT = "import fumehood"
HELP = "from fumehood.cli import main\ntry:\n    main(['--help'])\nexcept SystemExit:\n    pass"
SHOW = "\nimport sys\nprint('\\n'.join(sys.modules), file=sys.stderr)"


def loaded_by(code: str) -> set[str]:
    """The modules in a fresh interpreter that ran `code`."""
    ran = subprocess.run([sys.executable, "-I", "-c", code + SHOW], capture_output=True, text=True, check=True)
    bare = subprocess.run([sys.executable, "-I", "-c", SHOW], capture_output=True, text=True, check=True)
    return set(ran.stderr.split()) - set(bare.stderr.split())


@pytest.mark.parametrize("code", [IMPORT, HELP], ids=["import", "help"])
def test_nothing_of_the_child_s_is_loaded(code: str) -> None:
    loaded = loaded_by(code)
    roots = {name.partition(".")[0] for name in loaded}
    assert "fumehood" in roots
    assert roots & (PARSERS | LOOPS | HEAVY) == set()
    assert loaded & CHILD == set()
    assert {name for name in loaded if name.startswith(("fumehood.loaders", "fumehood.markdown"))} == set()


def test_a_read_loads_no_parser_either() -> None:
    """The same after a document has gone through: it was parsed, and not here."""
    loaded = loaded_by("import fumehood\nassert fumehood.read_isolated('pdf', fumehood.kinds.get('pdf').specimen).text")
    roots = {name.partition(".")[0] for name in loaded}
    assert (
        roots
        & {"charset_normalizer", "cryptography", "csv", "defusedxml", "pdfminer", "tomllib", "xml", "yaml", "zipfile"}
        == set()
    )
    assert loaded & CHILD == set()
    assert {name for name in loaded if name.startswith("fumehood.loaders")} == set()
