"""Small documents with everything in them that a chunking strategy can get wrong."""

from __future__ import annotations

from typing import Final

from fumehood.document import Block, Document, Locator

_SENTENCE: Final = "The ledger lists every vessel, its freight and its master, e.g. Dr. Miller. "

MIXED: Final = Document.from_markdown(
    f"""Before any heading.

# A manual

## First part

{_SENTENCE * 6}

- an item
- another item
  1. within it, {_SENTENCE * 2}

```python
def first():
    return 1


def second():
    return {"1 + " * 30}1
```

---

## Second part

### Right below

> A quote, {_SENTENCE}
>
> ~~~
> code in it
> more of it
> ~~~

<!-- nobody sees this -->

| number | name | amount |
| ------ | ---- | ------ |
"""
    + "".join(f"| {row} | vessel {row} | {row * 7} |\n" for row in range(30))
    + "\n# A manual\n\n```\nnever closed\nat all"
)

SCRIPTS: Final = Document.from_markdown(
    "# 手册\n\n"
    + "船名和货物都记在账本上。" * 20
    + "\n\n"
    + "ภาษาไทยเขียนติดกันไม่มีจุด " * 12
    + "\n\n"
    + "\U0001f468\u200d\U0001f469\u200d\U0001f467" * 20
    + "\n\n"
    + "e\u0301" * 100
    + "\n\n"
    + "x" * 400
)

HIDDEN_ROW: Final = Document(
    "xlsx",
    "Cargo",
    {},
    "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |",
    (
        Block(0, 23, "table-row", 1, 1, Locator(sheet=1, cells="A1:B1")),
        Block(24, 33, "table-row", None, 1, Locator(sheet=1, cells="A2:B2")),
        Block(34, 43, "table-row", None, 1, Locator(sheet=1, cells="A3:B3"), visible=False),
        Block(44, 53, "table-row", None, 1, Locator(sheet=1, cells="A4:B4")),
    ),
    (),
    (),
)

MARKS_ONLY: Final = Document.from_markdown("---\n\n***\n")
EMPTY: Final = Document.from_markdown("")
ONE_WORD: Final = Document.from_markdown("word")

SAMPLES: Final = (MIXED, SCRIPTS, HIDDEN_ROW, MARKS_ONLY, EMPTY, ONE_WORD)
