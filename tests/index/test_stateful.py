"""Whatever is done in whatever order, an index answers like a dictionary of documents."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from fumehood.errors import refusal
from fumehood.index import Filters, SQLiteIndex

from .conftest import document

WORDS = ("alpha", "beta", "café", "東京", "ﬁn", "don't")
NAMES = st.sampled_from(["a", "a/1", "a/2", "b/\udcff", "東"])
SPACES = st.sampled_from(["default", "other"])
TEXTS = st.lists(st.sampled_from(WORDS), max_size=4).map(
    lambda said: "\n\n".join(f"# {word}\n\n{word}" for word in said)
)


class IndexMachine(RuleBasedStateMachine):
    """The model: (namespace, source) -> text, or None for a refusal."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.model: dict[tuple[str, str], str | None] = {}

    @initialize()
    def open(self) -> None:
        self.index = SQLiteIndex(Path(self.folder.name, "index.sqlite"))

    def teardown(self) -> None:
        if hasattr(self, "index"):
            problems = self.index.verify()
            self.index.close()
            self.folder.cleanup()
            assert problems == ()

    @rule(name=NAMES, space=SPACES, text=TEXTS)
    def replace(self, name: str, space: str, text: str) -> None:
        self.index.replace(name, *document(text), namespace=space, metadata={"size": len(text)})
        self.model[space, name] = text

    @rule(name=NAMES, space=SPACES)
    def refuse(self, name: str, space: str) -> None:
        self.index.refuse(name, refusal("malformed"), namespace=space)
        self.model[space, name] = None

    @rule(name=NAMES, space=SPACES)
    def remove(self, name: str, space: str) -> None:
        assert self.index.remove(name, namespace=space) == ((space, name) in self.model)
        self.model.pop((space, name), None)

    @rule(space=SPACES)
    def clear(self, space: str) -> None:
        gone = [key for key in self.model if key[0] == space]
        assert self.index.clear(namespace=space) == len(gone)
        for key in gone:
            del self.model[key]

    @rule(space=SPACES, seen=st.sets(NAMES, min_size=1), scope=st.sampled_from(["", "a", "b"]))
    def prune(self, space: str, seen: set[str], scope: str) -> None:
        gone = [
            key
            for key in self.model
            if key[0] == space and key[1] not in seen and (scope == "" or f"{key[1]}/".startswith(f"{scope}/"))
        ]
        with self.index.run(namespace=space, scopes=[scope]) as run:
            for name in seen:
                run.saw(name)
            assert sorted(run.gone()) == sorted(name for _, name in gone)
            assert run.prune() == len(gone)
        for key in gone:
            del self.model[key]

    @rule(
        writes=st.lists(st.tuples(NAMES, SPACES, TEXTS | st.none(), st.booleans()), max_size=6),
        undone=st.booleans(),
    )
    def together(self, writes: list[tuple[str, str, str | None, bool]], undone: bool) -> None:
        """Of each: what is replaced, or removed if there is no text, and whether that fails at its end."""
        before = dict(self.model)
        with contextlib.suppress(LookupError), self.index.together():
            for name, space, text, fails in writes:
                was = dict(self.model)
                with contextlib.suppress(LookupError), self.index.together():
                    self.remove(name, space) if text is None else self.replace(name, space, text)
                    if fails:
                        self.model = was
                        raise LookupError
            if undone:
                self.model = before
                raise LookupError

    @rule()
    def close_and_open(self) -> None:
        self.index.close()
        self.open()

    @rule(word=st.sampled_from(WORDS), space=SPACES)
    def search(self, word: str, space: str) -> None:
        hits = self.index.search(word, Filters(namespace=space), limit=1_000).hits
        found = {source.name for hit in hits for source in hit.sources}
        assert found == {name for (of, name), text in self.model.items() if of == space and text and word in text}

    @invariant()
    def the_lists_agree(self) -> None:
        if not hasattr(self, "index"):
            return
        read = {(entry.namespace, entry.source) for entry in self.index.documents()}
        refused = {(entry.namespace, entry.source) for entry in self.index.refusals()}
        assert read == {key for key, text in self.model.items() if text is not None}
        assert refused == {key for key, text in self.model.items() if text is None}
        stats = self.index.stats()
        assert stats.documents == len({text for text in self.model.values() if text is not None})
        assert (stats.sources, stats.refused) == (len(self.model), len(refused))


TestIndex = IndexMachine.TestCase
TestIndex.settings = settings(
    max_examples=15, stateful_step_count=25, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
