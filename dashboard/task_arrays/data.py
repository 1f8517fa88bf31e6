"""The numbers of the Task-arrays page: answers and figures, cached as in `server.archive`."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.server.archive import look_order
from dashboard.server.cache import cached
from dashboard.ui.archive_facts import largest_array
from dashboard.ui.commands import scored_command, setting_words
from dashboard.ui.request import MOST_COLORED, Request
from dashboard.ui.selection import Selection, wanted_loss, wanted_methods, wanted_setting
from delvecore.answers.answer import Answer
from delvecore.answers.array_questions import ARRAY_QUESTIONS
from delvecore.answers.task_array import ArrayFacts
from delvecore.answers.task_array_sentences import cell_words, with_winners
from delvecore.answers.wins_and_losses import where_of, where_sentence
from delvecore.archive import Archive
from delvecore.archive.leaderboards import task_groups
from delvecore.archive.score_tables import score_table
from delvecore.archive.views import common_array_results
from delvecore.errors import DelveError
from delvecore.losses.published import PublishedResult
from delvecore.losses.spec import loss_order
from delvecore.model import TaskArray, TaskId
from delvecore.plots import theme
from delvecore.plots.critical_difference import Diagram
from delvecore.plots.figure import Figure
from delvecore.plots.ranking_data import diagram_of, names_in_order
from delvecore.plots.task_arrays.curves import curves_figure
from delvecore.plots.task_arrays.panels import CLICK, looks_of, panel_grid, task_of
from delvecore.plots.theme import MethodStyle
from delvecore.render.provenance import method_words, option_words
from delvecore.report import words
from delvecore.report.published import published_on, standardized
from delvecore.stats.arrays.estimates import Crossing, crossings
from delvecore.stats.arrays.results import ArrayResults, GridCell, array_cells, array_comparisons, best_first
from delvecore.stats.choose import Setting
from delvecore.stats.ranking.analysis import Analysis, analyze
from delvecore.stats.ranking.ranks import array_unit
from delvecore.stats.ranking.score_table import ScoreTable, Units
from delvecore.stats.verdicts import DEFAULT_TEST, PairVerdicts, pair_verdicts
from delvecore.tables import COMPARISONS, rows_of, values_of

COMPARED = ("estimates", "differences", "regrets")
"""Questions that also need the reference."""
NO_PAIRS = COMPARISONS.empty_table()


@cached
def arrays(archive: Archive) -> dict[str, TaskArray]:
    return {array.name: array for array in archive.arrays}


@cached
def cells(archive: Archive, array: str) -> tuple[GridCell, ...]:
    """Return the grid of an array: a cell for each combination of levels and each size, including empty
    ones."""
    return array_cells(arrays(archive)[array], archive.tasks)


def tasks_of(archive: Archive, name: str) -> list[str]:
    return ["/".join(("", *map(str, cell.place))) for cell in cells(archive, name) if cell.missing is None]


@cached
def losses_known(archive: Archive) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the methods with results on each array: {array: {loss: methods}}, or {array: {}} without
    results."""
    places: dict[tuple[str | None, ...], list[str]] = {}
    for name in arrays(archive):
        for cell in cells(archive, name):
            if cell.missing is None:
                places.setdefault(cell.place, []).append(name)
    methods_by_loss: dict[str, dict[str, set[str]]] = {name: {} for name in arrays(archive)}
    known = archive.results["standardized_mean"].is_valid().to_numpy()
    for task, losses in archive.index.methods_where(known).items() if places else ():
        for name in places.get(task, ()):
            for loss, methods in losses.items():
                methods_by_loss[name].setdefault(loss, set()).update(methods)
    return {
        name: {loss: tuple(sorted(losses[loss])) for loss in sorted(losses, key=loss_order)}
        for name, losses in methods_by_loss.items()
    }


def choose_request(archive: Archive, selection: Selection, notices: list[str]) -> Request | None:
    """Return the request to show; None without results on the array. notices: receives unavailable
    choices."""
    losses = losses_known(archive)
    array = selection.array if selection.array in losses else largest_array(archive, losses)
    if not losses[array]:
        return None
    usual, where = min(losses[array], key=words.loss_preference), "on this array"
    loss = wanted_loss(losses[array], usual, selection, notices, where=where, measures=archive.measures)
    available = tuple(ranked(archive, array, loss))
    chosen, reference = wanted_methods(available, selection, notices, where=where)
    few = unranked(archive, array, loss)
    enough = tuple(name for name in available if name not in few)
    keep = chosen if chosen is not None else (() if enough else available)
    methods = enough if chosen is None and enough else keep
    if methods and reference in few and reference not in methods:
        name, reference = words.escape(reference), methods[0]
        notices.append(
            f"The reference {name} has fewer than half of its runs and is not among the chosen "
            f"methods; {words.escape(reference)} is the reference instead."
        )
    return Request(
        archive=archive,
        array=array,
        loss=loss,
        methods=methods,
        available=available,
        reference=reference,
        setting=wanted_setting(selection),
        unit=selection.unit,
        mine=selection.mine if selection.mine in methods[MOST_COLORED:] else None,
        keep=keep,
        left_out=() if keep or chosen is not None else tuple(few),
    )


@cached
def _comparisons(
    archive: Archive, array: str, loss: str, methods: tuple[str, ...], setting: Setting
) -> pa.Table:
    """Return all pairs of these methods on the tasks of an array. p is adjusted for these pairs."""
    return array_comparisons(
        cells(archive, array),
        measure=archive.measures[loss],
        tasks=archive.tasks,
        results=archive.results,
        losses=archive.losses_at(*arrays(archive)[array].datasets, loss=loss),
        methods=methods,
        setting=setting,
    )


@cached
def ranked(archive: Archive, array: str, loss: str) -> tuple[str, ...]:
    """Return the methods with a value on an array, best first. Those with fewer than half of their runs are
    last."""
    known, few = losses_known(archive)[array].get(loss, ()), unranked(archive, array, loss)
    methods = tuple(name for name in known if name not in few) or known
    keep = methods if len(few) == len(known) else ()
    more = {"keep": keep, "comparisons": NO_PAIRS, "with_covariances": False}
    more |= {"measure": archive.measures[loss], "methods": methods}
    results = common_array_results(archive, arrays(archive)[array], **more)
    return tuple(dict.fromkeys((*best_first(results), *few)))


@cached
def unranked(archive: Archive, array: str, loss: str) -> tuple[str, ...]:
    """The methods with fewer than half of their runs on an array."""
    places = [tuple(map(str, cell.place)) for cell in cells(archive, array) if cell.missing is None]
    results = archive.common_results(loss=loss, places=places)
    return tuple(one.name for one in results.runs.unranked)


@cached
def found_of(request: Request, methods: tuple[str, ...]) -> ArrayResults:
    """Return the estimates of these methods. p is adjusted over all pairs of the chosen methods and the
    reference."""
    place = request.archive, request.array, request.loss
    pairs = _comparisons(*place, tuple(sorted(request.compared)), request.setting)
    return _common(request, methods, comparisons=pairs, with_covariances=False)


@cached
def _with_covariances(request: Request) -> ArrayResults:
    return _common(request, request.methods, comparisons=NO_PAIRS, with_covariances=True)


def _common(request: Request, methods: tuple[str, ...], **more: Any) -> ArrayResults:
    return common_array_results(
        request.archive,
        request.task_array,
        measure=request.measure,
        methods=methods,
        compared=(*request.compared, *request.left_out),
        keep=request.keep,
        **more,
    )


@cached
def published(request: Request) -> tuple[tuple[GridCell, PublishedResult], ...]:
    """Return the published values on the tasks of an array with their cells, in units of the baseline."""
    archive = request.archive
    if not archive.published.num_rows:
        return ()
    results = archive.results.filter(pc.equal(archive.results["loss"], request.loss))
    names = ("dataset", "prototask", "task", "standardizer")
    constants = {(*place,): constant for *place, constant in rows_of(results, names)}
    published_cells = []
    for cell in cells(request.archive, request.array):
        if cell.missing is None:
            values = published_on(archive, TaskId(*map(str, cell.place)), request.loss)
            shown = standardized(values, loss=request.loss, constant=constants.get(cell.place))
            published_cells += [(cell, one) for one in shown]
    return tuple(published_cells)


@cached
def answer(question: str, request: Request, reference: str | None = None) -> Answer:
    """Answer one of `ARRAY_QUESTIONS`, without a command. reference: replaces that of the request."""
    if question in ("effects", "slopes"):
        data = _with_covariances(request)
    else:
        data = found_of(request, request.compared if question in COMPARED else request.methods)
    archive = request.archive
    facts = ArrayFacts(data, reference or request.reference, request.setting, archive.costs, archive.results)
    return ARRAY_QUESTIONS[question].answer(facts)


def table(question: str, request: Request) -> pa.Table:
    """Return the numbers of a question."""
    facts: ArrayFacts = answer(question, request).figure
    return facts.table


@cached
def looks(request: Request) -> dict[str, MethodStyle]:
    """Return the styles of the methods. Those without a color are gray."""
    return looks_of(request.methods, known=look_order(request.archive), colored=request.colored)


@cached
def figure(
    draw: Callable[[ArrayFacts, Mapping[str, MethodStyle]], Figure], question: str, request: Request
) -> Figure:
    return draw(answer(question, request).figure, looks(request))


@cached
def curves(request: Request) -> Figure:
    return curves_figure(
        answer("estimates", request).figure,
        looks(request),
        is_log=request.is_log,
        hint=CLICK,
        published=published(request),
        crossings=() if request.is_log else crossed(request),
        grid=panel_grid(request.task_array, most_columns=request.columns, member=request.member),
    )


@cached
def numbers(question: str, request: Request) -> pd.DataFrame:
    return answer(question, request).table.frame()


@cached
def places(request: Request) -> dict[str, str]:
    """Return the tasks that a click on a figure opens: {path: words}."""
    array = request.task_array
    names = ("levels", "training_size", "dataset", "prototask", "task")
    cells = rows_of(with_winners(table("winners", request)), names)
    return {str(task_of(*place)): cell_words(array, levels, size) for levels, size, *place in cells}


def command(question: str, request: Request) -> str:
    """Return the command line that prints the answer to a question."""
    needs = ARRAY_QUESTIONS[question].needs
    parts = ["--table", question, *option_words("--loss", request.loss)]
    parts += method_words(request.methods) if request.is_chosen else []
    parts += option_words("--reference", request.reference) if "reference" in needs else []
    parts += setting_words(request.setting) if "setting" in needs else []
    return scored_command(f"array {request.array}", *parts)


@cached
def crossed(request: Request) -> list[Crossing]:
    """Return the crossings of learning curves with significant, opposite differences at the sizes on both
    sides."""
    every_crossing = crossings(found_of(request, request.methods), all_pairs=True)
    return [one for one in every_crossing if one.is_significant]


def unit_of(request: Request) -> str:
    """Return the unit for counts and sentences of the page: tasks or datasets."""
    return array_unit(request.unit, values_of(with_winners(table("winners", request)), "dataset"))


@cached
def ranking(request: Request) -> tuple[Analysis, PairVerdicts] | str:
    """Return the ranking over the tasks, with the default test of all pairs, or why there is none."""
    archive, setting, done = request.archive, request.setting, set(request.archive.index.tasks)
    places = [cell.place for cell in cells(archive, request.array) if cell.place in done]
    names = [tuple(map(str, place)) for place in places]
    try:
        scores = score_table(archive, request.measure, names, methods=request.methods, keep=request.keep)
        analysis = analyze(scores, unit=request.unit, alpha=setting.alpha, adjustment=setting.adjust)
    except (ValueError, DelveError) as error:
        return str(error)
    return analysis, pair_verdicts(analysis, DEFAULT_TEST)


@cached
def diagram(request: Request) -> Diagram:
    """Return the critical-difference diagram over the tasks of the array; empty if methods cannot be
    ranked."""
    ranked = ranking(request)
    if isinstance(ranked, str):
        return Diagram((), (), (), (), (), (), cd=None, control=None, against="", note=ranked, total=0)
    analysis, verdicts = ranked
    return diagram_of(
        analysis, verdicts, theme.styles_of(names_in_order(analysis), known=look_order(request.archive))
    )


def rank_command(request: Request) -> str | None:
    """Return the command that ranks the methods over the array; None if its datasets also have other
    tasks."""
    archive, tasks = request.archive, set(tasks_of(request.archive, request.array))
    done = {words.task_path(*place): place[0] for place in archive.index.tasks}
    datasets = dict.fromkeys(dataset for path, dataset in done.items() if path in tasks)
    if not archive.paths or any(path not in tasks for path, dataset in done.items() if dataset in datasets):
        return None
    parts = [*(f"/{name}" for name in datasets), *option_words("--loss", request.loss)]
    parts += method_words(request.methods) if request.is_chosen else []
    parts += option_words("--unit", request.unit) if request.unit else []
    return scored_command("rank", *parts, *setting_words(request.setting, test=DEFAULT_TEST))


@cached
def wins_sentence(request: Request) -> str:
    """Return a sentence on the tasks that the reference wins and loses."""
    results = found_of(request, request.compared)
    rows = np.flatnonzero(np.isfinite(results.value).all(axis=1))
    if not len(rows) or len(results.methods) < 2:
        return "No task has results of all these methods, so its wins are unknown."
    cells = [results.cells[row] for row in rows]
    tasks = tuple(words.task_path(*map(str, cell.place)) for cell in cells)
    datasets = tuple(str(cell.dataset) for cell in cells)
    higher, units = results.measure.higher_is_better, Units(datasets, datasets)
    scores = ScoreTable(tasks, results.methods, results.value[rows], higher, units=units)
    groups = task_groups(request.archive, tasks)
    unit, level = unit_of(request), request.setting.level
    return where_sentence(where_of(scores, groups, request.reference, unit=unit, level=level))
