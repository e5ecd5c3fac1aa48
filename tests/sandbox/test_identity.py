"""A package that is changed on disk under a running process: who reads on, and what the others are told."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

import fumehood
from fumehood import Kind, Reader, ReadOptions, Refusal, kinds
from fumehood.sandbox import messages, spawn
from fumehood.sandbox.identity import identity

OURS = Path(fumehood.__file__).parent

_PREAMBLE = """
import pathlib, sys, anyio, fumehood
from fumehood import Kind, Reader, Refusal, register
from fumehood.sandbox import host

package = pathlib.Path(fumehood.__file__).parent
assert package == pathlib.Path(sys.argv[1]), package
host._RETRY_SECONDS = 0.0

def change(path, old, new):
    source = package.joinpath(path).read_text("utf-8")
    assert old in source, (path, old)
    package.joinpath(path).write_text(source.replace(old, new), "utf-8")

async def said(reader, kind, data):
    try:
        return (await reader.read(kind, data)).text
    except Refusal as refused:
        return f"{refused.code}: {refused}"
    except ImportError as error:
        return f"ImportError: {error}"

async def main():
    async with Reader(workers=1) as reader:
        print(await said(reader, "text", b"before"))
"""

PAGE = 'b"<p>a page</p>"'
CHANGED = "the fumehood on disk is not the one that this process has loaded; restart this process"


@pytest.fixture
def run(tmp_path: Path) -> Callable[[str], list[str]]:
    """Runs code after a first read, in an interpreter with a copy of the package of its own; gives its lines."""
    package = tmp_path / "fumehood"
    shutil.copytree(OURS, package, ignore=shutil.ignore_patterns("__pycache__", "regressions"))

    def run(code: str) -> list[str]:
        program = _PREAMBLE + textwrap.indent(textwrap.dedent(code), " " * 8) + "\nanyio.run(main, backend='trio')"
        done = subprocess.run(
            [sys.executable, "-c", program, str(package)],
            env={**os.environ, "PYTHONPATH": str(tmp_path)},
            cwd="/",
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    return run


CHANGES = {
    "version": ("version.py", '"0.', '"99.'),
    "kinds": ("kinds.py", '"fumehood.loaders.html",', '"fumehood.loaders.html", chunker="records",'),
    "limits": ("limits/policy.py", "    blocks: int =", "    more: int = 1\n    blocks: int ="),
    "frames": ("sandbox/frames.py", "    inflated_bytes: Count", "    inflated_bytes: Count\n    more: Count = 0"),
    "messages": ("sandbox/messages.py", "    host_name: str", "    host_name: str\n    more: str = ''"),
    "notices": ("errors.py", '"unparsed",', '"unparsed", "a-new-notice",'),
    "details": ("errors.py", "FORMATS | CHARSETS", "FORMATS | frozenset({'a-new-detail'}) | CHARSETS"),
}


def test_a_zygote_of_a_changed_package_is_no_use_until_the_process_is_restarted(
    run: Callable[[str], list[str]],
) -> None:
    before, *changed, meanwhile, after = run(f"""
        for path, old, new in {list(CHANGES.values())!r}:
            change(path, old, new)
            print(await said(reader, "html", {PAGE}))
            change(path, new, old)
        change("version.py", '"0.', '"99.')
        print(await said(reader, "text", b"meanwhile"))
        change("version.py", '"99.', '"0.')
        print(await said(reader, "html", {PAGE}))
    """)
    assert (before, meanwhile, after) == ("before", "meanwhile", "a page")
    told = {name: CHANGED in line for name, line in zip(CHANGES, changed, strict=True)}
    assert told == dict.fromkeys(CHANGES, True)
    assert {line.partition(":")[0] for line in changed} == {"sandbox-unavailable"}


def test_a_package_whose_files_are_gone_is_named_as_the_likely_cause(run: Callable[[str], list[str]]) -> None:
    """As in the midst of an installation, which removes all of one version before it writes the next."""
    lines = run(f"""
        package.joinpath("sandbox/zygote.py").rename(package / "away")
        print(await said(reader, "html", {PAGE}))
        package.joinpath("away").rename(package / "sandbox/zygote.py")
        print(await said(reader, "html", {PAGE}))
    """)
    assert lines[1].startswith("sandbox-unavailable: ")
    assert "if fumehood was changed on disk since this process was started, restart this process" in lines[1]
    assert "No module named" in lines[1]
    assert lines[2] == "a page"


def test_one_that_is_gone_before_it_is_spoken_to_still_says_why(run: Callable[[str], list[str]]) -> None:
    """On a busy machine its imports can have failed by then."""
    lines = run(f"""
        from fumehood.sandbox import spawn
        start = spawn.start
        def late():
            started = start()
            started.process.wait()
            return started
        spawn.start = late
        package.joinpath("sandbox/zygote.py").unlink()
        print(await said(reader, "html", {PAGE}))
    """)
    assert "No module named" in lines[1]


def test_it_is_not_the_fault_of_a_loader_from_outside(run: Callable[[str], list[str]]) -> None:
    lines = run("""
        register(Kind("mine", "fumehood.loaders.text"))
        change("version.py", '"0.', '"99.')
        print(await said(reader, "mine", b"x"))
        package.joinpath("sandbox/zygote.py").unlink()
        print(await said(reader, "mine", b"x"))
    """)
    assert lines[1].startswith("sandbox-unavailable: ")
    assert lines[2].startswith("sandbox-unavailable: ")


def test_a_zygote_that_cannot_be_replaced_reads_on(run: Callable[[str], list[str]]) -> None:
    lines = run("""
        host.DOCUMENTS_PER_ZYGOTE = 1
        change("version.py", '"0.', '"99.')
        for _ in range(3):
            print(await said(reader, "text", b"x"))
            await anyio.sleep(0.2)
    """)
    assert lines == ["before", "x", "x", "x"]


_WITHOUT_PDFIUM = """
import sys
sys.path += sys.argv[2:]
sys.modules["pypdfium2_raw"] = None
from fumehood.sandbox.zygote import main
main(int(sys.argv[1]))
"""


@pytest.mark.anyio
@pytest.mark.skipif(not kinds.is_installed(kinds.get("pdf"), "pdfium"), reason="the engine pdfium is not installed")
async def test_an_engine_that_was_taken_away_is_no_fault_of_the_document(
    anyio_backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The parent remembers that it was there, and would go on to ask for it."""
    monkeypatch.setattr(spawn, "_BOOT", _WITHOUT_PDFIUM)
    async with Reader(workers=1) as reader:
        with pytest.raises(
            Refusal, match="the engine pdfium is not installed any more; restart this process"
        ) as caught:
            await reader.read("pdf", kinds.get("pdf").specimen, options=ReadOptions(engine="pdfium"))
        assert caught.value.code == "sandbox-unavailable"
        assert (await reader.read("pdf", kinds.get("pdf").specimen)).kind == "pdf"


def test_what_the_application_registers_is_no_difference() -> None:
    before = identity()
    with kinds.registered(Kind("mine", "obedient")):
        assert identity() == before


def test_it_is_the_same_in_every_process() -> None:
    """Sets have another order in each (PYTHONHASHSEED)."""
    program = "import sys; from fumehood.sandbox.identity import identity; sys.stdout.buffer.write(identity())"
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, check=True)
        assert done.stdout == identity()


def test_it_fits_a_packet_with_room_to_grow() -> None:
    assert len(identity()) < messages.MAX_MESSAGE / 2
