"""Where in the test set does the difference between two methods come from?"""

from dataclasses import dataclass

import numpy as np

from delvecore.statistics.kinds import Floats, Whole

__all__ = ["CaseDifferences", "case_differences"]


@dataclass(frozen=True, slots=True)
class CaseDifferences:
    """The differences a less b between the losses of two methods, case by case; below zero a is better.

    difference, loss_a, loss_b: one value a test case, in the test sets' order; with a common test set the
    means over training sets. instance: the task instance of each value, -1 where it is a mean over all.
    position: in the test set of the instance, from 0. Differences of two equal infinities are not a number.
    """

    difference: Floats
    loss_a: Floats
    loss_b: Floats
    instance: Whole
    position: Whole

    @property
    def deciding_order(self) -> Whole:
        """Indexes of the differences that are numbers, largest first whatever their sign; equals in order."""
        order = np.argsort(-np.abs(self.difference), kind="stable")
        return order[~np.isnan(self.difference[order])]

    @property
    def different(self) -> int:
        """On how many test cases do the methods differ? A difference that is not a number is none."""
        return int(np.count_nonzero(np.nan_to_num(self.difference)))

    def share_of_largest(self, count: int) -> float | None:
        """Which share of the sum of absolute differences have the `count` largest?

        None where there is no telling which are the largest: the next one is as large, or all are zero.
        Differences that are not finite are left out.
        """
        sizes = np.sort(np.abs(self.difference[np.isfinite(self.difference)]))[::-1]
        if not len(sizes) or sizes[0] == 0 or (count < len(sizes) and sizes[count - 1] == sizes[count]):
            return None
        return float(sizes[:count].sum() / sizes.sum())


def case_differences(losses_a: Floats, losses_b: Floats, *, design: str) -> CaseDifferences:
    """Return the differences of losses of shape (instances, test cases), the same cases in both.

    design: `hierarchical` (each instance has test cases of its own) or `common` (differences are averaged
    over training sets). Raises ValueError if the shapes differ.
    """
    a, b = np.asarray(losses_a, dtype=float), np.asarray(losses_b, dtype=float)
    if a.shape != b.shape or a.ndim != 2:
        raise ValueError(f"losses of the same shape (instances, cases) are needed, got {a.shape}, {b.shape}")
    cases = a.shape[1]
    with np.errstate(invalid="ignore"):
        if design == "common":
            difference = (a - b).mean(axis=0)
            a, b = a.mean(axis=0), b.mean(axis=0)
            instance, position = np.full(cases, -1), np.arange(cases)
        else:
            difference = (a - b).ravel()
            a, b = a.ravel(), b.ravel()
            instance, position = np.divmod(np.arange(a.size), cases)
    return CaseDifferences(difference, a, b, instance, position)
