"""The page Ranking's numbers as tables for papers and programs, and the command that prints them."""

import csv
import math
from collections.abc import Sequence

import numpy as np

from dashboard.frame import words
from dashboard.ranking import tables
from dashboard.ranking.choice import ARCHIVE, BOTH, CONTROL, MINE, Request
from dashboard.ranking.data import analysis_of, archive_scores, score_table
from delvecore.report.grid import Column
from delvecore.report.provenance import command_line, option_words
from delvecore.report.rounding import p_text
from delvecore.report.writers.csv import csv_text
from delvecore.report.writers.latex import latex_table

__all__ = ["archive_places", "command", "name_of", "order_latex", "pairs_latex", "scores_csv"]

MOST_PLACES = 12


def name_of(request: Request, what: str) -> str:
    """Return the name of a file of the page, different for each loss and source."""
    return f"ranking-{'mine' if request.source == MINE else request.loss}-{what}"


def scores_csv(request: Request) -> str:
    """Return the table of values, tasks x methods, as `delve rank` reads it."""
    table = score_table(request)
    rows = [
        [task, *(None if value != value else value for value in values)]
        for task, values in zip(table.tasks, table.values.tolist(), strict=True)
    ]
    return csv_text(["task", *table.methods], rows)


def command(request: Request) -> str:
    """Return the command line that prints the same numbers: from the archive where it can name the tasks and
    methods, else from the file that `scores_csv` makes."""
    places, control = archive_places(request), request.control
    if places is not None:
        words = [*places, "--loss", request.loss]
    else:
        words = [f"{name_of(request, 'table')}.csv"]
        control = control and _as_in_file(control)
    words += ["--alpha", f"{request.alpha:g}"]
    words += option_words("--control", control) if control else []
    words += ["--drop", request.drop] if request.drop != "tasks" else []
    words += ["--higher-is-better"] if request.source == MINE and request.higher else []
    return command_line(["delve", "rank", *words])


def _as_in_file(method: str) -> str:
    """Return a method's name as the CSV file has it, where none may look like a formula."""
    return next(csv.reader([csv_text([method], [])]))[0]


def archive_places(request: Request) -> list[str] | None:
    """Return paths that hold exactly the request's tasks, as few as there can be; None where the methods are
    not all of those, or the paths too many for a command line."""
    if request.source != ARCHIVE:
        return None
    scores = archive_scores(request.state, request.loss)
    chosen = set(request.tasks)
    with_any = ~np.isnan(scores.select(tasks=request.tasks).values).all(axis=0)
    if {scores.methods[place] for place in np.flatnonzero(with_any)} != set(request.methods):
        return None
    if chosen == set(scores.tasks):
        return []
    places = list(dict.fromkeys(_widest(path, chosen, scores.tasks) for path in request.tasks))
    return places if len(places) <= MOST_PLACES else None


def _widest(path: str, chosen: set[str], tasks: Sequence[str]) -> str:
    """Return the dataset, or the prototask, of a task where all tasks below are chosen, else the task."""
    names = path.split("/")
    for length in (2, 3):
        place = "/".join(names[:length])
        if all(task in chosen for task in tasks if task.startswith(place + "/")):
            return place
    return path


def _basis(request: Request) -> str:
    found = analysis_of(request)
    text = f"{words.count(len(found.table.tasks), 'task')}, {len(found.table.methods)} methods"
    if found.dropped_tasks:
        text += f"; {words.count(len(found.dropped_tasks), 'task')} left out for missing values"
    if request.source == BOTH:
        text += "; own methods beside those of the archive"
    return text


def order_latex(request: Request) -> str:
    """Return the methods by mean rank as a booktabs table; those not told apart from the first are bold."""
    table, alpha = tables.order_table(request), request.alpha
    against = "the control" if request.test == CONTROL else "the first"
    note = f"p: against {against}, {request.test}. Bold: not told apart from {against} at {alpha:g}."
    return latex_table(
        [Column("Method"), *(Column(title, "r") for title in ("Mean rank", "First on", "Median", "p"))],
        [
            [line.method, f"{line.rank:.2f}", str(line.firsts), f"{line.median:.4g}", _p(line.p)]
            for line in table.itertuples()
        ],
        bold={(row, 0) for row, p in enumerate(table["p"]) if p != p or p >= alpha},
        **_words(request, "order", "Methods by mean rank", note),
    )


def pairs_latex(request: Request) -> str:
    """Return all pairs as a booktabs table; p-values that stay small with Holm's adjustment are bold."""
    table, alpha = tables.pairs_numbers(request), request.alpha
    numbers = ("a - b", "won/tied/lost", "p", "p (Holm)")
    body = []
    for line in table.itertuples():
        counts = f"{line.wins}/{line.ties}/{line.losses}"
        body.append([line.row, line.column, f"{line.difference:+.3g}", counts, _p(line.p), _p(line.p_holm)])
    note = f"Wilcoxon's signed-rank test. Bold: below {alpha:g} with Holm's adjustment."
    columns = [Column("Method a"), Column("Method b"), *(Column(title, "r") for title in numbers)]
    bold = {(row, 5) for row, p in enumerate(table["p_holm"]) if p < alpha}
    return latex_table(columns, body, bold=bold, **_words(request, "pairs", "Pairs of methods", note))


def _words(request: Request, what: str, title: str, note: str) -> dict[str, str]:
    """Return what a LaTeX table says around its cells."""
    return {
        "caption": f"{title}: {analysis_of(request).table.quantity}.",
        "label": f"tab:{name_of(request, what)}",
        "note": f"{note} {_basis(request)}.",
    }


def _p(value: float) -> str:
    return "" if math.isnan(value) else p_text(value)
