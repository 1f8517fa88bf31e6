"""A paper's table as plain text and as Markdown."""

from delvecore.report.paper.shown import (
    NOTHING,
    blank_repeated,
    column_levels,
    group_starts,
    head_titles,
    shown_cells,
)
from delvecore.report.paper.table import BEST, BETTER_THAN, EQUAL, UNTESTED, WORSE_THAN, PaperTable
from delvecore.report.writers.html import html_comment
from delvecore.report.writers.markdown import markdown_escape
from delvecore.report.writers.text import fold

__all__ = ["markdown_paper_table", "plain_paper_table"]

PLAIN_SIGNS = {BEST: "*", EQUAL: "~", UNTESTED: "?", BETTER_THAN: "+", WORSE_THAN: "-"}
SIGNS = {BEST: "Bold", EQUAL: "†", UNTESTED: "‡", BETTER_THAN: "+", WORSE_THAN: "−"}
MINUS = "−"


def plain_paper_table(table: PaperTable, provenance: tuple[str, ...]) -> str:
    """Return the table for terminals and mails: numbers in line at their decimal points."""
    cells = shown_cells(table)
    columns = [_plain_column(column) for column in zip(*cells, strict=True)]
    heads = [list(column) for column in zip(*blank_repeated(table.rows), strict=True)]
    titles = [*map(_blank_neighbours, column_levels(table)[:-1]), column_levels(table)[-1]]
    grid = [[*heads, *columns][j] for j in range(len(heads) + len(columns))]
    levels = [[*head_titles(table, level), *labels] for level, labels in enumerate(titles)]
    widths = [
        max(map(len, [*column, *(level[j] for level in levels)]), default=0) for j, column in enumerate(grid)
    ]
    numbers = [_is_numeric(column) for column in heads]
    lines = [*fold(table.caption, ""), ""]
    lines += [_joined(level, widths, numbers) for level in levels]
    ruled = group_starts(table.rows)
    for i, row in enumerate(zip(*grid, strict=True)):
        if table.rows[i].kind == "rank" or ruled[i]:
            lines.append("")
        lines.append(_joined(row, widths, numbers))
    lines.append("")
    for name, meaning in table.marks:
        first, *rest = fold(meaning, " " * 5)
        lines += [f"  {PLAIN_SIGNS[name]}  {first.lstrip()}", *rest]
    for note in table.notes:
        lines += fold(note, "  ")
    if provenance:
        command, *others = provenance
        # A command that is broken into lines cannot be run as it stands.
        lines += ["", command, *(one for line in others for one in fold(line, ""))]
    return "\n".join([*lines, ""])


def _blank_neighbours(labels):
    """Leave out a label that repeats the one before it."""
    return [label if place == 0 or label != labels[place - 1] else "" for place, label in enumerate(labels)]


def _is_numeric(texts):
    return all(text.replace(".", "").isdigit() or not text for text in texts)


def _joined(row, widths, numbers):
    texts = [
        text.rjust(width) if j < len(numbers) and numbers[j] else text.ljust(width)
        for j, (text, width) in enumerate(zip(row, widths, strict=True))
    ]
    return "  ".join(texts).rstrip()


def _plain_column(cells):
    """Put decimal points, plus-minus signs and marks of a column below each other."""
    wholes = [cell.value.partition(".")[0] for cell in cells]
    left = max(map(len, wholes), default=0)
    values = [whole.rjust(left) + cell.value[len(whole) :] for whole, cell in zip(wholes, cells, strict=True)]
    width = max(map(len, values), default=0)
    texts = []
    for value, cell in zip(values, cells, strict=True):
        error = f" ± {cell.error}" if cell.error else ""
        texts.append(value.ljust(width) + error if cell.value else NOTHING.rjust(left))
    width = max(map(len, texts), default=0)
    signs = ["*" * cell.bold + "".join(PLAIN_SIGNS[name] for name in cell.marks) for cell in cells]
    return [f"{text:<{width}} {sign}".rstrip() for text, sign in zip(texts, signs, strict=True)]


def markdown_paper_table(table: PaperTable, provenance: tuple[str, ...]) -> str:
    """Return the table in Markdown with bars; its provenance is a comment below it."""
    labels = [" ".join(part for part in head.labels if part) for head in table.columns]
    header = [*table.row_titles, *labels]
    lines = [f"**{markdown_escape(table.caption)}**", "", _bars(map(markdown_escape, header))]
    lines.append(_bars(["---", *["---:"] * (len(header) - 1)]))
    rows = blank_repeated(table.rows)
    for head, cells in zip(rows, shown_cells(table), strict=True):
        lines.append(_bars([*map(markdown_escape, head), *map(_markdown_cell, cells)]))
    lines.append("")
    for name, meaning in table.marks:
        lines.append(f"- {SIGNS[name]}: {markdown_escape(meaning)}")
    lines += [f"- {markdown_escape(note)}" for note in table.notes]
    lines += [html_comment(line) for line in provenance]
    return "\n".join([*lines, ""])


def _markdown_cell(cell):
    if not cell.value:
        return NOTHING
    text = cell.value.replace("-", MINUS) + (f" ± {cell.error}" if cell.error else "")
    signs = "".join(SIGNS[name] for name in cell.marks)
    return (f"**{text}**" if cell.bold else text) + signs


def _bars(cells):
    return f"| {' | '.join(cells)} |"
