"""`delve array`: the numbers of a task-array, as the page Task-arrays shows them."""

import os
from collections.abc import Sequence

from delvecore.commands.frame.completers import arrays, losses, methods
from delvecore.commands.frame.context import active_hierarchy
from delvecore.commands.frame.manual import ManualParser
from delvecore.commands.frame.manual_files import LOSSES, SPECIFICATIONS, STATISTICS, TASK
from delvecore.commands.frame.names import add_names, chosen_names
from delvecore.commands.frame.printing import print_text
from delvecore.errors import DelveError
from delvecore.statistics.choose import DEFAULT_LEVEL, checked_level

__all__ = ["FORMATS", "TABLES", "command", "main"]

TABLES = ("estimates", "winners", "differences", "effects", "slopes", "costs")
FORMATS = ("text", "csv", "json", "latex")


def main(arguments: Sequence[str]) -> int:
    """Print one table of a task-array, or list the arrays; return 0."""
    parser = command()
    options = parser.parse_args(arguments)
    try:
        checked_level(options.level)
    except ValueError as error:
        parser.error(f"--level: {error}")
    if options.order < 1:
        parser.error(f"--order: expected at least 1, found {options.order}")
    # Reading an archive needs Arrow; the help and wrong arguments do not wait for it.
    import delvecore

    archive = delvecore.open(active_hierarchy(os.getcwd()).roots)
    if options.array is None:
        return _list_arrays(archive)
    array = _array(archive, options.array)
    data = _data(archive, array, options)
    print_text(_text(data, array, _table(data, archive, options), options))
    return 0


def _list_arrays(archive):
    if not archive.arrays:
        raise DelveError(
            "expected a task-array, found none; an Array.spec in a directory of data describes one"
        )
    width = max(len(array.name) for array in archive.arrays)
    for array in archive.arrays:
        factors = ", ".join(factor.name for factor in array.factors)
        count = len(array.members)
        members = f"{count} member" + "s" * (count != 1)
        print_text(f"{array.name:{width}}  {array.title} ({members}; {factors})")
    return 0


def _array(archive, word):
    found = {array.name: array for array in archive.arrays}
    name = word.strip("/")
    if name not in found:
        known = ", ".join(found) or "none"
        raise DelveError(f"{word}: expected a task-array, found none of this name; there are {known}")
    return found[name]


def _data(archive, array, options):
    """Return what is known of the array under the loss asked for, or the first with results."""
    from delvecore.statistics.arrays.results import array_cells, array_results

    cells = array_cells(array, archive.tasks)
    places = {cell.place for cell in cells if cell.missing is None}
    known = _methods_by_loss(archive, places)
    loss = _loss(array, known, options.loss)
    methods = _methods(archive, options, known[loss])
    tables = {"tasks": archive.tasks, "results": archive.results, "losses": archive.losses}
    return array_results(array, loss=loss, methods=methods, **tables)


def _methods_by_loss(archive, places):
    """Return {loss: methods with results} on some tasks."""
    found = {}
    names = ("dataset", "prototask", "task", "loss", "method")
    for *place, loss, method in zip(*(archive.results[name].to_pylist() for name in names), strict=True):
        if tuple(place) in places:
            found.setdefault(loss, set()).add(method)
    return found


def _loss(array, known, wanted):
    from delvecore.losses.spec import loss_order

    losses = sorted(known, key=loss_order)
    if not losses:
        raise DelveError(
            f"/{array.name}: expected results on a task of the array, found none; delve run makes them"
        )
    if wanted is None:
        return "S" if "S" in known else losses[0]
    if wanted not in known:
        raise DelveError(
            f"--loss: expected one of {' '.join(losses)}, of which there are results, found {wanted!r}"
        )
    return wanted


def _methods(archive, options, known):
    """Return the methods asked for, or all with results, the reference among them."""
    there = set(archive.methods["method"].to_pylist())
    names = chosen_names(options.methods, there) or sorted(known)
    reference = [options.reference] if options.reference else []
    for name in (*names, *reference):
        if name not in there:
            raise DelveError(f"{name}: expected a method, found none; mls / lists the methods")
    return list(dict.fromkeys([*(name for name in reference if name not in names), *names]))


def _table(data, archive, options):
    """Return the Arrow table asked for."""
    from delvecore.statistics.arrays import (
        costs as array_costs,
    )
    from delvecore.statistics.arrays import (
        effects as array_effects,
    )
    from delvecore.statistics.arrays import (
        estimates as array_estimates,
    )
    from delvecore.statistics.arrays import (
        learning_curves,
    )
    from delvecore.statistics.arrays import (
        winners as array_winners,
    )

    test = {"level": options.level, "adjust": options.holm}
    if options.table == "estimates":
        return array_estimates.array_estimates(data, reference=options.reference)
    if options.table == "winners":
        return array_winners.array_winners(data, **test)
    if options.table == "differences":
        return array_estimates.array_differences(data, reference=_reference(data, options), **test)
    if options.table == "costs":
        return array_costs.array_costs(data, archive.costs)
    intervals = {"scale": options.scale, "level": options.level}
    try:
        if options.table == "effects":
            return array_effects.array_effects(data, order=options.order, **intervals)
        return learning_curves.learning_slopes(data, **intervals)
    except ValueError as error:
        raise DelveError(f"--scale: {error}") from None


def _reference(data, options):
    if options.reference is None:
        names = ", ".join(data.methods)
        raise DelveError(f"expected --reference METHOD for the differences, found none; there are {names}")
    return options.reference


def _text(data, array, table, options):
    if options.format in ("csv", "json"):
        return _machine_text(data, array, table, options)
    from delvecore.report.shown_table import shown_latex, shown_text

    shown = _shown(array, table, options)
    return shown_latex(shown) if options.format == "latex" else shown_text(shown)


def _machine_text(data, array, table, options):
    from delvecore.report.arrays.tables import array_data
    from delvecore.report.writers.csv import csv_text

    header, rows = array_data(table, array)
    if options.format == "csv":
        return csv_text(header, rows)
    import json

    facts = {"array": array.name, "title": array.title, "loss": data.loss, "table": options.table}
    facts |= {"reference": options.reference, "level": options.level, "holm": options.holm}
    rows = [dict(zip(header, map(_finite, row), strict=True)) for row in rows]
    return json.dumps({**facts, "rows": rows}, indent=1, ensure_ascii=False, allow_nan=False)


def _finite(value):
    """JSON knows no infinity: it becomes the text `inf` or `-inf`."""
    return str(value) if isinstance(value, float) and value in (float("inf"), -float("inf")) else value


def _shown(array, table, options):
    from delvecore.report.arrays import tables as array_tables

    function = getattr(array_tables, f"shown_{options.table}")
    if options.table == "costs":
        return function(table, array)
    adjust = {"adjust": options.holm} if options.table in ("winners", "differences") else {}
    return function(table, array, level=options.level, **adjust)


def command() -> ManualParser:
    """Return what the command takes and tells of itself."""
    parser = ManualParser(
        "delve array",
        "print the numbers of a task-array",
        description="Print the numbers of a task-array: tasks that differ in known factors. Losses are "
        "standardized: 1 is what a baseline that ignores the inputs loses (0 for log probability). Without "
        "ARRAY, list the arrays.",
        note="estimates, differences and costs have a row a task and a column a method (csv, json: a row "
        "each); winners: the best method of each task and those not significantly worse; effects: of the "
        "factors, of training size and of their interactions on each method's loss; slopes: of learning "
        "curves.",
        files=(
            ("/ARRAY/Array.spec", "names the factors and the members of a task-array."),
            *(SPECIFICATIONS[1], LOSSES, STATISTICS),
            (TASK + "Costs", "holds the seconds of each instance."),
        ),
        examples=(
            ("delve array", "List the task-arrays."),
            ("delve array kin --table winners --holm", "Tell the best method on each task of one."),
            (
                "delve array kin --table effects --methods 'gp-1 lin-1' --format latex",
                "Make a table of what drives the losses of two methods, for a paper.",
            ),
        ),
    )
    parser.add_argument("array", nargs="?", metavar="ARRAY", help="a task-array, such as kin")
    _add_options(parser.add_argument)
    parser.complete(array=arrays, loss=losses, methods=methods, reference=methods)
    return parser


def _add_options(add):
    add("--table", choices=TABLES, default=TABLES[0], help="what to print (default: estimates)")
    add("--loss", metavar="LOSS", help="one loss, such as S (default: S, else the first with results)")
    add_names(add)
    add("--reference", metavar="METHOD", help="compare with this method; the differences need one")
    add(
        "--level",
        type=float,
        default=DEFAULT_LEVEL,
        metavar="LEVEL",
        help=f"the confidence of intervals and tests (default: {DEFAULT_LEVEL})",
    )
    meaning = "adjust p by Holm's method for the methods tested on the same task"
    add("--holm", action="store_true", help=meaning)
    add(
        "--order",
        type=int,
        default=2,
        metavar="N",
        help="effects: interactions of up to N factors (default: 2)",
    )
    add(
        "--scale",
        choices=("log", "raw"),
        help="effects, slopes: of log losses or of losses (default: log where it can be)",
    )
    add("--format", choices=FORMATS, default=FORMATS[0], help="how to print it (default: text)")
