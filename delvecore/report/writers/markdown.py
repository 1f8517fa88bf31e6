"""A finished table as Markdown, in the dialect with bars: nothing that comes from files can become markup."""

import re
from collections.abc import Iterable

from delvecore.report.grid import NOTHING, Cell, Grid
from delvecore.report.writers.html import MINUS, SIGNS, html_comment

__all__ = ["markdown_escape", "markdown_grid"]

_PUNCTUATION = re.compile(r"([\\`*_\[\]<>|~&$#!])")


def markdown_grid(grid: Grid) -> str:
    """Return the table with its caption above and its notes, a list, below; its provenance is a comment."""
    titles = [" ".join(part for part in (*column.groups, column.title) if part) for column in grid.columns]
    header = [*map(markdown_escape, (*grid.stubs, *titles))]
    lines = [f"**{markdown_escape(grid.caption)}**", "", _bars(header)]
    is_left = [place == 0 for place in range(len(grid.stubs))]
    is_left += [(column.kind, column.align) == ("text", "l") for column in grid.columns]
    lines.append(_bars("---" if left else "---:" for left in is_left))
    for row, labels in zip(grid.rows, grid.labels, strict=True):
        cells = [
            _text(cell) if column.kind == "text" else _estimate(cell)
            for column, cell in zip(grid.columns, row.cells, strict=True)
        ]
        lines.append(_bars([*map(markdown_escape, labels), *cells]))
    lines += [""] if grid.marks or grid.notes else []
    lines += [f"- {SIGNS[name]}: {markdown_escape(meaning)}" for name, meaning in grid.marks]
    lines += [f"- {markdown_escape(note)}" for note in grid.notes]
    lines += map(html_comment, grid.provenance)
    return "\n".join([*lines, ""])


def markdown_escape(text: str) -> str:
    """Return a text on one line so that Markdown shows exactly its characters."""
    line = "".join(c if c.isprintable() else " " for c in text)
    return _PUNCTUATION.sub(r"\\\1", " ".join(line.split()))


def _text(cell: Cell) -> str:
    text = markdown_escape(cell.value)
    return f"**{text}**" if cell.bold and text else text


def _estimate(cell: Cell) -> str:
    if not cell.value:
        return NOTHING
    text = cell.value.replace("-", MINUS) + (f" ± {cell.error}" if cell.error else "")
    signs = "".join(SIGNS[name] for name in cell.marks)
    return (f"**{text}**" if cell.bold else text) + signs


def _bars(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
