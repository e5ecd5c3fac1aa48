"""A built wheel holds every room of the repository, and nothing that only tests need."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from fumehood.version import VERSION

ROOT = Path(__file__).parents[1]
ROOMS = ("sandbox", "loaders", "limits", "fuzz")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy: a build leaves folders behind where it runs."""
    source = tmp_path_factory.mktemp("source")
    for name in ("pyproject.toml", "README.md", "LICENSE", "src", *ROOMS):
        origin = ROOT / name
        if origin.is_dir():
            ignored = shutil.ignore_patterns("*.egg-info", "__pycache__")
            shutil.copytree(origin, source / name, symlinks=True, ignore=ignored)
        else:
            shutil.copy(origin, source / name)
    out = tmp_path_factory.mktemp("out")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(out), str(source)]
    built = subprocess.run(command, capture_output=True, text=True)
    if built.returncode and "setuptools" in built.stderr and "No matching distribution" in built.stderr:
        pytest.skip("the build needs setuptools, which cannot be fetched without the network")
    assert built.returncode == 0, built.stderr
    (path,) = out.glob("*.whl")
    return path


def test_the_wheel_holds_every_module(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if name.endswith(".py")}
    sources = {
        f"fumehood/{path.relative_to(ROOT / 'src' / 'fumehood')}" for path in _modules(ROOT / "src" / "fumehood")
    }
    for room in ROOMS:
        sources |= {f"fumehood/{room}/{path.relative_to(ROOT / room)}" for path in _modules(ROOT / room)}
    assert held == sources


def test_the_wheel_says_that_it_is_typed_and_under_which_licence(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert "fumehood/py.typed" in names
    assert "fumehood/fuzz/regressions/manifest.tsv" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not any(name.startswith(("tests", "benchmarks", "examples")) for name in names)


def test_the_wheel_has_the_version_that_a_process_says_it_has(wheel: Path) -> None:
    assert wheel.name.startswith(f"fumehood-{VERSION}-")


def test_the_wheel_has_no_way_to_leave_out_a_layer(wheel: Path) -> None:
    """Weakened zygotes are started by an entry of the tests' own."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            assert "attacks" not in name
            assert "weaken" not in name
            assert b"tests.attacks" not in archive.read(name)


def test_no_room_is_left_out_of_the_links() -> None:
    """An editable install finds the rooms by these."""
    for room in ROOMS:
        link = ROOT / "src" / "fumehood" / room
        assert link.is_symlink()
        assert link.resolve() == ROOT / room


def _modules(folder: Path) -> list[Path]:
    """Its own, not those behind links."""
    return [path for path in folder.rglob("*.py") if not any(parent.is_symlink() for parent in path.parents)]
