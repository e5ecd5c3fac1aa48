"""What a zygote is started with: nothing of the application's but where its modules are."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from fumehood.sandbox import spawn


def test_the_module_path_holds_nothing_empty_relative_or_writable_by_strangers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    safe, open_to_all = tmp_path / "safe", tmp_path / "open"
    safe.mkdir(mode=0o755)
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    link = tmp_path / "link"
    link.symlink_to(safe)
    monkeypatch.setattr(
        sys, "path", ["", ".", "relative", str(open_to_all), str(link), str(tmp_path / "gone"), *sys.path]
    )
    path = spawn.module_path()
    assert str(safe) in path
    assert str(open_to_all) not in path
    assert all(os.path.isabs(entry) and os.path.exists(entry) for entry in path)
    assert len(path) == len(set(path))


def test_the_package_itself_comes_first() -> None:
    first = Path(spawn.module_path()[0])
    assert (first / "fumehood" / "__init__.py").exists()


def test_it_has_a_session_of_its_own() -> None:
    """Ctrl-C at a terminal goes to every process of the session; the application ends its zygotes itself."""
    started = spawn.start()
    try:
        assert os.getsid(started.process.pid) == started.process.pid
    finally:
        started.channel.close()
        os.close(started.stderr)
        started.process.wait(10)
