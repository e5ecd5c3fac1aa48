"""Generated documents, as loaders make them: Markdown, and blocks with any role, group, level and visibility."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

from fumehood import Document
from fumehood.document import Block, Locator, Role

_WORDS: Final = st.text(
    alphabet=st.sampled_from("abcABZ012é.,!?。界ก\u0301\u200d\U0001f468\U0001f1e6`~|>#-*_"), min_size=1, max_size=12
)
_LINES: Final = st.lists(_WORDS, min_size=1, max_size=12).map(" ".join)
_PROSE: Final = st.lists(_LINES, min_size=1, max_size=4).map("\n".join)
_PLAIN: Final = st.sampled_from(
    ["One.", "A sentence of words. ", "DEFINITION", "2. TERMS. Here", "Why so?", "§ 4", "word " * 40]
)

_MARKDOWN: Final = st.one_of(
    _PROSE,
    _PLAIN,
    st.tuples(st.integers(1, 6), _WORDS).map(lambda made: f"{'#' * made[0]} {made[1]}"),
    st.lists(_LINES, min_size=1, max_size=5).map(lambda items: "\n".join(f"- {item}" for item in items)),
    st.tuples(st.sampled_from(["```", "~~~~", "> ```", "- ```"]), _PROSE).map(
        lambda made: f"{made[0]}py\n{made[1]}\n{made[0]}"
    ),
    st.lists(_WORDS, min_size=1, max_size=6).map(
        lambda rows: "| a | b |\n| - | - |\n" + "\n".join(f"| {row} | x |" for row in rows)
    ),
    st.sampled_from(["---", "<!-- unseen -->", "> quoted\n> on", "    code\n    more", "```\nopen", "[a]: /b"]),
)
markdown: Final = st.lists(_MARKDOWN, max_size=12).map("\n\n".join).map(Document.from_markdown)

_BLOCK: Final = st.tuples(
    st.sampled_from(["heading", "paragraph", "list-item", "table-row", "code", "quote", "note", "record", "header"]),
    st.one_of(_PROSE, _PLAIN).map(str.strip).filter(bool),
    st.integers(1, 3),
    st.booleans(),
    st.integers(0, 9),
    st.sampled_from(["\n", "\n\n", "\n\n* * *\n\n"]),
)


def _document(parts: list[tuple[Role, str, int, bool, int, str]]) -> Document:
    text: list[str] = []
    blocks: list[Block] = []
    at = 0
    for number, (role, body, level, has_level, roll, separator) in enumerate(parts, 1):
        if blocks:
            text.append(separator)
            at += len(separator)
        if role == "code":
            body = f"```\n{body.replace('`', '')}\n```"
        group = level if role in ("list-item", "table-row") else None
        leveled = role in ("heading", "list-item") or (role == "table-row" and has_level)
        locator = Locator(path=f"/{number // 3}/{number}") if roll > 2 else None
        blocks.append(
            Block(
                at,
                at + len(body),
                role,
                level if leveled and role != "table-row" else 1 if leveled else None,
                group,
                locator,
                roll != 9,
            )
        )
        text.append(body)
        at += len(body)
    return Document("json", "A title", {}, "".join(text), tuple(blocks), (), ())


made: Final = st.lists(_BLOCK, max_size=14).map(_document)
documents: Final = st.one_of(markdown, made)
