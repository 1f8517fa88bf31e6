"""Which test cases make the difference between two methods, and what are they?"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from dashboard.compare import data
from dashboard.compare.choice import Request
from dashboard.server import archive as opened
from delvecore.archive import Archive
from delvecore.encoding.prototask_cases import prototask_cases
from delvecore.encoding.task_instances import task_instances
from delvecore.errors import DelveError
from delvecore.losses.counted_cases import plan_positions
from delvecore.readers.specifications import read_task

__all__ = ["deciding_table"]

NOT_KNOWN = np.empty((0, 0), dtype=np.int64)


@opened.cached
def deciding_table(request: Request, method: str, *, most: int) -> pd.DataFrame:
    """Return the test cases with the largest differences between a method and the reference, largest first.

    Columns: Case (its number in the dataset; absent where not known), Training set (absent where the test set
    is common), the losses of both methods by their names, Difference, and the case's targets and inputs.
    """
    differences, instances = data.case_losses(request, method)
    if differences is None:
        return pd.DataFrame()
    chosen = differences.deciding_order[:most]
    rows = differences.instance[chosen]
    table = pd.DataFrame(
        {
            f"Loss of {method}": differences.loss_a[chosen],
            f"Loss of {request.reference}": differences.loss_b[chosen],
            "Difference": differences.difference[chosen],
        }
    )
    if (rows >= 0).any():
        table.insert(0, "Training set", [instances[row] for row in rows])
    numbers = _case_numbers(request.of_pair(method))
    cases = _cases_of(numbers, rows, differences.position[chosen], instances)
    if cases is not None:
        table.insert(0, "Case", cases)
    if cases is None or not len(cases):
        return table
    values = _attributes_of(opened.archive_of(request.state), request, cases)
    taken = {name: f"{name} (attribute)" for name in values if name in table}
    return pd.concat([table, values.rename(columns=taken)], axis=1)


@opened.cached
def _case_numbers(request: Request) -> np.ndarray:
    """Return the dataset's case number (from 1) of each test case that counts in a loss, shape (instances,
    test cases).

    Shape (0, 0) where it is not known: the data cannot be read, or do not say which case is which, or test
    sets differ in size.
    """
    hierarchy = opened.archive_of(request.state).hierarchy
    try:
        facts, problem, _, found = read_task(hierarchy, *request.place)
        cases = prototask_cases(hierarchy, facts, problem)
        instances = task_instances(hierarchy, cases, found)
    except DelveError:
        return NOT_KNOWN
    counted = plan_positions(cases, instances, request.loss)
    if len({len(positions) for positions in counted}) != 1:
        return NOT_KNOWN
    pairs = zip(instances, counted, strict=True)
    numbers = np.array([cases.case_numbers[instance.test[positions]] for instance, positions in pairs])
    return numbers if numbers.all() else NOT_KNOWN


def _cases_of(
    numbers: np.ndarray, rows: np.ndarray, positions: np.ndarray, instances: tuple[int, ...]
) -> np.ndarray | None:
    """Return the case numbers, or None where the losses do not fit the standard instances."""
    if not len(numbers) or max(instances) >= len(numbers):
        return None
    which = np.array([instances[row] if row >= 0 else instances[0] for row in rows], dtype=np.int64)
    if len(positions) and positions.max() >= numbers.shape[1]:
        return None
    found: np.ndarray = numbers[which, positions]
    return found


def _attributes_of(archive: Archive, request: Request, cases: np.ndarray) -> pd.DataFrame:
    """Return the values of the prototask's targets and inputs in cases; missing values as the file has them.

    Attribute 0, the number of the case, is no column of the data and stands in the table already.
    """
    dataset, prototask, _ = request.place
    try:
        table = archive.cases(dataset).take(cases - 1)
    except DelveError:
        return pd.DataFrame(index=range(len(cases)))
    columns = {}
    for name in _attributes(request.state, dataset, prototask):
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


def _attributes(state: str, dataset: str, prototask: str) -> Sequence[str]:
    """Return the names of the prototask's targets and inputs."""
    for row in opened.rows(state, "prototasks"):
        if (row["dataset"], row["prototask"]) == (dataset, prototask):
            return (*row["targets"], *row["inputs"])
    return ()
