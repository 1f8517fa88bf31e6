"""Texts of programs: a `tabular` of LaTeX, and predictions of time series."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from delvecore.errors import ParseError
from delvecore.score_tables.cells import Cell, parse_cell

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
PREDICTIONS = re.compile(r"[^,\n]*,[^,\n]*,(TEST|TRAIN), *\d+,")
_SECONDS = {"nanoseconds": 1e-9, "microseconds": 1e-6, "milliseconds": 1e-3, "seconds": 1.0}


def rows_of_tabular(text: str, source: str) -> list[tuple[int, list[str]]]:
    """The rows of the one table in a text of LaTeX, a `tabular` or its like, with their lines. ParseError."""
    text = re.sub(r"(?<!\\)%.*", "", text)
    while inner := next((one for one in _TABLE.finditer(text) if _is_within(text[: one.start()])), None):
        plain = " ".join(piece for _, piece in _split(inner[1], "\\\\"))
        text = text[: inner.start()] + plain + text[inner.end() :]
    bodies = list(_TABLE.finditer(text))
    if len(bodies) != 1:
        line = text[: bodies[1].start()].count("\n") + 1 if bodies else None
        remedy = "save one table in a file of its own"
        raise ParseError(source, line, "one tabular", f"{len(bodies)}", remedy)
    above, body = text[: bodies[0].start(1)].count("\n") + 1, _RULES.sub("", bodies[0][1])
    found = [(above + body.count("\n", 0, end), [*_cells(row)]) for end, row in _split(body, "\\\\")]
    rows = [(line, row) for line, row in found if sum(map(bool, row)) > 1]  # no headings of parts
    width = len(rows[0][1]) if rows else 0
    return [(line, [*row, *[""] * (width - len(row))]) for line, row in rows]


def _is_within(before: str) -> bool:
    """Is a table open at the end of a text?"""
    return len(re.findall(_BEGIN, before)) > len(re.findall(_END, before))


def _split(text: str, sign: str) -> Iterator[tuple[int, str]]:
    """The parts between `&` or `\\\\` outside of braces, with where they end."""
    depth = start = 0
    for mark in re.finditer(r"\\\\(\*|\s*\[[^\]]*\])*|\\.|[{}&]", text):
        depth += {"{": 1, "}": -1}.get(mark[0], 0)
        if not depth and mark[0].startswith(sign):
            yield mark.start(), text[start : mark.start()]
            start = mark.end()
    yield len(text), text[start:]


def _cells(row: str) -> Iterator[str]:
    """The plain texts of the cells of a row; a merged one stands in the first of its columns."""
    for _, cell in _split(row, "&"):
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


def predictions(text: str, source: str) -> pd.DataFrame:
    """aeon, sktime and tsml: predictions of one resample, as a table of one row with their score.

    The first line is `dataset,method,TEST,resample,unit of times,...`, the third begins with the score and
    the time of training, and each further one with a target and its prediction."""
    lines = text.splitlines()
    about, told = ([word.strip() for word in line.split(",")] for line in (lines[0], [*lines, "", ""][2]))
    rows = [[word.strip() for word in line.split(",")] for line in lines[3:]]
    short = next((number for number, row in enumerate(rows, 4) if len(row) < 2), None)
    if short is not None or not rows:
        found = repr(lines[short - 1]) if short else "none"
        raise ParseError(source, short, "a target and its prediction in each line", found, "write it again")
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
