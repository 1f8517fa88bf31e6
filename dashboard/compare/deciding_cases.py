"""Which test cases make the difference between two methods, and what are they?"""

import numpy as np
import pandas as pd

from dashboard.server import archive as opened
from delvecore.archive import Archive
from delvecore.encoding.prototask_cases import prototask_cases
from delvecore.encoding.task_instances import task_instances
from delvecore.errors import DelveError
from delvecore.losses.counted_cases import plan_positions
from delvecore.readers.specifications import read_task
from delvecore.statistics.losses.case_differences import CaseDifferences

__all__ = ["case_numbers", "deciding_table"]

NOT_KNOWN = np.empty((0, 0), dtype=np.int64)


@opened.cached
def case_numbers(state: str, dataset: str, prototask: str, task: str, loss: str) -> np.ndarray:
    """Return the dataset's case number (from 1) of each test case that counts in a loss, shape (instances,
    test cases).

    task: a name such as `std.128`. Shape (0, 0) where it is not known: the data cannot be read, or do not say
    which case is which, or test sets differ in size.
    """
    archive = opened.archive_of(state)
    try:
        facts, problem, _, found = read_task(archive.hierarchy, dataset, prototask, task)
        cases = prototask_cases(archive.hierarchy, facts, problem)
        instances = task_instances(archive.hierarchy, cases, found)
    except DelveError:
        return NOT_KNOWN
    counted = plan_positions(cases, instances, loss)
    if len({len(positions) for positions in counted}) != 1:
        return NOT_KNOWN
    pairs = zip(instances, counted, strict=True)
    numbers = np.array([cases.case_numbers[instance.test[positions]] for instance, positions in pairs])
    return numbers if numbers.all() else NOT_KNOWN


def deciding_table(
    archive: Archive,
    differences: CaseDifferences,
    *,
    names: tuple[str, str],
    instances: tuple[int, ...],
    numbers: np.ndarray,
    dataset: str,
    attributes: tuple[str, ...],
    count: int,
) -> pd.DataFrame:
    """Return the `count` test cases with the largest differences, largest first.

    Columns: Case (its number in the dataset; absent where not known), Training set (absent where the test set
    is common), the losses of both methods by their names, Difference, and the case's attributes. instances:
    numbers of the task instances in `differences`; numbers: see `case_numbers`.
    """
    chosen = differences.deciding_order[:count]
    rows, positions = differences.instance[chosen], differences.position[chosen]
    columns: dict[str, object] = {}
    cases = _cases_of(numbers, rows, positions, instances)
    if cases is not None:
        columns["Case"] = cases
    if (rows >= 0).any():
        columns["Training set"] = [instances[row] for row in rows]
    columns[f"Loss of {names[0]}"] = differences.loss_a[chosen]
    columns[f"Loss of {names[1]}"] = differences.loss_b[chosen]
    columns["Difference"] = differences.difference[chosen]
    table = pd.DataFrame(columns)
    if cases is None or not len(cases):
        return table
    values = _attributes_of(archive, dataset, cases, attributes)
    taken = {name: f"{name} (attribute)" for name in values if name in table}
    return pd.concat([table, values.rename(columns=taken)], axis=1)


def _cases_of(numbers, rows, positions, instances):
    """Return the case numbers, or None where the losses do not fit the standard instances."""
    if not len(numbers) or max(instances) >= len(numbers):
        return None
    which = np.array([instances[row] if row >= 0 else instances[0] for row in rows], dtype=np.int64)
    if len(positions) and positions.max() >= numbers.shape[1]:
        return None
    return numbers[which, positions]


def _attributes_of(archive, dataset, cases, attributes):
    """Return the values of attributes in cases; missing values as the file has them.

    Attribute 0, the number of the case, is no column of the data and stands in the table already.
    """
    try:
        table = archive.cases(dataset).take(cases - 1)
    except DelveError:
        return pd.DataFrame(index=range(len(cases)))
    columns = {}
    for name in attributes:
        if name not in table.column_names:
            continue
        reasons = f"{name} missing"
        values = table[name].to_pylist()
        if reasons in table.column_names:
            known = zip(values, table[reasons].to_pylist(), strict=True)
            values = [why if value is None else value for value, why in known]
        columns[name] = [value if isinstance(value, float | int) else str(value or "") for value in values]
    frame = pd.DataFrame(columns)
    mixed = [name for name in frame if frame[name].map(type).nunique() > 1]
    return frame.astype(dict.fromkeys(mixed, "string"))
