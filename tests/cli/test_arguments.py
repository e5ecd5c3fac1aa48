"""Every mistake on the command line is told before anything starts, with what to do instead; the exit code is 2."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points, version

import pytest

from fumehood.index import DEFAULT_NAMESPACE
from fumehood.limits.policy import LIMIT_NAMES

from .conftest import Run

MISTAKES = {
    "no command": ((), b"COMMAND"),
    "no file": (("read",), b"FILE"),
    "no such command": (("raed", "x"), b"raed"),
    "no such kind": (("read", "--kind", "docy", "x"), b"there is no kind 'docy'; the kinds are auto, csv"),
    "no such format": (("read", "--format", "yaml", "x"), b"'markdown'"),
    "no such preset": (("read", "--preset", "lax", "x"), b"strict"),
    "no such limit": (("read", "--limit", "inputs=1", "x"), b"there is no limit 'inputs'; the limits are input_bytes"),
    "a limit without a value": (("read", "--limit", "pages", "x"), b"takes NAME=VALUE, not 'pages'"),
    "a limit without a name": (("read", "--limit", "=3", "x"), b"takes NAME=VALUE, not '=3'"),
    "an empty limit": (("read", "--limit", "pages=", "x"), b"takes a number such as 1000 or 64MiB, not ''"),
    "a limit that is no number": (("read", "--limit", "pages=many", "x"), b"takes a number such as 1000 or 64MiB"),
    "a limit of nothing": (("read", "--limit", "pages=0", "x"), b"Limits.pages must be positive"),
    "an endless limit": (
        ("read", "--limit", "wall_seconds=inf", "x"),
        b"Limits.wall_seconds must be positive and finite",
    ),
    "a limit too small to start": (("read", "--limit", "heap_bytes=1", "x"), b"what a worker needs to start"),
    "a fraction of a page": (("read", "--limit", "pages=1.5", "x"), b"takes a number such as"),
    "no such option": (("read", "--option", "speed=9", "x"), b"there is no option 'speed'; the options are password"),
    "an option the kind has not": (
        ("read", "--kind", "pdf", "--option", "charset=utf-8", "x"),
        b"kind pdf has no option charset; it has attachments, engine, password",
    ),
    "an option no kind has": (
        ("read", "--option", "engine=quick", "x"),
        b"there is no engine 'quick' here; there is auto, pdfium, pdfminer",
    ),
    "a switch that is none": (("read", "--option", "lenient=yes", "x"), b"lenient takes true or false, not 'yes'"),
    "no workers": (("read", "--workers", "0", "x"), b"takes a whole number from 1, not '0'"),
    "workers that are no number": (("read", "--workers", "two", "x"), b"takes a whole number from 1, not 'two'"),
    "no such layer": (
        ("read", "--require", "magic", "x"),
        b"require names what does not exist: magic; the names are process",
    ),
    "standard input twice": (("read", "-", "-"), b"name it once"),
    "an abbreviation": (("read", "--form", "json", "x"), b"unrecognized arguments"),
    "no such layer for doctor": (("doctor", "--require", "magic"), b"require names what does not exist"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told_and_exits_with_2(run: Run, mistake: str) -> None:
    arguments, said = MISTAKES[mistake]
    ran = run(*arguments)
    assert ran.returncode == 2
    assert said in ran.stderr
    assert b"--help" in ran.stderr
    assert ran.stdout == b""
    assert b"Traceback" not in ran.stderr


def test_a_mistake_is_quoted_safely(run: Run) -> None:
    ran = run("read", "--kind", "\x1b[31m\nred", "x")
    assert b"\x1b" not in ran.stderr
    assert rb"\x1b[31m\nred" in ran.stderr


COMMANDS = ("read", "ingest", "search", "kinds", "doctor", "fuzz")
"""In the order in which people meet them."""


@pytest.mark.parametrize("command", COMMANDS)
def test_an_unknown_argument_points_to_the_help_of_the_command(run: Run, command: str) -> None:
    given = {"read": ("x",), "ingest": ("x", "--index", "i"), "search": ("x", "--index", "i")}.get(command, ())
    ran = run(command, *given, "--flux")
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert b"unrecognized arguments: --flux" in ran.stderr
    assert f"`fumehood {command} --help`".encode() in ran.stderr


def test_a_word_to_leave_out_is_told_how_to_be_written(run: Run) -> None:
    for arguments in (("harbour", "-draft", "--index", "i"), ("harbour", "--index", "i", "--", "-draft")):
        ran = run("search", *arguments)
        assert ran.returncode == 2
        assert b"quote them all, as in 'harbour -draft', or put -- before the first of them" in ran.stderr
    for way in (("harbour -draft", "--index", "i"), ("--index", "i", "--", "harbour", "-draft")):
        assert b"there is none" in run("search", *way).stderr  # As it says: understood, up to the index.


def test_a_file_whose_name_begins_with_a_dash_is_told_how_to_be_written(run: Run) -> None:
    assert b"is given as ./-name" in run("read", "notes.md", "-notes.md").stderr


def test_commands_are_listed_as_people_meet_them(run: Run) -> None:
    lines = run("--help").stdout.decode().splitlines()
    assert tuple(line.split()[0] for line in lines if line.startswith("    ")) == COMMANDS


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("read", "docs/reading.md#limits has the defaults"),
        ("read", "Limits() if left out"),
        ("ingest", f"(default: {DEFAULT_NAMESPACE})"),
        ("search", "all if left out"),
        ("fuzz", "(default: mutate)"),
        *((command, "130 after Ctrl-C, 141 if the output is closed") for command in COMMANDS if command != "kinds"),
    ],
)
def test_help_says_defaults_and_how_signals_end_it(run: Run, command: str, said: str) -> None:
    assert said in " ".join(run(command, "--help").stdout.decode().split())


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_the_terminal(run: Run, command: str) -> None:
    ran = run(*command.split(), "--help")
    assert ran.returncode == 0
    assert ran.stderr == b""
    assert max(map(len, ran.stdout.decode().splitlines())) <= 80


def test_help_names_every_limit(run: Run) -> None:
    said = run("read", "--help").stdout.decode()
    assert all(name in said for name in LIMIT_NAMES)


def test_version(run: Run) -> None:
    assert run("--version").stdout.decode() == f"fumehood {version('fumehood')}\n"


def test_the_command_is_installed() -> None:
    (command,) = entry_points(group="console_scripts", name="fumehood")
    assert command.value == "fumehood.cli:main"
    loaded = subprocess.run([sys.executable, "-c", f"from {command.module} import {command.attr}"], capture_output=True)
    assert loaded.returncode == 0
