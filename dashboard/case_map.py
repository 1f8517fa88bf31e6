"""Which cases go to which training and test set? Source: DELVE manual, section 6.2."""

import numpy as np
import pandas as pd

from delvecore.encoding.instances import standard_instances
from delvecore.errors import DelveError
from delvecore.model import Prototask

__all__ = ["COLUMNS", "case_map_table"]

COLUMNS = ["training_size", "use", "instance", "first", "last"]


def case_map_table(prototask: Prototask, case_count: int) -> pd.DataFrame:
    """Return runs of consecutive cases with the same use, for each training size.

    first, last: positions from 1 in the prototask's order; use: training, test or unused; instance: number
    from 0, or -1 where all share a test set or none uses the cases. A size that has too few cases has none.
    """
    rows = []
    for size in prototask.training_set_sizes:
        try:
            instances = standard_instances(prototask, case_count, size)
        except DelveError:
            continue
        rows += [(size, *run) for run in _runs(instances, prototask, case_count)]
    return pd.DataFrame(rows, columns=COLUMNS)


def _runs(instances, prototask, case_count):
    uses = np.full(case_count, -1, dtype=np.int64)
    common = prototask.test_set_selection == "common"
    for instance in instances:
        uses[instance.training] = 2 * instance.number
        uses[instance.test] = -3 if common else 2 * instance.number + 1
    starts = np.flatnonzero(np.diff(uses, prepend=uses[0] - 1)) if case_count else []
    ends = [*starts[1:], case_count]
    for start, end in zip(starts, ends, strict=True):
        yield (*_use(int(uses[start])), int(start) + 1, int(end))


def _use(code):
    if code == -1:
        return "unused", -1
    if code == -3:
        return "test", -1
    return ("test" if code % 2 else "training"), code // 2
