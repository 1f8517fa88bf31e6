"""A paper's table as HTML, to be put into a page: everything from files is escaped, the text is ASCII."""

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
from delvecore.report.writers.html import html_comment, html_text

__all__ = ["html_paper_table"]

PAD = "padding: 0.2em 0.7em"
HEAD = f' style="{PAD}; border-bottom: 1px solid; white-space: nowrap; text-align: %s"'
NUMBER = f' style="{PAD}; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums%s"'
LABEL = f' style="{PAD}; text-align: %s; font-weight: normal%s"'
RULE = "; border-top: 1px solid"
SPACE = "; padding-top: 0.7em"
OPEN = '<table style="border-collapse: collapse; border-top: 2px solid; border-bottom: 2px solid">'


def html_paper_table(table: PaperTable, provenance: tuple[str, ...]) -> str:
    """Return a `table` element with caption, headings and rows, its notes below it, and its provenance as
    comments."""
    lines = [html_comment(line) for line in provenance]
    lines += [
        OPEN,
        f'<caption style="text-align: left; padding-bottom: 0.5em">{html_text(table.caption)}</caption>',
    ]
    lines += ["<thead>", *_header(table), "</thead>", "<tbody>"]
    ruled = group_starts(table.rows)
    rows = zip(table.rows, blank_repeated(table.rows), shown_cells(table), ruled, strict=True)
    for head, labels, cells, starts in rows:
        lines.append(_row(labels, cells, RULE if head.kind == "rank" else SPACE if starts else ""))
    lines += ["</tbody>", *_foot(table), "</table>"]
    return "\n".join([*lines, ""])


def _foot(table):
    notes = [f"{_sign(name)} {html_text(meaning)}" for name, meaning in table.marks]
    notes += [html_text(note) for note in table.notes]
    if not notes:
        return []
    width, shown = len(table.row_titles) + len(table.columns), "<br>\n".join(notes)
    style = "border-top: 1px solid; padding: 0.5em 0.7em"
    return [f'<tfoot><tr><td colspan="{width}" style="{style}"><small>{shown}</small></td></tr></tfoot>']


def _sign(name):
    return "<strong>Bold</strong>:" if name == BEST else f"<sup>{html_text(SIGNS[name])}</sup>"


def _header(table):
    levels = column_levels(table)
    for number, labels in enumerate(levels):
        is_last = number == len(levels) - 1
        titles = head_titles(table, number)
        cells = [f'<th scope="col"{HEAD % "left"}>{html_text(title)}</th>' for title in titles]
        for label, span in _spans(labels, levels, number):
            across = f' colspan="{span}"' if span > 1 else ""
            align = "right" if is_last else "center"
            cells.append(f'<th scope="col"{across}{HEAD % align}>{html_text(label)}</th>')
        yield f"<tr>{''.join(cells)}</tr>"


def _spans(labels, levels, number):
    """Yield (label, columns): neighbours with the same outer labels share one, but in the last level."""
    outer = list(zip(*levels[: number + 1], strict=True))
    start = 0
    for place in range(1, len(labels) + 1):
        is_end = place == len(labels) or outer[place] != outer[start]
        if is_end or number == len(levels) - 1:
            yield labels[start], place - start
            start = place


def _row(labels, cells, rule):
    heads = []
    for place, label in enumerate(labels):
        align = "left" if place == 0 else "right"
        heads.append(f'<th scope="row"{LABEL % (align, rule)}>{html_text(label)}</th>')
    return f"<tr>{''.join(heads)}{''.join(_cell(cell, rule) for cell in cells)}</tr>"


def _cell(cell, rule):
    if not cell.value:
        return f"<td{NUMBER % rule}>{html_text(NOTHING)}</td>"
    text = cell.value.replace("-", MINUS) + (f" ± {cell.error}" if cell.error else "")
    text = f"<strong>{html_text(text)}</strong>" if cell.bold else html_text(text)
    signs = "".join(SIGNS[name] for name in cell.marks)
    # Marks take no room, so that the numbers stay in line.
    mark = (
        f'<sup style="display: inline-block; width: 0; line-height: 0">{html_text(signs)}</sup>'
        if signs
        else ""
    )
    return f"<td{NUMBER % rule}>{text}{mark}</td>"
