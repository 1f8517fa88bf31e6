"""Texts whose table is not a header and separated values: LaTeX, ARFF, predictions of time series."""

import io
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from delvecore.errors import ParseError
from delvecore.score_tables.cells import Cell, parse_cell
from delvecore.score_tables.sources.headers import multi_header

__all__ = ["known_text"]

_ATTRIBUTE = re.compile(r"""(?im)^\s*@attribute\s+('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\s{]+)""")
_GROUP = r"\{[^{}]*\}"
for _level in range(3):
    _GROUP = rf"\{{(?:[^{{}}]|{_GROUP})*\}}"
_BEGIN = (
    rf"\\begin\s*\{{(?:(?:tabular|longtable|tblr)\}}|tabular[*xy]\}}\s*{_GROUP})(?:\s*\[[^\]]*\])?\s*{_GROUP}"
)
_END = r"\\end\s*\{(?:tabular[*xy]?|longtable|tblr)\}"
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
_SECONDS = {"nanoseconds": 1e-9, "microseconds": 1e-6, "milliseconds": 1e-3, "seconds": 1.0}


def known_text(head: str, text: Callable[[], str], source: str) -> pd.DataFrame | None:
    """The table in a text of LaTeX, ARFF or predictions; None for any other text.

    head: the first characters; text: the whole of it; source: its name in messages. ParseError where the text
    is not what its first lines say."""
    if re.match(r"[^,\n]*,[^,\n]*,(TEST|TRAIN), *\d+,", head):
        return _predictions(text(), source)
    if re.match(r"(?i)\s*(%[^\n]*\n\s*)*@relation\b", head):
        return _arff(text(), source)
    if re.search(r"\\begin\s*\{(table\*?|tabular[*xy]?|longtable|tblr|document)\}|^\s*\\documentclass", head):
        return _latex(text(), source)
    return None


def _arff(text: str, source: str) -> pd.DataFrame:
    """The cases of an ARFF file, by Weka's description of the format; `?` is missing."""
    header, *body = re.split(r"(?im)^\s*@data\b.*$", text, maxsplit=1)
    names = [re.sub(r"\\(.)", r"\1", name.strip("'\"")) for name in _ATTRIBUTE.findall(header)]
    if not body or not names or body[0].lstrip().startswith("{"):
        found = "a sparse file" if body and names else "none"
        raise ParseError(
            source, None, "@attribute lines, then @data with a case a line", found, "export it as CSV"
        )
    quote = '"' if '"' in body[0] and "'" not in body[0] else "'"
    form = {
        "quotechar": quote,
        "escapechar": "\\",
        "comment": "%",
        "skipinitialspace": True,
        "na_values": ["?"],
    }
    try:
        return pd.read_csv(
            io.StringIO(body[0]), names=names, index_col=False, dtype=str, keep_default_na=False, **form
        )
    except (pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise ParseError(
            source, None, f"cases of {len(names)} values", str(error), "export it as CSV"
        ) from None


def _latex(text: str, source: str) -> pd.DataFrame:
    """The one table of a text of LaTeX: a `tabular` or its like. Two header rows are joined."""
    text = re.sub(r"(?<!\\)%.*", "", text)
    while inner := next((one for one in _TABLE.finditer(text) if _is_within(text[: one.start()])), None):
        text = text[: inner.start()] + " ".join(_split(inner[1], "\\\\")) + text[inner.end() :]
    bodies = _TABLE.findall(text)
    if len(bodies) != 1:
        raise ParseError(source, None, "one tabular", f"{len(bodies)}", "save one table in a file of its own")
    rows = [[*_cells(row)] for row in _split(_RULES.sub("", bodies[0]), "\\\\")]
    rows = [row for row in rows if sum(map(bool, row)) > 1]  # no blank ones, nor headings of parts
    raw = pd.DataFrame(rows, dtype=object).fillna("")
    found = multi_header(raw)
    if found is None and len(raw) > 1 and raw.iloc[0].is_unique:
        found = raw.iloc[1:].set_axis(raw.iloc[0].tolist(), axis=1)
    if found is None:
        raise ParseError(source, None, "a row of different names, then rows", "none", "save the table as CSV")
    return found


def _is_within(before: str) -> bool:
    """Is a table open at the end of a text?"""
    return len(re.findall(_BEGIN, before)) > len(re.findall(_END, before))


def _split(text: str, sign: str) -> Iterator[str]:
    """Split at `&` or `\\\\` outside of braces."""
    depth = start = 0
    for mark in re.finditer(r"\\\\(\*|\s*\[[^\]]*\])*|\\.|[{}&]", text):
        depth += {"{": 1, "}": -1}.get(mark[0], 0)
        if not depth and mark[0].startswith(sign):
            yield text[start : mark.start()]
            start = mark.end()
    yield text[start:]


def _cells(row: str) -> Iterator[str]:
    """The plain texts of the cells of a row; a merged one stands in the first of its columns."""
    for cell in _split(row, "&"):
        merged = re.match(rf"\s*\\multicolumn\s*\{{\s*(\d+)\s*\}}\s*{_GROUP}", cell)
        yield _plain(cell[merged.end() :] if merged else cell)
        yield from [""] * (int(merged[1]) - 1 if merged else 0)


def _plain(cell: str) -> str:
    """The text of a cell without commands: `\\textbf{93.1}$_{\\pm 0.4}$` is `93.1 ± 0.4`."""
    cell = _MARK.sub("", _DROPPED.sub("", re.sub(r"\\[,;!:]", "", cell).replace("{,}", ",")))
    cell = re.sub(r"\\([a-zA-Z]+)\*?(\[[^\]]*\])?", lambda word: _SIGNS.get(word[1], ""), cell)
    cell = re.sub(r"(?<!\\)[{}$]", "", cell).replace("~", " ").replace(r"\\", " ")
    cell = re.sub(r"\\([%&_#$])", r"\1", re.sub(r"(?<!\\)_\s*(?=±)", " ", cell))
    return " ".join(re.sub(r"\s*±\s*", " ± ", re.sub(r"(?<=\d)_\(?([\d.]+)\)?$", r" (\1)", cell)).split())


def _predictions(text: str, source: str) -> pd.DataFrame:
    """aeon, sktime and tsml: predictions of one resample, as a table of one row with their score.

    The first line is `dataset,method,TEST,resample,unit of times,...`, the third begins with the score and
    the time of training, and each further one with a target and its prediction."""
    lines = text.splitlines()
    about, told = ([word.strip() for word in line.split(",")] for line in (lines[0], [*lines, "", ""][2]))
    rows = [[word.strip() for word in line.split(",")] for line in lines[3:]]
    short = next((number for number, row in enumerate(rows, 4) if len(row) < 2), None)
    if short is not None or not rows:
        found = repr(lines[short - 1]) if short else "none"
        raise ParseError(source, short, "a target and its prediction in each line", found, "write it anew")
    metric, value = _measured([row[0] for row in rows], [row[1] for row in rows], parse_cell(told[0]))
    table: dict[str, Any] = {"dataset": about[0], "method": about[1], "resample": about[3], metric: value}
    unit, taken = _SECONDS.get(about[4].lower()), parse_cell(told[1]) if len(told) > 1 else None
    if unit is not None and taken is not None and taken.value >= 0:
        table["seconds"] = taken.value * unit
    return pd.DataFrame([table])


def _measured(targets: Sequence[str], predicted: Sequence[str], told: Cell | None) -> tuple[str, float]:
    """The accuracy of classes; the mean squared error of numbers that are no classes, or whose score is told
    to be that."""
    try:
        numbers = np.array([targets, predicted], dtype=float)
    except ValueError:
        return "accuracy", float(np.mean([a == b for a, b in zip(targets, predicted, strict=True)]))
    right, error = float(np.mean(numbers[0] == numbers[1])), float(np.mean((numbers[0] - numbers[1]) ** 2))
    is_error = told is not None and np.isclose(told.value, error) and not np.isclose(told.value, right)
    are_classes = bool((numbers == np.floor(numbers)).all()) and not is_error
    return ("accuracy", right) if are_classes else ("mean squared error", error)
