"""Which test cases decide between two methods: their numbers, losses, and attributes."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from delvecore.archive import Archive
from delvecore.encoding.prototask_cases import held_cases
from delvecore.encoding.task_instances import task_instances
from delvecore.errors import DelveError
from delvecore.losses.method_task import plan_positions
from delvecore.model import TaskId
from delvecore.readers.specifications import read_task
from delvecore.stats.losses.case_tests import CaseDifferences

NOT_KNOWN = np.empty((0, 0), dtype=np.int64)


def deciding_table(
    archive: Archive,
    task: TaskId,
    loss: str,
    methods: Sequence[str],
    differences: CaseDifferences,
    instances: Sequence[int],
    *,
    most: int,
) -> pd.DataFrame:
    """Return the test cases with the largest differences between two methods, largest first.

    Columns: Case (its number in the dataset; absent where not known), Training set (absent where the test set
    is common), the losses of both methods by their names, Difference, and the case's targets and inputs.
    instances: the numbers of those that both methods have."""
    chosen = differences.deciding_order[:most]
    rows = differences.instance[chosen]
    names = (*(f"Loss of {name}" for name in methods), "Difference")
    columns = (differences.loss_a, differences.loss_b, differences.difference)
    table = pd.DataFrame({name: column[chosen] for name, column in zip(names, columns, strict=True)})
    if (rows >= 0).any():
        table.insert(0, "Training set", [instances[row] for row in rows])
    named = archive.case_names.get(task.path)
    if named is not None:
        table.insert(0, "Case", [named[place] for place in differences.position[chosen].tolist()])
        return table
    cases = _cases_of(_case_numbers(archive, task, loss), rows, differences.position[chosen], instances)
    if cases is not None:
        table.insert(0, "Case", cases)
    if cases is None or not len(cases):
        return table
    values = _attributes_of(archive, task, cases)
    taken = {name: f"{name} (attribute)" for name in values if name in table}
    return pd.concat([table, values.rename(columns=taken)], axis=1)


def _case_numbers(archive: Archive, task: TaskId, loss: str) -> np.ndarray:
    """Return the dataset's case number (from 1) of each test case that counts in a loss, shape (instances,
    test cases).

    Shape (0, 0) where it is not known: the data cannot be read, or do not say which case is which, or test
    sets differ in size."""
    hierarchy = archive.hierarchy
    try:
        facts, problem, _, found = read_task(hierarchy, *task)
        cases = held_cases(hierarchy, facts, problem)
        instances = task_instances(hierarchy, cases, found)
    except DelveError:
        return NOT_KNOWN
    counted = plan_positions(cases, instances, loss)
    if len({len(positions) for positions in counted}) != 1:
        return NOT_KNOWN
    pairs = zip(instances, counted, strict=True)
    numbers = np.array([cases.case_numbers[instance.test[positions]] for instance, positions in pairs])
    return numbers if numbers.all() else NOT_KNOWN


def _cases_of(
    numbers: np.ndarray, rows: np.ndarray, positions: np.ndarray, instances: Sequence[int]
) -> np.ndarray | None:
    """Return the case numbers, or None where the losses do not fit the standard instances."""
    if not len(numbers) or max(instances) >= len(numbers):
        return None
    if len(positions) and positions.max() >= numbers.shape[1]:
        return None
    which = np.array([instances[max(row, 0)] for row in rows], dtype=np.int64)
    found: np.ndarray = numbers[which, positions]
    return found


def _attributes_of(archive: Archive, task: TaskId, cases: np.ndarray) -> pd.DataFrame:
    """Return the values of the prototask's targets and inputs in cases; missing values as the file has them.

    Attribute 0, the number of the case, is no column of the data and stands in the table already."""
    dataset, prototask, _ = task
    try:
        table = archive.cases(dataset).take(cases - 1)
    except DelveError:
        return pd.DataFrame(index=range(len(cases)))
    rows = archive.prototasks.to_pylist()
    known = (row for row in rows if (row["dataset"], row["prototask"]) == (dataset, prototask))
    attributes = next(((*row["targets"], *row["inputs"]) for row in known), ())
    columns = {}
    for name in attributes:
        if name not in table.column_names:
            continue
        reasons, values = f"{name} missing", table[name].to_pylist()
        if reasons in table.column_names:
            pairs = zip(values, table[reasons].to_pylist(), strict=True)
            values = [why if value is None else value for value, why in pairs]
        columns[name] = [value if isinstance(value, float | int) else str(value or "") for value in values]
    frame = pd.DataFrame(columns)
    mixed = [name for name in frame if frame[name].map(type).nunique() > 1]
    return frame.astype(dict.fromkeys(mixed, "string"))
