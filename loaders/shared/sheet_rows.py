"""The rows of a sheet, as the readers of spreadsheets give them."""

from __future__ import annotations

from dataclasses import dataclass

from fumehood.loaders.shared.cell_names import Area


@dataclass(slots=True)
class Row:
    """The cells of a row that hold something, from left to right. `concealed`: those that nobody sees, by column.

    Rows and columns count from 1.
    """

    number: int
    hidden: bool
    columns: list[int]
    texts: list[str]
    concealed: dict[int, str] | None = None


Spans = dict[int, list[Area]]
"""Areas of merged cells whose first cell holds something, by their top row."""
