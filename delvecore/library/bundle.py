"""Everything that a paper needs, as files: paragraphs, figures, tables, values, command and references."""

import hashlib
import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from delvecore.library.ranking import Ranking
from delvecore.render.document import read_back_lines, with_readings
from delvecore.render.provenance import latex_comment
from delvecore.render.spans import plain
from delvecore.render.text import fold
from delvecore.report.ranking.json_and_csv import values_csv
from delvecore.report.ranking.ranking_report import diagram_words, methods_words
from delvecore.report.ranking.text import ranking_text
from delvecore.report.references import references_of

if TYPE_CHECKING:
    from delvecore.plots.figure import PlotlyFigure


WIDTH = 85.0
"""Width of a column, in millimeters."""
KINDS = ("pdf", "svg", "png")
ABOUT = {
    "methods.txt": "methods and results, in paragraphs for the text",
    "caption.txt": "the caption of the figure",
    "figure.pdf": "the critical-difference diagram, 85 mm wide: one column",
    "figure.png": "the same, 300 dots per inch",
    "figure.svg": "the same, in a format for editing",
    "figure.tex": "the same as a LaTeX picture, which needs no package",
    "table.tex": "the methods with mean ranks and p; needs the package booktabs",
    "values.csv": "the values that were ranked",
    "command.txt": "the command that reproduces the numbers",
    "references.bib": "what to cite, in BibTeX",
}
DAY = (1980, 1, 1, 0, 0, 0)
"""Fixed timestamp, so that equal bundles are equal files."""


def bundle_files(ranking: Ranking, *, command: str, provenance: Sequence[str] = ()) -> dict[str, bytes]:
    """Return the bundle of a ranking for a paper as {file name: content}. PDF and PNG need Chromium.

    command: reproduces the numbers; provenance: lines on the source of the numbers."""
    report, drawing, read = ranking.report_of, ranking.drawing, read_back_lines(ranking.readings)
    notes = [f"{note}." for note in ranking.notes]
    of_scores = partial(with_readings, readings=ranking.readings)
    table = ranking_text(report, "latex")
    texts = {
        "methods.txt": "\n\n".join([*read, *map(plain, methods_words(report)), *notes]) + "\n",
        "caption.txt": plain(diagram_words(report)) + "\n",
        "figure.svg": drawing.svg,
        "figure.tex": latex_comment(provenance) + drawing.latex,
        "table.tex": of_scores(latex_comment(provenance) + table, form="latex"),
        "values.csv": of_scores(values_csv(report.analysis.given), form="csv"),
        "references.bib": "\n".join(one.bibtex for one in references_of(report.verdicts)),
    }
    return collected(
        texts,
        {"figure": lambda width: ranking.diagram(width=width)},
        ABOUT,
        command=command,
        provenance=provenance,
        numbers=table,
    )


def collected(
    texts: Mapping[str, str],
    figures: Mapping[str, "Callable[[int], PlotlyFigure]"],
    about: Mapping[str, str],
    *,
    command: str,
    provenance: Sequence[str] = (),
    width: float = WIDTH,
    numbers: str = "",
) -> dict[str, bytes]:
    """Return texts, pictures and a README with their descriptions, by file name.

    figures: functions that draw for a width in pixels, by name without extension; about: descriptions by file
    name, in order; width: of pictures, in millimeters; numbers: a table to store in pictures with their
    provenance.
    """
    from delvecore.plots.pictures import can_draw, figure_file, pixels_of_column

    files = {name: text.encode("utf-8", "surrogateescape") for name, text in texts.items()}
    files["command.txt"] = f"{command}\n".encode("utf-8", "surrogateescape")
    carried = [*provenance, numbers] if numbers else provenance
    for name, make in figures.items() if can_draw() else ():
        figure = make(pixels_of_column(width))
        for kind in KINDS:
            files[f"{name}.{kind}"] = figure_file(figure, kind, width=width, about=carried)
    ordered = [name for name in about if name in files]
    readme = _readme({name: about[name] for name in ordered}, files, command=command, provenance=provenance)
    return {"README.txt": readme, **{name: files[name] for name in ordered}}


def _readme(
    about: Mapping[str, str], files: Mapping[str, bytes], *, command: str, provenance: Sequence[str]
) -> bytes:
    width = max(map(len, about))
    lines = [f"{name:{width}}  {text}" for name, text in about.items()]
    if not any(name.endswith(".pdf") for name in files):
        lines += ["", "PDF and PNG need Chromium or Chrome, which was not available."]
    lines += ["", "Made by this command:", "", *(f"  {line}" for line in command.splitlines())]
    hashed = [name for name in about if name.endswith(".csv")]
    lines += ["", *(f"SHA-256 of {name}: {hashlib.sha256(files[name]).hexdigest()}" for name in hashed)]
    text = "\n".join([*lines, *(line for one in provenance for line in fold(one, "")), ""])
    return text.encode("utf-8", "surrogateescape")


def bundle_zip(files: Mapping[str, bytes]) -> bytes:
    """Return a ZIP archive with these files. The same files give the same bytes."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, DAY), data, zipfile.ZIP_DEFLATED)
    return content.getvalue()
