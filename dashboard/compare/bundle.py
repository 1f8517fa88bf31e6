"""All that a paper takes over of a comparison on one task, in one file."""

import pyarrow as pa
import streamlit as st

from dashboard.compare import data, exports, tables, verdict
from dashboard.compare.choice import Request
from dashboard.server import archive as opened
from dashboard.ui import page
from dashboard.ui.commands import reproducing_command
from delvecore.library.bundle import bundle_zip, collected
from delvecore.plots import words
from delvecore.plots.compare.method_rows import differences_figure, estimates_figure
from delvecore.report.comparison_paper import caption_words, comparison_words
from delvecore.report.provenance import latex_comment
from delvecore.report.ranking.references import references_of_comparison
from delvecore.stats import notes
from delvecore.tables import COMPARISONS

__all__ = ["bundle_of", "show_bundle"]

ABOUT = {
    "methods.txt": "what was done and found, in paragraphs for the text",
    "caption.txt": "the caption of the figures",
    "losses.pdf": "mean losses with standard errors, 85 mm wide: one column",
    "losses.png": "the same, 300 dots per inch",
    "losses.svg": "the same, to be edited",
    "differences.pdf": "differences to the reference with intervals, 85 mm wide",
    "differences.png": "the same, 300 dots per inch",
    "differences.svg": "the same, to be edited",
    "table.tex": "the methods with losses and errors; needs the package booktabs",
    "pairs.tex": "all pairs with differences, intervals and p; needs the package booktabs",
    "losses.csv": "the numbers of the methods, with all their digits",
    "pairs.csv": "the numbers of all pairs",
    "command.txt": "the command that makes the numbers again",
    "references.bib": "what to cite, in BibTeX",
}


def show_bundle(request: Request, mine: str | None) -> None:
    """Offer the file, made when it is asked for. mine: the visitor's own method."""
    name = request.file_name("bundle")
    command = exports.mstats_command(request) or reproducing_command(mine)
    about = page.about_export(name, command)
    st.download_button(
        "Paper bundle",
        data=lambda: bundle_zip(bundle_of(request, command, about)),
        file_name=f"{name}.zip",
        mime="application/zip",
        icon=":material/folder_zip:",
        on_click="ignore",
        help="Methods paragraph, caption, figures (PDF, SVG, PNG), tables, values, command and BibTeX",
        key="compare-bundle",
    )


def bundle_of(request: Request, command: str, provenance: list[str]) -> dict[str, bytes]:
    """Return the files by name."""
    rows, setting = data.ordered_pairs(request), request.setting
    pairs = pa.Table.from_pylist(rows, schema=COMPARISONS)
    place, standardized = f"the task {data.title_of(request)}", words.loss_quantity(request.loss)
    quantity, basis = standardized.removeprefix("standardized "), verdict.basis_sentence(request)
    about = {"place": place, "quantity": quantity}
    told = comparison_words(pairs, request.methods[0], setting, **about, basis=basis)
    about["quantity"] = standardized if request.is_standardized else quantity
    overlaps = any(note.code in notes.OVERLAPS for row in rows for note in notes.parsed(row["notes"]))
    cited = references_of_comparison(setting, overlaps=overlaps)
    comment = latex_comment(provenance)
    texts = {
        "methods.txt": "\n\n".join(told) + "\n",
        "caption.txt": caption_words(request.reference, setting, **about) + "\n",
        "table.tex": comment + exports.estimates_latex(request),
        "pairs.tex": comment + exports.pairs_latex(request),
        "losses.csv": exports.estimates_csv(request),
        "pairs.csv": exports.pairs_csv(request),
        "references.bib": "\n".join(one.bibtex for one in cited),
    }
    figures = {
        "losses": lambda _width: opened.figure(estimates_figure, tables.estimates, request),
        "differences": lambda _width: opened.figure(differences_figure, tables.differences, request),
    }
    return collected(texts, figures, ABOUT, command=command, provenance=provenance)
