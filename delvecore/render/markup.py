"""A finished table as HTML, Markdown and Typst. Text from files cannot become markup."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from html import escape
from itertools import groupby

from delvecore.names import one_line
from delvecore.render.grid import BEST, BETTER_THAN, EQUAL, NOTHING, UNTESTED, WORSE_THAN, Cell, Column, Grid
from delvecore.render.latex import latex_label
from delvecore.render.provenance import unending
from delvecore.render.spans import plain

SIGNS = {BEST: "Bold", EQUAL: "≈", UNTESTED: "?", BETTER_THAN: "+", WORSE_THAN: "−"}
MINUS = "−"
PAD = "padding: 0.2em 0.7em"
HEAD = f' style="{PAD}; border-bottom: 1px solid; white-space: nowrap; text-align: %s"'
NUMBER = f' style="{PAD}; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums%s"'
LABEL = f' style="{PAD}; text-align: %s; font-weight: normal%s"'
RULE = "; border-top: 1px solid"
SPACE = "; padding-top: 0.7em"
OPEN = '<table style="border-collapse: collapse; border-top: 2px solid; border-bottom: 2px solid">'
NO_ROOM = ' style="display: inline-block; width: 0; line-height: 0"'
"""Marks have no width, so that the numbers stay aligned."""
MARKDOWN_LIST = re.compile(r"^(\d*)([-+.)])(?=\s|$)")
MARKDOWN_ADDRESS = re.compile(r":(?=//|[\\\w/+-]*:)|www(?=\.)|@", re.IGNORECASE)
MARKDOWN_NOTHING = "<!-- -->"
"""Invisible comment that separates characters."""
MARKDOWN_PUNCTUATION = re.compile(r"([\\`*_\[\]<>|~&$#!^]|-(?=-))")
TYPST_PUNCTUATION = re.compile(r"([\\#$*_`@<>\[\]~/\-+=\"'.:])")
TYPST_OPEN = (
    *("#[", "#show figure.where(kind: table): set figure.caption(position: top)"),
    *("#figure(", "  kind: table,"),
)


def html_grid(grid: Grid) -> str:
    """Return a `table` element for a page, in ASCII, with caption, notes and provenance."""
    caption = (
        f'<caption style="text-align: left; padding-bottom: 0.5em">{html_escape(grid.caption)}</caption>'
    )
    lines = [*map(html_comment, grid.provenance), OPEN, caption]
    lines += ["<thead>", *_html_header(grid), "</thead>", "<tbody>"]
    for row, labels, starts, ruled in zip(grid.rows, grid.labels, grid.starts, grid.rules, strict=True):
        rule = RULE if ruled else SPACE if starts else ""
        cells = [
            f'<th scope="row"{LABEL % ("right" if place else "left", rule)}>{html_escape(label)}</th>'
            for place, label in enumerate(labels)
        ]
        cells += map(partial(_html_cell, rule), row.cells, grid.columns)
        lines.append(f"<tr>{''.join(cells)}</tr>")
    lines.append("</tbody>")
    if notes := _notes(grid, html_escape, "<strong>Bold</strong>:", "<sup>%s</sup>"):
        span = f'colspan="{len(grid.stubs) + len(grid.columns)}"'
        style = 'style="border-top: 1px solid; padding: 0.5em 0.7em"'
        shown = "<br>\n".join(notes)
        lines.append(f"<tfoot><tr><td {span} {style}><small>{shown}</small></td></tr></tfoot>")
    return "\n".join([*lines, "</table>", ""])


def html_comment(line: str) -> str:
    """Return a comment of one line. It is not escaped, so its command can be copied, but the text cannot end
    the comment."""
    return f"<!-- {unending(one_line(line))} -->"


def html_escape(text: str) -> str:
    """Escape a text so that HTML shows exactly its characters, in ASCII, on one line."""
    return escape(one_line(plain(text))).encode("ascii", "xmlcharrefreplace").decode()


def _notes(grid: Grid, escaped: Callable[[str], str], bold: str, sign: str) -> list[str]:
    """Return the notes. bold, sign: texts before the meanings of bold cells and of a mark.

    In the text for a mark, the mark takes the place of `%s`."""
    signs = [bold if name == BEST else sign % escaped(SIGNS[name]) for name, _ in grid.marks]
    meanings = [escaped(meaning) for _, meaning in grid.marks]
    return [*map(" ".join, zip(signs, meanings, strict=True)), *map(escaped, grid.notes)]


def _html_header(grid: Grid) -> Iterator[str]:
    headings = grid.headings
    for line, labels in enumerate(headings):
        align = "right" if line == len(headings) - 1 else "center"
        cells = [
            f'<th scope="col"{HEAD % "left"}>{html_escape(title)}</th>' for title in grid.stubs_beside(line)
        ]
        for label, span in _spans(labels, headings, line):
            across = f' colspan="{span}"' if span > 1 else ""
            cells.append(f'<th scope="col"{across}{HEAD % align}>{html_escape(label)}</th>')
        yield f"<tr>{''.join(cells)}</tr>"


def _spans(labels: Sequence[str], headings: Sequence[Sequence[str]], line: int) -> Iterator[tuple[str, int]]:
    """Yield (label, columns). Neighbors with the same outer labels share a label, except in the last line."""
    outer = list(zip(*headings[: line + 1], strict=True))
    start = 0
    for place in range(1, len(labels) + 1):
        is_end = place == len(labels) or outer[place] != outer[start]
        if is_end or line == len(headings) - 1:
            yield labels[start], place - start
            start = place


def _html_cell(rule: str, cell: Cell, column: Column) -> str:
    if column.kind == "text":
        style = LABEL % ("left", rule) if column.align == "l" else NUMBER % rule
        return f"<td{style}>{_bold(cell, html_escape(cell.value), '<strong>%s</strong>')}</td>"
    if not cell.value:
        return f"<td{NUMBER % rule}>{html_escape(NOTHING)}</td>"
    mark = f"<sup{NO_ROOM}>{html_escape(_signs(cell))}</sup>" if cell.marks else ""
    return f"<td{NUMBER % rule}>{_bold(cell, html_escape(_estimate(cell)), '<strong>%s</strong>')}{mark}</td>"


def _bold(cell: Cell, shown: str, form: str) -> str:
    return form % shown if cell.bold and shown else shown


def _estimate(cell: Cell) -> str:
    return cell.value.replace("-", MINUS) + (f" ± {cell.error}" if cell.error else "")


def _signs(cell: Cell) -> str:
    return "".join(SIGNS[name] for name in cell.marks)


def markdown_grid(grid: Grid) -> str:
    """Return a Markdown table: the caption above it, below it the notes as a list, and the provenance."""
    titles = [" ".join(filter(None, (*column.groups, column.title))) for column in grid.columns]
    lines = [f"**{markdown_escape(grid.caption)}**", "", _bars(map(markdown_escape, (*grid.stubs, *titles)))]
    lines.append(_bars("---" if left else "---:" for left in _to_the_left(grid)))
    for row, labels in zip(grid.rows, grid.labels, strict=True):
        cells = map(_markdown_cell, row.cells, grid.columns)
        lines.append(_bars([*map(markdown_escape, labels), *cells]))
    lines += [""] if grid.marks or grid.notes else []
    lines += [f"- {SIGNS[name]}: {markdown_escape(meaning)}" for name, meaning in grid.marks]
    lines += [f"- {markdown_escape(note)}" for note in grid.notes]
    return "\n".join([*lines, *map(html_comment, grid.provenance), ""])


def markdown_escape(text: str) -> str:
    """Return a text on one line so that Markdown shows exactly its characters.

    It cannot become markup, a link, a picture or a mention. Addresses contain a comment,
    because many programs make links even of escaped ones."""
    line = MARKDOWN_PUNCTUATION.sub(r"\\\1", " ".join(one_line(plain(text)).split()))
    return MARKDOWN_ADDRESS.sub(rf"\g<0>{MARKDOWN_NOTHING}", MARKDOWN_LIST.sub(r"\1\\\2", line))


def _bars(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _to_the_left(grid: Grid) -> list[bool]:
    """Return which columns of labels and cells are left-aligned."""
    stubs = [place == 0 for place in range(len(grid.stubs))]
    return stubs + [(column.kind, column.align) == ("text", "l") for column in grid.columns]


def _markdown_cell(cell: Cell, column: Column) -> str:
    if column.kind == "text":
        return _bold(cell, markdown_escape(cell.value), "**%s**")
    return _bold(cell, _estimate(cell), "**%s**") + _signs(cell) if cell.value else NOTHING


def typst_grid(grid: Grid) -> str:
    """Return a figure of a table with its notes, for `#include`. It needs no package."""
    aligns = ["left" if left else "right" for left in _to_the_left(grid)]
    lines = [f"// {one_line(line)}" for line in grid.provenance]
    lines += [*TYPST_OPEN, f"  caption: [{_typst(grid.caption)}],", "  {", "    table("]
    lines += [f"      columns: {len(aligns)},", f"      align: ({', '.join(aligns)},),"]
    lines += ["      stroke: none,", "      table.hline(),", "      table.header("]
    *outer, last = grid.headings
    for number, groups in enumerate(outer):
        cells = [f"[{_typst(title)}]" for title in grid.stubs_beside(number)]
        for label, members in groupby(groups):
            cells.append(f"table.cell(colspan: {len(list(members))}, align: center)[{_typst(label)}]")
        lines.append(f"        {', '.join(cells)},")
    lines.append("        " + ", ".join(f"[{_typst(text)}]" for text in (*grid.stubs, *last)) + ",")
    lines += ["      ),", "      table.hline(stroke: 0.5pt),"]
    for row, labels, starts, ruled in zip(grid.rows, grid.labels, grid.starts, grid.rules, strict=True):
        if ruled:
            lines.append("      table.hline(stroke: 0.5pt),")
        elif starts:
            lines.append(f"      table.cell(colspan: {len(labels) + len(row.cells)}, inset: 2pt)[],")
        cells = [*(f"[{_typst(label)}]" for label in labels), *map(_typst_cell, row.cells, grid.columns)]
        lines.append(f"      {', '.join(cells)},")
    lines += ["      table.hline(),", "    )"]
    if notes := _notes(grid, _typst, "*Bold*:", "#super[%s]"):
        lines.append(f"    align(left, text(size: 0.85em)[{' '.join(notes)}])")
    return "\n".join([*lines, "  },", f") <{latex_label(grid.label)}>", "]", ""])


def _typst(text: str) -> str:
    """Return a text on one line so that Typst sets exactly its characters."""
    return TYPST_PUNCTUATION.sub(r"\\\1", " ".join(one_line(plain(text)).split()))


def _typst_cell(cell: Cell, column: Column) -> str:
    if column.kind == "text":
        return f"[{_bold(cell, _typst(cell.value), '*%s*')}]"
    if not cell.value:
        return f"[{NOTHING}]"
    error = f"~±~{_typst(cell.error)}" if cell.error else ""
    # Marks have no width, so that the numbers stay aligned.
    mark = f"#box(width: 0pt, super[{_typst(_signs(cell))}])" if cell.marks else ""
    return f"[{_bold(cell, _typst(cell.value.replace('-', MINUS)) + error, '*%s*')}{mark}]"
