"""What can be taken away from the Compare page: tables, and all for a paper in one file."""

from collections.abc import Sequence

from dashboard.compare import data
from dashboard.compare.choice import Request
from dashboard.ui import blocks
from dashboard.ui.commands import reproducing_command
from delvecore.answers.compare_methods import ESTIMATE_COLUMNS, PAIR_COLUMNS
from delvecore.library.bundle import bundle_zip, collected
from delvecore.plots.comparison import differences_figure, estimates_figure
from delvecore.render.answers import answer_text
from delvecore.render.csv import csv_text
from delvecore.render.provenance import latex_comment
from delvecore.render.spans import plain
from delvecore.report import words
from delvecore.report.references import references_of_comparison
from delvecore.stats import notes

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


def table_csv(request: Request, what: str) -> str:
    """Return `estimates` or `pairs` with all their columns and full precision; difference is a less b."""
    comparison = data.comparison_of(request)
    if what == "estimates":
        table = comparison.estimates_table.select(*ESTIMATE_COLUMNS)
    else:
        table = comparison.pairs_table.select(*PAIR_COLUMNS)
    return csv_text(table.keys, table.rows)


def table_latex(request: Request, what: str) -> str:
    """Return `estimates` or `pairs` as a booktabs table: the best, or what is significant, is bold."""
    label = f"tab:{what}-{request.loss}{request.task}"
    return answer_text(data.answer_about(request, f"{what}_answer"), "latex", label=label)


def show_bundle(request: Request, mine: str | None) -> None:
    """Offer all that a paper takes over, made when it is asked for. mine: the visitor's own method."""
    name = request.file_name("bundle")
    command = data.mstats_command(request, all_pairs=True) or reproducing_command(mine)
    about = blocks.about_export(name, command)
    blocks.bundle_button(lambda: bundle_zip(bundle_of(request, command, about)), name, key="compare-bundle")


def bundle_of(request: Request, command: str, provenance: Sequence[str]) -> dict[str, bytes]:
    found = data.comparison_of(request)
    standardized = words.measure_quantity(request.measure)
    quantity = standardized.removeprefix("standardized ")
    shown = standardized if request.is_standardized else quantity
    overlaps = any(note.code in notes.OVERLAPS for row in found.pairs for note in notes.parsed(row["notes"]))
    cited = references_of_comparison(request.setting, overlaps=overlaps)
    comment = latex_comment(provenance)
    texts = {
        "methods.txt": plain("\n\n".join(found.paper_words(quantity, data.basis_sentence(request)))) + "\n",
        "caption.txt": found.figure_caption(shown) + "\n",
        "table.tex": comment + table_latex(request, "estimates"),
        "pairs.tex": comment + table_latex(request, "pairs"),
        "losses.csv": table_csv(request, "estimates"),
        "pairs.csv": table_csv(request, "pairs"),
        "references.bib": "\n".join(one.bibtex for one in cited),
    }
    figures = {
        "losses": lambda _width: data.drawn(request, "losses", estimates_figure).plotly(),
        "differences": lambda _width: data.drawn(request, "differences", differences_figure).plotly(),
    }
    return collected(texts, figures, ABOUT, command=command, provenance=provenance)
