"""Whatever a loader raises becomes a refusal, with nothing of what it said."""

from __future__ import annotations

import time

import children
import pytest

from fumehood import Kind, Limits, Locator, Notice, Reader, ReadOptions, Refusal, kinds, read_isolated
from fumehood.fuzz import mail_files
from fumehood.sandbox import loading, worker

OBEDIENT = Kind("obedient", "obedient", specimen=b"say x")


def code(order: bytes) -> str:
    with pytest.raises(Refusal) as caught:
        loading.load(OBEDIENT, order, Limits(), ReadOptions())
    assert "secret" not in repr(caught.value.to_dict())
    assert caught.value.__cause__ is None
    return caught.value.code


@pytest.mark.parametrize(
    ("order", "wanted"),
    [
        (b"raise ValueError", "malformed"),
        (b"raise MemoryError", "memory"),
        (b"raise RecursionError", "nesting"),
        (b"raise SystemExit", "malformed"),
        (b"recurse", "nesting"),
        (b"refuse scanned", "scanned"),
        (b"\xff", "malformed"),
        (b"spend pages 5001", "pages"),
    ],
)
def test_what_a_loader_raises(order: bytes, wanted: str) -> None:
    assert code(order) == wanted


def test_a_memory_error_in_disguise_is_still_one() -> None:
    """lxml, for one, turns it into a syntax error and keeps it as the context."""

    def disguised() -> None:
        try:
            raise MemoryError
        except MemoryError:
            raise SyntaxError("unknown error") from None

    from fumehood.limits.budget import Budget

    with pytest.raises(Refusal) as caught:
        loading.guarded(disguised, Budget(Limits()))
    assert caught.value.code == "memory"


def test_a_refusal_that_a_parser_wrapped_is_found_again() -> None:
    from fumehood.errors import refusal
    from fumehood.limits.budget import Budget

    def wrapped() -> None:
        try:
            raise refusal("nodes", limit="nodes", bound=1, observed=2)
        except Refusal as error:
            raise KeyError("wrapped") from error

    with pytest.raises(Refusal) as caught:
        loading.guarded(wrapped, Budget(Limits()))
    assert caught.value.code == "nodes"


def test_ctrl_c_is_no_refusal() -> None:
    from fumehood.limits.budget import Budget

    def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        loading.guarded(interrupted, Budget(Limits()))


def test_a_module_that_is_no_loader_says_what_is_missing() -> None:
    with pytest.raises(TypeError, match=r"load\(data, out, budget, options\)"):
        loading.import_loader(Kind("no-loader", "string"))


@pytest.mark.parametrize("kind", [kind for kind in kinds.kinds() if kind.specimen], ids=lambda kind: kind.name)
def test_every_specimen_is_read(kind: Kind) -> None:
    loading.warm(kind)
    assert loading.read_in_process(kind, kind.specimen).blocks


@pytest.mark.parametrize("kind", [kind for kind in kinds.kinds() if kind.engines], ids=lambda kind: kind.name)
def test_the_registry_names_the_loaders_own_engines(kind: Kind) -> None:
    assert tuple(engine.split(" ")[0] for engine in loading.engines(kind)) == kind.engines


# ---- documents in documents --------------------------------------------------------------------------------------


def mail_with(data: bytes, name: str) -> bytes:
    return mail_files.eml(mail_files.encoded(data, b"application/octet-stream; name=" + name.encode()))


@pytest.mark.parametrize("kind", kinds.of_family(kinds.ATTACHMENTS), ids=lambda kind: kind.name)
def test_a_worker_reads_what_is_attached_whatever_its_kind(kind: Kind) -> None:
    """Behind the whole jail: nothing is opened or imported late, though the worker can read every kind."""
    data = mail_with(kind.specimen, f"a.{kind.extensions[0]}")
    document = read_isolated("eml", data, options=ReadOptions(attachments=True))
    assert [note.code for note in document.notices if note.code == "attachment-not-read"] == []
    alone = read_isolated(kind.name, kind.specimen, options=ReadOptions(attachments=True).only(kind.options))
    assert {char for char in alone.text if char.isalnum()} <= set(document.text)
    assert document.receipt is not None
    assert document.receipt.loader == "fumehood.loaders.eml"


def test_a_cap_that_is_shared_is_passed_by_all_together() -> None:
    rows = b"a,b\n" + b"1,2\n" * 40
    part = mail_files.encoded(rows, b"text/csv; name=a.csv")
    two = mail_files.eml(mail_files.multipart(b"mixed", part, part))
    options = ReadOptions(attachments=True)
    assert read_isolated("eml", two, options=options, limits=Limits(table_cells=170)).text.count("| 1 | 2 |") == 80
    with pytest.raises(Refusal) as caught:
        read_isolated("eml", two, options=options, limits=Limits(table_cells=120))
    assert (caught.value.code, caught.value.bound) == ("table-cells", 120)


def test_the_same_bytes_without_the_option_are_a_notice() -> None:
    document = read_isolated("eml", mail_with(b"a,b\n1,2\n", "a.csv"))
    assert document.notices == (Notice("attachment-not-read", Locator(path="1"), "csv"),)


@pytest.mark.anyio
async def test_its_zygote_is_started_when_it_is_first_asked_for(anyio_backend: str) -> None:
    data = mail_with(b"a,b\n1,2\n", "a.csv")
    async with Reader(workers=1) as reader:
        await reader.read("eml", data)
        assert kinds.ATTACHMENTS not in {process.family for process in reader.processes()}
        document = await reader.read("auto", data, options=ReadOptions(attachments=True))
        assert "| 1 | 2 |" in document.text
        assert kinds.ATTACHMENTS in {process.family for process in reader.processes()}


def test_a_kind_from_outside_has_no_other_kind_beside_it() -> None:
    outside = Kind("mine", "fumehood.loaders.eml", family="kind:mine", options=frozenset({"attachments"}))
    document = loading.read_in_process(
        outside, mail_with(b"a,b\n1,2\n", "a.csv"), options=ReadOptions(attachments=True)
    )
    assert [note.code for note in document.notices] == ["attachment-not-read"]


def test_a_rehearsal_leaves_specialised_code_behind() -> None:
    """Workers are forked from an interpreter that has read: what it learns by reading is learnt before."""
    opcodes = children.run(
        """
        import dis
        from fumehood import kinds
        from fumehood.loaders import markdown
        from fumehood.sandbox import loading, worker
        kind = kinds.get("markdown")
        loading.warm(kind)
        worker.rehearse([kind], kind.family)
        plain = [step.opname for step in dis.get_instructions(markdown.load)]
        print(plain != [step.opname for step in dis.get_instructions(markdown.load, adaptive=True)])
        """
    )
    assert opcodes == ["True"]


def test_a_specimen_that_reads_but_once_stops_no_rehearsal(monkeypatch: pytest.MonkeyPatch) -> None:
    def spent(*_: object) -> object:
        raise ValueError

    monkeypatch.setattr(loading, "read_specimen", spent)
    worker.rehearse([OBEDIENT], "kind:obedient")


def test_a_slow_specimen_is_not_rehearsed_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[float] = []

    def slow(*_: object) -> list[object]:
        reads.append(time.monotonic())
        time.sleep(worker._REHEARSAL_SECONDS)
        return []

    monkeypatch.setattr(loading, "read_specimen", slow)
    worker.rehearse([OBEDIENT], "kind:obedient")
    assert len(reads) == 1
