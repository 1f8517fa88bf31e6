"""A finished table in LaTeX with booktabs; with siunitx, too, where that is asked for.

Names are escaped and the text is plain ASCII, so that pdflatex, xelatex and lualatex set it. A table of
estimates that is too large for a page becomes several."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from delvecore.report.grid import BEST, BETTER_THAN, EQUAL, NOTHING, UNTESTED, WORSE_THAN, Cell, Grid
from delvecore.report.provenance import latex_comment
from delvecore.report.writers.latex_text import at_start, latex_escape, latex_label
from delvecore.report.writers.pages import Type, floats_of, is_long, type_and_blocks

__all__ = ["latex_grid", "siunitx_grid"]

SIGNS = {EQUAL: r"\approx", UNTESTED: "?", BETTER_THAN: "+", WORSE_THAN: "-"}
SIUNITX = (
    r"\sisetup{separate-uncertainty, detect-weight, table-align-text-post = false, "
    r"table-align-uncertainty = false}"
)
MOST_ROWS = 40
"""Of texts on one page."""
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


class _Plain:
    """How numbers are set: in two columns of LaTeX (span), values to the right, errors to the left."""

    packages: Sequence[str] = ("booktabs",)
    setup: Sequence[str] = ()
    span = 2

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


class _Siunitx(_Plain):
    """In one S column for each of the table."""

    packages = ("booktabs", "siunitx")
    setup = (SIUNITX,)
    span = 1

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


def _environment(grid: Grid, style: _Plain) -> str:
    """Return one environment, or several where a page has no room for the table."""
    size, blocks = type_and_blocks(grid)
    lines = latex_comment(grid.provenance).splitlines()
    packages = [*style.packages, "longtable"] if is_long(grid, size, blocks) else style.packages
    lines += [rf"% \usepackage{{{name}}}" for name in packages]
    set_in = _long_tables if is_long(grid, size, blocks) else _floats
    return "\n".join([*lines, *set_in(grid, style, size, blocks), ""])


def _floats(grid: Grid, style: _Plain, size: Type, blocks: Sequence[slice]) -> Iterator[str]:
    """Yield floats, each as large as a page at most."""
    floats = floats_of(grid, size, blocks)
    for number, parts in enumerate(floats):
        caption = _continued(grid) if number else _caption(grid)
        yield from [
            r"\begin{table}[htbp]",
            r"\centering",
            *style.setup,
            *caption,
            r"\smallskip",
            *_type(size),
        ]
        for place, columns in enumerate(parts):
            if place:
                yield r"\par\medskip"
            yield from _tabular(grid.part(slice(None), columns), style)
        yield from _notes(grid) if number == len(floats) - 1 else []
        yield r"\end{table}"


def _long_tables(grid: Grid, style: _Plain, size: Type, blocks: Sequence[slice]) -> Iterator[str]:
    """Yield tables that go on over pages, with their headings on each: one for each block of columns."""
    yield from [r"\begingroup", *style.setup, *_type(size)]
    for number, columns in enumerate(blocks):
        part = grid.part(slice(None), columns)
        caption = _continued(grid) if number else _caption(grid)
        yield from _long(caption, _columns(part, style), [*_headings(part, style)], _body(part, style))
    yield from [r"\endgroup", *_notes(grid)]


def _long(
    caption: Sequence[str], columns: str, headings: Sequence[str], body: Iterable[str]
) -> Iterator[str]:
    """Yield one table that goes on over pages."""
    if caption[0].startswith(r"\addtocounter"):
        yield caption[0]
    head = [r"\toprule", *headings, r"\midrule"]
    yield rf"\begin{{longtable}}{{{columns}}}"
    yield from [*(line for line in caption if not line.startswith(r"\addtocounter")), r"\\", *head]
    yield from [r"\endfirsthead", *head, r"\endhead", r"\bottomrule", r"\endfoot", *body]
    yield r"\end{longtable}"


def _type(size: Type) -> list[str]:
    return [size.command, rf"\setlength{{\tabcolsep}}{{{size.gap:g}pt}}"] if size.command else []


def _continued(grid: Grid) -> list[str]:
    return [r"\addtocounter{table}{-1}", rf"\caption{{(Continued.) {latex_escape(grid.caption)}}}"]


def _caption(grid: Grid) -> list[str]:
    return [rf"\caption{{{latex_escape(grid.caption)}}}", rf"\label{{{latex_label(grid.label)}}}"]


def _columns(grid: Grid, style: _Plain) -> str:
    cells = map(style.column, zip(*(row.cells for row in grid.rows), strict=True))
    return f"@{{}}l{'r' * (len(grid.stubs) - 1)}{''.join(cells)}@{{}}"


def _tabular(grid: Grid, style: _Plain) -> list[str]:
    start = [rf"\begin{{tabular}}{{{_columns(grid, style)}}}", r"\toprule", *_headings(grid, style)]
    return [*start, r"\midrule", *_body(grid, style), r"\bottomrule", r"\end{tabular}"]


def _headings(grid: Grid, style: _Plain) -> Iterator[str]:
    *outer, last = grid.headings
    for line, labels in enumerate(outer):
        spans, rules = _labels(grid.stubs_beside(line)), []
        place = len(grid.stubs) + 1
        for label, members in groupby(labels):
            width = style.span * len(list(members))
            spans.append(rf"\multicolumn{{{width}}}{{c}}{{{latex_escape(label)}}}")
            if label:
                rules.append(rf"\cmidrule(lr){{{place}-{place + width - 1}}}")
            place += width
        yield " & ".join(spans) + r" \\"
        yield " ".join(rules)
    yield " & ".join([*_labels(grid.stubs), *map(style.heading, last)]) + r" \\"


def _body(grid: Grid, style: _Plain) -> Iterator[str]:
    # How many characters the longest rank of each column has.
    longest = [
        max((len(row.cells[j].value) for row in grid.rows if "rank" in (row.kind, column.kind)), default=0)
        for j, column in enumerate(grid.columns)
    ]
    for row, labels, starts, ruled in zip(grid.rows, grid.labels, grid.starts, grid.rules, strict=True):
        if ruled:
            yield r"\midrule"
        elif starts:
            yield r"\addlinespace"
        texts = _labels(labels)
        shown = [
            style.rank(cell, longest[j]) if "rank" in (row.kind, grid.columns[j].kind) else style.cell(cell)
            for j, cell in enumerate(row.cells)
        ]
        yield " & ".join([*texts, *shown]) + r" \\"


def _labels(texts: Sequence[str]) -> list[str]:
    """Return escaped texts to start a row with."""
    first, *others = map(latex_escape, texts)
    return [at_start(first), *others]


def _notes(grid: Grid) -> list[str]:
    found = [
        (r"\textbf{Bold}: " if name == BEST else rf"$^{{{SIGNS[name]}}}$ ") + _tied(meaning)
        for name, meaning in grid.marks
    ]
    found += map(_tied, grid.notes)
    start = [r"\par\smallskip\noindent", r"\begin{minipage}{\linewidth}\footnotesize"]
    return [*start, *found, r"\end{minipage}"] if found else []


def _tied(text: str) -> str:
    """Escape a note; no line breaks between p and its number."""
    return P_VALUE.sub(r"p~\1~\2", latex_escape(text))


def _of_texts(grid: Grid) -> str:
    """Return the environment of a table of texts. Numbers are set in mathematics, so that minus signs and
    infinities look right. So are estimates like `0.81 ± 0.02 ~`; their marks take no room in the column, so
    that the numbers stay in line."""
    note = latex_escape(" ".join(grid.notes))
    columns = "".join(column.align for column in grid.columns)
    body = [" & ".join(map(_text, row.cells)) + r" \\" for row in grid.rows]
    below = [r"\par\smallskip", rf"{{\footnotesize {note}}}"] if note else []
    if len(body) > MOST_ROWS:
        lines = [r"% \usepackage{booktabs}", r"% \usepackage{longtable}"]
        return "\n".join(
            [*lines, *_long(_caption(grid), columns, _headings_of_texts(grid), body), *below, ""]
        )
    lines = [r"% \usepackage{booktabs}", r"\begin{table}[htbp]", r"\centering", *_caption(grid)]
    lines += [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", *_headings_of_texts(grid), r"\midrule"]
    lines += [*body, r"\bottomrule", r"\end{tabular}", *below]
    return "\n".join([*lines, r"\end{table}", ""])


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
    titles = [(column.align, latex_escape(column.title)) for column in grid.columns]
    shown = [rf"\multicolumn{{1}}{{c}}{{{one}}}" if align == "r" else at_start(one) for align, one in titles]
    line = " & ".join(shown) + r" \\"
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
