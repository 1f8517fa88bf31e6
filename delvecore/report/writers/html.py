"""A finished table as HTML, to be put into a page: everything from files is escaped, the text is ASCII."""

from collections.abc import Iterator, Sequence
from html import escape

from delvecore.report.grid import BEST, BETTER_THAN, EQUAL, NOTHING, UNTESTED, WORSE_THAN, Cell, Column, Grid
from delvecore.report.provenance import comment

__all__ = ["MINUS", "SIGNS", "html_comment", "html_grid", "html_text"]

SIGNS = {BEST: "Bold", EQUAL: "†", UNTESTED: "‡", BETTER_THAN: "+", WORSE_THAN: "−"}
"""How formats of more than ASCII show marks."""
MINUS = "−"
PAD = "padding: 0.2em 0.7em"
HEAD = f' style="{PAD}; border-bottom: 1px solid; white-space: nowrap; text-align: %s"'
NUMBER = f' style="{PAD}; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums%s"'
LABEL = f' style="{PAD}; text-align: %s; font-weight: normal%s"'
RULE = "; border-top: 1px solid"
SPACE = "; padding-top: 0.7em"
OPEN = '<table style="border-collapse: collapse; border-top: 2px solid; border-bottom: 2px solid">'
NO_ROOM = ' style="display: inline-block; width: 0; line-height: 0"'
"""Marks take no room, so that the numbers stay in line."""


def html_grid(grid: Grid) -> str:
    """Return a `table` element with caption, headings and rows, its notes below it, and its provenance as
    comments."""
    lines = [*map(html_comment, grid.provenance), OPEN]
    lines.append(
        f'<caption style="text-align: left; padding-bottom: 0.5em">{html_text(grid.caption)}</caption>'
    )
    lines += ["<thead>", *_header(grid), "</thead>", "<tbody>"]
    for row, labels, starts in zip(grid.rows, grid.labels, grid.starts, strict=True):
        rule = RULE if row.kind == "rank" else SPACE if starts else ""
        heads = [
            f'<th scope="row"{LABEL % ("right" if place else "left", rule)}>{html_text(label)}</th>'
            for place, label in enumerate(labels)
        ]
        cells = [_cell(cell, column, rule) for cell, column in zip(row.cells, grid.columns, strict=True)]
        lines.append(f"<tr>{''.join([*heads, *cells])}</tr>")
    return "\n".join([*lines, "</tbody>", *_foot(grid), "</table>", ""])


def html_comment(line: str) -> str:
    """Return a comment of one line. Nothing in it is decoded, so that its command can be copied; it must not
    end it, either."""
    return f"<!-- {comment(line).replace('-->', '-- >').replace('--!>', '--! >')} -->"


def html_text(text: str) -> str:
    """Return a text so that HTML shows exactly its characters, in ASCII, on one line."""
    line = "".join(c if c.isprintable() else " " for c in text)
    return escape(line).encode("ascii", "xmlcharrefreplace").decode()


def _foot(grid: Grid) -> list[str]:
    notes = [f"{_sign(name)} {html_text(meaning)}" for name, meaning in grid.marks]
    notes += map(html_text, grid.notes)
    if not notes:
        return []
    width, shown = len(grid.stubs) + len(grid.columns), "<br>\n".join(notes)
    style = "border-top: 1px solid; padding: 0.5em 0.7em"
    return [f'<tfoot><tr><td colspan="{width}" style="{style}"><small>{shown}</small></td></tr></tfoot>']


def _sign(name: str) -> str:
    return "<strong>Bold</strong>:" if name == BEST else f"<sup>{html_text(SIGNS[name])}</sup>"


def _header(grid: Grid) -> Iterator[str]:
    headings = grid.headings
    for line, labels in enumerate(headings):
        align = "right" if line == len(headings) - 1 else "center"
        cells = [
            f'<th scope="col"{HEAD % "left"}>{html_text(title)}</th>' for title in grid.stubs_beside(line)
        ]
        for label, span in _spans(labels, headings, line):
            across = f' colspan="{span}"' if span > 1 else ""
            cells.append(f'<th scope="col"{across}{HEAD % align}>{html_text(label)}</th>')
        yield f"<tr>{''.join(cells)}</tr>"


def _spans(labels: Sequence[str], headings: Sequence[Sequence[str]], line: int) -> Iterator[tuple[str, int]]:
    """Yield (label, columns): neighbours with the same outer labels share one, but in the last line."""
    outer = list(zip(*headings[: line + 1], strict=True))
    start = 0
    for place in range(1, len(labels) + 1):
        is_end = place == len(labels) or outer[place] != outer[start]
        if is_end or line == len(headings) - 1:
            yield labels[start], place - start
            start = place


def _cell(cell: Cell, column: Column, rule: str) -> str:
    if column.kind == "text":
        text = _bold(cell, html_text(cell.value))
        style = LABEL % ("left", rule) if column.align == "l" else NUMBER % rule
        return f"<td{style}>{text}</td>"
    if not cell.value:
        return f"<td{NUMBER % rule}>{html_text(NOTHING)}</td>"
    shown = cell.value.replace("-", MINUS) + (f" ± {cell.error}" if cell.error else "")
    signs = html_text("".join(SIGNS[name] for name in cell.marks))
    mark = f"<sup{NO_ROOM}>{signs}</sup>" if signs else ""
    return f"<td{NUMBER % rule}>{_bold(cell, html_text(shown))}{mark}</td>"


def _bold(cell: Cell, shown: str) -> str:
    return f"<strong>{shown}</strong>" if cell.bold and shown else shown
