"""A finished table in LaTeX with booktabs, and optionally with siunitx.

Names are escaped and the text is plain ASCII, so pdflatex, xelatex and lualatex can set it. A table of
estimates that is too large for a page is split. The numbers of characters and lines determine the fit, for
lines of LaTeX's `article` and pages of 190 mm.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, takewhile

from delvecore.names import one_line
from delvecore.render.grid import BEST, BETTER_THAN, EQUAL, NOTHING, UNTESTED, WORSE_THAN, Cell, Grid
from delvecore.render.numbers import parameter
from delvecore.render.provenance import latex_comment
from delvecore.render.spans import plain

# Braces keep quotation marks from joining with each other, or with ! and ?, into other signs.
SPECIAL = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
SPECIAL |= {character: f"\\{character}" for character in "{}$&#%_"}
SPECIAL |= {character: rf"\ensuremath{{{character}}}" for character in "<>|"}
SPECIAL |= {'"': "{}''{}", "'": "{}'{}", "`": "{}`{}"}
MATHEMATICS = dict(zip("−±×≤≥∞", ("-", r"\pm", r"\times", r"\le", r"\ge", r"\infty"), strict=True))
LETTERS = dict(zip("ßøØæÆłŁ", ("ss", "o", "O", "ae", "AE", "l", "L"), strict=True))
PUNCTUATION = {"–": "--", "—": "---", "…": r"\ldots{}", "§": r"\S{}", "†": r"\dag{}"}
PUNCTUATION |= {"’": "'", "“": "``", "”": "''"}
COMBINING = "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327"
ACCENTS = dict(zip(COMBINING, "`'^~=u.\"rHvc", strict=True))
# Unicode names the letter lambda otherwise.
GREEK = {"λ": "lambda", "Λ": "Lambda"} | {
    unicodedata.lookup(f"GREEK {'CAPITAL' if name[0].isupper() else 'SMALL'} LETTER {name.upper()}"): name
    for name in (
        *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "mu", "nu"),
        *("xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega", "Gamma", "Delta"),
        *("Theta", "Xi", "Pi", "Sigma", "Upsilon", "Phi", "Psi", "Omega"),
    )
}
SYMBOLS = PUNCTUATION | {letter: rf"\{name}{{}}" for letter, name in LETTERS.items()}
SYMBOLS |= {sign: rf"\ensuremath{{{name}}}" for sign, name in MATHEMATICS.items()}
SYMBOLS |= {letter: rf"\ensuremath{{\{name}}}" for letter, name in GREEK.items()}


def latex_escape(text: str) -> str:
    """Escape a text so that LaTeX sets exactly its characters. Unsupported characters become `[U+4E2D]`."""
    line = one_line(unicodedata.normalize("NFC", plain(text)))
    # Braces keep hyphens of the text from joining into a dash; a dash of the text stays one.
    guarded = ("-{}" if pair == "--" else _character(pair[0]) for pair in map("".join, pairwise(f"{line} ")))
    return "".join(guarded)


def _character(character: str) -> str:
    if character in SPECIAL:
        return SPECIAL[character]
    if character.isascii():
        return character
    if character in SYMBOLS:
        return SYMBOLS[character]
    base, *accents = list(unicodedata.normalize("NFD", character))
    if len(accents) == 1 and accents[0] in ACCENTS and base.isascii():
        return rf"\{ACCENTS[accents[0]]}{{{base}}}"
    return f"[U+{ord(character):04X}]"


def at_start(shown: str) -> str:
    """Return an escaped text for the start of a row.

    LaTeX would read a bracket or star as an option of the preceding line break.
    """
    return "{}" + shown if shown.lstrip().startswith(("[", "*")) else shown


def latex_label(text: str) -> str:
    """Return a text as the label of a table, with only characters that every format allows."""
    return re.sub(r"[^A-Za-z0-9:.-]+", "-", text).strip("-") or "table"


MOST_FLOATS = 8
"""LaTeX keeps about 18 unplaced floats, and fails with more."""
LINE, NARROWER = 345, 0.9
"""Width of a line of LaTeX's `article` in points; factor by which real characters are narrower than
`Type.character`."""
PAGE = 390
"""Height in points available on a page for rows, without the caption and the notes."""
BOLD = 1.15
"""Factor for the width of bold digits."""
GROUP = 5
"""Points between groups of rows."""
RULES = 3
"""Number of lines for headings, rules and the gap to the next part."""


@dataclass(frozen=True, slots=True)
class Type:
    """A size of type, in points.

    Attributes
    ----------
    gap : float
        Half the gap between columns.
    character : float
        Mean width of a character.
    line : float
        Height of a line.
    """

    gap: float
    character: float
    line: float
    command: str


TYPES = (
    Type(6, 5.2, 12, ""),
    Type(4, 4.85, 11, r"\small"),
    Type(3.5, 4.45, 9.5, r"\footnotesize"),
    Type(2.5, 4.15, 8, r"\scriptsize"),
)


def layout(grid: Grid) -> tuple[Grid, Type, list[range]]:
    """Return the table with its outermost labels next to or above the rows, the largest type, and the fewest
    blocks of columns that fit a line. Blocks have nearly equal numbers of columns."""
    tables = [(table, *_widths(table)) for table in (grid, grid.nested)]
    every = range(len(grid.columns))
    for number in range(1, len(every) + 1):
        size = -(-len(every) // number)
        blocks = [every[start : start + size] for start in every[::size]]
        for table, stubs, columns in tables:
            for one in TYPES:
                widths = [NARROWER * sum(stubs) + sum(columns[k] for k in block) for block in blocks]
                gaps = 2 * one.gap * (len(stubs) + size - 1)
                if one.character * max(widths) + gaps <= LINE:
                    return table, one, blocks
    return tables[-1][0], TYPES[-1], [every[k : k + 1] for k in every]


def _widths(grid: Grid) -> tuple[list[float], list[float]]:
    """Return the widths in characters of the columns of labels and of the other columns."""
    rows = grid.rows
    labels = zip(grid.stubs, *(row.labels for row in rows), strict=True)
    stubs: list[float] = [max(map(len, texts)) for texts in labels]
    titles = [len(column.title) for column in grid.columns]
    return stubs, [max([title, *(_width(row.cells[j]) for row in rows)]) for j, title in enumerate(titles)]


def _width(cell: Cell) -> float:
    return len(f"{cell.value}+{cell.error}") * (BOLD if cell.bold else 1)


def is_long(grid: Grid, one: Type, blocks: Sequence[range]) -> bool:
    """Do the rows need more than a page, or the blocks of columns more floats than LaTeX can place?"""
    height = _height(grid, one)
    return height > PAGE or len(blocks) * height > MOST_FLOATS * PAGE


def _height(grid: Grid, one: Type) -> float:
    above = sum(row.above != "" for row in grid.rows)
    return one.line * (len(grid.rows) + above + len(grid.headings) + RULES) + GROUP * sum(grid.starts)


SIGNS = {EQUAL: r"\approx", UNTESTED: "?", BETTER_THAN: "+", WORSE_THAN: "-"}
SIUNITX = (
    r"\sisetup{separate-uncertainty, detect-weight, table-align-text-post = false, "
    r"table-align-uncertainty = false}"
)
MOST_ROWS = 40
"""Maximum number of rows of texts on one page."""
PARAGRAPH = 45
"""Minimum width in points of a column with broken lines."""
BREAKS = re.compile(r"[ /_-]")
"""Characters after which a line of a broken name may end."""
_EXPONENT = re.compile(r"e([-+]?\d+)")
NUMBER = re.compile(r"(?:< )?-?(?:\d[\d.]*(?:e[-+]?\d+)?|inf)")
ESTIMATE = re.compile(rf"({NUMBER.pattern}) ± ({NUMBER.pattern})((?: \S{{1,3}})?)")
P_VALUE = re.compile(r"\bp (=|\\ensuremath\{[^}]*\}) (\d)")


def latex_grid(grid: Grid) -> str:
    """Return a table environment that needs booktabs only, with errors aligned at their plus-minus signs."""
    is_of_texts = any(column.kind == "text" for column in grid.columns)
    return _of_texts(grid) if is_of_texts else _environment(grid, _Plain())


def siunitx_grid(grid: Grid) -> str:
    """Return a table environment with columns of siunitx, with numbers aligned at their decimal points."""
    return _environment(grid, _Siunitx())


class _Plain:
    """Numbers in two LaTeX columns (span): values right-aligned, errors left-aligned."""

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
        """Ranks have no errors to align with. They are centered and aligned with each other."""
        if not cell.value:
            return self.cell(cell)
        missing = "0" * (longest - len(cell.value))
        room = rf"\phantom{{{missing}}}" if missing else ""
        shown = rf"${room}{_number(cell.value, cell.bold)}$"
        return rf"\multicolumn{{2}}{{c}}{{{shown}{_signs(cell.marks)}}}"


class _Siunitx(_Plain):
    """One S column for each column of the table."""

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
    """Return the error in units of the value's last decimal: 13 for 0.812 with 0.013."""
    return cell.error.replace(".", "").lstrip("0") or "0"


def _number(text: str, bold: bool) -> str:
    shown = text.replace("inf", r"\infty")
    return rf"\mathbf{{{shown}}}" if bold else shown


def _signs(marks: Sequence[str]) -> str:
    """Return marks of zero width, so that the numbers stay aligned."""
    return rf"\rlap{{$^{{{' '.join(SIGNS[name] for name in marks)}}}$}}" if marks else ""


def _environment(grid: Grid, style: _Plain) -> str:
    """Return one environment, or several if a page has no room for the table."""
    grid, size, blocks = layout(grid)
    lines = latex_comment(grid.provenance).splitlines()
    set_in, more = (_long_tables, ["longtable"]) if is_long(grid, size, blocks) else (_floats, [])
    lines += [rf"% \usepackage{{{name}}}" for name in (*style.packages, *more)]
    return "\n".join([*lines, *set_in(grid, style, size, blocks), ""])


def _floats(grid: Grid, style: _Plain, size: Type, blocks: Sequence[range]) -> Iterator[str]:
    """Yield floats, each no larger than a page."""
    many = max(1, int(PAGE // _height(grid, size)))
    floats = [blocks[start : start + many] for start in range(0, len(blocks), many)]
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
            part = grid.columns_at(columns)
            yield from _tabular(_columns(part, style), _headings(part, style), _body(part, style))
        yield from _notes(grid) if number == len(floats) - 1 else []
        yield r"\end{table}"


def _long_tables(grid: Grid, style: _Plain, size: Type, blocks: Sequence[range]) -> Iterator[str]:
    """Yield a longtable for each block of columns, with its headings on each page."""
    yield from [r"\begingroup", *style.setup, *_type(size)]
    for number, columns in enumerate(blocks):
        part = grid.columns_at(columns)
        caption = _continued(grid) if number else _caption(grid)
        yield from _long(caption, _columns(part, style), [*_headings(part, style)], _body(part, style))
    yield from [r"\endgroup", *_notes(grid)]


def _long(
    caption: Sequence[str], columns: str, headings: Sequence[str], body: Iterable[str]
) -> Iterator[str]:
    """Yield one longtable."""
    if caption[0].startswith(r"\addtocounter"):
        yield caption[0]
    head = [r"\toprule", *headings, r"\midrule"]
    yield rf"\begin{{longtable}}{{{columns}}}"
    yield from [*(line for line in caption if not line.startswith(r"\addtocounter")), r"\\", *head]
    yield from [r"\endfirsthead", *head, r"\endhead", r"\bottomrule", r"\endfoot", *body]
    yield r"\end{longtable}"


def _type(size: Type) -> list[str]:
    return [size.command, rf"\setlength{{\tabcolsep}}{{{parameter(size.gap)}pt}}"] if size.command else []


def _continued(grid: Grid) -> list[str]:
    return [r"\addtocounter{table}{-1}", rf"\caption{{(Continued.) {latex_escape(grid.caption)}}}"]


def _caption(grid: Grid) -> list[str]:
    return [rf"\caption{{{latex_escape(grid.caption)}}}", rf"\label{{{latex_label(grid.label)}}}"]


def _columns(grid: Grid, style: _Plain) -> str:
    cells = map(style.column, zip(*(row.cells for row in grid.rows), strict=True))
    return f"@{{}}l{'r' * (len(grid.stubs) - 1)}{''.join(cells)}@{{}}"


def _tabular(columns: str, headings: Iterable[str], body: Iterable[str]) -> list[str]:
    start = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", *headings]
    return [*start, r"\midrule", *body, r"\bottomrule", r"\end{tabular}"]


def _headings(grid: Grid, style: _Plain) -> Iterator[str]:
    *outer, last = grid.headings
    for line, labels in enumerate(outer):
        spans, rules = _spans(labels, len(grid.stubs) + 1, span=style.span)
        yield " & ".join([*_labels(grid.stubs_beside(line)), *spans]) + r" \\"
        yield " ".join(rules)
    yield " & ".join([*_labels(grid.stubs), *map(style.heading, last)]) + r" \\"


def _spans(
    labels: Sequence[str], place: int, *, span: int, is_whole: bool = True
) -> tuple[list[str], list[str]]:
    """Return a cell for each run of equal labels, and rules below labels, from column `place` on.

    span: columns per label; is_whole: whether a run without a label forms one cell."""
    cells, rules = [], []
    for label, members in groupby(labels):
        width = span * len(list(members))
        cell = rf"\multicolumn{{{width}}}{{c}}{{{latex_escape(label)}}}"
        cells += [cell] if label or is_whole else [""] * width
        rules += [rf"\cmidrule(lr){{{place}-{place + width - 1}}}"] if label else []
        place += width
    return cells, rules


def _body(grid: Grid, style: _Plain) -> Iterator[str]:
    # Number of characters of the longest rank in each column.
    longest = [
        max((len(row.cells[j].value) for row in grid.rows if "rank" in (row.kind, column.kind)), default=0)
        for j, column in enumerate(grid.columns)
    ]
    for row, labels, starts, ruled in zip(grid.rows, grid.labels, grid.starts, grid.rules, strict=True):
        if ruled:
            yield r"\midrule"
        elif starts:
            yield r"\addlinespace"
        if row.above:
            width = len(grid.stubs) + style.span * len(grid.columns)
            yield rf"\multicolumn{{{width}}}{{@{{}}l@{{}}}}{{{latex_escape(row.above)}}} \\"
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
    notes = [
        (r"\textbf{Bold}: " if name == BEST else rf"$^{{{SIGNS[name]}}}$ ") + _tied(meaning)
        for name, meaning in grid.marks
    ]
    notes += map(_tied, grid.notes)
    start = [r"\par\smallskip\noindent", r"\begin{minipage}{\linewidth}\footnotesize"]
    return [*start, *notes, r"\end{minipage}"] if notes else []


def _tied(text: str) -> str:
    """Escape a note, without a line break between p and its number."""
    return P_VALUE.sub(r"p~\1~\2", latex_escape(text))


def _fits(grid: Grid, part: Sequence[int], one: Type) -> bool:
    """Do these columns of texts fit the line width of a plain `article`?"""
    _, widths = _widths(grid)
    return NARROWER * one.character * sum(widths[k] for k in part) + 2 * one.gap * len(part) <= LINE


def _type_and_parts(grid: Grid) -> tuple[Type, list[Grid]]:
    """Return the fewest parts, each with the repeated columns, and the largest type in which a table of texts
    fits the line of a plain `article`.

    Names are broken before a table is divided, unless the table has repeated columns. By default the leading
    names are repeated."""
    last = len(grid.columns)
    leading = sum(1 for _ in takewhile(lambda column: column.align == "l", grid.columns))
    first = grid.repeated or min(leading, last - 1)
    parts = [[*range(last)]]
    for number in range(1, last - first + 1 if first else 2):
        size = -(-(last - first) // number)
        parts = [[*range(first), *range(one, min(one + size, last))] for one in range(first, last, size)]
        for one in TYPES:
            if all(_fits(grid, part, one) for part in parts):
                return one, [grid.columns_at(part) for part in parts]
        shown = [grid.columns_at(part) for part in parts]
        if not grid.repeated and all(_can_break(part, TYPES[-1]) for part in shown):
            return TYPES[-1], shown
    return TYPES[-1], [grid.columns_at(part) for part in parts]


def _can_break(grid: Grid, one: Type) -> bool:
    """Do the columns of texts fit the line once the widest names are broken?"""
    broken, room = _paragraphs(grid, one)
    pieces = (piece for k in broken for row in grid.rows for piece in BREAKS.split(row.cells[k].value))
    return not broken or room >= max(PARAGRAPH, one.character * max(map(len, pieces), default=0))


def _paragraphs(grid: Grid, one: Type) -> tuple[list[int], float]:
    """Return the fewest columns of names whose lines must be broken to make all columns fit, and their width,
    which may be too small."""
    if _fits(grid, range(len(grid.columns)), one):
        return [], 0.0
    _, widths = _widths(grid)
    names = [place for place, column in enumerate(grid.columns) if column.align == "l"]
    names.sort(key=lambda place: -widths[place])
    broken, room = [*names], 0.0
    for number in range(1, len(names) + 1):
        broken = names[:number]
        others = one.character * sum(width for place, width in enumerate(widths) if place not in broken)
        room = (LINE - others - 2 * one.gap * len(widths)) / number
        if room >= PARAGRAPH:
            break
    return broken, room


def _of_texts(grid: Grid) -> str:
    """Return the environment of a table of texts.

    Numbers and estimates like `0.81 ± 0.02 ~` are set in mathematics. Marks have no width, so that numbers
    stay aligned. The widest names are broken if the table, or a part of it, is too wide."""
    note, lines_of_rows = latex_escape(" ".join(grid.notes)), len(grid.rows)
    size, parts = _type_and_parts(grid)
    paragraphs = [(broken, max(room, PARAGRAPH)) for broken, room in (_paragraphs(p, size) for p in parts)]
    if paragraphs[0][0]:
        broken, room = paragraphs[0]
        most = int(room / size.character)
        lines_of_rows = sum(1 + max(len(row.cells[k].value) for k in broken) // most for row in grid.rows)
    is_long = lines_of_rows > MOST_ROWS
    start, end = ([r"\begingroup", *_type(size)], [r"\endgroup"]) if size.command else ([], [])
    below = [r"\par\smallskip", rf"{{\footnotesize {note}}}"] if note else []
    lines = [r"% \usepackage{booktabs}", *([r"% \usepackage{longtable}", *start] if is_long else [])]
    for number, (part, (broken, room)) in enumerate(zip(parts, paragraphs, strict=True)):
        caption = _continued(grid) if number else _caption(grid)
        paragraph = "p{" + str(round(room)) + "pt}"
        aligned = [paragraph if k in broken else one.align for k, one in enumerate(part.columns)]
        columns, headings = "".join(aligned), _headings_of_texts(part)
        body = [
            " & ".join(_text(cell, is_broken=k in broken) for k, cell in enumerate(row.cells)) + r" \\"
            for row in part.rows
        ]
        if is_long:
            lines += _long(caption, columns, headings, body)
            continue
        lines += [r"\begin{table}[htbp]", r"\centering", *caption]
        lines += [*_type(size), *_tabular(columns, headings, body)]
        lines += [*(below if number == len(parts) - 1 else []), r"\end{table}"]
    return "\n".join([*lines, *([*end, *below] if is_long else []), ""])


def _text(cell: Cell, *, is_broken: bool = False) -> str:
    """Return a cell of texts. is_broken: whether its column breaks lines. Names are broken only if nothing
    else is possible."""
    if is_broken and cell.value:
        shown = re.sub(r"(/|\\_)", r"\1\\allowbreak{}", _text(cell))
        return rf"{{\raggedright\exhyphenpenalty500 {shown}\par}}"
    if NUMBER.fullmatch(cell.value):
        return _mathematics(cell.value, cell.bold)
    if estimate := ESTIMATE.fullmatch(cell.value):
        value, error, mark = estimate.groups()
        shown = _mathematics(rf"{value} \pm {error}", cell.bold)
        return shown + (rf"\rlap{{\,{latex_escape(mark.strip())}}}" if mark else "")
    shown = latex_escape(cell.value)
    return rf"\textbf{{{shown}}}" if cell.bold and shown else at_start(shown)


def _mathematics(text: str, is_bold: bool) -> str:
    number = _EXPONENT.sub(lambda match: rf" \times 10^{{{int(match[1])}}}", text.replace("inf", r"\infty"))
    return rf"$\mathbf{{{number}}}$" if is_bold else f"${number}$"


def _headings_of_texts(grid: Grid) -> list[str]:
    titles = [(column.align, latex_escape(column.title)) for column in grid.columns]
    shown = [rf"\multicolumn{{1}}{{c}}{{{one}}}" if align == "r" else at_start(one) for align, one in titles]
    line = " & ".join(shown) + r" \\"
    if len(grid.headings) == 1:
        return [line]
    spans, rules = _spans(grid.headings[-2], 1, span=1, is_whole=False)
    return [" & ".join(spans) + r" \\", " ".join(rules), line]
