"""How fast are all pairs of 10 methods compared on 40 tasks, beside a plain pandas and SciPy loop?"""

import numpy as np
import pandas as pd
import pyarrow as pa

from benchmarks.made_losses import INSTANCES, METHODS, TEST_CASES, made_standardizers, made_study
from benchmarks.plain_pairs import KEY, compare_plainly, groups_of_arrays, groups_of_rows, one_row_a_loss
from benchmarks.results import Finding
from benchmarks.timing import in_turns
from delvecore.stats.losses.comparisons import compare_all
from delvecore.stats.losses.results import designs_by_task

GOAL_SECONDS, GOAL_RATIO = 0.060, 50
AGREEMENT = 1e-9
FIGURES = (
    *("mean_a", "mean_b", "difference", "standard_error", "sd_training", "sd_cases", "sd_residual"),
    *("p_delve", "standardized_difference", "standardized_error"),
)
_NOTE = (
    "Warm medians of {rounds} calls and {plain_rounds} loops over tables in memory. The pandas table has a "
    "row a loss; the loop on arrays starts from one array an instance. Largest relative disagreement of the "
    "{count:,} figures that all three compute: {worst:.1g}."
)


def measure(*, rounds: int = 15, plain_rounds: int = 2) -> list[Finding]:
    """Time all of them on the same losses and check that they agree."""
    losses, tasks = made_study()
    constants = made_standardizers(tasks)
    designs = {task: design.selection for task, design in designs_by_task(tasks).items()}
    rows, arrays = one_row_a_loss(losses), losses.to_pandas()
    ours = compare_all(losses, tasks, constants)
    plain = {
        "pandas": lambda: compare_plainly(groups_of_rows(rows), designs, constants),
        "arrays": lambda: compare_plainly(groups_of_arrays(arrays), designs, constants),
    }
    worst = max(largest_disagreement(ours, work()) for work in plain.values())
    taken = in_turns(plain, rounds=plain_rounds)
    taken |= in_turns({"ours": lambda: compare_all(losses, tasks, constants)}, rounds=rounds)
    counts = {"rounds": rounds, "plain_rounds": plain_rounds, "count": len(FIGURES) * ours.num_rows}
    return _findings(taken, worst, _NOTE.format(**counts, worst=worst))


def _findings(taken, worst, note):
    what = f"all pairs of {len(METHODS)} methods, 40 tasks, 2 losses, {INSTANCES} x {TEST_CASES} test cases"
    measured = f"{taken['ours'] * 1e3:.0f} ms"
    ratio = taken["pandas"] / taken["ours"]
    reached = taken["ours"] <= GOAL_SECONDS and ratio >= GOAL_RATIO and worst <= AGREEMENT
    goal = f"{GOAL_SECONDS * 1e3:.0f} ms, {GOAL_RATIO}x, figures equal to {AGREEMENT:g}"
    beside = f"pandas and SciPy loop {taken['pandas']:.1f} s"
    arrays = f"the same loop on arrays {taken['arrays']:.1f} s"
    return [
        Finding(what, measured, beside, f"{ratio:.0f}x faster", goal, reached, note),
        Finding(what, measured, arrays, f"{taken['arrays'] / taken['ours']:.0f}x faster", note=note),
    ]


def largest_disagreement(ours: pa.Table, plain: pd.DataFrame) -> float:
    """Return the largest relative difference between figures of the two; infinite where only one has one."""
    names = [*KEY, "method_a", "method_b"]
    both = ours.to_pandas().merge(plain, on=names, how="outer", suffixes=("", "_plain"), validate="1:1")
    if len(both) != len(plain):
        return float("inf")
    worst = 0.0
    for name in FIGURES:
        a, b = both[name].to_numpy(dtype=float), both[f"{name}_plain"].to_numpy(dtype=float)
        if (np.isnan(a) != np.isnan(b)).any():
            return float("inf")
        known = ~np.isnan(a)
        scale = np.maximum(np.abs(a[known]), np.abs(b[known]))
        apart = np.abs(a[known] - b[known]) / np.where(scale > 0, scale, 1)
        worst = max(worst, float(apart.max(initial=0.0)))
    return worst
