"""The registry: names, hints, and what a kind from outside may be called."""

from __future__ import annotations

from typing import Any

import pytest

from fumehood import Kind, ReadOptions, kinds, register


@pytest.fixture(autouse=True)
def _as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinds, "_registry", dict(kinds._registry))


def test_a_kind_nobody_knows_is_answered_with_the_list() -> None:
    with pytest.raises(ValueError, match=r"'dox'.*auto, .*json"):
        kinds.get("dox")


@pytest.mark.parametrize("name", ["", "auto", "Upper", "with space", "x" * 41, "../x", "ä"])
def test_a_name_that_could_confuse_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="name"):
        register(Kind(name, "module"))


@pytest.mark.parametrize("module", ["", "a b", "a/b", ".a", "os;"])
def test_a_module_is_a_dotted_name(module: str) -> None:
    with pytest.raises(ValueError, match="dotted name"):
        register(Kind("mine", module))


def test_an_option_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="colour"):
        register(Kind("mine", "module", options=frozenset({"colour"})))


@pytest.mark.parametrize(
    "fields",
    [
        {"module": 5},
        {"extensions": "tide"},
        {"media_types": "text/x-tide"},
        {"version": "2"},
        {"version": True},
        {"specimen": "text"},
        {"options": "charset"},
        {"engines": "mine"},
        {"chunker": None},
    ],
    ids=str,
)
def test_a_field_of_the_wrong_type_is_told_when_the_kind_is_registered(fields: dict[str, Any]) -> None:
    """Else it would be a file name that is no hint, or a zygote that does not start."""
    (field,) = fields
    with pytest.raises(TypeError, match=f"kind mine: .*{field}"):
        register(Kind(**({"name": "mine", "module": "module"} | fields)))


def test_only_a_kind_is_registered() -> None:
    with pytest.raises(TypeError, match="takes a Kind, not str"):
        register("mine")  # type: ignore[arg-type]


@pytest.mark.parametrize("hints", [{"extensions": (".tide",)}, {"extensions": ("TIDE",)}, {"media_types": ("Text/X",)}])
def test_a_hint_that_no_file_matches_is_refused(hints: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="lower case, without a dot"):
        register(Kind("mine", "module", **hints))


def test_lists_and_sets_will_do_for_a_kinds_hints() -> None:
    own = register(Kind("mine", "module", extensions=["tide"], options={"charset"}))  # type: ignore[arg-type]
    assert own.extensions == ("tide",)
    assert own.options == frozenset({"charset"})


def test_a_kind_from_outside_has_a_zygote_of_its_own_and_wins_over_an_earlier_one() -> None:
    register(Kind("text", "mine", family="plain", extensions=("txt",)))
    assert kinds.get("text").family == "kind:text"
    assert kinds.by_extension("a.txt") == kinds.get("text")
    assert all(kind.family == "plain" for kind in kinds.of_family("plain"))


def test_a_specimen_is_small() -> None:
    register(Kind("mine", "module", specimen=bytes(kinds.MAX_SPECIMEN)))
    with pytest.raises(ValueError, match="131,073 bytes"):
        register(Kind("mine", "module", specimen=bytes(kinds.MAX_SPECIMEN + 1)))


def test_the_last_kind_registered_wins_an_extension() -> None:
    register(Kind("one", "module", extensions=("x-y",)))
    register(Kind("two", "module", extensions=("x-y",)))
    register(Kind("one", "module", extensions=("x-y",)))
    assert kinds.by_extension("a.x-y") == kinds.get("one")


def test_a_kind_can_be_registered_for_a_while() -> None:
    before = kinds.kinds()
    with kinds.registered(Kind("text", "mine", extensions=("txt",))) as own:
        assert kinds.get("text") == own
        assert kinds.by_extension("a.txt") == own
    assert kinds.kinds() == before
    assert kinds.by_extension("a.txt") == kinds.get("text")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.pdf", "pdf"),
        ("A.PDF", "pdf"),
        ("x.tar.csv", "csv"),
        ("main.py", "text"),
        ("Makefile.mk", "text"),
        ("a.ndjson", "jsonl"),
        ("a.yml", "yaml"),
        ("noextension", None),
        (".pdf", None),
        ("a.", None),
        ("a.xyz", None),
        ("", None),
    ],
)
def test_a_file_name_is_a_hint(name: str, kind: str | None) -> None:
    found = kinds.by_extension(name)
    assert (found.name if found else None) == kind


def test_options_that_were_chosen_are_told_from_defaults() -> None:
    options = ReadOptions(password="", lenient=True)
    assert options.chosen() == {"password", "lenient"}
    assert options.only(frozenset({"lenient"})) == ReadOptions(lenient=True)


@pytest.mark.parametrize("kind", kinds.kinds(), ids=lambda kind: kind.name)
def test_every_kind_is_complete(kind: Kind) -> None:
    assert kind.specimen or kind.family.startswith("kind:")
    assert kind.version >= 1
    assert not set(kind.options) - set(kinds.OPTION_NAMES)
    assert ("engine" in kind.options) == bool(kind.engines)


def test_with_attachments_one_family_holds_every_built_in_kind() -> None:
    wanted = ReadOptions(attachments=True)
    assert kinds.family_of(kinds.get("text"), ReadOptions()) == kinds.PLAIN
    assert kinds.family_of(kinds.get("pdf"), wanted) == kinds.ATTACHMENTS
    outside = Kind("text", "mine", family="kind:text", options=frozenset({"attachments"}))
    assert kinds.family_of(outside, wanted) == "kind:text"
    assert {kind.name for kind in kinds.of_family(kinds.ATTACHMENTS)} >= {"text", "pdf", "docx", "csv"}


def test_a_media_type_suggests_a_kind() -> None:
    assert kinds.by_media_type("Application/PDF") == kinds.get("pdf")
    assert kinds.by_media_type("application/octet-stream") is None
