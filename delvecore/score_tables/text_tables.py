"""Tables as text: delimited values, Markdown, ARFF, LaTeX `tabular`, and predictions of time series.

The reader finds the delimiter and the line with the names of columns."""

import contextlib
import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, pairwise
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from delvecore.errors import ParseError
from delvecore.readers.text_encoding import separator_of
from delvecore.score_tables import names
from delvecore.score_tables.cells import MISSING, parse_texts
from delvecore.score_tables.files import SAVE, decoded
from delvecore.score_tables.table import Table, checked_names, frame_table, multi_header

SMALL = 1 << 20
"""Largest size in bytes of a file that is read line by line, so that errors give line numbers."""
HEAD = 1 << 16
SAMPLE, MOST_TEXTS = 20_000, 4_000
"""Rows that determine the kind of a large column, and the number of distinct texts above which fractions are
kept as numbers."""
SEPARATORS = (",", ";", "\t", "|", " ")
BY_LINE = ("|", " ")
NAMES_ABOVE = "a first line with names of columns"
EMPTY = "write the names of columns, and a line for each run or dataset"
_RULE = re.compile(r"\|?[ |:-]*--[ |:-]*")
_ARFF = re.compile(r"(?i)\s*(%[^\n]*\n\s*)*@relation\b")
_ATTRIBUTE = re.compile(r"""(?im)^\s*@attribute\s+('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\s{]+)""")
_COMMENT = re.compile(r"\s*#(\s|#|\{|$)")
"""A `#` and a blank: `#2,svm` is a header with the name of a method."""
_ABOVE = re.compile(r"\s*#(\s|#|\{|$|[^,;\t|]*$)")
"""A comment above a table: a blank follows its `#`, or it has no delimiter."""
Row = tuple[int, list[str]]
"""The number of the last line of a row, and its fields."""


def read_text(data: bytes, source: str, file: str) -> Table:
    """Return the table in a text, its cells as written. Raises ParseError with the line of a fault."""
    text = decoded(data, source)
    if not text or text.isspace():
        raise ParseError(source, None, "a table of scores", "an empty file", EMPTY)
    text = _only_table(text, source)
    head = text if len(text) <= HEAD else text[: max(text.find("\n", HEAD), HEAD)]
    if PREDICTIONS.match(head):
        return frame_table(_predictions(text, source), source, file)
    if _ARFF.match(head):
        return _table_of(_arff(text, source), source, file)
    if LATEX.search(head):
        return _table_of(rows_of_tabular(text, source), source, file)
    separator, header = _layout(head, source)
    if len(text) > SMALL and separator not in BY_LINE and not re.search(r"\n(#|\r?\n)", text):
        buffer = pa.py_buffer(data if text.isascii() and len(text) == len(data) else text.encode())
        has_quotes = '"' in text
        del text  # as large as all that follows
        large = _read_at_once(buffer, separator, header, has_quotes=has_quotes)
        if large is not None:
            table = _named(large, header, source, file)
            return replace(table, lines=None) if has_quotes else table
        text = decoded(data, source)
    rows = _rows(text, separator, source, len(header[1]))
    return _table_of([header, *(row for row in rows if row[0] > header[0])], source, file)


_MARKDOWN_RULE = re.compile(r"^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+\|?[ \t]*$", re.MULTILINE)


def _only_table(text: str, source: str) -> str:
    """Blank the lines around the Markdown table of a text, if any. Raises ParseError for several."""
    if _MARKDOWN_RULE.search(text) is None:
        return text
    lines, end = text.splitlines(), 0
    spans: list[tuple[int, int]] = []
    for start, (line, below) in enumerate(pairwise(lines)):
        if start >= end and "|" in line and "|" in below and _MARKDOWN_RULE.fullmatch(below):
            end = next((at for at in range(start, len(lines)) if "|" not in lines[at]), len(lines))
            spans.append((start, end))
    if len(spans) > 1:
        number, remedy = spans[1][0] + 1, "save one table in a separate file"
        raise ParseError(source, number, "one table", f"{len(spans)}, the second on line {number}", remedy)
    for start, end in spans:
        lines = [line if start <= at < end else "" for at, line in enumerate(lines)]
    return "\n".join(lines) + "\n" if spans else text


def _table_of(rows: Sequence[Row], source: str, file: str) -> Table:
    """Return rows as a table. The first row has the names. Raises ParseError."""
    if not rows:
        raise ParseError(source, None, "a table of scores", "one without lines", EMPTY)
    (line, header), *below = rows
    if not below:
        raise ParseError(source, line, "lines of scores below the names", "none", EMPTY)
    width = len(header)
    expected = f"{width} fields, as in " + (f"the header on line {line}" if line else "the header")
    if all(len(fields) == width + 1 and fields[-1].strip() for _, fields in below):
        raise ParseError(source, below[0][0], expected, f"{width + 1}", "write a name over each column")
    for number, fields in below:
        while len(fields) > width and not fields[-1].strip():  # empty ones beyond the header's
            fields.pop()
        if len(fields) != width:
            is_long = len(fields) > width
            remedy = "quote fields that hold the separator" if is_long else "write empty fields, too"
            raise ParseError(source, number, expected, f"{len(fields)}", remedy)
    frame = pd.DataFrame([header, *(fields for _, fields in below)], dtype=object)
    return read_rows(frame.set_axis([number for number, _ in rows]), source, file)


def read_rows(rows: pd.DataFrame, source: str, file: str) -> Table:
    """Return the table of rows, indexed by their lines, below one header or two. Raises ParseError."""
    header = ["" if pd.isna(cell) else str(cell) for cell in rows.iloc[0]]
    joined = multi_header(rows) if len({*header, ""}) <= len(header) else None
    if joined is not None:
        return frame_table(joined, source, file)
    return _named(rows.iloc[1:], (int(rows.index[0]), header), source, file)


def _named(frame: pd.DataFrame, header: Row, source: str, file: str) -> Table:
    """Return the table below a header, without nameless empty columns. An arrow joins the name before it."""
    line, titles = header
    kept = []
    for at, title in enumerate(titles):
        texts = set() if title.strip() else {*map(str, frame.iloc[:, at].dropna().unique())} - {""}
        if at and texts and texts <= {"↑", "↓"}:
            frame = frame.copy()
            frame.isetitem(at - 1, frame.iloc[:, at - 1].str.cat(frame.iloc[:, at], " "))
        if title.strip() or any(map(str.isalnum, "".join(texts))):
            kept.append(at)
    header_line = line or None
    checked = checked_names([titles[at] for at in kept], source, header_line)
    named = frame.iloc[:, kept].set_axis(checked, axis=1).reset_index(drop=True)
    return Table(source, file, named, frame.index.to_numpy(), header_line)


def _layout(head: str, source: str) -> tuple[str, Row]:
    """Return the delimiter, and the header with its line, which is 0 in a comment. Raises ParseError."""
    start = head.lstrip().lower()
    for mark, kind in {"<": "HTML or XML", "%pdf": "a PDF"}.items():
        if start.startswith(mark):
            raise ParseError(source, 1, "a table of scores", kind, SAVE)
    lines = [line for line in head.splitlines() if line.strip()]
    top = next((at for at, line in enumerate(lines) if not _ABOVE.match(line)), len(lines))
    body = [line for line in lines[top:] if not _RULE.fullmatch(line)][:200]
    if not body:
        raise ParseError(source, 1, "a table of scores", "only comments", EMPTY)
    separator, width = separator_of(lambda one: [_split(line, one) for line in body], SEPARATORS)
    rows = list(islice(_rows(head, separator, source, None), 100))
    if not rows:
        raise ParseError(source, 1, "a table of scores", "separators only", EMPTY)
    number, header = rows[0]
    first = repr(header[0][:40])
    both = sum(bool(re.search(r"\d;\d+,\d|\d,\d+;", line)) for line in body)
    if separator == "," and 2 * both >= len(body):  # commas are decimal signs there
        actual = "semicolons between numbers with commas"
        remedy = "write names of columns, separated by semicolons"
        raise ParseError(source, number, "one separator", actual, remedy)
    is_score = names.is_metric(header[0]) or names.only_direction(header[0]) is not None
    if width < 2 and len(header) < 2 and not is_score:
        expected = "columns separated by commas, semicolons, tabs or blanks"
        raise ParseError(source, number, expected, f"one column, {first}", "write the table as CSV")
    if len(header) < min(width, 2):
        expected, remedy = f"the names of {width} columns", "put a # before the lines above the names"
        raise ParseError(source, number, expected, f"one field, {first}", remedy)
    numbers = parse_texts(header).value
    is_corner = names.is_called(header[0], names.ROWS, names.METHODS)
    is_named = is_corner and len({*header}) == len(header)
    if not is_named and (not np.isnan(numbers).any() or (len(numbers) > 1 and (numbers[1:] % 1 > 0).all())):
        above = _split(lines[top - 1].lstrip("# \t"), separator) if top else []  # as NumPy writes them
        if len(above) != len(header):
            actual = f"numbers ({', '.join(header[:3])})"
            remedy = "write the names of the columns above the numbers"
            raise ParseError(source, number, NAMES_ABOVE, actual, remedy)
        number, header = 0, above
    header, later = _spreads_named(header), [fields for _, fields in rows[1:]]
    counts = [fields[0].strip() for fields in later] == [str(place + 1) for place in range(len(later))]
    # If the first name is one for datasets or methods, another name is missing, unless R numbers the rows.
    is_of_r = counts or not names.is_called(header[0], names.ROWS, names.METHODS)
    if later and is_of_r and all(len(one) == len(header) + 1 and one[-1].strip() for one in later):
        header = ["", *header]  # R writes no name above the row names
    return separator, (number, header)


def _spreads_named(header: Sequence[str]) -> list[str]:
    """Return the header with method names added to marks such as `±` above columns of spreads."""
    marks = [cell.strip().strip("()").lower() for cell in header]
    again = {mark for mark in marks if mark in names.DEVIATIONS and marks.count(mark) > 1} | {"±", "+/-"}
    return [
        f"{header[at - 1].strip()} std" if at and marks[at] in again and marks[at - 1] else cell
        for at, cell in enumerate(header)
    ]


def _split(line: str, separator: str) -> list[str]:
    if separator == " ":
        line = re.sub(r"[ \t]+", " ", re.sub(r"\s*(±|\+/-)\s*|\s+(?=\()", r"\1", line.strip()))
    if separator == "|":
        return [field.strip() for field in line.strip().removeprefix("|").removesuffix("|").split("|")]
    try:
        return next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        return [line]


def _rows(text: str, separator: str, source: str, width: int | None) -> Iterator[Row]:
    """Yield the rows of a table, except blank rows and comments.

    width: number of fields of a row that may begin with `#`."""
    lines = ((number, line) for number, line in enumerate(text.splitlines(), 1) if not _RULE.fullmatch(line))
    split = ((number, _split(line, separator)) for number, line in lines)
    above = True
    for number, fields in split if separator in BY_LINE else _csv(text, source, delimiter=separator):
        if not any(map(str.strip, fields)):
            continue
        if fields[0].lstrip().startswith("#"):
            is_comment = (_COMMENT.match(fields[0]) or len(fields) < 2) if above else len(fields) != width
            if is_comment:
                continue
        above = False
        yield number, fields


def _csv(text: str, source: str, line: int = 0, **form: Any) -> Iterator[Row]:
    """Yield the rows of delimited values. line: number of the line above them. Raises ParseError."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True, **form)
    last = 0
    try:
        for fields in reader:
            last = reader.line_num
            yield line + last, fields
    except csv.Error as error:
        expected, remedy = "fields whose quotes are closed", "write each quote in a field twice"
        raise ParseError(source, line + last + 1, expected, str(error), remedy) from None


def _arff(text: str, source: str) -> list[Row]:
    """Return the names and cases of an ARFF file, following Weka's description of the format."""
    header, *body = re.split(r"(?im)^\s*@data\b.*$", text, maxsplit=1)
    titles = [re.sub(r"\\(.)", r"\1", name.strip("'\"")) for name in _ATTRIBUTE.findall(header)]
    line = header.count("\n") + 1
    if not body or not titles or body[0].lstrip().startswith("{"):
        expected = "@attribute lines, then @data with one case per line"
        actual = "a sparse file" if body and titles else "none"
        raise ParseError(source, line, expected, actual, "export it as CSV")
    quote = '"' if '"' in body[0] and "'" not in body[0] else "'"
    form = {"quotechar": quote, "escapechar": "\\", "skipinitialspace": True}
    cases = _csv(re.sub(r"(?m)^\s*%.*", "", body[0]), source, line - 1, **form)
    return [(line, titles), *(case for case in cases if any(map(str.strip, case[1])))]


PREDICTIONS = re.compile(r"[^,\n]*,[^,\n]*,(TEST|TRAIN), *\d+,")
_SECONDS = {"nanoseconds": 1e-9, "microseconds": 1e-6, "milliseconds": 1e-3, "seconds": 1.0}


def _predictions(text: str, source: str) -> pd.DataFrame:
    """Return the table of a text of predictions. Raises ParseError.

    The first line is `dataset,method,TEST,resample,unit of times,...`, the third begins with the score and
    the time of training, and each further one with a target and its prediction."""
    lines = text.splitlines()
    about, scored = ([word.strip() for word in line.split(",")] for line in (lines[0], [*lines, "", ""][2]))
    rows = [[word.strip() for word in line.split(",")] for line in lines[3:]]
    short = next((number for number, row in enumerate(rows, 4) if len(row) < 2), None)
    if short is not None or not rows:
        actual = repr(lines[short - 1]) if short else "none"
        raise ParseError(source, short, "a target and its prediction in each line", actual, "write it again")
    written, *times = parse_texts(scored[:2]).value
    metric, value = _score_of([row[0] for row in rows], [row[1] for row in rows], written)
    table: dict[str, Any] = {"dataset": about[0], "method": about[1], "resample": about[3], metric: value}
    unit = _SECONDS.get(about[4].lower())
    if unit is not None and times and times[0] >= 0:
        table["seconds"] = times[0] * unit
    return pd.DataFrame([table])


def _score_of(targets: Sequence[str], predicted: Sequence[str], written: float) -> tuple[str, float]:
    """Return the accuracy of classes, or the mean squared error of numbers; the written score decides."""
    try:
        numbers = np.array([targets, predicted], dtype=float)
    except ValueError:
        return "accuracy", float(np.mean([a == b for a, b in zip(targets, predicted, strict=True)]))
    right, error = float(np.mean(numbers[0] == numbers[1])), float(np.mean((numbers[0] - numbers[1]) ** 2))
    is_right, is_error = (np.isclose(written, one) for one in (right, error))
    are_classes = bool((numbers == np.floor(numbers)).all()) and (is_right or not is_error)
    return ("accuracy", right) if are_classes else ("mean squared error", error)


def _read_at_once(data: pa.Buffer, separator: str, header: Row, *, has_quotes: bool) -> pd.DataFrame | None:
    """Return the rows as pyarrow reads them, with all cells as text; None if they must be read line by
    line."""
    places = [str(place) for place in range(len(header[1]))]
    read = pyarrow.csv.ReadOptions(column_names=places, skip_rows=header[0])
    parse = pyarrow.csv.ParseOptions(delimiter=separator, newlines_in_values=has_quotes)
    types = dict.fromkeys(places, pa.string())
    convert = pyarrow.csv.ConvertOptions(column_types=types, strings_can_be_null=False)
    try:
        table = pyarrow.csv.read_csv(pa.BufferReader(data), read, parse, convert)
    except pa.ArrowInvalid:
        return None
    frame = pd.DataFrame({place: _cells(table[place]) for place in places})
    return frame.set_axis(range(header[0] + 1, header[0] + 1 + len(frame)))


def _cells(column: pa.ChunkedArray) -> pd.Categorical | np.ndarray:
    """Return a column as text, or as numbers if there are very many and they are fractions."""
    sample = column.slice(0, SAMPLE).unique()
    if len(sample) > MOST_TEXTS and all("." in text or not text for text in sample.to_pylist()):
        missing = pa.array([form for text in MISSING for form in {text, text.upper(), text.title()}])
        present = pc.if_else(pc.is_in(column, value_set=missing), None, column)
        with contextlib.suppress(pa.ArrowInvalid):
            return present.cast(pa.float64()).to_numpy()
    whole = column.dictionary_encode().combine_chunks()
    whole = whole.chunk(0) if isinstance(whole, pa.ChunkedArray) else whole
    return pd.Categorical.from_codes(whole.indices.to_numpy(), whole.dictionary.to_pandas())


_GROUP = r"\{[^{}]*\}"
for _level in range(3):
    _GROUP = rf"\{{(?:[^{{}}]|{_GROUP})*\}}"
_BEGIN = (
    rf"\\begin\s*\{{(?:(?:tabular|longtable|tblr)\}}|tabular[*xy]\}}\s*{_GROUP})(?:\s*\[[^\]]*\])?\s*{_GROUP}"
)
_END = r"\\end\s*\{(?:tabular[*xy]?|longtable|tblr)\}"
LATEX = re.compile(
    r"\\begin\s*\{(table\*?|tabular[*xy]?|longtable|tblr|document)\}|^\s*\\documentclass", re.MULTILINE
)
_TABLE = re.compile(rf"{_BEGIN}((?:(?!\\begin\s*\{{tab|\\end\s*\{{).)*){_END}", re.DOTALL)
_RULES = re.compile(
    r"\\((top|mid|bottom|cmid|special|h)(rule|line)|cline|addlinespace|end(first|last)?(head|foot)|rowcolor)\b"
    r"(\s*(\([^)]*\)|\[[^\]]*\]|\{[^{}]*\}))*"
)
_DROPPED = re.compile(
    r"\\multirow\s*(\[[^\]]*\])?\{[^{}]*\}(\[[^\]]*\])?\{[^{}]*\}|"
    r"\\(textcolor|cellcolor|color|cite\w*|ref|label|footnote\w*|tnote|[vh]space|rotatebox)\*?"
    r"(\s*\[[^\]]*\])*\{[^{}]*\}"
)
_MARK = re.compile(r"\^\{?(\\?[*†‡§]|\\(ast|star|d*dagger|circ|bullet)\b|[a-z*,]+(?=\}|\b))\}?")
_SIGNS = {"pm": "±", "textpm": "±", "uparrow": "↑", "downarrow": "↓", "times": "×", "infty": "∞"}


def rows_of_tabular(text: str, source: str) -> list[tuple[int, list[str]]]:
    """Return the rows of the only table in LaTeX text, with their lines. Raises ParseError."""
    text = re.sub(r"(?<!\\)%.*", "", text)
    while inner := next((one for one in _TABLE.finditer(text) if _is_within(text[: one.start()])), None):
        plain = " ".join(piece for _, piece in _split_cells(inner[1], "\\\\"))
        text = text[: inner.start()] + plain + text[inner.end() :]
    bodies = list(_TABLE.finditer(text))
    if len(bodies) != 1:
        line = text[: bodies[1].start()].count("\n") + 1 if bodies else None
        remedy = "save one table in a separate file"
        raise ParseError(source, line, "one tabular", f"{len(bodies)}", remedy)
    above, body = text[: bodies[0].start(1)].count("\n") + 1, _RULES.sub("", bodies[0][1])
    rows = [(above + body.count("\n", 0, end), [*_cells_of(row)]) for end, row in _split_cells(body, "\\\\")]
    rows = [(line, row) for line, row in rows if sum(map(bool, row)) > 1]  # no headings of parts
    width = len(rows[0][1]) if rows else 0
    return [(line, [*row, *[""] * (width - len(row))]) for line, row in rows]


def _is_within(before: str) -> bool:
    """Does a text end inside a table?"""
    return len(re.findall(_BEGIN, before)) > len(re.findall(_END, before))


def _split_cells(text: str, sign: str) -> Iterator[tuple[int, str]]:
    """Yield the parts between `&` or `\\\\` outside of braces, with their end positions."""
    depth = start = 0
    for mark in re.finditer(r"\\\\(\*|\s*\[[^\]]*\])*|\\.|[{}&]", text):
        depth += {"{": 1, "}": -1}.get(mark[0], 0)
        if not depth and mark[0].startswith(sign):
            yield mark.start(), text[start : mark.start()]
            start = mark.end()
    yield len(text), text[start:]


def _cells_of(row: str) -> Iterator[str]:
    """Yield the plain texts of the cells of a row. A merged cell fills the first of its columns."""
    for _, cell in _split_cells(row, "&"):
        merged = re.match(rf"\s*\\multicolumn\s*\{{\s*(\d+)\s*\}}\s*{_GROUP}", cell)
        yield _plain(cell[merged.end() :] if merged else cell)
        yield from [""] * (int(merged[1]) - 1 if merged else 0)


def _plain(cell: str) -> str:
    """Return the text of a cell without commands: `\\textbf{93.1}$_{\\pm 0.4}$` is `93.1 ± 0.4`."""
    cell = _MARK.sub("", _DROPPED.sub("", re.sub(r"\\[,;!:]", "", cell).replace("{,}", ",")))
    cell = re.sub(r"\\([a-zA-Z]+)\*?(\[[^\]]*\])?", lambda word: _SIGNS.get(word[1], ""), cell)
    cell = re.sub(r"(?<!\\)[{}$]", "", cell).replace("~", " ").replace(r"\\", " ")
    cell = re.sub(r"\\([%&_#$])", r"\1", re.sub(r"(?<!\\)_\s*(?=±)", " ", cell))
    return " ".join(re.sub(r"\s*±\s*", " ± ", re.sub(r"(?<=\d)_\(?([\d.]+)\)?$", r" (\1)", cell)).split())
