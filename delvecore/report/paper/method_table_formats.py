"""A table of methods x tasks as text, CSV, LaTeX, HTML or Markdown, with footnotes for every mark in it.

Values have the decimals of two significant digits of their own standard error; CSV has full precision.
"""

from delvecore.report.information.folding import fold
from delvecore.report.paper.method_table import HIGHER, LOWER, LOWEST, NOT_WORSE, UNTESTED, MethodTable
from delvecore.report.paper.method_table_notes import caption_of, mark_notes, table_notes
from delvecore.report.rounding import decimals_for, rounded
from delvecore.report.writers.csv import csv_text
from delvecore.report.writers.html import html_table
from delvecore.report.writers.latex import Column, latex_table
from delvecore.report.writers.markdown import markdown_table

__all__ = ["FORMATS", "method_table_text"]

STAR = "*"
MARKS = {NOT_WORSE: "~", UNTESTED: "?", LOWER: "<", HIGHER: ">"}
BOLD_WORDS = "Bold"


def method_table_text(table: MethodTable, form: str) -> str:
    """Return the table in one of FORMATS, with a last newline. Raises KeyError for another format."""
    return FORMATS[form](table)


def _plain(table):
    header = ["Task", *table.methods]
    columns = [list(table.tasks)]
    for cells in zip(*table.cells, strict=True):
        columns.append(_aligned([_value(cell) for cell in cells], cells))
    widths = [max(map(len, [title, *column])) for title, column in zip(header, columns, strict=True)]
    lines = [*fold(caption_of(table), ""), "", _joined(header, widths)]
    lines += [_joined(row, widths) for row in zip(*columns, strict=True)]
    lines.append("")
    for sign, meaning in mark_notes(table, {**MARKS, LOWEST: STAR}):
        first, *rest = fold(meaning, " " * 5)
        lines += [f"  {sign}  {first.lstrip()}", *rest]
    for note in table_notes(table):
        lines += fold(note, "  ")
    return "\n".join([*lines, ""])


def _aligned(texts, cells):
    """Put the plus-minus signs of a column below each other, and marks behind the longest error."""
    parts = [text.partition(" ") for text in texts]
    left = max((len(value) for value, _, rest in parts if rest), default=0)
    lined = [
        value.rjust(left) + blank + rest if cell.missing is None else text
        for text, (value, blank, rest), cell in zip(texts, parts, cells, strict=True)
    ]
    width = max(map(len, lined))
    marks = [_marks(cell, {**MARKS, LOWEST: STAR}) for cell in cells]
    return [f"{text:<{width}} {mark}".rstrip() for text, mark in zip(lined, marks, strict=True)]


def _joined(row, widths):
    return "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()


def _value(cell):
    if cell.missing is not None:
        return cell.missing
    decimals = decimals_for(cell.error)
    value = rounded(cell.value, decimals)
    return value if cell.error is None else f"{value} ± {rounded(cell.error, decimals)}"


def _marks(cell, signs):
    return signs.get(cell.standing, "") + signs.get(cell.to_reference, "")


def _grid(table):
    """Return (header, rows of texts, positions of the lowest cells)."""
    rows, bold = [], set()
    for i, (task, cells) in enumerate(zip(table.tasks, table.cells, strict=True)):
        rows.append([task, *(f"{_value(c)} {_marks(c, MARKS)}".rstrip() for c in cells)])
        bold |= {(i, j) for j, cell in enumerate(cells, start=1) if cell.standing == LOWEST}
    return ["Task", *table.methods], rows, bold


def _notes(table):
    marks = mark_notes(table, {**MARKS, LOWEST: BOLD_WORDS})
    return [*(f"{sign}: {meaning}" for sign, meaning in marks), *table_notes(table)]


def _latex(table):
    header, rows, bold = _grid(table)
    columns = [Column(header[0]), *(Column(name, "r") for name in header[1:])]
    label = f"tab:methods-{table.loss}"
    note = " ".join(_notes(table))
    return latex_table(columns, rows, caption=caption_of(table), label=label, note=note, bold=bold)


def _html(table):
    header, rows, bold = _grid(table)
    return html_table(header, rows, caption=caption_of(table), notes=_notes(table), bold=bold)


def _markdown(table):
    header, rows, bold = _grid(table)
    return markdown_table(header, rows, caption=caption_of(table), notes=_notes(table), bold=bold)


def _csv(table):
    """One line a task and method, in words instead of marks: nothing needs a footnote."""
    header = ["loss", "task", "method", "standardized_loss", "standard_error", "standing", "p_to_lowest"]
    header += ["test", "note"]
    if table.reference is not None:
        header += ["reference", "to_reference", "p_to_reference"]
    rows = []
    for task, cells in zip(table.tasks, table.cells, strict=True):
        for method, cell in zip(table.methods, cells, strict=True):
            standing = cell.missing or cell.standing
            row = [table.loss, task, method, cell.value, cell.error, standing, cell.p, cell.test, cell.note]
            if table.reference is not None:
                row += [table.reference, _to_reference(cell), cell.reference_p]
            rows.append(row)
    return csv_text(header, rows)


def _to_reference(cell):
    words = {LOWER: "significantly lower", HIGHER: "significantly higher"}
    return words.get(cell.to_reference) or (
        None if cell.reference_p is None else "not significantly different"
    )


FORMATS = {"text": _plain, "csv": _csv, "latex": _latex, "html": _html, "markdown": _markdown}
