"""How tables of scores were read, put first into an output of any format."""

import json
import os
from collections.abc import Callable, Sequence

from delvecore.names import one_line
from delvecore.report.provenance import latex_comment
from delvecore.report.writers.csv import csv_comment
from delvecore.report.writers.markup import html_escape, markdown_escape
from delvecore.report.writers.text import fold
from delvecore.score_tables.score_file import Reading, read_back


def read_back_lines(readings: Sequence[Reading]) -> tuple[str, ...]:
    """A line for each table of scores, such as `Read: 78 methods on 51 datasets; ...`."""
    return tuple(map(one_line, read_back(readings).splitlines())) if readings else ()


def with_readings(text: str, readings: Sequence[Reading], form: str) -> str:
    """Return an output that begins with how its tables of scores were read.

    Parameters
    ----------
    text : str
        The output in its format.
    readings : sequence of Reading
        One for each table of scores. Without any the output stays as it is, but in JSON.
    form : str
        `text`, `csv`, `json`, `latex`, `latex-siunitx`, `markdown`, `html` or `typst`. CSV, LaTeX and Typst
        have the lines as comments, JSON, an object, the records as its first member `read`, and the other
        formats paragraphs.

    Raises
    ------
    KeyError
        For another format.
    """
    if form == "json":
        records = json.dumps([one.as_dict() | {"source": os.path.basename(one.source)} for one in readings])
        return f'{{\n "read": {records},' + text.removeprefix("{")
    lines = "".join(map(_LINES[form], read_back_lines(readings)))
    return f"{lines}\n{text}" if lines and form == "text" else lines + text


_LINES: dict[str, Callable[[str], str]] = {
    "text": lambda line: "\n".join([*fold(line, ""), ""]),
    "csv": csv_comment,
    "latex": lambda line: latex_comment([line]),
    "latex-siunitx": lambda line: latex_comment([line]),
    "typst": lambda line: f"// {line}\n",
    "markdown": lambda line: f"{markdown_escape(line)}\n\n",
    "html": lambda line: f"<p>{html_escape(line)}</p>\n",
}
"""A line in each format."""
