"""The command line: `fumehood read`, `fumehood kinds`, `fumehood doctor`.

Only what every command needs is imported here; each command imports the rest when it runs, so that
`--help` and `--version` answer at once.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

from fumehood import kinds
from fumehood.hygiene import printable
from fumehood.kinds import AUTO, OPTION_NAMES, ReadOptions
from fumehood.limits.policy import LIMIT_NAMES, Limits, parse_limit
from fumehood.sandbox.layers import DEFAULT_REQUIRE, REQUIREMENTS, check_requirements

if TYPE_CHECKING:
    from fumehood.cli_read import Format

ALL_READ: Final = 0
SOME_REFUSED: Final = 1
WRONG_USAGE: Final = 2
NO_SANDBOX: Final = 3
INTERRUPTED: Final = 130
"""What a shell reports for a command that SIGINT ended: 128 and the signal's number."""

_SWITCHES: Final = ("attachments", "lenient")
_PRESETS: Final = {"strict": Limits.strict, "generous": Limits.generous}
_LINE: Final = 78

_Value = TypeVar("_Value")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code: 0 all read, 1 something refused or unreadable, 2 wrong usage, 3 no sandbox.

    Wrong usage exits the process with 2, as argparse does.
    """
    _open_standard_descriptors()
    try:
        chosen = _parser().parse_args(arguments)
        code: int = chosen.run(chosen)
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _open_standard_descriptors() -> None:
    """Fills 0 to 2 where they are closed: the next file opened would get such a number, and be taken for output."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(descriptor)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Exits with 2. The message may quote the command line, so it is made safe to print."""
        self.exit(WRONG_USAGE, f"fumehood: {printable(message)}\n`{self.prog} --help` lists what there is.\n")


class _Version(argparse.Action):
    """Looks the version up only when asked: the package's metadata is a file to be found and parsed."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        from importlib.metadata import version

        parser.exit(ALL_READ, f"fumehood {version('fumehood')}\n")


# ---- the parsers ---------------------------------------------------------------------------------------


def _parser() -> _Parser:
    parser = _Parser(
        prog="fumehood",
        description="Reads documents that strangers sent, each in a sandboxed process of its own.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    _add_read(commands)
    _add_kinds(commands)
    _add_doctor(commands)
    return parser


def _add_read(commands: Any) -> None:
    parser = commands.add_parser(
        "read",
        help="print what documents say",
        description="Reads each FILE in a process of its own and prints its text.",
        epilog=_read_epilog(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="a document; - is standard input")
    parser.add_argument("--kind", default=AUTO, help="what they are, a name of `fumehood kinds`; found by content if left out")
    parser.add_argument(
        "--format",
        choices=("markdown", "json", "text"),
        default="markdown",
        help="markdown: the whole text (default); text: only what is visible; json: one object a line for each file",
    )
    parser.add_argument("--preset", choices=sorted(_PRESETS), help="other limits to start from")
    parser.add_argument("--limit", metavar="NAME=VALUE", action="append", default=[], help="what one document may cost")
    parser.add_argument("--option", metavar="NAME=VALUE", action="append", default=[], help="how to read it")
    parser.add_argument("--workers", metavar="N", help="how many are read at once; one for each processor if left out")
    _add_require(parser)
    parser.set_defaults(run=_read, parser=parser)


def _add_kinds(commands: Any) -> None:
    parser = commands.add_parser(
        "kinds", help="list the kinds of documents", description="Lists the kinds of documents that can be read.", allow_abbrev=False
    )
    parser.add_argument("--json", action="store_true", help="one array, for programs")
    parser.set_defaults(run=_kinds)


def _add_doctor(commands: Any) -> None:
    parser = commands.add_parser(
        "doctor",
        help="try every layer of the sandbox and say what holds",
        description="Tries every layer of the sandbox on this machine and says what holds, what does not, and how to get it.",
        allow_abbrev=False,
    )
    parser.add_argument("--json", action="store_true", help="one object, for programs")
    _add_require(parser)
    parser.set_defaults(run=_doctor, parser=parser)


def _add_require(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--require",
        metavar="NAME,...",
        help=f"what of the sandbox must be enforced, or none to accept any (default: {','.join(sorted(DEFAULT_REQUIRE))})",
    )


def _read_epilog() -> str:
    import textwrap

    def listed(heading: str, names: Sequence[str]) -> str:
        return textwrap.fill(f"{heading}: {' '.join(names)}", _LINE, subsequent_indent="  ", break_on_hyphens=False)

    return "\n".join(
        (
            listed("limits", LIMIT_NAMES),
            "  whole numbers; sizes take KiB, MiB, GiB: --limit input_bytes=8MiB",
            listed("options", OPTION_NAMES),
            "  --option lenient=true; a password on the command line is seen by others here",
            listed("layers", REQUIREMENTS),
            "exit code: 0 all read, 1 a file was refused or could not be opened,",
            "  2 wrong usage, 3 the sandbox is not available",
        )
    )


# ---- the commands --------------------------------------------------------------------------------------


def _read(chosen: argparse.Namespace) -> int:
    parser: _Parser = chosen.parser
    kind = _checked(parser, "--kind", lambda: _kind(chosen.kind))
    limits = _checked(parser, "--limit", lambda: _limits(chosen.preset, chosen.limit))
    options = _checked(parser, "--option", lambda: _options(kind, chosen.option))
    workers = _checked(parser, "--workers", lambda: _count(chosen.workers))
    require = _require(parser, chosen.require)
    if chosen.files.count("-") > 1:
        parser.error("- is standard input, which can be read once; name it once")
    from fumehood.cli_read import Job, read_files

    form: Format = chosen.format
    try:
        return read_files(chosen.files, Job(kind, form, limits, options, workers, require))
    except (TypeError, ValueError) as error:
        parser.error(str(error))


def _kinds(chosen: argparse.Namespace) -> int:
    from fumehood.cli_kinds import show_kinds

    return show_kinds(json=chosen.json)


def _doctor(chosen: argparse.Namespace) -> int:
    require = _require(chosen.parser, chosen.require)
    from fumehood.cli_doctor import examine

    return examine(require, json=chosen.json)


# ---- the values of arguments ---------------------------------------------------------------------------


def _checked(parser: _Parser, argument: str, parse: Callable[[], _Value]) -> _Value:
    """Raises `SystemExit` with a message that names the argument, where `parse` raises `ValueError` or `TypeError`."""
    try:
        return parse()
    except (TypeError, ValueError) as error:
        parser.error(f"{argument}: {error}")


def _kind(name: str) -> str:
    return name if name == AUTO else kinds.get(name).name


def _limits(preset: str | None, pairs: Sequence[str]) -> Limits:
    limits = _PRESETS[preset]() if preset else Limits()
    return limits.replace(**{name: parse_limit(name, value) for name, value in map(_pair, pairs)})


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise ValueError(f"takes NAME=VALUE, not {text!r}")
    return name, value


def _options(kind: str, pairs: Sequence[str]) -> ReadOptions:
    values: dict[str, Any] = {}
    for name, text in map(_pair, pairs):
        if name not in OPTION_NAMES:
            raise ValueError(f"there is no option {name!r}; the options are {', '.join(OPTION_NAMES)}")
        values[name] = _switch(name, text) if name in _SWITCHES else text
    options = ReadOptions(**values)
    _check_against_kinds(kind, options)
    return options


def _switch(name: str, text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError(f"{name} takes true or false, not {text!r}")
    return text == "true"


def _check_against_kinds(kind: str, options: ReadOptions) -> None:
    """For `auto`, where each document decides which options it takes, some kind must have each of them."""
    able = kinds.kinds() if kind == AUTO else (kinds.get(kind),)
    has = frozenset[str]().union(*(each.options for each in able))
    engines = {engine for each in able for engine in each.engines}
    unknown = sorted(options.chosen() - has)
    if unknown:
        raise ValueError(f"kind {kind} has no option {', '.join(unknown)}; it has {', '.join(sorted(has)) or 'none'}")
    if options.engine is not None and options.engine not in engines:
        raise ValueError(f"kind {kind} has no engine {options.engine!r}; it has {', '.join(sorted(engines))}")


def _count(text: str | None) -> int | None:
    if text is None:
        return None
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise ValueError(f"takes a whole number from 1, not {text!r}")
    return int(text)


def _require(parser: _Parser, text: str | None) -> frozenset[str]:
    if text is None:
        return DEFAULT_REQUIRE
    if text == "none":
        return frozenset()
    return _checked(parser, "--require", lambda: check_requirements(name for name in text.split(",") if name))
