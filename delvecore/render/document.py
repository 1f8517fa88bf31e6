"""A finished report as text, Markdown, HTML or LaTeX.

Every output begins with a description of how scores were read.
"""

import base64
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, NamedTuple

from delvecore.names import one_line
from delvecore.render.csv import csv_comment
from delvecore.render.grid import Grid
from delvecore.render.latex import latex_escape, latex_grid
from delvecore.render.markup import (
    html_comment,
    html_escape,
    html_grid,
    markdown_escape,
    markdown_grid,
)
from delvecore.render.provenance import latex_comment
from delvecore.render.spans import plain
from delvecore.render.text import fold, text_grid
from delvecore.score_tables.score_file import Reading, read_back


def read_back_lines(readings: Sequence[Reading]) -> tuple[str, ...]:
    """Return a line for each table of scores, such as `Read: 78 methods on 51 datasets; ...`."""
    return tuple(map(one_line, read_back(readings).splitlines())) if readings else ()


def with_readings(text: str, readings: Sequence[Reading], form: str) -> str:
    """Return an output that begins with the reading of its tables of scores; KeyError for another format.

    CSV, LaTeX and Typst have comments, the other formats paragraphs. JSON already has the field `read` with
    `reading_records`."""
    lines = "".join(map(_LINES[form], read_back_lines(readings)))
    return f"{lines}\n{text}" if lines and form == "text" else lines + text


def reading_records(readings: Sequence[Reading]) -> list[dict[str, Any]]:
    """Return the reading of tables of scores, for the field `read` of JSON, without directories."""
    return [one.as_dict() | {"source": os.path.basename(one.source)} for one in readings]


_LINES: dict[str, Callable[[str], str]] = {
    "text": lambda line: "\n".join([*fold(line, ""), ""]),
    "csv": csv_comment,
    "json": lambda line: "",
    "latex": lambda line: latex_comment([line]),
    "latex-siunitx": lambda line: latex_comment([line]),
    "typst": lambda line: f"// {line}\n",
    "markdown": lambda line: f"{markdown_escape(line)}\n\n",
    "html": lambda line: f"<p>{html_escape(line)}</p>\n",
}
"""Writers of a line in each format."""


class Drawing(NamedTuple):
    """A figure in the formats of a report.

    Attributes
    ----------
    caption : str
        Caption of the figure.
    svg : str
        SVG element of a page.
    latex : str
        LaTeX picture without packages.
    alt : str
        Description in words for screen readers.
    """

    caption: str
    svg: str
    latex: str
    alt: str


@dataclass(frozen=True)
class Document:
    """Report with sections.

    Attributes
    ----------
    sections : mapping of str to sequence
        Paragraphs, tables and drawings by the heading above them. Paragraphs are plain texts.
    command : str
        The line or call that reproduces the report.
    read : tuple of str
        How the data were read, which comes first in the report.
    """

    title: str
    sections: Mapping[str, Sequence[str | Grid | Drawing]]
    command: str = ""
    provenance: tuple[str, ...] = ()
    read: tuple[str, ...] = ()


STYLE = (
    "body { font: 16px/1.5 Inter, Helvetica, Arial, sans-serif; color: #1b232b; max-width: 60rem; "
    "margin: 2rem auto; padding: 0 1rem } figure { margin: 1.5rem 0 } table { margin: 1.5rem 0 } "
    "pre { overflow-x: auto; background: #f2f4f6; padding: 0.7rem }"
)
AGAIN = "How to reproduce this report"


def document_text(document: Document, form: str) -> str:
    """Return a report in one of DOCUMENT_FORMATS; KeyError for another."""
    return DOCUMENT_FORMATS[form](document)


def _text(document: Document) -> str:
    lines = [*fold(document.title.upper(), "")]
    for line in document.read:
        lines += ["", *fold(line, "")]
    for title, parts in document.sections.items():
        lines += ["", title.upper()]
        for part in parts:
            if isinstance(part, Grid):
                lines += ["", text_grid(part).rstrip()]
            else:
                lines += ["", *fold(part if isinstance(part, str) else f"[{part.alt}]", "")]
    lines += ["", AGAIN.upper(), "", document.command] if document.command else []
    return "\n".join([*lines, "", *document.provenance, ""])


def _markdown(document: Document) -> str:
    lines = [f"# {markdown_escape(document.title)}"]
    for line in document.read:
        lines += ["", markdown_escape(line)]
    for title, parts in document.sections.items():
        lines += ["", f"## {markdown_escape(title)}"]
        for part in parts:
            lines += ["", _markdown_part(part)]
    if document.command:
        lines += ["", f"## {AGAIN}", "", *(f"    {line}" for line in document.command.splitlines())]
    return "\n".join([*lines, "", *map(html_comment, document.provenance), ""])


def _markdown_part(part: str | Grid | Drawing) -> str:
    """Return a part of a section. A picture is embedded, so that a report is one file."""
    if isinstance(part, str):
        return markdown_escape(part)
    if isinstance(part, Grid):
        return markdown_grid(part).rstrip()
    content = base64.b64encode(part.svg.encode()).decode()
    alt = markdown_escape(part.alt)
    return f"![{alt}](data:image/svg+xml;base64,{content})\n\n{markdown_escape(part.caption)}"


def _html(document: Document) -> str:
    title = _shown(document.title)
    lines = ["<!DOCTYPE html>", '<html lang="en">', "<head>", '<meta charset="utf-8">']
    lines += [f"<title>{title}</title>", f"<style>{STYLE}</style>", *map(html_comment, document.provenance)]
    lines += ["</head>", "<body>", f"<h1>{title}</h1>", *(f"<p>{_shown(line)}</p>" for line in document.read)]
    for heading, parts in document.sections.items():
        lines += [f"<h2>{_shown(heading)}</h2>", *map(_html_part, parts)]
    if document.command:
        lines += [f"<h2>{AGAIN}</h2>", f"<pre>{escape(document.command)}</pre>"]
    return "\n".join([*lines, "</body>", "</html>", ""])


def _html_part(part: str | Grid | Drawing) -> str:
    if isinstance(part, str):
        return f"<p>{_shown(part)}</p>"
    if isinstance(part, Grid):
        return html_grid(part)
    return f"<figure>\n{part.svg}<figcaption>{_shown(part.caption)}</figcaption>\n</figure>"


def _shown(text: str) -> str:
    return escape(one_line(plain(text)))


def _latex(document: Document) -> str:
    head = [r"\documentclass[a4paper]{article}", r"\usepackage{booktabs,longtable}"]
    lines = [latex_comment(document.provenance).rstrip(), *head, r"\begin{document}"]
    lines.append(rf"\title{{{latex_escape(document.title)}}}\date{{}}\maketitle")
    for line in document.read:
        lines += [latex_escape(line), ""]
    for title, parts in document.sections.items():
        lines += [rf"\section*{{{latex_escape(title)}}}", "", *map(_latex_part, parts)]
    if document.command:
        lines += [rf"\section*{{{AGAIN}}}", "", r"{\raggedright\ttfamily\noindent"]
        lines += [*(latex_escape(line) + r"\par" for line in document.command.splitlines()), "}"]
    return "\n".join([*lines, r"\end{document}", ""])


def _latex_part(part: str | Grid | Drawing) -> str:
    if isinstance(part, str):
        return f"{latex_escape(part)}\n"
    if isinstance(part, Grid):
        return latex_grid(part)
    caption = rf"\caption{{{latex_escape(part.caption)}}}"
    lines = [r"\begin{figure}[tb]", r"\centering", part.latex.rstrip(), caption, r"\end{figure}", ""]
    return "\n".join(lines)


DOCUMENT_FORMATS: dict[str, Callable[[Document], str]] = {
    "text": _text,
    "markdown": _markdown,
    "html": _html,
    "latex": _latex,
}
