"""`delve array`: the numbers of a task-array, as the page Task-arrays shows them."""

import os
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

from delvecore.commands.frame.completers import arrays, losses, methods
from delvecore.commands.frame.context import active_hierarchy
from delvecore.commands.frame.manual import ManualParser
from delvecore.commands.frame.manual_files import LOSSES, SPECIFICATIONS, STATISTICS, TASK
from delvecore.commands.frame.names import add_names, chosen_names
from delvecore.commands.frame.printing import print_text
from delvecore.commands.frame.results import methods_by_loss
from delvecore.errors import DelveError
from delvecore.report.writers.text import counted
from delvecore.statistics.choose import DEFAULT_LEVEL, checked_level

if TYPE_CHECKING:
    import pyarrow as pa

    from delvecore.archive import Archive
    from delvecore.model import TaskArray
    from delvecore.report.grid import Grid
    from delvecore.statistics.arrays.results import ArrayResults

__all__ = ["FORMATS", "TABLES", "command", "main"]

TABLES = ("estimates", "winners", "differences", "effects", "slopes", "costs")
FORMATS = ("text", "csv", "json", "latex")
Cell = str | float | list[str] | None


class _Request(NamedTuple):
    """What was asked for. array: None for a list of them; loss, reference, scale: None for the usual one."""

    array: str | None
    table: str
    loss: str | None
    methods: list[str] | None
    reference: str | None
    level: float
    holm: bool
    order: int
    scale: str | None
    format: str


def main(arguments: Sequence[str]) -> int:
    """Print one table of a task-array, or list the arrays; return 0."""
    parser = command()
    request = _Request(**vars(parser.parse_args(arguments)))
    try:
        checked_level(request.level)
    except ValueError as error:
        parser.error(f"--level: {error}")
    if request.order < 1:
        parser.error(f"--order: expected at least 1, found {request.order}")
    # Reading an archive needs Arrow; the help and wrong arguments do not wait for it.
    import delvecore

    archive = delvecore.open(active_hierarchy(os.getcwd()).roots)
    if request.array is None:
        return _list_arrays(archive)
    data = _data(archive, _array(archive, request.array), request)
    print_text(_text(data, _table(data, archive, request), request))
    return 0


def _list_arrays(archive: "Archive") -> int:
    if not archive.arrays:
        raise DelveError(
            "expected a task-array, found none; an Array.spec in a directory of data describes one"
        )
    width = max(len(array.name) for array in archive.arrays)
    for array in archive.arrays:
        factors = ", ".join(factor.name for factor in array.factors)
        members = counted(len(array.members), "member")
        print_text(f"{array.name:{width}}  {array.title} ({members}; {factors})")
    return 0


def _array(archive: "Archive", word: str) -> "TaskArray":
    found = {array.name: array for array in archive.arrays}
    name = word.strip("/")
    if name not in found:
        known = ", ".join(found) or "none"
        raise DelveError(f"{word}: expected a task-array, found none of this name; there are {known}")
    return found[name]


def _data(archive: "Archive", array: "TaskArray", request: _Request) -> "ArrayResults":
    """Return what is known of the array under the loss asked for, or the first with results."""
    from delvecore.statistics.arrays.results import array_cells, array_results

    cells = array_cells(array, archive.tasks)
    places = {cell.place for cell in cells if cell.missing is None}
    known = methods_by_loss(archive, places.__contains__)
    loss = _loss(array, known, request.loss)
    methods = _methods(archive, request, known[loss])
    tables = {"tasks": archive.tasks, "results": archive.results, "losses": archive.losses}
    return array_results(array, loss=loss, methods=methods, **tables)


def _loss(array: "TaskArray", known: Collection[str], wanted: str | None) -> str:
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


def _methods(archive: "Archive", request: _Request, known: Collection[str]) -> list[str]:
    """Return the methods asked for, or all with results, the reference among them."""
    there = set(archive.methods["method"].to_pylist())
    names = chosen_names(request.methods, there) or sorted(known)
    reference = [request.reference] if request.reference else []
    for name in (*names, *reference):
        if name not in there:
            raise DelveError(f"{name}: expected a method, found none; mls / lists the methods")
    return list(dict.fromkeys([*(name for name in reference if name not in names), *names]))


def _table(data: "ArrayResults", archive: "Archive", request: _Request) -> "pa.Table":
    """Return the Arrow table asked for."""
    from delvecore.statistics.arrays import costs, effects, estimates, learning_curves, winners

    level, adjust = request.level, request.holm
    if request.table == "estimates":
        return estimates.array_estimates(data, reference=request.reference)
    if request.table == "winners":
        return winners.array_winners(data, level=level, adjust=adjust)
    if request.table == "differences":
        reference = _reference(data, request)
        return estimates.array_differences(data, reference=reference, level=level, adjust=adjust)
    if request.table == "costs":
        return costs.array_costs(data, archive.costs)
    try:
        if request.table == "effects":
            return effects.array_effects(data, order=request.order, scale=request.scale, level=level)
        return learning_curves.learning_slopes(data, scale=request.scale, level=level)
    except ValueError as error:
        raise DelveError(f"--scale: {error}") from None


def _reference(data: "ArrayResults", request: _Request) -> str:
    if request.reference is None:
        names = ", ".join(data.methods)
        raise DelveError(f"expected --reference METHOD for the differences, found none; there are {names}")
    return request.reference


def _text(data: "ArrayResults", table: "pa.Table", request: _Request) -> str:
    if request.format in ("csv", "json"):
        return _machine_text(data, table, request)
    from delvecore.report.writers.latex import latex_grid
    from delvecore.report.writers.plain import text_grid

    shown = _shown(data.array, table, request)
    return latex_grid(shown) if request.format == "latex" else text_grid(shown)


def _machine_text(data: "ArrayResults", table: "pa.Table", request: _Request) -> str:
    from delvecore.report.arrays.tables import array_data
    from delvecore.report.writers.csv import csv_text

    header, rows = array_data(table, data.array)
    if request.format == "csv":
        return csv_text(header, rows)
    import json

    facts = {"array": data.array.name, "title": data.array.title, "loss": data.loss}
    chosen = {name: getattr(request, name) for name in ("table", "reference", "level", "holm")}
    records = [dict(zip(header, map(_finite, row), strict=True)) for row in rows]
    return json.dumps({**facts, **chosen, "rows": records}, indent=1, ensure_ascii=False, allow_nan=False)


def _finite(value: Cell) -> Cell:
    """JSON knows no infinity: it becomes the text `inf` or `-inf`."""
    return str(value) if isinstance(value, float) and value in (float("inf"), -float("inf")) else value


def _shown(array: "TaskArray", table: "pa.Table", request: _Request) -> "Grid":
    from delvecore.report.arrays import tables as array_tables

    function = getattr(array_tables, f"shown_{request.table}")
    if request.table == "costs":
        return function(table, array)
    adjust = {"adjust": request.holm} if request.table in ("winners", "differences") else {}
    return function(table, array, level=request.level, **adjust)


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


def _add_options(add: Callable[..., object]) -> None:
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
