"""Tables of papers read back as cells: LaTeX, HTML, Markdown, Typst and CSV.

White space, rules and comments do not count. A cell keeps its text, its marks, and whether it is bold."""

import csv
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import unescape

from delvecore.names import one_line
from delvecore.render.grid import Cell, Row

MINUS = str.maketrans({"−": "-", "\u2010": "-", "\u2011": "-", "\u00a0": " ", "\u202f": " "})
_NUMBER = r"(?:[<>≤≥])?[-+]?(?:inf|∞|\d[\d.,]*(?:e[-+]?\d+|×10\^?-?\d+)?)"
_CELL = re.compile(rf"({_NUMBER}(?:±{_NUMBER}|\(\d+\)|%)?)((?:\^?[≈?+*~-])*)")
"""A number with its error, without blanks, and the marks after it."""


def cell_of(text: str, *, bold: bool = False, span: int = 1) -> Cell:
    """Return the cell of a text: words, or a number with its error, without blanks, and the signs after it.

    Examples
    --------
    >>> cell_of("0.81 ± 0.02 ≈")
    Cell(value='0.81±0.02', error='', bold=False, marks=('≈',), span=1)
    """
    line = " ".join(one_line(text).translate(MINUS).split())
    match = _CELL.fullmatch(line.replace(" ", ""))
    if match is None:
        return Cell(line.replace("^", ""), bold=bold and bool(line), span=span)
    return Cell(match[1], bold=bold, marks=tuple(match[2].replace("^", "")), span=span)


def cell_text(cell: Cell) -> str:
    """Return a cell as messages show it, such as `0.81 ± 0.02≈ (bold)`."""
    shown = cell.value.replace("±", " ± ") + "".join(cell.marks)
    return f"{shown} (bold)" if cell.bold else shown or "an empty cell"


@dataclass(frozen=True)
class ReadTable:
    """Rows of a table in a file, or, after `arrange`, the rows below its headings with one cell per column.

    Attributes
    ----------
    line : int
        Line of the paper at which the table begins.
    heads : int or None
        Number of rows of headings; None if no rule below them shows it.
    titles : tuple of str
        Titles of the columns, if arranged.
    head_line : int
        Line of the last row of headings.
    """

    line: int
    rows: tuple[Row, ...]
    heads: int | None
    titles: tuple[str, ...] = ()
    head_line: int = 0


def arrange(table: ReadTable, heads: int) -> ReadTable:
    """Return a table as a matrix.

    `heads` is the number of rows of headings if no rule shows it. The last row of headings divides the
    columns: cells below one heading become one cell.
    """
    count = min(heads if table.heads is None else table.heads, len(table.rows))
    above, below = table.rows[:count], table.rows[count:]
    nothing = Row((), line=table.line)
    model = above[-1] if above else max(below, key=lambda row: len(row.cells), default=nothing)
    starts = list(_starts(model))
    titles = [""] * len(starts)
    for row in above:
        for place, label in enumerate(_headings(row, starts)):
            titles[place] = " ".join(filter(None, (titles[place], label)))
    rows, group = [], ""
    for row in below:
        if len(row.cells) == 1 and (row.cells[0].span > 1 or len(starts) > 1):
            group = row.cells[0].value or group
        elif any(cell.value for cell in row.cells):
            rows.append(Row(tuple(_cells(row, starts)), above=group, line=row.line))
    return ReadTable(table.line, tuple(rows), count, tuple(titles), model.line)


def _starts(row: Row) -> Iterator[int]:
    place = 0
    for cell in row.cells:
        yield place
        place += cell.span


def _headings(row: Row, starts: Sequence[int]) -> Iterator[str]:
    """Yield the label above each column. A label that spans columns is above all of them."""
    begins = list(_starts(row))
    for start in starts:
        place = bisect_right(begins, start) - 1
        covers = place >= 0 and start < begins[place] + row.cells[place].span
        yield row.cells[place].value if covers else ""


def _cells(row: Row, starts: Sequence[int]) -> Iterator[Cell]:
    """Yield the cell of each column; text beyond the last column is added to it."""
    members: list[list[Cell]] = [[] for _ in starts]
    for begin, cell in zip(_starts(row), row.cells, strict=True):
        members[bisect_right(starts, begin) - 1].append(replace(cell, span=1))
    for cells in members:
        if len(cells) == 1:
            yield cells[0]
        else:
            text = " ".join(f"{cell.value} {''.join(cell.marks)}" for cell in cells)
            yield cell_of(text, bold=any(cell.bold for cell in cells))


class Lines:
    """Line numbers of positions in a text."""

    def __init__(self, text: str, first: int = 1) -> None:
        self.first = first
        self.ends = [match.start() for match in re.finditer("\n", text)]

    def __call__(self, place: int) -> int:
        return self.first + bisect_right(self.ends, place - 1)


_TABULAR = re.compile(r"\\begin\{(tabular|tabular\*|tabularx|tabulary|longtable|array)\}")
_COMMENT = re.compile(r"(\\[^\n])|%[^\n]*")
_RULES = re.compile(
    r"\\(?:toprule|midrule|bottomrule|hline|hhline\{[^{}]*\}|addlinespace(?:\[[^\]\n]{0,60}\])?|smallskip|"
    r"(?:cmidrule(?:\[[^\]\n]{0,60}\])?(?:\([^)\n]{0,60}\))?|cline)\{[^{}]*\}|rowcolor(?:\[[^\]\n]{0,60}\])?\{[^{}]*\}|"
    r"specialrule(?:\{[^{}]*\}){3}|endhead|endfoot|endlastfoot|label\{[^{}]*\})(?![a-zA-Z])"
)
_HEADS_END = re.compile(r"\\end(?:firsthead|head|foot|lastfoot)(?![a-zA-Z])")
_NOT_END = re.compile(r"[^\n]")
_TOKEN = re.compile(r"\\\\\*?(?:[ \t]{0,9}\[[^\]\n]{0,60}\])?|\\.|[{}&]|[^\\{}&]+|\\", re.DOTALL)
_BOLD = re.compile(r"\\(?:mathbf|textbf|bfseries|boldsymbol|bm|bf)(?![a-zA-Z])")
_PLAIN = {
    "pm": "±",
    "approx": "≈",
    "times": "×",
    "infty": "inf",
    "le": "≤",
    "leq": "≤",
    "ge": "≥",
    "geq": "≥",
    "textasciitilde": "~",
    "textbackslash": "\\",
    "textasciicircum": "^",
    "ldots": "…",
    "sim": "~",
    "ast": "*",
    "dag": "†",
    "dagger": "†",
    "S": "§",
    "ss": "ß",
    "minus": "-",
}
_COMMAND = re.compile(r"\\([a-zA-Z]+)\*?[ \t]?|\\(.)", re.DOTALL)
_DROPPED = re.compile(
    r"\\(?:phantom|textcolor|color|cellcolor|hspace\*?|vspace\*?|setlength\{[^{}]*\})\{[^{}]*\}"
)
_COMBINING = "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327"
_ACCENT = dict(zip("`'^~=u.\"rHvc", _COMBINING, strict=True))
_ACCENTED = re.compile(r"\\(?:([`'^~=.\"])\{?|([uHrvc])\{)([a-zA-Z])\}?")
_SAFE, _SAVED = "{}$&#%_^~", "\ue010\ue011\ue012\ue013\ue014\ue015\ue016\ue017\ue018"
_SAVE, _RESTORE = dict(zip(_SAFE, _SAVED, strict=True)), str.maketrans(dict(zip(_SAVED, _SAFE, strict=True)))


def latex_tables(text: str, first_line: int = 1) -> Iterator[ReadTable]:
    """Yield the tables in a text of LaTeX."""
    lines = Lines(text, first_line)
    # Comments become blanks, so that positions do not change.
    text = _COMMENT.sub(lambda match: match[1] or " " * len(match[0]), text)
    end = 0
    while start := _TABULAR.search(text, end):
        closing = text.find(rf"\end{{{start[1]}}}", start.end())
        if closing < 0:
            return
        end = closing
        begin = start.end()
        for _ in range(2 if start[1] in ("tabular*", "tabularx", "tabulary") else 1):
            begin = _behind_argument(text, begin, closing)
        yield _latex_table(text, begin, closing, lines)


def _behind_argument(text: str, place: int, end: int) -> int:
    """Return the position after optional arguments and one argument in braces."""
    while place < end and text[place] != "{":
        place += 1
    depth = 0
    for number in range(place, end):
        depth += {"{": 1, "}": -1}.get(text[number], 0)
        if depth == 0:
            return number + 1
    return end


def _latex_table(text: str, begin: int, end: int, lines: Lines) -> ReadTable:
    body = text[begin:end]
    heads_end = [match.end() for match in _HEADS_END.finditer(body)]
    if (first := body.find(r"\endfirsthead")) >= 0:  # headings of later pages, and page footers
        body = body[:first] + _blank(body[first : heads_end[-1]]) + body[heads_end[-1] :]
    caption = body.find(r"\caption")
    if caption >= 0:
        stop = _behind_argument(body, caption, len(body))
        row_end = body.find(r"\\", stop)
        stop = row_end + 2 if row_end >= 0 else stop
        body = body[:caption] + _blank(body[caption:stop]) + body[stop:]
    rule = body.find(r"\midrule")
    rows, heads = [], 0
    for place, cells in _latex_rows(_RULES.sub(lambda match: " " * len(match[0]), body)):
        if any(cell.value for cell in cells):
            rows.append(Row(tuple(cells), line=lines(begin + place)))
            heads += place < rule
    return ReadTable(lines(begin), tuple(rows), heads if rule >= 0 else None)


def _blank(text: str) -> str:
    """Return a text with a blank for each character except line ends."""
    return _NOT_END.sub(" ", text)


def _latex_rows(body: str) -> Iterator[tuple[int, list[Cell]]]:
    """Yield (place, cells) of each row."""
    cells: list[Cell] = []
    parts: list[str] = []
    depth, start = 0, -1
    for token in _TOKEN.finditer(body):
        text = token[0]
        if start < 0 and text.strip():
            start = token.start() + len(text) - len(text.lstrip())
        if text == "{":
            depth += 1
        elif text == "}":
            depth -= 1
        elif depth <= 0 and text == "&":
            cells.append(_latex_cell("".join(parts)))
            parts = []
            continue
        elif depth <= 0 and text.startswith(r"\\"):
            cells.append(_latex_cell("".join(parts)))
            yield start, cells
            cells, parts, depth, start = [], [], 0, -1
            continue
        parts.append(text)
    if cells or "".join(parts).strip():
        yield max(start, 0), [*cells, _latex_cell("".join(parts))]


def _latex_cell(text: str) -> Cell:
    text, span = text.strip(), 1
    if text.startswith(r"\multicolumn"):
        first = _behind_argument(text, 0, len(text))
        second = _behind_argument(text, first, len(text))
        number = text[len(r"\multicolumn") : first].strip(" {}")
        span = min(max(int(number), 1), 1000) if number.isdecimal() and len(number) < 5 else 1
        text = text[second:]
    return cell_of(latex_text(text), bold=_BOLD.search(text) is not None, span=span)


def latex_text(text: str) -> str:
    """Return the text that LaTeX prints for the commands that occur in tables.

    Examples
    --------
    >>> latex_text(r"$0.8$ ${}\\pm 0.1$\\rlap{$^{\\approx}$}"), latex_text(r"a\\_b -{}-")
    ('0.8 ±0.1^≈', 'a_b --')
    """
    text = _DROPPED.sub("", text)
    text = _ACCENTED.sub(_accented, text)
    text = re.sub("---?", lambda match: "—" if len(match[0]) == 3 else "–", text)
    text = _COMMAND.sub(_command_text, text)
    for sign in "{}$":
        text = text.replace(sign, "")
    return text.replace("~", " ").translate(_RESTORE).replace("``", "“").replace("''", '"')


def _accented(match: re.Match[str]) -> str:
    return unicodedata.normalize("NFC", match[3] + _ACCENT[match[1] or match[2]])


def _command_text(match: re.Match[str]) -> str:
    if match[2] is not None:
        return _SAVE.get(match[2], " " if match[2] in ",;: !" else "")
    shown = _PLAIN.get(match[1], "")
    return _SAVE.get(shown, shown)


_TAG = re.compile(
    r"<(/?)(table|thead|tfoot|tr|td|th|strong|b|sup)\b([^<>]{0,2000})>|<[^<>]{0,5000}>|([^<]+)|<",
    re.IGNORECASE,
)
_COLSPAN = re.compile(r"colspan\s*=\s*[\"']?(\d{1,3})", re.IGNORECASE)


class _TableTags:
    """Collects the tables of a page, tag by tag, without table footers."""

    def __init__(self) -> None:
        self.tables: list[ReadTable] = []
        self.rows: list[Row] | None = None
        self.cells: list[Cell] = []
        self.texts: list[str] | None = None
        self.heads, self.line, self.row_line, self.span = 0, 0, 0, 1
        self.bold = self.is_foot = False

    def start(self, tag: str, attributes: str, line: int) -> None:
        if tag == "table":
            self.rows, self.heads, self.line, self.is_foot = [], 0, line, False
        elif tag == "tfoot":
            self.is_foot = True
        elif tag == "tr":
            self._end_row()
            self.row_line = line
        elif tag in ("td", "th"):
            self._end_cell()
            span = _COLSPAN.search(attributes)
            self.span, self.texts, self.bold = int(span[1]) or 1 if span else 1, [], False
        elif tag in ("strong", "b"):
            self.bold = True
        elif tag == "sup" and self.texts is not None:
            self.texts.append("^")

    def end(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._end_cell()
        elif tag in ("tr", "thead", "tfoot", "table"):
            self._end_row()
        if tag == "thead" and self.rows is not None:
            self.heads = len(self.rows)
        elif tag == "tfoot":
            self.is_foot = False
        elif tag == "table" and self.rows is not None:
            self.tables.append(ReadTable(self.line, tuple(self.rows), self.heads or None))
            self.rows = None

    def _end_cell(self) -> None:
        if self.texts is not None:
            self.cells.append(cell_of(unescape("".join(self.texts)), bold=self.bold, span=self.span))
            self.texts = None

    def _end_row(self) -> None:
        self._end_cell()
        if self.cells and self.rows is not None and not self.is_foot:
            self.rows.append(Row(tuple(self.cells), line=self.row_line or self.line))
        self.cells = []


def html_tables(text: str, first_line: int = 1) -> Iterator[ReadTable]:
    """Yield the tables in a text of HTML."""
    lines, tags = Lines(text, first_line), _TableTags()
    for tag in _TAG.finditer(_without_comments(text)):
        closing, name, attributes, data = tag.groups()
        if data and tags.texts is not None:
            tags.texts.append(data)
        elif name and closing:
            tags.end(name.lower())
        elif name:
            tags.start(name.lower(), attributes, lines(tag.start()))
    yield from tags.tables


def _without_comments(text: str) -> str:
    """Replace comments in HTML by blanks, so that positions do not change."""
    parts, place = [], 0
    while (start := text.find("<!--", place)) >= 0:
        end = text.find("-->", start)
        end = len(text) if end < 0 else end + 3
        parts += [text[place:start], _blank(text[start:end])]
        place = end
    return "".join([*parts, text[place:]])


_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def markdown_tables(text: str, first_line: int = 1) -> Iterator[ReadTable]:
    """Yield the pipe tables in a Markdown text."""
    lines = text.split("\n")
    number = 1
    while number < len(lines):
        if not (_is_divider(lines[number]) and "|" in lines[number - 1]):
            number += 1
            continue
        start, rows = number - 1, [_markdown_row(lines[number - 1], first_line + number - 1)]
        number += 1
        while number < len(lines) and "|" in lines[number]:
            rows.append(_markdown_row(lines[number], first_line + number))
            number += 1
        yield ReadTable(first_line + start, tuple(rows), 1)


def _is_divider(line: str) -> bool:
    parts = line.strip().strip("|").split("|")
    return "|" in line and all("-" in part and not part.strip(" :-\t\r") for part in parts)


def _markdown_row(line: str, number: int) -> Row:
    saved = line.strip().replace(r"\\", "\ue010").replace(r"\|", "\ue011").replace("<!-- -->", "")
    parts = saved.removeprefix("|").removesuffix("|").split("|")
    return Row(tuple(map(_markdown_cell, parts)), line=number)


def _markdown_cell(text: str) -> Cell:
    text = text.replace("\ue011", "|")
    plain = text.replace(r"\*", "\ue012")
    bold = plain.count("**") >= 2
    plain = _ESCAPED.sub(r"\1", plain.replace("**", "")).replace("\ue012", "*").replace("\ue010", "\\")
    return cell_of(plain, bold=bold)


_TYPST_CELL = re.compile(r"table\.cell\(([^()\[\]]*)\)\s*$")
_MARK_BOX = re.compile(r"#box\(width: 0pt, super\[([^\[\]]*)\]\)|#super\[([^\[\]]*)\]")


def typst_tables(text: str, first_line: int = 1) -> Iterator[ReadTable]:
    """Yield the tables in a text of Typst."""
    lines = Lines(text, first_line)
    for match in re.finditer(r"(?<![\w.])table\(", text):
        stop = text.find("table(", match.end())
        part = text[match.end() : len(text) if stop < 0 else stop]
        count = re.search(r"columns:\s*(\d{1,4})\s*,", part[:400])
        if count is not None:
            yield _typst_table(part, int(count[1]) or 1, match.end(), lines)


def _typst_table(part: str, columns: int, begin: int, lines: Lines) -> ReadTable:
    rows: list[Row] = []
    cells: list[Cell] = []
    heads, line = 0, 0
    for place, cell, depth in _typst_cells(part):
        line = line or lines(begin + place)
        cells.append(cell)
        if sum(one.span for one in cells) >= columns:
            if any(one.value for one in cells):
                rows.append(Row(tuple(cells), line=line))
                heads += depth > 1
            cells, line = [], 0
    return ReadTable(lines(begin), tuple(rows), heads or None)


def _typst_cells(part: str) -> Iterator[tuple[int, Cell, int]]:
    """Yield (place, cell, depth of parentheses) of text in brackets, up to the end of the table."""
    depth, place, before = 1, 0, 0
    while place < len(part) and depth > 0:
        sign = part[place]
        if sign == "(":
            depth += 1
        elif sign == ")":
            depth -= 1
        elif sign == "[":
            stop = _closing(part, place)
            about = _TYPST_CELL.search(part[max(before, place - 80) : place])
            span = re.search(r"colspan:\s*(\d{1,4})", about[1]) if about else None
            yield place, _typst_cell(part[place + 1 : stop], int(span[1]) if span else 1), depth
            place = before = stop
        place += 1


def _closing(text: str, place: int) -> int:
    depth = 0
    while place < len(text):
        if text[place] == "\\":
            place += 1
        elif text[place] == "[":
            depth += 1
        elif text[place] == "]":
            depth -= 1
            if depth == 0:
                return place
        place += 1
    return len(text)


def _typst_cell(text: str, span: int) -> Cell:
    text = _MARK_BOX.sub(lambda match: "^" + (match[1] or match[2] or ""), text)
    saved = text.replace(r"\*", "\ue012").replace(r"\~", "\ue013")
    bold = saved.count("*") >= 2
    plain = _ESCAPED.sub(r"\1", saved.replace("*", "").replace("~", " "))
    return cell_of(plain.replace("\ue012", "*").replace("\ue013", "~"), bold=bold, span=span)


_DECIMAL_COMMA = re.compile(r"^(-?\d+),(\d+(?:[eE][-+]?\d+)?)$")
LONGEST_LINE = 100_000
"""Maximum number of characters that are read from a line of CSV."""


def csv_tables(text: str, first_line: int = 1) -> Iterator[ReadTable]:
    """Yield the table in a CSV text after its comments.

    In some countries, spreadsheets write semicolons or tabs, and decimal commas.
    """
    numbered = [(n, line) for n, line in enumerate(text.split("\n"), first_line) if line.strip()]
    numbered = [(n, line) for n, line in numbered if not line.startswith("#")]
    head = numbered[0][1] if numbered else ""
    delimiter = max(",;\t", key=head.count)
    rows = [
        Row(
            tuple(
                cell_of(text if delimiter == "," else _DECIMAL_COMMA.sub(r"\1.\2", text)) for text in fields
            ),
            line=number,
        )
        for (number, line) in numbered
        for fields in csv.reader([line[:LONGEST_LINE]], delimiter=delimiter)
    ]
    if rows:
        yield ReadTable(rows[0].line, tuple(rows), 1)


READERS: dict[str, Callable[[str, int], Iterator[ReadTable]]] = {
    "latex": latex_tables,
    "latex-siunitx": latex_tables,
    "html": html_tables,
    "markdown": markdown_tables,
    "typst": typst_tables,
    "csv": csv_tables,
}
"""A reader of tables for each format of `delve table` that has cells to read."""
