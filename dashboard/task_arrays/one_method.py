"""Where does one method win, and where does it lose? What its tab on the Task-arrays page shows, as facts."""

from math import nan

import numpy as np

from dashboard.server import archive as opened
from dashboard.server.archive import Row
from dashboard.task_arrays import data as array_data
from dashboard.task_arrays.choice import Request
from dashboard.task_arrays.tables import member_names, missing_words, sizes_of
from delvecore.answers.wins_and_losses import Where, where_of, where_sentence
from delvecore.archive.leaderboards import task_groups
from delvecore.model import TaskArray
from delvecore.plots.task_arrays.maps import RegretCell, RegretsFigure
from delvecore.plots.task_arrays.plot_data import html_p, number, place_words, task_of
from delvecore.report import words
from delvecore.report.words import MARKDOWN
from delvecore.stats.choose import turned_verdict
from delvecore.stats.ranking.score_table import ScoreTable, Units


@opened.cached
def where(request: Request) -> Where | None:
    """Where on the array does the reference of a request win and lose? None where no task has results of all
    its methods, and of two or more."""
    found = array_data.found_of(request, request.compared)
    rows = np.flatnonzero(np.isfinite(found.value).all(axis=1))
    if not len(rows) or len(found.methods) < 2:
        return None
    cells = [found.cells[row] for row in rows]
    tasks = tuple(words.task_path(*map(str, cell.place)) for cell in cells)
    datasets = tuple(str(cell.dataset) for cell in cells)
    table = ScoreTable(tasks, found.methods, found.value[rows], units=Units(datasets, datasets))
    groups = task_groups(request.archive, tasks)
    unit, level = array_data.unit_of(request), request.setting.level
    return where_of(table, groups, request.reference, unit=unit, level=level)


def wins_sentence(request: Request) -> str:
    """Say where the reference of a request wins and loses. Markdown."""
    found = where(request)
    if found is None:
        return "No task has results of all these methods: where it wins cannot be said."
    return where_sentence(found, wording=MARKDOWN)


@opened.cached
def regrets(request: Request) -> RegretsFigure:
    """How far is the reference of a request ahead of the best other method, or behind it, on every task?"""
    array, sizes, names = request.task_array, sizes_of(request), member_names(request)
    others: dict[tuple[tuple[str, ...], int], list[Row]] = {}
    for row in array_data.differences(request).to_pylist():
        if row["method"] != request.reference:
            others.setdefault((tuple(row["levels"]), row["training_size"]), []).append(row)
    places, cells = list(names), []
    for (levels, size), rows in others.items():
        known = [row for row in rows if row["difference"] is not None]
        best = min(known, key=lambda row: float(row["difference"])) if known else rows[0]
        cells.append(_cell(array, best, place=(places.index(levels), sizes.index(size))))
    return RegretsFigure(tuple(cells), tuple(names.values()), sizes)


def _cell(array: TaskArray, best: Row, *, place: tuple[int, int]) -> RegretCell:
    """Return the cell of a task. best: the best other method less this one, which is turned here."""
    where, task = place_words(array, best), task_of(best)
    if best["difference"] is None:
        missing = missing_words(best["note"])
        return RegretCell(*place, nan, nan, "", verdict=None, missing=missing, hover=where, task=task)
    behind, error = -best["difference"], number(best["difference_error"])
    side = "less than the next best" if behind < 0 else "more than the best other"
    size, verdict = words.with_error(abs(behind), error), turned_verdict(best["verdict"])
    said = (
        f"<b>{size}</b> {side}, {words.plot_text(best['method'])}<br>{verdict}, {html_p(best['p_adjusted'])}"
    )
    hover = f"{said}<br>{where}<br>Click to compare"
    return RegretCell(*place, behind, error, best["method"], verdict, None, hover, task)
