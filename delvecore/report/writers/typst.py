"""A finished table in Typst: a figure that holds a table with horizontal rules, its notes below it."""

import re
from collections.abc import Iterator
from itertools import groupby

from delvecore.report.grid import BEST, NOTHING, Cell, Column, Grid
from delvecore.report.provenance import comment
from delvecore.report.writers.html import MINUS, SIGNS
from delvecore.report.writers.latex_escape import latex_label

__all__ = ["typst_escape", "typst_grid"]

_PUNCTUATION = re.compile(r"([\\#$*_`@<>\[\]~/\-+=\"'.:])")
_OPEN = (
    *("#[", "#show figure.where(kind: table): set figure.caption(position: top)"),
    *("#figure(", "  kind: table,"),
)


def typst_grid(grid: Grid) -> str:
    """Return markup for `#include` or to be pasted; it needs no package."""
    aligns = ["right" if place else "left" for place in range(len(grid.stubs))]
    aligns += ["left" if (column.kind, column.align) == ("text", "l") else "right" for column in grid.columns]
    lines = [f"// {comment(line)}" for line in grid.provenance]
    lines += [*_OPEN, f"  caption: [{typst_escape(grid.caption)}],", "  {", "    table("]
    lines += [f"      columns: {len(aligns)},", f"      align: ({', '.join(aligns)},),"]
    lines += ["      stroke: none,", "      table.hline(),", "      table.header("]
    lines += [f"        {line}" for line in _header(grid)]
    lines += ["      ),", "      table.hline(stroke: 0.5pt),"]
    lines += [f"      {line}" for line in _body(grid)]
    lines += ["      table.hline(),", "    )", *_notes(grid)]
    return "\n".join([*lines, "  },", f") <{latex_label(grid.label)}>", "]", ""])


def typst_escape(text: str) -> str:
    """Return a text on one line so that Typst sets exactly its characters."""
    line = "".join(c if c.isprintable() else " " for c in text)
    return _PUNCTUATION.sub(r"\\\1", " ".join(line.split()))


def _header(grid: Grid) -> Iterator[str]:
    *outer, last = grid.headings
    for line, labels in enumerate(outer):
        cells = [f"[{typst_escape(title)}]" for title in grid.stubs_beside(line)]
        for label, members in groupby(labels):
            span = len(list(members))
            cells.append(f"table.cell(colspan: {span}, align: center)[{typst_escape(label)}]")
        yield ", ".join(cells) + ","
    yield ", ".join(f"[{typst_escape(text)}]" for text in (*grid.stubs, *last)) + ","


def _body(grid: Grid) -> Iterator[str]:
    for row, labels, starts in zip(grid.rows, grid.labels, grid.starts, strict=True):
        if row.kind == "rank":
            yield "table.hline(stroke: 0.5pt),"
        elif starts:
            yield f"table.cell(colspan: {len(labels) + len(row.cells)}, inset: 2pt)[],"
        cells = [_cell(cell, column) for cell, column in zip(row.cells, grid.columns, strict=True)]
        yield ", ".join([*(f"[{typst_escape(label)}]" for label in labels), *cells]) + ","


def _cell(cell: Cell, column: Column) -> str:
    if column.kind == "text":
        return f"[{_bold(cell, typst_escape(cell.value))}]"
    if not cell.value:
        return f"[{NOTHING}]"
    error = f"~±~{typst_escape(cell.error)}" if cell.error else ""
    text = typst_escape(cell.value.replace("-", MINUS)) + error
    signs = "".join(SIGNS[name] for name in cell.marks)
    # Marks take no room, so that the numbers stay in line.
    mark = f"#box(width: 0pt, super[{typst_escape(signs)}])" if signs else ""
    return f"[{_bold(cell, text)}{mark}]"


def _bold(cell: Cell, shown: str) -> str:
    return f"*{shown}*" if cell.bold and shown else shown


def _notes(grid: Grid) -> list[str]:
    notes = [f"{_sign(name)} {typst_escape(meaning)}" for name, meaning in grid.marks]
    notes += map(typst_escape, grid.notes)
    return [f"    align(left, text(size: 0.85em)[{' '.join(notes)}])"] if notes else []


def _sign(name: str) -> str:
    return "*Bold*:" if name == BEST else f"#super[{typst_escape(SIGNS[name])}]"
