"""A table as it is seen, its numbers rounded: caption, cells, notes; as text or as LaTeX."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from delvecore.report.writers.latex import Column, latex_table
from delvecore.report.writers.text import fold

__all__ = ["ShownTable", "shown_latex", "shown_text"]

STAR = "*"
MARKS = re.compile(r"((?: [<>?*])*)$")


@dataclass(frozen=True)
class ShownTable:
    """columns: title and alignment of each; rows: texts, a cell each; bold: (row, column) of cells that stand
    out, a star in text; label: short, for references in LaTeX."""

    caption: str
    columns: tuple[Column, ...]
    rows: Sequence[Sequence[str]]
    notes: tuple[str, ...] = ()
    label: str = "table"
    bold: frozenset[tuple[int, int]] = field(default_factory=frozenset)


def shown_text(table: ShownTable) -> str:
    """Return the table as plain text, columns in line, with a last newline."""
    texts = [
        [title.title, *(_marked(row[j], (i, j) in table.bold) for i, row in enumerate(table.rows))]
        for j, title in enumerate(table.columns)
    ]
    padded = [_padded(column, title.align) for title, column in zip(table.columns, texts, strict=True)]
    lines = ["  ".join(row).rstrip() for row in zip(*padded, strict=True)]
    notes = [line for note in table.notes for line in fold(note, "  ")]
    return "\n".join([*fold(table.caption, ""), "", *lines, *([""] if notes else []), *notes, ""])


def _padded(column, align):
    """Return the texts of a column in one width; marks stand behind all texts, so that numbers align."""
    marks = [MARKS.search(text)[1] for text in column]
    bodies = [text.removesuffix(mark) for text, mark in zip(column, marks, strict=True)]
    width, room = max(map(len, bodies)), max(map(len, marks))
    shown = [body.rjust(width) if align == "r" else body.ljust(width) for body in bodies]
    return [body + mark.ljust(room) for body, mark in zip(shown, marks, strict=True)]


def _marked(text, is_bold):
    return f"{text} {STAR}" if is_bold else text


def shown_latex(table: ShownTable) -> str:
    """Return the table in LaTeX with booktabs, with a last newline."""
    rows = [list(row) for row in table.rows]
    facts = {"caption": table.caption, "label": f"tab:{table.label}", "note": " ".join(table.notes) or None}
    return latex_table(table.columns, rows, bold=table.bold, **facts)
