"""What standardizes the losses of each task: from `Test-set-stats`, else from the data themselves."""

from collections.abc import Iterator

import pyarrow as pa

from delvecore.archive.stored import Row
from delvecore.encoding.prototask_cases import PrototaskCases, prototask_cases
from delvecore.encoding.task_instances import task_instances
from delvecore.errors import DelveError
from delvecore.losses.baselines import baseline_losses
from delvecore.losses.spec import parse_loss
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import read_task

__all__ = ["computed_standardizers", "standardizer_index"]

Key = tuple[str, str, str, str]


def standardizer_index(table: pa.Table) -> dict[Key, float]:
    """Constants by (dataset, prototask, task, loss): the same for all methods, so the first one serves."""
    constants: dict[Key, float] = {}
    for row in table.to_pylist():
        key = (row["dataset"], row["prototask"], row["task"], row["loss"])
        constants.setdefault(key, row["standardizer"])
    return constants


def computed_standardizers(hierarchy: Hierarchy, losses: pa.Table, known: dict[Key, float]) -> list[Row]:
    """Return rows for the tasks and losses that no method's `Test-set-stats` standardizes.

    Numbers are rounded as the file would have them. Tasks whose data cannot be read have no rows; why is
    among the archive's problems.
    """
    names = ("dataset", "prototask", "task", "loss")
    wanted = set(zip(*(losses[name].to_pylist() for name in names), strict=True)) - known.keys()
    rows: list[Row] = []
    cases: dict[str, PrototaskCases] = {}
    for task, losses in _together(wanted):
        for loss, constant in _constants(hierarchy, task, losses, cases).items():
            key = dict(zip(names, (*task, loss), strict=True))
            rows.append({"unit": None, "method": None, **key, "standardizer": constant})
    return rows


def _together(wanted: set[Key]) -> Iterator[tuple[tuple[str, str, str], list[str]]]:
    """Yield (task, losses): all at once, but each loss matrix alone, so that a faulty one harms no other."""
    for task in sorted({key[:3] for key in wanted}):
        losses = sorted(loss for *place, loss in wanted if tuple(place) == task)
        matrices = [loss for loss in losses if (known := parse_loss(loss)) and known.matrix]
        yield task, [loss for loss in losses if loss not in matrices]
        yield from ((task, [loss]) for loss in matrices)


def _constants(
    hierarchy: Hierarchy, task: tuple[str, str, str], losses: list[str], cases: dict[str, PrototaskCases]
) -> dict[str, float]:
    """Return {loss: constant} of some losses of one task; cases: those of prototasks already read."""
    try:
        dataset, prototask, prior, found = read_task(hierarchy, *task)
        if prototask.path not in cases:
            cases[prototask.path] = prototask_cases(hierarchy, dataset, prototask)
        used = cases[prototask.path]
        instances = task_instances(hierarchy, used, found)
        return baseline_losses(hierarchy, used, prior, instances, losses)
    except DelveError:
        return {}
