"""Numbers of the Task-arrays page as `delve array` prints them: tables, LaTeX, and the command itself."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa

from dashboard.server.cache import cached
from dashboard.task_arrays import data as array_data
from dashboard.task_arrays.choice import Request
from dashboard.ui.commands import scored_command, setting_words
from delvecore.render.grid import Grid
from delvecore.render.latex import latex_grid
from delvecore.render.provenance import method_words, option_words
from delvecore.report import task_array_tables as shown_tables
from delvecore.report.words import task_path
from delvecore.stats.verdicts import DEFAULT_TEST


class Export(NamedTuple):
    """A table for `delve array`. rows: makes it; shown: makes it printable; the rest: what it depends on."""

    table: str
    rows: Callable[[Request], pa.Table]
    shown: Callable[..., Grid]
    reference: bool = False
    by_setting: bool = False


ESTIMATES = Export("estimates", array_data.estimates, shown_tables.shown_estimates, True, by_setting=True)
WINNERS = Export("winners", array_data.winners, shown_tables.shown_winners, by_setting=True)
DIFFERENCES = Export(
    "differences", array_data.differences, shown_tables.shown_differences, True, by_setting=True
)
EFFECTS = Export("effects", array_data.effects, shown_tables.shown_effects, by_setting=True)
SLOPES = Export("slopes", array_data.slopes, shown_tables.shown_slopes, by_setting=True)
COSTS = Export("costs", array_data.costs, shown_tables.shown_costs)
METHOD_COSTS = Export("costs", array_data.costs_of_methods, shown_tables.shown_method_costs)


def name_of(request: Request, what: str) -> str:
    """Return the name of a figure's files, different for each array and loss."""
    return f"{request.array}-{request.loss}-{what}"


def command(export: Export, request: Request) -> str:
    """Return the command line that prints the numbers of a figure."""
    parts = ["--table", export.table, *option_words("--loss", request.loss)]
    parts += method_words(request.methods) if request.is_chosen else []
    parts += option_words("--reference", request.reference) if export.reference else []
    parts += setting_words(request.setting) if export.by_setting else []
    return scored_command(f"array {request.array}", *parts)


def rank_command(request: Request) -> str | None:
    """Return the command that ranks the methods over the array; None where its datasets have other tasks."""
    archive, tasks = request.archive, set(array_data.tasks_of(request.archive, request.array))
    done = {task_path(*place): place[0] for place in archive.index.tasks}
    datasets = dict.fromkeys(dataset for path, dataset in done.items() if path in tasks)
    if not archive.paths or any(path not in tasks for path, dataset in done.items() if dataset in datasets):
        return None
    parts = [*(f"/{name}" for name in datasets), *option_words("--loss", request.loss)]
    parts += method_words(request.methods) if request.is_chosen else []
    parts += option_words("--unit", request.unit) if request.unit else []
    return scored_command("rank", *parts, *setting_words(request.setting, test=DEFAULT_TEST))


@cached
def numbers(export: Export, request: Request) -> pd.DataFrame:
    """Return a table with a column for each factor, as `--format csv` prints it."""
    array = request.task_array
    header, rows = shown_tables.array_data(export.rows(request), array)
    columns: Sequence[Sequence[Any]] = list(zip(*rows, strict=True)) if rows else [() for _ in header]
    return pd.DataFrame({name: _column(values) for name, values in zip(header, columns, strict=True)})


def _column(values: Sequence[Any]) -> Any:
    """Return values as a column in which whole numbers stay whole where some are missing."""
    kinds = {type(value) for value in values if value is not None}
    if kinds == {int}:
        return pd.array(values, dtype="Int64")
    if kinds == {list}:
        return pd.Series([", ".join(map(str, value or ())) for value in values], dtype=object)
    return pd.Series(list(values), dtype=float if kinds == {float} else object)


def latex_maker(export: Export, request: Request) -> Callable[[], str]:
    """Return a function that makes the table for a paper when it is asked for."""
    details: dict[str, Any] = {"measure": request.measure}
    details |= {"setting": request.setting} if export.by_setting else {}
    array = request.task_array

    def made() -> str:
        shown = export.shown(export.rows(request), array, **details)
        if export.table == COSTS.table:
            return latex_grid(shown)
        cells, results = (
            array_data.cells(request.archive, request.array),
            request.archive.results,
        )
        runs = array_data.found_of(request, request.methods).runs
        return latex_grid(shown_tables.with_runs(shown_tables.with_shared_cases(shown, results, cells), runs))

    return made
