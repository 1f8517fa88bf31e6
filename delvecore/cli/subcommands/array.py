"""`delve array`: the numbers of a task-array, as the page Task-arrays shows them."""

import os
from argparse import Namespace
from collections.abc import Callable, Collection, Sequence
from typing import Any

import pyarrow as pa

import delvecore
from delvecore.archive import Archive
from delvecore.archive.score_tables import with_chosen_metric, with_unranked
from delvecore.archive.views import common_array_results, methods_by_loss
from delvecore.cli.support.archives import add_scores, open_scores, with_loss
from delvecore.cli.support.context import active_hierarchy, print_text
from delvecore.cli.support.manual import (
    LOSSES,
    SPECIFICATIONS,
    STATISTICS,
    TASK,
    ManualParser,
    add_follow_links,
)
from delvecore.cli.support.places import add_names, add_setting, chosen_names, setting_of
from delvecore.errors import DelveError
from delvecore.losses.spec import loss_order
from delvecore.model import TaskArray
from delvecore.readers.array import read_array
from delvecore.readers.hierarchy import Hierarchy
from delvecore.render.csv import csv_comment, csv_text
from delvecore.render.document import with_readings
from delvecore.render.json import json_text
from delvecore.render.latex import latex_grid
from delvecore.render.text import counted, text_grid
from delvecore.report import task_array_tables as array_tables
from delvecore.report.ranking.sentences import run_record, run_sentences
from delvecore.report.task_array_tables import (
    HEADER,
    array_data,
    definition_rows,
    shown_definition,
    with_runs,
    with_shared_cases,
)
from delvecore.stats.arrays import estimates, factorial_effects
from delvecore.stats.arrays.results import ArrayResults, array_cells

DEFINITION = "definition"
TABLES = ("estimates", "winners", "differences", "effects", "slopes", "costs", DEFINITION)
FORMATS = ("text", "csv", "json", "latex")
INFINITE = (float("inf"), -float("inf"))


def main(arguments: Sequence[str]) -> int:
    parser = command()
    options = parser.parse_args(arguments)
    if options.order < 1:
        parser.error(f"--order: expected at least 1, found {options.order}")
    archive, name = _archive(options)
    if name is None:
        return _list_arrays(archive)
    found = {array.name: array for array in archive.arrays}
    if name not in found:
        known = ", ".join(found) or "none"
        raise DelveError(f"{name}: expected a task-array, found none of this name; there are {known}")
    array = found[name]
    if options.table == DEFINITION:
        print_text(_definition(array, options.format))
        return 0
    archive, loss = with_loss(archive, options.loss, command="delve array")
    data = _data(archive, array, options, loss)
    readings = with_unranked(archive.readings, data.runs)
    readings = readings if loss else with_chosen_metric(archive, data.measure.key, readings)
    print_text(with_readings(_text(data, archive, options), readings, options.format))
    return 0


def _archive(options: Namespace) -> tuple[Archive, str | None]:
    """Return the archive, and the name of the array in it; None where none is named."""
    given = [path for path in (options.array, *options.paths) if path is not None]
    scored = open_scores(given, options)
    if scored is None:
        hierarchy, name = active_hierarchy(os.getcwd()), options.array and options.array.strip("/")
        datasets, links = _datasets(hierarchy, name) if name else None, options.follow_links
        return delvecore.open(hierarchy.roots, follow_links=links, datasets=datasets), name
    names = ["/".join(place) for place in scored.places]
    return scored.archive, next(iter(names), None)


def _datasets(hierarchy: Hierarchy, name: str) -> set[str] | None:
    """Return the datasets of an array that are there; None where it cannot be read, which is told later."""
    try:
        members = read_array(hierarchy, name).members
    except DelveError:
        return None
    return {one.dataset for one in members}.intersection(hierarchy.subdirectories("data"))


def _definition(array: TaskArray, form: str) -> str:
    """Return the factors of an array and their levels, which need no results."""
    if form == "csv":
        return csv_text(HEADER, definition_rows(array))
    if form == "json":
        return json_text({"array": array.name, "title": array.title, "rows": _levels(array)})
    return (latex_grid if form == "latex" else text_grid)(shown_definition(array))


def _levels(array: TaskArray) -> list[dict[str, str | int]]:
    return [dict(zip(HEADER, row, strict=True)) for row in definition_rows(array)]


def _list_arrays(archive: Archive) -> int:
    if not archive.arrays:
        remedy = "an Array.spec in a directory of data describes one"
        raise DelveError(f"expected a task-array, found none; {remedy}")
    width = max(len(array.name) for array in archive.arrays)
    for array in archive.arrays:
        factors = ", ".join(factor.name for factor in array.factors)
        members = counted(len(array.members), "member")
        print_text(f"{array.name:{width}}  {array.title} ({members}; {factors})")
    return 0


def _data(archive: Archive, array: TaskArray, options: Namespace, wanted: str | None) -> ArrayResults:
    """Return what is known of the array under the loss asked for, or the first with results."""
    cells = array_cells(array, archive.tasks)
    places = {cell.place for cell in cells if cell.missing is None}
    known = methods_by_loss(archive, places.__contains__)
    loss = _loss(array, known, wanted)
    measure, methods = archive.measures[loss], _methods(archive, options, known[loss])
    return common_array_results(
        archive,
        array,
        measure=measure,
        methods=methods,
        keep=methods if options.methods else (),
        reference=options.reference,
        setting=setting_of(options),
    )


def _loss(array: TaskArray, known: Collection[str], wanted: str | None) -> str:
    losses = sorted(known, key=loss_order)
    if not losses:
        expected = "results on a task of the array"
        raise DelveError(f"/{array.name}: expected {expected}, found none; delve run makes them")
    if wanted is None:
        return "S" if "S" in known else losses[0]
    if wanted not in known:
        expected = f"one of {' '.join(losses)}, of which there are results"
        raise DelveError(f"--loss: expected {expected}, found {wanted!r}")
    return wanted


def _methods(archive: Archive, options: Namespace, known: Collection[str]) -> list[str]:
    there = set(archive.methods["method"].to_pylist())
    names = chosen_names(options.methods, there) or sorted(known)
    reference = [options.reference] if options.reference else []
    for name in (*names, *reference):
        if name not in there:
            raise DelveError(f"{name}: expected a method, found none; mls / lists the methods")
    return list(dict.fromkeys([*(name for name in reference if name not in names), *names]))


def _table(data: ArrayResults, archive: Archive, options: Namespace) -> pa.Table:
    setting = setting_of(options)
    if options.table == "estimates":
        return estimates.array_estimates(data, reference=options.reference)
    if options.table == "winners":
        return estimates.array_winners(data)
    if options.table == "differences":
        if (reference := options.reference) is None:
            expected = "--reference METHOD for the differences"
            raise DelveError(f"expected {expected}, found none; there are {', '.join(data.methods)}")
        return estimates.array_differences(data, reference=reference)
    if options.table == "costs":
        return estimates.array_costs(data, archive.costs)
    try:
        if options.table == "effects":
            return factorial_effects.array_effects(
                data, order=options.order, scale=options.loss_scale, setting=setting
            )
        return factorial_effects.learning_slopes(data, scale=options.loss_scale, setting=setting)
    except ValueError as error:
        raise DelveError(f"--loss-scale: {error}") from None


def _text(data: ArrayResults, archive: Archive, options: Namespace) -> str:
    table = _table(data, archive, options)
    if options.format in ("csv", "json"):
        return _machine_text(data, table, options)
    function = getattr(array_tables, f"shown_{options.table}")
    if options.table == "costs":
        shown = function(table, data.array, measure=data.measure)
    else:
        shown = function(table, data.array, measure=data.measure, setting=setting_of(options))
        shown = with_runs(with_shared_cases(shown, archive.results, data.cells), data.runs)
    return latex_grid(shown) if options.format == "latex" else text_grid(shown)


def _machine_text(data: ArrayResults, table: pa.Table, options: Namespace) -> str:
    header, rows = array_data(table, data.array)
    if options.format == "csv":
        return "".join(map(csv_comment, run_sentences(data.runs))) + csv_text(header, rows)
    array = data.array
    facts: dict[str, Any] = {"array": array.name, "title": array.title, "levels": _levels(array)}
    facts |= {"loss": data.measure.key, "runs": run_record(data.runs)}
    chosen = {name: getattr(options, name) for name in ("table", "reference", "level", "adjust")}
    # JSON knows no infinity: it becomes the text `inf` or `-inf`.
    shown = ([str(value) if value in INFINITE else value for value in row] for row in rows)
    records = [dict(zip(header, row, strict=True)) for row in shown]
    return json_text({**facts, **chosen, "rows": records})


def command() -> ManualParser:
    parser = ManualParser(
        "delve array",
        "print the numbers of a task-array",
        description="Print the numbers of a task-array: tasks that differ in known factors. Losses are "
        "standardized: 1 is what a baseline that ignores the inputs loses (0 for log probability). Without "
        "ARRAY, list the arrays.",
        note="estimates, differences and costs have a row a task and a column a method (csv, json: a row "
        "each). Table winners: the best method of each task and those not significantly worse. Table "
        "effects: of the factors, of training size and of their interactions on each method's loss. Table "
        "slopes: of learning curves. Table definition: the factors and what defines their levels.",
        files=(
            ("/ARRAY/Array.spec", "names the factors and the members of a task-array."),
            *(SPECIFICATIONS[1], LOSSES, STATISTICS),
            (TASK + "Costs", "holds the seconds of each instance."),
        ),
        examples=(
            ("delve array", "List the task-arrays."),
            ("delve array kin --table winners", "Tell the best method on each task of one."),
            ("delve array kin --table definition", "Tell what defines the levels of its factors."),
            (
                "delve array kin --table effects --methods 'gp-1 lin-1' --format latex",
                "Make a table of what drives the losses of two methods, for a paper.",
            ),
        ),
    )
    parser.add_argument("array", nargs="?", metavar="ARRAY", help="a task-array, such as kin")
    parser.add_argument("paths", nargs="*", metavar="FILE", help="of scores, whose task-array is meant")
    _add_options(parser.add_argument)
    add_scores(parser, method=None)
    add_follow_links(parser)
    return parser


def _add_options(add: Callable[..., object]) -> None:
    add("--table", choices=TABLES, default=TABLES[0], help="what to print (default: estimates)")
    meaning = "one loss or metric, such as S or rmse (default: S, else the first with results)"
    add("--loss", metavar="LOSS", help=meaning)
    add_names(add)
    add("--reference", metavar="METHOD", help="compare with this method; the differences need one")
    add_setting(add)
    meaning = "effects: interactions of up to N factors (default: 2)"
    add("--order", type=int, default=2, metavar="N", help=meaning)
    meaning = "effects, slopes: of log losses or of losses (default: log where it can be)"
    add("--loss-scale", choices=("log", "raw"), help=meaning)
    add("--format", choices=FORMATS, default=FORMATS[0], help="how to print it (default: text)")
