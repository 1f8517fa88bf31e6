"""What commands print, in the test's process, and their text, CSV, JSON and LaTeX as rows."""

import csv
import io
import json
import re
import sys
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import pytest

from delvecore.cli.delve import main as delve
from tests.one_sign.tables import METHODS, Case

Row = Mapping[str, Any]
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


@cache
def printed(case: Case, program: Callable[[list[str]], int], *arguments: str) -> str:
    """Return what a command prints on standard output; it may not fail. It runs once for all tests."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    errors = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(case.directory / "cache"))
        if case.is_loss:
            patch.setenv("DELVE_PATH", str(case.directory))
        patch.setattr(sys, "stdout", stream)
        patch.setattr(sys, "stderr", errors)
        code = program(list(arguments))
    stream.flush()
    assert code == 0, (arguments, errors.getvalue())
    return stream.buffer.getvalue().decode()


def delve_text(case: Case, command: str, *options: str, shape: str = "folds", single: bool = True) -> str:
    """Return what `delve COMMAND` prints of a case."""
    return printed(case, delve, command, *case.arguments(shape, single=single), *options)


def delve_json(case: Case, command: str, *options: str, shape: str = "folds", single: bool = True) -> Any:
    return json.loads(delve_text(case, command, *options, "--format", "json", shape=shape, single=single))


def delve_csv(
    case: Case, command: str, *options: str, shape: str = "folds", single: bool = True
) -> list[Row]:
    return csv_rows(delve_text(case, command, *options, "--format", "csv", shape=shape, single=single))


def csv_rows(text: str) -> list[Row]:
    """Return the rows of a CSV file below its comments; numbers are numbers, empty cells None."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return [{plain(key): cell(value) for key, value in row.items()} for row in csv.DictReader(lines)]


def plain(text: str) -> str:
    """Return a text without the apostrophe that keeps a spreadsheet from computing it."""
    return text.removeprefix("'")


def cell(text: str) -> float | str | None:
    if not text:
        return None
    return float(text) if NUMBER.fullmatch(text) else plain(text)


def cells_of(line: str) -> list[str]:
    """Return the cells of one line of a table in text, Markdown, HTML or LaTeX, without marks."""
    line = re.sub(r"\\(?:mathbf|textbf)\{([^{}]*)\}", r"\1", line).replace("\N{MINUS SIGN}", "-")
    line = re.sub(r"\\multicolumn\{\d\}\{[^{}]*\}\{([^{}]*)\}", r"\1", line)
    line = re.sub(r"</t[dh]>", "|", line)
    line = re.sub(r"<[^<>]*>|[$*\\]|&#?\w+;", "", line).replace("{}", "")
    return [part.strip() for part in re.split(r"[&|]|\s{2,}", line)]


def lines_of_methods(text: str) -> dict[str, list[str]]:
    """Return {method: cells behind its name} of the first line that begins with each method and has numbers."""
    lines_of_methods: dict[str, list[str]] = {}
    for line in text.replace("</tr>", "\n").splitlines():
        cells = [one for one in cells_of(line) if one]
        if len(cells) > 2 and cells[0] in METHODS and cells[0] not in lines_of_methods:
            lines_of_methods[cells[0]] = cells[1:]
    return lines_of_methods


def rounded(text: str) -> tuple[float, float]:
    """Return a printed number and half a unit of its last digit."""
    known = NUMBER.match(text.replace("\N{MINUS SIGN}", "-"))
    assert known, text
    shown = known[0].partition("e")[0]
    return float(known[0]), 0.501 * 10.0 ** -len(shown.partition(".")[2])
