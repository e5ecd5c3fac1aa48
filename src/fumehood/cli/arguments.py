"""The arguments of every command, checked before anything starts."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, NoReturn, TypeVar

from fumehood import kinds
from fumehood.cli import exits, streams, values
from fumehood.document import ROLES
from fumehood.hygiene import printable
from fumehood.kinds import AUTO, OPTION_NAMES, ReadOptions
from fumehood.limits.policy import LIMIT_NAMES, Limits
from fumehood.sandbox.layers import DEFAULT_REQUIRE, REQUIREMENTS
from fumehood.version import VERSION

_LINE: Final = 78

_Value = TypeVar("_Value")


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Exits with 2. The message may quote the command line, so it is made safe to print."""
        self.exit(exits.WRONG_USAGE, f"fumehood: {printable(message)}\n`{self.prog} --help` lists what there is.\n")


class _Command(_Parser):
    """One subcommand: argparse leaves what it does not know to the top, whose help says nothing of the command's."""

    def __init__(self, *, dashes: str = "", **how: Any) -> None:
        """`dashes`: what to do if an argument that begins with - was not meant as an option."""
        super().__init__(allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **how)
        self._dashes = dashes

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        chosen, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error("; ".join(filter(None, (f"unrecognized arguments: {' '.join(unknown)}", self._dashes))))
        return chosen, unknown


class _Version(argparse.Action):
    """Prints as every command does, which says so where nothing can be printed; argparse would keep silent."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        streams.put_text(f"fumehood {VERSION}")
        parser.exit(exits.DONE)


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line. What it parses has `run`, a function of it that returns the exit code."""
    top = _Parser(
        prog="fumehood",
        description="Reads documents that strangers sent, each in a sandboxed process of its own.",
        allow_abbrev=False,
    )
    top.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands = top.add_subparsers(metavar="COMMAND", required=True, parser_class=_Command)
    _add_read(commands)
    _add_ingest(commands)
    _add_search(commands)
    _add_kinds(commands)
    _add_doctor(commands)
    _add_fuzz(commands)
    return top


_NAME_WITH_DASH: Final = "a file whose name begins with - is given as ./-name"


def _add_read(commands: Any) -> None:
    read = commands.add_parser(
        "read",
        help="print what documents say",
        description="Reads each FILE in a process of its own and prints its text.",
        epilog=_reading_epilog(),
        dashes=_NAME_WITH_DASH,
    )
    read.add_argument("files", metavar="FILE", nargs="+", help="a document; - is standard input")
    read.add_argument(
        "--format",
        choices=("markdown", "json", "text"),
        default="markdown",
        help="markdown: the whole text (default); text: only what is visible; json: one object a line for each file",
    )
    read.add_argument(
        "--chunks", action="store_true", help="print chunks for retrieval instead, one object a line for each"
    )
    _add_reading(read)
    read.set_defaults(run=_read, parser=read)


def _add_reading(command: argparse.ArgumentParser) -> None:
    """How documents are read and chunked, whatever becomes of them."""
    command.add_argument(
        "--kind", default=AUTO, help="what they are, a name of `fumehood kinds`; found by content if left out"
    )
    command.add_argument("--strategy", metavar="NAME", help="how to chunk; the one that suits the kind if left out")
    command.add_argument(
        "--preset", choices=sorted(values.PRESETS), help="the limits to start from; Limits() if left out"
    )
    command.add_argument(
        "--limit",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="what one document may cost; docs/reading.md#limits has the defaults and presets",
    )
    command.add_argument("--option", metavar="NAME=VALUE", action="append", default=[], help="how to read it")
    command.add_argument("--workers", metavar="N", help="how many are read at once; one for each processor if left out")
    _add_require(command)
    _add_register(command)


_SIGNALS: Final = (
    f"  {exits.INTERRUPTED} after Ctrl-C, {exits.NOBODY_LISTENS} if the output is closed: 128 and the signal's number"
)


def _reading_epilog() -> str:
    def listed(heading: str, names: Sequence[str]) -> str:
        return textwrap.fill(f"{heading}: {' '.join(names)}", _LINE, subsequent_indent="  ", break_on_hyphens=False)

    return "\n".join(
        (
            listed("limits", LIMIT_NAMES),
            "  numbers; sizes take KiB, MiB and GiB, as in --limit input_bytes=8MiB",
            listed("options", OPTION_NAMES),
            "  as in --option lenient=true; a password given so is seen by others here",
            listed("what --require takes", REQUIREMENTS),
            "exit code: 0 all read, 1 a file was refused or could not be opened,",
            "  2 wrong usage, 3 the sandbox is not available",
            _SIGNALS,
        )
    )


def _add_kinds(commands: Any) -> None:
    shown = commands.add_parser(
        "kinds",
        help="list the kinds of documents",
        description="Lists the kinds of documents that can be read.",
    )
    shown.add_argument("--json", action="store_true", help="one array, for programs")
    _add_register(shown)
    shown.set_defaults(run=_kinds, parser=shown)


def _add_doctor(commands: Any) -> None:
    doctor = commands.add_parser(
        "doctor",
        help="try every layer of the sandbox",
        description="Tries every layer of the sandbox on this machine and says what holds,\n"
        "what does not, and how to get it.",
        epilog=f"exit code: 0 what is required holds, 2 wrong usage, 3 it does not hold\n{_SIGNALS}",
    )
    doctor.add_argument("--json", action="store_true", help="one object, for programs")
    _add_require(doctor)
    doctor.set_defaults(run=_doctor, parser=doctor)


def _add_search(commands: Any) -> None:
    search = commands.add_parser(
        "search",
        help="find text in an index",
        description="Prints what an index knows of QUERY, the best first.",
        epilog=_SEARCH_EPILOG,
        dashes="to leave a word out, quote them all, as in 'harbour -draft', or put -- before the first of them",
    )
    search.add_argument("query", metavar="QUERY", nargs="+", help="words; see below")
    search.add_argument("--index", metavar="FILE", required=True, help="an index that `fumehood ingest` made")
    search.add_argument("--kind", help="only documents of this kind")
    search.add_argument("--namespace", help="only sources of this namespace; all if left out")
    search.add_argument("--source", metavar="PREFIX", help="only sources whose name begins so")
    search.add_argument("--role", choices=ROLES, metavar="ROLE", help=f"only chunks that hold one: {' '.join(ROLES)}")
    search.add_argument("--where", metavar="KEY=VALUE", action="append", default=[], help="only with this metadata")
    search.add_argument("--since", metavar="DATE", help="only modified then or later: 2024, 2024-05, 2024-05-31")
    search.add_argument("--until", metavar="DATE", help="only modified then or earlier")
    search.add_argument("--hidden", action="store_true", help="also text that a reader of the document does not see")
    search.add_argument("--limit", metavar="N", default="10", help="how many hits; 10 if left out")
    search.add_argument("--offset", metavar="N", default="0", help="how many hits to pass over; 0 if left out")
    search.add_argument("--json", action="store_true", help="one object a line for each hit")
    search.set_defaults(run=_search, parser=search)


_SEARCH_EPILOG: Final = f"""\
two words: both of them    "two words": the phrase    word*: how a word begins
OR, NOT (also -word), ( ), NEAR/5: in capitals
-word needs quotes around all words, 'harbour -draft', or -- before the first
exit code: 0 searched, 1 the index cannot be read, 2 wrong usage
{_SIGNALS}"""


def _add_fuzz(commands: Any) -> None:
    fuzz = commands.add_parser(
        "fuzz",
        help="look for documents that break a promise",
        description="Runs hostile documents through targets, and saves those that break a promise.\n"
        "What runs in-process has no jail: do not do it where anything matters.",
        epilog="exit code: 0 nothing was found, 1 something was, or a process did not start,\n"
        f"  2 wrong usage\n{_SIGNALS}",
    )
    what = fuzz.add_mutually_exclusive_group()
    what.add_argument("--kind", metavar="K", help="only the targets of this kind")
    what.add_argument("--target", metavar="T", action="append", default=[], help="only this target; may be given again")
    fuzz.add_argument("--list", action="store_true", help="list the targets and exit")
    fuzz.add_argument(
        "--engine",
        choices=("mutate", "generate", "atheris"),
        default="mutate",
        help="where inputs come from (default: mutate)",
    )
    fuzz.add_argument("--seconds", metavar="N", default="60", help="for all targets together (default: 60)")
    fuzz.add_argument("--runs", metavar="N", help="at most so many executions of each process")
    fuzz.add_argument("--jobs", metavar="N", help="processes at once; one for each processor if left out")
    fuzz.add_argument("--seed", metavar="N", default="1", help="another number, other inputs (default: 1)")
    fuzz.add_argument("--seeds", metavar="DIR", help="documents to start from, beside our own")
    fuzz.add_argument("--findings", metavar="DIR", default="findings", help="where to save them (default: findings)")
    fuzz.add_argument(
        "--import",
        metavar="MODULE",
        dest="modules",
        action="append",
        default=[],
        help="import this first: it registers kinds or strategies of yours (PYTHONPATH=. if it is not installed)",
    )
    fuzz.add_argument("--reproduce", metavar="FILE", help="run a saved finding once")
    fuzz.set_defaults(run=_fuzz, parser=fuzz)


def _add_ingest(commands: Any) -> None:
    ingest = commands.add_parser(
        "ingest",
        help="bring an index up to date with files and folders",
        description="Reads what is new or has changed under each PATH into an index,\nand prunes from it what is gone.",
        epilog=_reading_epilog(),
        dashes=_NAME_WITH_DASH,
    )
    ingest.add_argument(
        "paths", metavar="PATH", nargs="+", help="a file, or a folder with all below; - is standard input"
    )
    ingest.add_argument("--index", metavar="FILE", required=True, help="the index; made if it is not there")
    ingest.add_argument(
        "--namespace", metavar="NAME", help="a part of the index that can be searched by itself (default: default)"
    )
    ingest.add_argument(
        "--include",
        metavar="GLOB",
        action="append",
        default=[],
        help="only such files of folders: '*.pdf', 'reports/**'",
    )
    ingest.add_argument("--exclude", metavar="GLOB", action="append", default=[], help="no such files and folders")
    ingest.add_argument("--follow-links", action="store_true", help="also what symbolic links in folders point to")
    ingest.add_argument("--name", help="what standard input is called; its ending is a hint to its kind")
    ingest.add_argument("--dry-run", action="store_true", help="say what would be read and pruned, and do nothing")
    ingest.add_argument("--allow-empty", action="store_true", help="prune also where no file was found at all")
    ingest.add_argument("--json", action="store_true", help="one object a line for each file, for programs")
    ingest.add_argument("--report", metavar="FILE", help="write a page of HTML about the run")
    _add_reading(ingest)
    ingest.set_defaults(run=_ingest, parser=ingest)


def _add_require(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--require",
        metavar="NAME,...",
        help="what of the sandbox must be enforced, or none to accept any; "
        f"if left out: {', '.join(name for name in REQUIREMENTS if name in DEFAULT_REQUIRE)}",
    )


def _add_register(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--register",
        metavar="MODULE:NAME",
        action="append",
        default=[],
        help="a kind of your own: the Kind of that name in a module that can be imported here",
    )


# ---- the commands --------------------------------------------------------------------------------------


def _read(chosen: argparse.Namespace) -> int:
    command: _Parser = chosen.parser
    how = _reading(chosen)
    strategy = _checked(command, "--strategy", lambda: values.strategy_name(chosen.chunks, chosen.strategy))
    if chosen.chunks and chosen.format == "text":
        command.error("--chunks prints JSON lines; leave --format out")
    _check_standard_input(command, chosen.files)
    from fumehood.cli.read import Job, read_files
    from fumehood.cli.results import Format

    form: Format = "chunks" if chosen.chunks else chosen.format
    try:
        return read_files(
            chosen.files, Job(how.kind, form, how.limits, how.options, how.workers, how.require, strategy)
        )
    except (ImportError, TypeError, ValueError) as error:
        command.error(str(error))


def _ingest(chosen: argparse.Namespace) -> int:
    command: _Parser = chosen.parser
    how = _reading(chosen)
    strategy = _checked(command, "--strategy", lambda: values.strategy_name(True, chosen.strategy))
    _check_standard_input(command, chosen.paths)
    if chosen.name is not None and "-" not in chosen.paths:
        command.error("--name is what standard input is called; it goes with -")
    namespace = _checked(command, "--namespace", lambda: values.namespace(chosen.namespace))
    from fumehood.cli.ingest import Job, ingest_paths
    from fumehood.index import DEFAULT_NAMESPACE
    from fumehood.ingest import Patterns

    include = _checked(command, "--include", lambda: Patterns(include=tuple(chosen.include)).include)
    exclude = _checked(command, "--exclude", lambda: Patterns(exclude=tuple(chosen.exclude)).exclude)
    job = Job(
        index=chosen.index,
        namespace=DEFAULT_NAMESPACE if namespace is None else namespace,
        patterns=Patterns(include, exclude),
        follow_links=chosen.follow_links,
        name=chosen.name,
        kind=how.kind,
        limits=how.limits,
        options=how.options,
        workers=how.workers,
        require=how.require,
        strategy=strategy,
        dry_run=chosen.dry_run,
        allow_empty=chosen.allow_empty,
        json=chosen.json,
        report=chosen.report,
    )
    try:
        return ingest_paths(chosen.paths, job)
    except (ImportError, TypeError, ValueError) as error:
        command.error(str(error))


def _kinds(chosen: argparse.Namespace) -> int:
    _register(chosen)
    from fumehood.cli.kinds import show_kinds

    return show_kinds(json=chosen.json)


def _register(chosen: argparse.Namespace) -> None:
    """First of all, since other arguments may name what is registered."""
    if chosen.register:
        from fumehood.cli.outside import register_named

        _checked(chosen.parser, "--register", lambda: register_named(chosen.register))


def _doctor(chosen: argparse.Namespace) -> int:
    require = _checked(chosen.parser, "--require", lambda: values.requirements(chosen.require))
    from fumehood.cli.doctor import examine

    return examine(require, json=chosen.json)


def _search(chosen: argparse.Namespace) -> int:
    command: _Parser = chosen.parser
    where = _checked(command, "--where", lambda: dict(map(values.pair, chosen.where)))
    limit = _checked(command, "--limit", lambda: values.whole_number(chosen.limit, 1))
    offset = _checked(command, "--offset", lambda: values.whole_number(chosen.offset, 0))
    if chosen.kind is not None:
        _checked(command, "--kind", lambda: kinds.get(chosen.kind))
    namespace = _checked(command, "--namespace", lambda: values.namespace(chosen.namespace))
    from fumehood.cli.search import Question, search_index
    from fumehood.index.model import Filters

    filters = Filters(
        kind=chosen.kind,
        namespace=namespace,
        source_prefix=chosen.source,
        role=chosen.role,
        metadata=where,
        since=chosen.since,
        until=chosen.until,
        hidden=chosen.hidden,
    )
    try:
        question = Question(" ".join(chosen.query), filters, limit, offset)
        return search_index(chosen.index, question, json=chosen.json)
    except ValueError as error:
        command.error(str(error))


def _fuzz(chosen: argparse.Namespace) -> int:
    command: _Parser = chosen.parser
    seconds = _checked(command, "--seconds", lambda: values.whole_number(chosen.seconds, 1))
    runs = _checked(command, "--runs", lambda: None if chosen.runs is None else values.whole_number(chosen.runs, 1))
    jobs = _checked(command, "--jobs", lambda: None if chosen.jobs is None else values.whole_number(chosen.jobs, 1))
    seed = _checked(command, "--seed", lambda: values.whole_number(chosen.seed, 0))
    from fumehood.cli import fuzz

    try:
        if chosen.reproduce is not None:
            return fuzz.reproduce(chosen.reproduce, chosen.target, chosen.modules)
        if chosen.list:
            return fuzz.list_targets(chosen.modules)
        return fuzz.explore(
            chosen.kind,
            chosen.target,
            chosen.engine,
            seconds=seconds,
            runs=runs,
            jobs=jobs,
            seed=seed,
            seeds=chosen.seeds,
            findings=chosen.findings,
            modules=chosen.modules,
        )
    except (ImportError, ValueError) as error:
        command.error(str(error))


# ---- the values of arguments ---------------------------------------------------------------------------


class _Reading(NamedTuple):
    """How documents are read, checked."""

    kind: str
    limits: Limits
    options: ReadOptions
    workers: int | None
    require: frozenset[str]


def _reading(chosen: argparse.Namespace) -> _Reading:
    command: _Parser = chosen.parser
    _register(chosen)
    kind = _checked(command, "--kind", lambda: values.kind_name(chosen.kind))
    return _Reading(
        kind,
        _checked(command, "--limit", lambda: values.limits_from(chosen.preset, chosen.limit)),
        _checked(command, "--option", lambda: values.options_from(kind, chosen.option)),
        _checked(command, "--workers", lambda: values.workers_count(chosen.workers)),
        _checked(command, "--require", lambda: values.requirements(chosen.require)),
    )


def _check_standard_input(command: _Parser, names: Sequence[str]) -> None:
    if names.count("-") > 1:
        command.error("- is standard input, which can be read once; name it once")


def _checked(command: _Parser, argument: str, parse: Callable[[], _Value]) -> _Value:
    """Ends the command with a message that names the argument, where `parse` raises `TypeError` or `ValueError`."""
    try:
        return parse()
    except (TypeError, ValueError) as error:
        command.error(f"{argument}: {error}")
