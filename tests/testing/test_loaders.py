"""The suite passes what is right, and says of each fault which it is and what to do about it."""

from __future__ import annotations

import importlib
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fumehood import Kind, kinds
from fumehood.testing import check_loader

OURS = [kind for kind in kinds.kinds() if kind.module.startswith("fumehood.")]

_HEAD = """
from fumehood.document import Block, Link, Locator, Notice
from fumehood.errors import Refusal
{top}

ENGINES = {{}}


def load(data, out, budget, options):
"""

Write = Callable[[str, str], Kind]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Writes a loader where workers find it: its `load`, and what stands at the top of its module."""
    monkeypatch.syspath_prepend(str(tmp_path))
    name = f"faulty_{tmp_path.name}"

    def write(load: str, top: str = "") -> Kind:
        source = _HEAD.format(top=textwrap.dedent(top)) + textwrap.indent(textwrap.dedent(load), "    ")
        (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
        importlib.invalidate_caches()
        return Kind("faulty", name, specimen=b"one two three four five six seven\nzwei\n")

    yield write
    sys.modules.pop(name, None)


def check(kind: Kind) -> None:
    check_loader(kind, count=4, most_bytes=64 * 1024)


@pytest.mark.parametrize("kind", OURS, ids=lambda kind: kind.name)
def test_our_own_loaders_conform(kind: Kind) -> None:
    check_loader(kind, count=8, most_bytes=16 * 1024)


GOOD = """
text = data.decode("utf-8", "replace")
for number, line in enumerate(text.split("\\n"), 1):
    budget.spend("nodes")
    out.paragraph(line, locator=Locator(line=number))
"""


def test_a_loader_as_the_documents_say_it_conforms(write: Write) -> None:
    kind = write(GOOD, "")
    before = kinds.kinds()
    check_loader(kind, [b"a\n\nb\n" * 30], count=20, most_bytes=32 * 1024, grow=lambda size: b"line\n" * (size // 5))
    assert kinds.kinds() == before


FAULTS: dict[str, tuple[str, str, str]] = {
    # name: what load does, what stands above it, what is said of it
    "crashes": ("import os\nif b'\\xff' in data: os.abort()\n" + GOOD, "import os", "ends as crashed.*compiled code"),
    "makes a socket": ("socket.socket()", "import socket", "ends as policy-violation.*no sockets"),
    "never ends": ("while b'\\0' in data:\n    pass\n" + GOOD, "", "ends as cpu-time.*bound every loop"),
    "takes memory": ("if b'\\xff' in data: bytearray(1 << 30)\n" + GOOD, "", "ends as memory.*larger than the input"),
    "keeps state": (
        "seen.append(1)\nif data: out.paragraph(str(len(seen)))",
        "seen = []",
        "in two ways.*keep nothing from one",
    ),
    "asks the clock": (
        "if data: out.paragraph(str(time.monotonic_ns()))",
        "import time",
        "in two ways.*neither clock nor chance",
    ),
    "relies on the order of sets": (
        "out.paragraph(' '.join(set(data.decode('latin-1').split())))",
        "",
        "in another (way in a worker|process).*sort what has no order|in another way in a worker.*sort",
    ),
    "leaves text without blocks": ("out.verbatim(data.decode('latin-1'))", "", "belongs to no block.*add a span"),
    "finds nothing": ("pass", "", "finds nothing in an honest document"),
    "counts offsets itself": (
        GOOD + "if out.blocks: out.links.append(Link(0, len(data) + 9_999, 'https://a.example'))",
        "",
        "ends as bad-reply.*Builder's methods",
    ),
    "lets blocks overlap": (
        GOOD + "if out.blocks: out.blocks.append(out.blocks[0])",
        "",
        "ends as bad-reply.*Builder's methods",
    ),
    "lets control characters through": (GOOD + "out.title = 'a\\x1b[31mb'", "", "ends as bad-reply.*Builder's methods"),
    "passes the parser's words on": (
        GOOD + "out.notices.append(Notice('repaired', None, 'x y'))",
        "",
        "bad-reply.*closed lists",
    ),
    "makes blocks of white space": (
        "text = out.verbatim(data.decode('latin-1'))\nif text: out.span(0, 1, 'paragraph')\n"
        "if len(text) > 4: out.span(3, 4, 'paragraph')",
        "",
        "a block of white space.*Builder's methods",
    ),
    "makes text of nothing": ("out.paragraph('Title')\n" + GOOD, "", "makes text of an empty input"),
    "swallows refusals": (
        "try:\n" + textwrap.indent(GOOD, "    ") + "except Exception:\n    out.notice('part-unreadable')",
        "",
        "ignored the limit nodes.*never Exception",
    ),
    "says other refusals": (
        "for piece in data.decode('latin-1').split():\n    try:\n        out.paragraph(piece)\n    except Refusal:\n"
        "        raise refusal('scanned') from None",
        "from fumehood.errors import refusal",
        "was refused for scanned, not for output_bytes",
    ),
    "adds to the Builder's lists": (
        "out.paragraph('x') if data else None\nif data: out.blocks.pop()\nif data: out.blocks.append(Block(0, 1, 'paragraph'))\n"
        "if data: out._parts.append('y' * 99)",
        "",
        "gave .* of output_bytes, of which the budget saw|bad-reply|words that no block holds",
    ),
    "inflates without counting": (
        "try:\n    more = zlib.decompress(zlib.compress(data * 9))\nexcept zlib.error:\n    more = b''\n" + GOOD,
        "import zlib",
        r"inflated [\d,]+ bytes and spent 0.*budget.inflate",
    ),
    "inflates by a decompressor without counting": (
        "more = gzip.decompress(gzip.compress(data * 9, mtime=0))\n" + GOOD,
        "import gzip",
        r"inflated [\d,]+ bytes and spent 0.*budget.inflate",
    ),
    "opens a file and hides it": (
        "try:\n    open('/usr/share/mine/words').read()\nexcept OSError:\n    pass\n" + GOOD,
        "",
        "opens or imports something while it reads: open /usr/share/mine/words.*import at the top",
    ),
    "imports late and does without": (
        "if b'\\xff' in data:\n    try:\n        import colorsys\n    except ImportError:\n        pass\n" + GOOD,
        "",
        "(in two ways|another way in a worker|opens or imports something while it reads: import colorsys).*(warm|top)",
    ),
    "uses a codec late": (
        "out.paragraph(data.decode('cp1250' if b'\\xff' in data else 'latin-1', 'replace'))",
        "",
        r"in a worker.*malformed.*warm\(\)",
    ),
    "is quadratic": (
        "text = data.decode('latin-1')\nfound = 0\nfor at in range(0, len(text), 4):\n    found += text[at:].count('\\n\\n')\n"
        + GOOD,
        "",
        "took .* s for .* bytes and .*goes over the rest again",
    ),
    "refuses what it should read": ("raise ValueError('unhappy')", "", "cannot be used in a worker.*specimen"),
    "starts a thread": (
        GOOD,
        "import threading, time\nthreading.Thread(target=time.sleep, args=(60,), daemon=True).start()",
        "cannot be used in a worker.*threads.*start no threads",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_and_said(write: Write, fault: str) -> None:
    load, top, said = FAULTS[fault]
    with pytest.raises(AssertionError, match=f"(?s)the loader of faulty .*({said})"):
        check(write(load, top))


def test_a_module_that_is_no_loader_is_said_to_be_none() -> None:
    with pytest.raises(AssertionError, match=r"(?s)is none: .*no function load.*what to do: give the module load"):
        check(Kind("faulty", "string", specimen=b"x"))


def test_a_module_that_is_not_there_is_said_to_be_missing() -> None:
    with pytest.raises(
        AssertionError, match=r"(?s)is none: ModuleNotFoundError: No module named 'no_such_module'.*on sys.path"
    ):
        check(Kind("faulty", "no_such_module", specimen=b"x"))


def test_a_module_with_a_mistake_says_which(write: Write) -> None:
    with pytest.raises(AssertionError, match="is none: SyntaxError"):
        check(write("this is no Python", ""))


def test_a_kind_without_a_specimen_is_not_tried() -> None:
    with pytest.raises(AssertionError, match="has no specimen"):
        check(Kind("faulty", "obedient"))


def test_a_chunker_that_does_not_exist_is_named() -> None:
    with pytest.raises(AssertionError, match="has a Kind with the chunker 'chopper'"):
        check(Kind("faulty", "obedient", specimen=b"say x", chunker="chopper"))


def test_the_suite_needs_no_test_framework() -> None:
    import subprocess

    code = "import sys, fumehood.testing.loaders; sys.exit(bool({'pytest', 'hypothesis'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-I", "-c", code], check=False).returncode == 0
