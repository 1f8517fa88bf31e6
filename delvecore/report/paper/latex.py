"""A paper's table in LaTeX with booktabs; with siunitx, too, where that is asked for.

Names are escaped and the text is plain ASCII, so that pdflatex, xelatex and lualatex set it.
"""

import re
from itertools import groupby

from delvecore.report.paper.shown import (
    NOTHING,
    blank_repeated,
    column_levels,
    group_starts,
    head_titles,
    shown_cells,
)
from delvecore.report.paper.split import floats_of, part_of, type_and_blocks
from delvecore.report.paper.table import BEST, BETTER_THAN, EQUAL, UNTESTED, WORSE_THAN, PaperTable
from delvecore.report.provenance import latex_comment
from delvecore.report.writers.latex import latex_escape, latex_label

__all__ = ["latex_paper_table", "siunitx_paper_table"]

SIGNS = {EQUAL: r"\dagger", UNTESTED: r"\ddagger", BETTER_THAN: "+", WORSE_THAN: "-"}
SIUNITX = (
    r"\sisetup{separate-uncertainty, detect-weight, table-align-text-post = false, "
    r"table-align-uncertainty = false}"
)
P_VALUE = re.compile(r"\bp (=|\\ensuremath\{[^}]*\}) (\d)")


def latex_paper_table(table: PaperTable, provenance: tuple[str, ...]) -> str:
    """Return a table environment that needs booktabs only: errors in line at their plus-minus signs."""
    return _environment(table, provenance, _Plain())


def siunitx_paper_table(table: PaperTable, provenance: tuple[str, ...]) -> str:
    """Return a table environment with columns of siunitx: numbers in line at their decimal points."""
    return _environment(table, provenance, _Siunitx())


class _Plain:
    """Two columns of LaTeX for each of the table: values to the right, errors to the left."""

    packages, setup, span = ("booktabs",), (), 2

    def column(self, cells):
        return "r@{}l"

    def heading(self, label):
        return rf"\multicolumn{{2}}{{c}}{{{latex_escape(label)}}}"

    def cell(self, cell):
        if not cell.value:
            return rf"\multicolumn{{2}}{{c}}{{{latex_escape(NOTHING)}}}"
        error = rf"${{}}\pm {_number(cell.error, cell.bold)}$" if cell.error else ""
        return rf"${_number(cell.value, cell.bold)}$ & {error}{_signs(cell.marks)}".rstrip()

    def rank(self, cell, longest):
        """Ranks have no errors to stand in line with; they stand in the middle, in line with each other."""
        if not cell.value:
            return self.cell(cell)
        missing = "0" * (longest - len(cell.value))
        room = rf"\phantom{{{missing}}}" if missing else ""
        shown = rf"${room}{_number(cell.value, cell.bold)}$"
        return rf"\multicolumn{{2}}{{c}}{{{shown}{_signs(cell.marks)}}}"


class _Siunitx:
    """One S column for each of the table."""

    packages, setup, span = ("booktabs", "siunitx"), (SIUNITX,), 1

    def column(self, cells):
        numbers = [cell for cell in cells if cell.value and "inf" not in cell.value]
        wholes = max((len(cell.value.partition(".")[0].lstrip("-")) for cell in numbers), default=1)
        decimals = max((len(cell.value.partition(".")[2]) for cell in numbers), default=0)
        minus = "-" if any(cell.value.startswith("-") for cell in numbers) else ""
        digits = max((len(_last_digits(cell)) for cell in numbers if cell.error), default=0)
        return f"S[table-format = {minus}{wholes}.{decimals}{f'({digits})' if digits else ''}]"

    def heading(self, label):
        return f"{{{latex_escape(label)}}}"

    def cell(self, cell):
        if not cell.value:
            return f"{{{latex_escape(NOTHING)}}}"
        if "inf" in cell.value:
            return f"{{${_number(cell.value, cell.bold)}$}}"
        digits = f"({_last_digits(cell)})" if cell.error else ""
        bold = r"\bfseries " if cell.bold else ""
        signs = _signs(cell.marks)
        return f"{bold}{cell.value}{digits}{f' {{{signs}}}' if signs else ''}"

    def rank(self, cell, longest):
        return self.cell(cell)


def _last_digits(cell):
    """The error in units of the value's last decimal: 13 for 0.812 with 0.013."""
    return cell.error.replace(".", "").lstrip("0") or "0"


def _number(text, bold):
    shown = text.replace("inf", r"\infty")
    return rf"\mathbf{{{shown}}}" if bold else shown


def _signs(marks):
    """Marks take no room, so that the numbers stay in line."""
    return rf"\rlap{{$^{{{' '.join(SIGNS[name] for name in marks)}}}$}}" if marks else ""


def _environment(table, provenance, style):
    """Return one environment, or several where a page has no room for the table."""
    size, blocks = type_and_blocks(table)
    floats = floats_of(table, size, blocks)
    cells = shown_cells(table)
    lines = latex_comment(provenance).splitlines()
    lines += [rf"% \usepackage{{{name}}}" for name in style.packages]
    for number, parts in enumerate(floats):
        lines += [r"\begin{table}[htbp]", r"\centering", *style.setup, *_caption(table, continued=number > 0)]
        lines += [size.command, rf"\setlength{{\tabcolsep}}{{{size.gap:g}pt}}"] if size.command else []
        for place, (rows, columns) in enumerate(parts):
            shown = [row[columns] for row in cells[rows]]
            lines += [r"\par\medskip"] if place else []
            lines += _tabular(part_of(table, rows, columns), shown, style)
        lines += _notes(table) if number == len(floats) - 1 else []
        lines.append(r"\end{table}")
    return "\n".join([*lines, ""])


def _caption(table, *, continued):
    text = latex_escape(table.caption)
    if continued:
        return [r"\addtocounter{table}{-1}", rf"\caption{{(Continued.) {text}}}", r"\smallskip"]
    return [rf"\caption{{{text}}}", rf"\label{{{latex_label(table.label)}}}", r"\smallskip"]


def _tabular(table, cells, style):
    columns = "".join(style.column(column) for column in zip(*cells, strict=True))
    heads = "l" + "r" * (len(table.row_titles) - 1)
    start = [rf"\begin{{tabular}}{{@{{}}{heads}{columns}@{{}}}}", r"\toprule", *_headings(table, style)]
    return [*start, r"\midrule", *_body(table, cells, style), r"\bottomrule", r"\end{tabular}"]


def _headings(table, style):
    levels = column_levels(table)
    first = len(table.row_titles) + 1
    for level, labels in enumerate(levels[:-1]):
        spans, rules, place = [*map(latex_escape, head_titles(table, level))], [], first
        for label, members in groupby(labels):
            width = style.span * len(list(members))
            spans.append(rf"\multicolumn{{{width}}}{{c}}{{{latex_escape(label)}}}")
            if label:
                rules.append(rf"\cmidrule(lr){{{place}-{place + width - 1}}}")
            place += width
        yield " & ".join(spans) + r" \\"
        yield " ".join(rules)
    titles = [*map(latex_escape, table.row_titles), *map(style.heading, levels[-1])]
    yield " & ".join(titles) + r" \\"


def _body(table, cells, style):
    rows = zip(table.rows, blank_repeated(table.rows), cells, group_starts(table.rows), strict=True)
    longest = _longest_ranks(table, cells)
    for head, labels, row, starts in rows:
        if head.kind == "rank":
            yield r"\midrule"
        elif starts:
            yield r"\addlinespace"
        texts = [_guarded(latex_escape(labels[0])), *map(latex_escape, labels[1:])]
        shown = [
            style.rank(cell, longest[j]) if "rank" in (head.kind, table.columns[j].kind) else style.cell(cell)
            for j, cell in enumerate(row)
        ]
        yield " & ".join([*texts, *shown]) + r" \\"


def _longest_ranks(table, cells):
    """Return by column how many characters its longest rank has."""
    return [
        max(
            (
                len(row[j].value)
                for head, row in zip(table.rows, cells, strict=True)
                if "rank" in (head.kind, column.kind)
            ),
            default=0,
        )
        for j, column in enumerate(table.columns)
    ]


def _guarded(shown):
    """A bracket or star at the start of a row would be read as an option of the line break before it."""
    return "{}" + shown if shown.startswith(("[", "*")) else shown


def _notes(table):
    found = [
        r"\textbf{Bold}: " + _tied(meaning) if name == BEST else rf"$^{{{SIGNS[name]}}}$ " + _tied(meaning)
        for name, meaning in table.marks
    ]
    found += map(_tied, table.notes)
    return (
        [r"\par\smallskip", r"\begin{minipage}{\linewidth}\footnotesize", *found, r"\end{minipage}"]
        if found
        else []
    )


def _tied(text):
    """Escape a note; no line breaks between p and its number."""
    return P_VALUE.sub(r"p~\1~\2", latex_escape(text))
