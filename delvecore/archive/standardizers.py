"""Constants that standardize the losses of each task. They are computed from the data if available,
independently of methods' files. Without data, the methods' `Test-set-stats` are used if they agree."""

from collections.abc import Iterator, Mapping
from itertools import groupby

import pyarrow as pa
import pyarrow.compute as pc

from delvecore.archive.dataset_unit import DatasetUnit
from delvecore.archive.result_unit import KnownCases
from delvecore.archive.snapshot import Snapshot
from delvecore.checks.result_rules import STATISTICS, same_constant, shown_constants
from delvecore.encoding.instances import test_union
from delvecore.errors import DelveError, ParseError, result_fault
from delvecore.losses.baselines import baseline_losses
from delvecore.losses.spec import parse_loss
from delvecore.losses.standard_losses import LOSS_SPECS
from delvecore.readers.hierarchy import Hierarchy
from delvecore.tables import PLACE, READ, Row, distinct_rows, rows_of, table_of

Key = tuple[str, str, str, str]
KEY = (*PLACE[1:], "loss")


def with_computed(
    standardizers: pa.Table,
    losses: pa.Table,
    snapshot: Snapshot,
    read: Mapping[str, DatasetUnit],
) -> pa.Table:
    """Return the table with a computed row for each loss of each task whose data can be read.

    The rows have no method and belong to the unit of the dataset. The constant equals that of a file; it is
    null if the targets leave it undefined. Existing rows are kept. Failures to read data are among the
    archive's problems. `read` has datasets that were read before, by name.
    """
    computed = standardizers.filter(pc.is_null(standardizers["method"]))
    wanted = distinct_rows(losses, KEY) - distinct_rows(computed, KEY)
    rows: list[Row] = []
    hierarchy = snapshot.hierarchy
    cases, seen = KnownCases(hierarchy, read), dict[object, dict[str, float]]()
    for task, names in _together(wanted):
        try:
            constants = _computed(hierarchy, cases, task, names, seen)
        except DelveError:
            continue
        place = {"unit": snapshot.datasets[task[0]].key, "method": None, **dict(zip(KEY, task, strict=False))}
        rows += [{**place, "loss": loss, "standardizer": constants.get(loss)} for loss in names]
    return pa.concat_tables([standardizers, table_of(rows, READ["standardizers"])])


def _computed(
    hierarchy: Hierarchy,
    cases: KnownCases,
    task: tuple[str, ...],
    losses: list[str],
    seen: dict[object, dict[str, float]],
) -> dict[str, float]:
    """Return `baseline_losses` of a task. `seen` has earlier results, for tasks with the same test cases."""
    used, prior, instances = cases.of_task(task)
    if used.prototask.stratified:  # weights differ from task to task
        return baseline_losses(hierarchy, used, prior, instances, losses)
    key = (*task[:2], prior.name, test_union(instances).tobytes(), *losses)
    if key not in seen:
        seen[key] = baseline_losses(hierarchy, used, prior, instances, losses)
    return seen[key]


def _together(wanted: set[tuple[str, ...]]) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """Yield (task, losses) for all losses at once, but for each loss matrix separately, to isolate its
    faults."""
    for task, keys in groupby(sorted(wanted), key=lambda key: key[:3]):
        losses = [loss for *_, loss in keys]
        matrices = [loss for loss in losses if (known := parse_loss(loss)) and known.matrix]
        yield task, [loss for loss in losses if loss not in matrices]
        yield from ((task, [loss]) for loss in matrices)


Constants = dict[str | None, float | None]
"""A constant by the method whose file has it, None for the one that is computed from the data."""


def constants_of(table: pa.Table) -> dict[Key, Constants]:
    """Return the constants in a table of standardizers, by dataset, prototask, task and loss."""
    constants: dict[Key, Constants] = {}
    for dataset, prototask, task, loss, method, constant in rows_of(table, (*KEY, "method", "standardizer")):
        constants.setdefault((dataset, prototask, task, loss), {})[method] = constant
    return constants


def _agreed(constants: Constants) -> float | None:
    """Return the computed constant, or without data that of the methods; None if they disagree."""
    if None in constants:
        return constants[None]
    first, *others = constants.values()
    return first if all(same_constant(first, other) for other in others) else None


def standardizer_index(table: pa.Table) -> dict[Key, float | None]:
    """Return the constants that standardize losses by dataset, prototask, task and loss; None if unknown."""
    return {key: _agreed(one) for key, one in constants_of(table).items()}


def disagreements(constants: Mapping[Key, Constants], snapshot: Snapshot) -> Iterator[ParseError]:
    """Yield a fault for each constant in a method's file that differs from that of the data, or of other
    files."""
    for (dataset, prototask, task, loss), one in constants.items():
        if loss not in LOSS_SPECS:  # its constant is derived from that of a letter
            continue
        of_methods = {name: constant for name, constant in one.items() if name is not None}
        files = {
            name: snapshot.results[name, dataset, prototask, task].files[STATISTICS] for name in of_methods
        }
        first = None if None in one else next(iter(of_methods))
        right = one[first]
        source = "computed from the test targets" if first is None else f"as in {files[first]}"
        use = "this file is not used" if first is None else "the task's losses are not standardized"
        expected = f"{loss} {shown_constants([right])}, {source}"
        for method, constant in of_methods.items():
            if constant != right and not same_constant(constant, right):
                actual, remedy = shown_constants([constant]), f"{use}; run mgendata again"
                yield result_fault(files[method], None, expected, actual, remedy)
