"""A ranking as all that a paper takes over: paragraphs, figure, table, values, command and references."""

import hashlib
import io
import zipfile
from collections.abc import Mapping, Sequence

from delvecore.library.ranking import Ranking
from delvecore.report.provenance import latex_comment
from delvecore.report.ranking.paper import diagram_words, methods_words
from delvecore.report.ranking.references import references_of
from delvecore.report.ranking.text import ranking_text
from delvecore.report.ranking.values import values_csv
from delvecore.report.writers.text import fold

__all__ = ["bundle_files", "bundle_zip"]

KINDS = ("pdf", "svg", "png")
ABOUT = {
    "methods.txt": "what was done and found, in paragraphs for the text",
    "caption.txt": "the caption of the figure",
    "figure.pdf": "the critical-difference diagram, 85 mm wide: one column",
    "figure.png": "the same, 300 dots per inch",
    "figure.svg": "the same, to be edited",
    "figure.tex": "the same as a picture of LaTeX, which needs no package",
    "table.tex": "the methods with mean ranks and p; needs the package booktabs",
    "values.csv": "the values that were ranked",
    "command.txt": "the command that makes the numbers again",
    "references.bib": "what to cite, in BibTeX",
}
DAY = (1980, 1, 1, 0, 0, 0)
"""Equal bundles are equal files."""


def bundle_files(ranking: Ranking, *, command: str, provenance: Sequence[str] = ()) -> dict[str, bytes]:
    """Return the files by name. command: what makes the numbers again; provenance: lines on where they come
    from. Without a Chromium or Chrome to draw with there is no PDF and no PNG."""
    report, drawing = ranking.report_of, ranking.drawing
    texts = {
        "methods.txt": "\n\n".join(methods_words(report, read=ranking.notes)) + "\n",
        "caption.txt": diagram_words(report) + "\n",
        "figure.svg": drawing.svg,
        "figure.tex": latex_comment(provenance) + drawing.latex,
        "table.tex": latex_comment(provenance) + ranking_text(report, "latex"),
        "values.csv": values_csv(report.found.given),
        "command.txt": command + "\n",
        "references.bib": "\n".join(one.bibtex for one in references_of(report.verdicts)),
    }
    found = {name: text.encode("utf-8", "surrogateescape") for name, text in texts.items()}
    found |= _pictures(ranking, provenance)
    readme = _readme(found, command, provenance).encode("utf-8", "surrogateescape")
    return {"README.txt": readme, **{name: found[name] for name in ABOUT if name in found}}


def _pictures(ranking: Ranking, provenance: Sequence[str]) -> dict[str, bytes]:
    from delvecore.figures.pictures import PictureStyle, can_draw, figure_file

    if not can_draw():
        return {}
    style = PictureStyle(85.0)
    figure = ranking.diagram(width=style.pixels)
    return {f"figure.{kind}": figure_file(figure, kind, style, provenance) for kind in KINDS}


def _readme(files: Mapping[str, bytes], command: str, provenance: Sequence[str]) -> str:
    width = max(map(len, ABOUT))
    lines = [f"{name:{width}}  {about}" for name, about in ABOUT.items() if name in files]
    if "figure.pdf" not in files:
        lines += ["", "PDF and PNG are drawn by a Chromium or Chrome, of which there was none."]
    digest = hashlib.sha256(files["values.csv"]).hexdigest()
    lines += ["", "Made again by:", "", f"  {command}", "", f"SHA-256 of values.csv: {digest}"]
    return "\n".join([*lines, *(line for one in provenance for line in fold(one, "")), ""])


def bundle_zip(files: Mapping[str, bytes]) -> bytes:
    """Return files as one archive of the format ZIP."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, DAY), data, zipfile.ZIP_DEFLATED)
    return content.getvalue()
