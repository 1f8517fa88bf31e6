"""The numbers of the Task-arrays page: tables of `delvecore.stats`, cached as in `server.archive`."""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.server.archive import Row
from dashboard.server.cache import cached
from dashboard.task_arrays.choice import MOST_COLOURED, Request
from dashboard.ui.archive_facts import largest_array
from dashboard.ui.selection import Selection, wanted_comparison, wanted_setting
from delvecore.archive import Archive
from delvecore.archive.score_tables import score_table
from delvecore.archive.views import common_array_results
from delvecore.errors import DelveError
from delvecore.losses.published import PublishedValue
from delvecore.losses.spec import loss_order
from delvecore.model import TaskArray, TaskId
from delvecore.plots.task_arrays.plot_data import Coverage
from delvecore.report import words
from delvecore.report.published import published_on, standardized
from delvecore.stats.arrays import estimates as numbers
from delvecore.stats.arrays.estimates import Crossing, crossings
from delvecore.stats.arrays.factorial_effects import array_effects, learning_slopes
from delvecore.stats.arrays.results import ArrayResults, GridCell, array_cells, array_comparisons, best_first
from delvecore.stats.choose import Setting
from delvecore.stats.ranking.analysis import Analysis, analyse
from delvecore.stats.ranking.ranks import array_unit
from delvecore.stats.verdicts import DEFAULT_TEST, PairVerdicts, pair_verdicts
from delvecore.tables import COMPARISONS

CELL = ("levels", "training_size", "dataset", "prototask", "task")
MOST_PAIRWISE = 4
"""Of so many methods all crossings are shown."""
NO_PAIRS = COMPARISONS.empty_table()


@cached
def arrays(archive: Archive) -> dict[str, TaskArray]:
    return {array.name: array for array in archive.arrays}


@cached
def cells(archive: Archive, array: str) -> tuple[GridCell, ...]:
    """The grid of an array: a cell for each combination of levels and each size, holes too."""
    return array_cells(arrays(archive)[array], archive.tasks)


def tasks_of(archive: Archive, name: str) -> list[str]:
    return ["/".join(("", *map(str, cell.place))) for cell in cells(archive, name) if cell.missing is None]


@cached
def losses_known(archive: Archive) -> dict[str, dict[str, tuple[str, ...]]]:
    """Which methods have results on which array? {array: {loss: methods}}; {array: {}} where none has."""
    places: dict[tuple[str | None, ...], list[str]] = {}
    for name in arrays(archive):
        for cell in cells(archive, name):
            if cell.missing is None:
                places.setdefault(cell.place, []).append(name)
    found: dict[str, dict[str, set[str]]] = {name: {} for name in arrays(archive)}
    known = archive.results["standardized_mean"].is_valid().to_numpy()
    for task, losses in archive.index.methods_where(known).items() if places else ():
        for name in places.get(task, ()):
            for loss, methods in losses.items():
                found[name].setdefault(loss, set()).update(methods)
    return {
        name: {loss: tuple(sorted(losses[loss])) for loss in sorted(losses, key=loss_order)}
        for name, losses in found.items()
    }


def choose_request(archive: Archive, selection: Selection) -> Request | None:
    """Return what to show, with notices of what cannot be had; None without results on the array."""
    losses = losses_known(archive)
    array = selection.array if selection.array in losses else largest_array(archive, losses)
    if not losses[array]:
        return None
    notices: list[str] = []
    wanted = wanted_comparison(
        losses[array],
        lambda loss: ranked(archive, array, loss),
        selection,
        notices,
        where="on this array",
        instead="the best method",
        measures=archive.measures,
    )
    few = unranked(archive, array, wanted.loss)
    enough = tuple(name for name in wanted.available if name not in few)
    keep = wanted.chosen if wanted.chosen is not None else (() if enough else wanted.available)
    methods = enough if wanted.chosen is None and enough else keep
    reference = wanted.reference
    if methods and reference in few and reference not in methods:
        name, reference = words.escape(reference), methods[0]
        notices.append(
            f"The reference {name} has fewer than half of its runs and was not chosen among the methods; "
            f"{words.escape(reference)} takes its place."
        )
    return Request(
        archive=archive,
        array=array,
        loss=wanted.loss,
        methods=methods,
        available=wanted.available,
        reference=reference,
        setting=wanted_setting(selection),
        unit=selection.unit,
        mine=selection.mine if selection.mine in methods[MOST_COLOURED:] else None,
        keep=keep,
        left_out=() if keep or wanted.chosen is not None else tuple(few),
        notices=tuple(notices),
    )


def _losses(archive: Archive, array: str, loss: str) -> pa.Table:
    return archive.losses_at(*arrays(archive)[array].datasets, loss=loss)


@cached
def _comparisons(
    archive: Archive, array: str, loss: str, methods: tuple[str, ...], setting: Setting
) -> pa.Table:
    """All pairs of these methods on the tasks of an array: what is adjusted together."""
    tables = {"tasks": archive.tasks, "results": archive.results, "losses": _losses(archive, array, loss)}
    given: dict[str, Any] = {"measure": archive.measures[loss], "methods": methods, "setting": setting}
    return array_comparisons(cells(archive, array), **given, **tables)


@cached
def ranked(archive: Archive, array: str, loss: str) -> tuple[str, ...]:
    """The methods with a value on an array, best first; last those with fewer than half of their runs."""
    known, few = losses_known(archive)[array].get(loss, ()), unranked(archive, array, loss)
    methods = tuple(name for name in known if name not in few) or known
    keep = methods if len(few) == len(known) else ()
    more = {"keep": keep, "comparisons": NO_PAIRS, "with_covariances": False}
    more |= {"measure": archive.measures[loss], "methods": methods}
    found = common_array_results(archive, arrays(archive)[array], **more)
    return tuple(dict.fromkeys((*best_first(found), *few)))


@cached
def unranked(archive: Archive, array: str, loss: str) -> tuple[str, ...]:
    """The methods with fewer than half of their runs on an array."""
    places = [tuple(map(str, cell.place)) for cell in cells(archive, array) if cell.missing is None]
    found = archive.common_results(loss=loss, places=places)
    return tuple(one.method for one in found.runs.unranked)


@cached
def found_of(request: Request, methods: tuple[str, ...]) -> ArrayResults:
    """What is known of these methods; p adjusted over all pairs of those chosen and the reference."""
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
def published(request: Request) -> tuple[tuple[Row, PublishedValue], ...]:
    """What was published elsewhere on the tasks of an array, each with its cell, in units of the baseline."""
    archive = request.archive
    if not archive.published.num_rows:
        return ()
    results = archive.results.filter(pc.equal(archive.results["loss"], request.loss))
    columns = (results[name].to_pylist() for name in ("dataset", "prototask", "task", "standardizer"))
    constants = {(*place,): constant for *place, constant in zip(*columns, strict=True)}
    found = []
    for cell in cells(request.archive, request.array):
        if cell.missing is None:
            values = published_on(archive, TaskId(*map(str, cell.place)), request.loss)
            shown = standardized(values, loss=request.loss, constant=constants.get(cell.place))
            row = {name: getattr(cell, name) for name in CELL}
            found += [(row, one) for one in shown]
    return tuple(found)


@cached
def estimates(request: Request) -> pa.Table:
    """Every method, and the reference, on every cell of the grid: schema `ARRAY_ESTIMATES`."""
    return numbers.array_estimates(found_of(request, request.compared), reference=request.reference)


@cached
def winners(request: Request) -> pa.Table:
    """The best of the methods on each cell, and those not significantly worse: schema `ARRAY_WINNERS`."""
    return numbers.array_winners(found_of(request, request.methods))


@cached
def crossed(request: Request) -> list[Crossing]:
    """Where do the best curves cross, or of a few methods any two?"""
    found = found_of(request, request.methods)
    return crossings(found, all_pairs=len(found.methods) <= MOST_PAIRWISE)


@cached
def leads(request: Request) -> tuple[tuple[float, float] | None, ...]:
    """The lead of each cell's best method over the next, and its standard error; None where none compares."""
    found, leads = found_of(request, request.methods), []
    for cell, values in enumerate(np.where(np.isnan(found.value), np.inf, found.oriented)):
        best, *next_ = np.lexsort((np.array(found.methods), values))[:2].tolist()
        lead = found.difference[cell, next_[0], best] if next_ else np.nan
        error = found.difference_error[cell, next_[0], best] if next_ else np.nan
        leads.append(None if np.isnan(lead) else (abs(float(lead)), float(error)))
    return tuple(leads)


def differences(request: Request) -> pa.Table:
    """Each of the methods less the reference on each cell: schema `ARRAY_DIFFERENCES`."""
    return differences_from(request, request.reference)


@cached
def differences_from(request: Request, reference: str) -> pa.Table:
    """Each of the methods less another reference on each cell: schema `ARRAY_DIFFERENCES`."""
    return numbers.array_differences(found_of(request, request.compared), reference=reference)


@cached
def tallies(request: Request) -> pa.Table:
    """On how many of what counts is each method significantly better than another: schema `ARRAY_TALLIES`."""
    return numbers.array_tallies(found_of(request, request.methods), unit=unit_of(request))


def unit_of(request: Request) -> str:
    """What counts once in the counts and sentences of the page, tasks or datasets?"""
    known = [row["dataset"] for row in winners(request).to_pylist() if row["best"] is not None]
    return array_unit(request.unit, known)


@cached
def ranking(request: Request) -> tuple[Analysis, PairVerdicts] | str:
    """The ranking over the tasks, with what the usual test says of all pairs; or why there is none."""
    archive, setting, done = request.archive, request.setting, set(request.archive.index.tasks)
    places = [cell.place for cell in cells(archive, request.array) if cell.place in done]
    names = [tuple(map(str, place)) for place in places]
    try:
        scores = score_table(archive, request.measure, names, methods=request.methods, keep=request.keep)
        found = analyse(scores, unit=request.unit, alpha=setting.alpha, adjustment=setting.adjust)
    except (ValueError, DelveError) as error:
        return str(error)
    return found, pair_verdicts(found, DEFAULT_TEST)


@cached
def effects(request: Request) -> pa.Table:
    """What drives each of the methods' values: schema `ARRAY_EFFECTS`."""
    return array_effects(_with_covariances(request), methods=request.methods, setting=request.setting)


@cached
def slopes(request: Request) -> pa.Table:
    """How fast the methods learn: schema `LEARNING_SLOPES`."""
    table = learning_slopes(_with_covariances(request), setting=request.setting)
    return table.filter(pc.is_in(table["method"], value_set=pa.array(request.methods, pa.string())))


@cached
def costs(request: Request) -> pa.Table:
    """What each of the methods costs on each cell: schema `ARRAY_COSTS`."""
    return numbers.array_costs(found_of(request, request.methods), request.archive.costs)


@cached
def costs_of_methods(request: Request) -> pa.Table:
    """What each of the methods costs on the whole array: schema `METHOD_COSTS`."""
    return numbers.method_costs(found_of(request, request.methods), request.archive.costs)


def coverage(request: Request) -> Coverage:
    found = found_of(request, request.methods)
    is_task = np.array([cell.missing is None for cell in found.cells])
    known = np.isfinite(found.value)
    missing = (is_task[:, None] & ~known).sum(axis=0)
    left = dict(zip(found.methods, missing.tolist(), strict=True))
    complete = tuple(name for name, number in left.items() if not number)
    partial = {name: number for name, number in left.items() if number}
    return Coverage(len(found.cells), int(is_task.sum()), int(known.any(axis=1).sum()), complete, partial)
