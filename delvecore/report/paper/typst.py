"""A paper's table in Typst: a figure that holds a table with horizontal rules, its notes below it."""

import re

from delvecore.report.paper.shown import (
    NOTHING,
    blank_repeated,
    column_levels,
    group_starts,
    head_titles,
    shown_cells,
)
from delvecore.report.paper.table import BEST, PaperTable
from delvecore.report.paper.text import MINUS, SIGNS
from delvecore.report.writers.latex import latex_label

__all__ = ["typst_paper_table"]

_PUNCTUATION = re.compile(r"([\\#$*_`@<>\[\]~/\-+=\"'.:])")


def typst_paper_table(table: PaperTable, provenance: tuple[str, ...]) -> str:
    """Return markup for `#include` or to be pasted; it needs no package."""
    heads = len(table.row_titles)
    aligns = ", ".join(["left", *["right"] * (heads - 1 + len(table.columns))])
    lines = [f"// {line}" for line in provenance]
    lines += ["#[", "#show figure.where(kind: table): set figure.caption(position: top)"]
    lines += [
        "#figure(",
        "  kind: table,",
        f"  caption: [{typst_escape(table.caption)}],",
        "  {",
        "    table(",
    ]
    lines += [f"      columns: {heads + len(table.columns)},", f"      align: ({aligns},),"]
    lines += ["      stroke: none,", "      table.hline(),", "      table.header("]
    lines += [f"        {line}" for line in _header(table)]
    lines += ["      ),", "      table.hline(stroke: 0.5pt),"]
    lines += [f"      {line}" for line in _body(table)]
    lines += [
        "      table.hline(),",
        "    )",
        *_notes(table),
        "  },",
        f") <{latex_label(table.label)}>",
        "]",
        "",
    ]
    return "\n".join(lines)


def typst_escape(text: object) -> str:
    """Return a text so that Typst sets exactly its characters."""
    return _PUNCTUATION.sub(r"\\\1", _one_line(text))


def _one_line(text):
    line = "".join(c if c.isprintable() else " " for c in str(text))
    return " ".join(line.split())


def _header(table):
    levels = column_levels(table)
    for level, labels in enumerate(levels[:-1]):
        cells = [f"[{typst_escape(title)}]" for title in head_titles(table, level)]
        place = 0
        while place < len(labels):
            end = place
            while end < len(labels) and labels[end] == labels[place]:
                end += 1
            cells.append(f"table.cell(colspan: {end - place}, align: center)[{typst_escape(labels[place])}]")
            place = end
        yield ", ".join(cells) + ","
    yield ", ".join(f"[{typst_escape(text)}]" for text in (*table.row_titles, *levels[-1])) + ","


def _body(table):
    rows = zip(
        table.rows, blank_repeated(table.rows), shown_cells(table), group_starts(table.rows), strict=True
    )
    for head, labels, cells, starts in rows:
        if head.kind == "rank":
            yield "table.hline(stroke: 0.5pt),"
        elif starts:
            yield f"table.cell(colspan: {len(labels) + len(cells)}, inset: 2pt)[],"
        yield ", ".join([*(f"[{typst_escape(label)}]" for label in labels), *map(_cell, cells)]) + ","


def _cell(cell):
    if not cell.value:
        return f"[{NOTHING}]"
    error = f"~±~{typst_escape(cell.error)}" if cell.error else ""
    text = typst_escape(cell.value.replace("-", MINUS)) + error
    signs = "".join(SIGNS[name] for name in cell.marks)
    # Marks take no room, so that the numbers stay in line.
    mark = f"#box(width: 0pt, super[{typst_escape(signs)}])" if signs else ""
    return f"[{f'*{text}*' if cell.bold else text}{mark}]"


def _notes(table):
    notes = [
        f"*Bold*: {typst_escape(meaning)}"
        if name == BEST
        else f"#super[{typst_escape(SIGNS[name])}] {typst_escape(meaning)}"
        for name, meaning in table.marks
    ]
    notes += map(typst_escape, table.notes)
    return [f"    align(left, text(size: 0.85em)[{' '.join(notes)}])"] if notes else []
