"""A finished table in LaTeX with booktabs; with siunitx, too, where that is asked for.

Names are escaped and the text is plain ASCII, so that pdflatex, xelatex and lualatex set it. A table of
estimates that is too large for a page becomes several.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from typing import ClassVar, Protocol

from delvecore.report.grid import (
    BEST,
    BETTER_THAN,
    EQUAL,
    NOTHING,
    UNTESTED,
    WORSE_THAN,
    Cell,
    Column,
    Grid,
    grid_of_texts,
)
from delvecore.report.provenance import latex_comment
from delvecore.report.writers.latex_escape import at_start, latex_escape, latex_label
from delvecore.report.writers.pages import floats_of, type_and_blocks

__all__ = ["latex_document", "latex_grid", "latex_table", "siunitx_grid"]

SIGNS = {EQUAL: r"\dagger", UNTESTED: r"\ddagger", BETTER_THAN: "+", WORSE_THAN: "-"}
SIUNITX = (
    r"\sisetup{separate-uncertainty, detect-weight, table-align-text-post = false, "
    r"table-align-uncertainty = false}"
)
_EXPONENT = re.compile(r"e([-+]?\d+)")
NUMBER = re.compile(r"(?:< )?-?(?:\d[\d.]*(?:e[-+]?\d+)?|inf)")
ESTIMATE = re.compile(rf"({NUMBER.pattern}) ± ({NUMBER.pattern})((?: \S{{1,3}})?)")
P_VALUE = re.compile(r"\bp (=|\\ensuremath\{[^}]*\}) (\d)")


def latex_grid(grid: Grid) -> str:
    """Return a table environment that needs booktabs only: errors in line at their plus-minus signs."""
    is_of_texts = any(column.kind == "text" for column in grid.columns)
    return _of_texts(grid) if is_of_texts else _environment(grid, _Plain())


def siunitx_grid(grid: Grid) -> str:
    """Return a table environment with columns of siunitx: numbers in line at their decimal points."""
    return _environment(grid, _Siunitx())


def latex_table(
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    *,
    caption: str,
    label: str,
    note: str | None = None,
    bold: Collection[tuple[int, int]] = (),
) -> str:
    """Return a table of texts as they are to be seen. bold: (row, column) of the cells to be set bold."""
    notes = (note,) if note else ()
    return latex_grid(grid_of_texts(columns, rows, caption=caption, notes=notes, label=label, bold=bold))


def latex_document(*tables: str) -> str:
    """Return a whole document that holds the tables, to see them set."""
    head = [r"\documentclass[a4paper]{article}", r"\usepackage[landscape,margin=2cm]{geometry}"]
    head += [r"\usepackage{booktabs}", r"\begin{document}"]
    return "\n".join([*head, *tables, r"\end{document}", ""])


class _Style(Protocol):
    """How numbers are set. span: columns of LaTeX for each of the table."""

    packages: ClassVar[tuple[str, ...]]
    setup: ClassVar[tuple[str, ...]]
    span: ClassVar[int]

    def column(self, cells: Sequence[Cell]) -> str: ...
    def heading(self, label: str) -> str: ...
    def cell(self, cell: Cell) -> str: ...
    def rank(self, cell: Cell, longest: int) -> str: ...


class _Plain:
    """Two columns of LaTeX for each of the table: values to the right, errors to the left."""

    packages: ClassVar[tuple[str, ...]] = ("booktabs",)
    setup: ClassVar[tuple[str, ...]] = ()
    span: ClassVar[int] = 2

    def column(self, cells: Sequence[Cell]) -> str:
        return "r@{}l"

    def heading(self, label: str) -> str:
        return rf"\multicolumn{{2}}{{c}}{{{latex_escape(label)}}}"

    def cell(self, cell: Cell) -> str:
        if not cell.value:
            return self.heading(NOTHING)
        error = rf"${{}}\pm {_number(cell.error, cell.bold)}$" if cell.error else ""
        return rf"${_number(cell.value, cell.bold)}$ & {error}{_signs(cell.marks)}".rstrip()

    def rank(self, cell: Cell, longest: int) -> str:
        """Ranks have no errors to stand in line with; they stand in the middle, in line with each other."""
        if not cell.value:
            return self.cell(cell)
        missing = "0" * (longest - len(cell.value))
        room = rf"\phantom{{{missing}}}" if missing else ""
        shown = rf"${room}{_number(cell.value, cell.bold)}$"
        return rf"\multicolumn{{2}}{{c}}{{{shown}{_signs(cell.marks)}}}"


class _Siunitx:
    """One S column for each of the table."""

    packages: ClassVar[tuple[str, ...]] = ("booktabs", "siunitx")
    setup: ClassVar[tuple[str, ...]] = (SIUNITX,)
    span: ClassVar[int] = 1

    def column(self, cells: Sequence[Cell]) -> str:
        numbers = [cell for cell in cells if cell.value and "inf" not in cell.value]
        wholes = max((len(cell.value.partition(".")[0].lstrip("-")) for cell in numbers), default=1)
        decimals = max((len(cell.value.partition(".")[2]) for cell in numbers), default=0)
        minus = "-" if any(cell.value.startswith("-") for cell in numbers) else ""
        digits = max((len(_last_digits(cell)) for cell in numbers if cell.error), default=0)
        return f"S[table-format = {minus}{wholes}.{decimals}{f'({digits})' if digits else ''}]"

    def heading(self, label: str) -> str:
        return f"{{{latex_escape(label)}}}"

    def cell(self, cell: Cell) -> str:
        if not cell.value:
            return self.heading(NOTHING)
        if "inf" in cell.value:
            return f"{{${_number(cell.value, cell.bold)}$}}"
        digits = f"({_last_digits(cell)})" if cell.error else ""
        bold = r"\bfseries " if cell.bold else ""
        signs = _signs(cell.marks)
        return f"{bold}{cell.value}{digits}{f' {{{signs}}}' if signs else ''}"

    def rank(self, cell: Cell, longest: int) -> str:
        return self.cell(cell)


def _last_digits(cell: Cell) -> str:
    """The error in units of the value's last decimal: 13 for 0.812 with 0.013."""
    return cell.error.replace(".", "").lstrip("0") or "0"


def _number(text: str, bold: bool) -> str:
    shown = text.replace("inf", r"\infty")
    return rf"\mathbf{{{shown}}}" if bold else shown


def _signs(marks: Sequence[str]) -> str:
    """Marks take no room, so that the numbers stay in line."""
    return rf"\rlap{{$^{{{' '.join(SIGNS[name] for name in marks)}}}$}}" if marks else ""


def _environment(grid: Grid, style: _Style) -> str:
    """Return one environment, or several where a page has no room for the table."""
    size, blocks = type_and_blocks(grid)
    floats = floats_of(grid, size, blocks)
    lines = latex_comment(grid.provenance).splitlines()
    lines += [rf"% \usepackage{{{name}}}" for name in style.packages]
    for number, parts in enumerate(floats):
        lines += [r"\begin{table}[htbp]", r"\centering", *style.setup, *_caption(grid, continued=number > 0)]
        lines += [size.command, rf"\setlength{{\tabcolsep}}{{{size.gap:g}pt}}"] if size.command else []
        for place, (rows, columns) in enumerate(parts):
            lines += [r"\par\medskip"] if place else []
            lines += _tabular(grid.part(rows, columns), style)
        lines += _notes(grid) if number == len(floats) - 1 else []
        lines.append(r"\end{table}")
    return "\n".join([*lines, ""])


def _caption(grid: Grid, *, continued: bool) -> list[str]:
    text = latex_escape(grid.caption)
    if continued:
        return [r"\addtocounter{table}{-1}", rf"\caption{{(Continued.) {text}}}", r"\smallskip"]
    return [rf"\caption{{{text}}}", rf"\label{{{latex_label(grid.label)}}}", r"\smallskip"]


def _tabular(grid: Grid, style: _Style) -> list[str]:
    columns = "".join(map(style.column, zip(*(row.cells for row in grid.rows), strict=True)))
    stubs = "l" + "r" * (len(grid.stubs) - 1)
    start = [rf"\begin{{tabular}}{{@{{}}{stubs}{columns}@{{}}}}", r"\toprule", *_headings(grid, style)]
    return [*start, r"\midrule", *_body(grid, style), r"\bottomrule", r"\end{tabular}"]


def _headings(grid: Grid, style: _Style) -> Iterator[str]:
    *outer, last = grid.headings
    for line, labels in enumerate(outer):
        spans, rules = [*map(latex_escape, grid.stubs_beside(line))], []
        place = len(grid.stubs) + 1
        for label, members in groupby(labels):
            width = style.span * len(list(members))
            spans.append(rf"\multicolumn{{{width}}}{{c}}{{{latex_escape(label)}}}")
            if label:
                rules.append(rf"\cmidrule(lr){{{place}-{place + width - 1}}}")
            place += width
        yield " & ".join(spans) + r" \\"
        yield " ".join(rules)
    yield " & ".join([*map(latex_escape, grid.stubs), *map(style.heading, last)]) + r" \\"


def _body(grid: Grid, style: _Style) -> Iterator[str]:
    longest = _longest_ranks(grid)
    for row, labels, starts in zip(grid.rows, grid.labels, grid.starts, strict=True):
        if row.kind == "rank":
            yield r"\midrule"
        elif starts:
            yield r"\addlinespace"
        texts = [at_start(latex_escape(labels[0])), *map(latex_escape, labels[1:])]
        shown = [
            style.rank(cell, longest[j]) if "rank" in (row.kind, grid.columns[j].kind) else style.cell(cell)
            for j, cell in enumerate(row.cells)
        ]
        yield " & ".join([*texts, *shown]) + r" \\"


def _longest_ranks(grid: Grid) -> list[int]:
    """Return by column how many characters its longest rank has."""
    return [
        max((len(row.cells[j].value) for row in grid.rows if "rank" in (row.kind, column.kind)), default=0)
        for j, column in enumerate(grid.columns)
    ]


def _notes(grid: Grid) -> list[str]:
    found = [
        (r"\textbf{Bold}: " if name == BEST else rf"$^{{{SIGNS[name]}}}$ ") + _tied(meaning)
        for name, meaning in grid.marks
    ]
    found += map(_tied, grid.notes)
    start = [r"\par\smallskip", r"\begin{minipage}{\linewidth}\footnotesize"]
    return [*start, *found, r"\end{minipage}"] if found else []


def _tied(text: str) -> str:
    """Escape a note; no line breaks between p and its number."""
    return P_VALUE.sub(r"p~\1~\2", latex_escape(text))


def _of_texts(grid: Grid) -> str:
    """Return the environment of a table of texts.

    Numbers are set in mathematics, so that minus signs and infinities look right. So are estimates like
    `0.81 ± 0.02 ~`; their marks take no room in the column, so that the numbers stay in line.
    """
    note = latex_escape(" ".join(grid.notes))
    lines = [
        r"% \usepackage{booktabs}",
        r"\begin{table}[htbp]",
        r"\centering",
        rf"\caption{{{latex_escape(grid.caption)}}}",
        rf"\label{{{latex_label(grid.label)}}}",
        rf"\begin{{tabular}}{{{''.join(column.align for column in grid.columns)}}}",
        r"\toprule",
        *_headings_of_texts(grid),
        r"\midrule",
        *(" & ".join(map(_text, row.cells)) + r" \\" for row in grid.rows),
        r"\bottomrule",
        r"\end{tabular}",
        *([r"\par\smallskip", rf"{{\footnotesize {note}}}"] if note else []),
        r"\end{table}",
    ]
    return "\n".join([*lines, ""])


def _text(cell: Cell) -> str:
    if NUMBER.fullmatch(cell.value):
        return _mathematics(cell.value, cell.bold)
    if estimate := ESTIMATE.fullmatch(cell.value):
        value, error, mark = estimate.groups()
        shown = _mathematics(rf"{value} \pm {error}", cell.bold)
        return shown + (rf"\rlap{{\,{latex_escape(mark.strip())}}}" if mark else "")
    shown = latex_escape(cell.value)
    return rf"\textbf{{{shown}}}" if cell.bold and shown else at_start(shown)


def _mathematics(text: str, is_bold: bool) -> str:
    number = _EXPONENT.sub(lambda found: rf" \times 10^{{{int(found[1])}}}", text.replace("inf", r"\infty"))
    return rf"$\mathbf{{{number}}}$" if is_bold else f"${number}$"


def _headings_of_texts(grid: Grid) -> list[str]:
    line = " & ".join(map(_title, grid.columns)) + r" \\"
    if len(grid.headings) == 1:
        return [line]
    spans, rules, first = [], [], 1
    for group, members in groupby(grid.headings[-2]):
        count = len(list(members))
        if group:
            spans.append(rf"\multicolumn{{{count}}}{{c}}{{{latex_escape(group)}}}")
            rules.append(rf"\cmidrule(lr){{{first}-{first + count - 1}}}")
        else:
            spans += [""] * count
        first += count
    return [" & ".join(spans) + r" \\", " ".join(rules), line]


def _title(column: Column) -> str:
    title = latex_escape(column.title)
    return rf"\multicolumn{{1}}{{c}}{{{title}}}" if column.align == "r" else at_start(title)
