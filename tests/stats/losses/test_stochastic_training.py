"""Training stochasticity as a variance component of its own: runs within training sets."""

import numpy as np
import pytest

from delvecore.stats.losses.stochastic_training import over_runs, stochastic_training

HIERARCHICAL = """
3.3 5.8 2.6 2.7 3.4  5.8 8.2 5.2 6.8 6.4  4.9 6.3 4.6 4.9 6.1
8.6 7.2 10.0 8.4 8.7  9.8 7.4 8.8 7.6 9.7  9.9 8.4 9.5 10.2 9.4
8.3 8.2 6.8 9.7 7.5  6.2 7.2 5.5 8.1 6.4  8.7 8.6 6.4 9.8 8.2
8.5 11.3 12.8 11.1 13.1  5.5 9.3 9.9 7.1 9.4  8.0 10.4 11.0 10.0 11.1"""
COMMON = """
7.9 7.6 8.0 9.0 8.5  9.5 11.8 10.0 10.2 10.9  5.7 7.7 7.6 7.2 7.4
11.3 10.7 9.9 12.9 11.1  10.3 10.4 11.3 12.8 10.9  12.8 11.6 12.1 14.0 12.0
12.5 12.0 14.7 15.4 14.5  12.6 12.2 13.1 13.6 12.7  13.2 12.7 15.1 16.0 14.0
8.7 7.3 7.4 9.6 6.9  10.2 10.7 11.7 12.6 9.8  9.7 8.4 8.8 10.8 8.2"""


def losses_of(text):
    """A line per training set, three runs of five test cases each."""
    stack = np.array(text.split(), dtype=float).reshape(4, 3, 5)
    return {4 * run + number: stack[number, run] for number in range(4) for run in range(3)}


def test_two_sets_two_runs_and_two_cases_by_hand():
    # Means of runs 2 and 5, 5 and 9; of sets 3.5 and 7. MS_s = 2 (1.5^2 2 + 2^2 2) / 2 = 12.5. Residuals are
    # 0.5 in the first set and 1 in the second: MS_e = (4 0.25 + 4 1) / 2 = 2.5; var(s) = 10 / 2. Means over
    # the runs are 3 4 and 7 7: MS_a = 12.25, MS_e = 0.25, so that var(a) = 12 / 2 - 5 / 2.
    rows = [[1, 3], [6, 4], [5, 5], [8, 10]]
    losses = {number: np.array(row, dtype=float) for number, row in enumerate(rows)}
    training = stochastic_training(losses, 2, design="hierarchical")
    assert (training.sd_stochastic**2, training.sd_training**2) == pytest.approx((5, 3.5))
    # F is 5 with 2 and 2 degrees of freedom: P(F >= f) = 1 / (1 + f).
    assert training.p == pytest.approx(1 / 6)


@pytest.mark.parametrize(
    ("text", "design", "p", "variances"),
    [
        (HIERARCHICAL, "hierarchical", 2.453160e-11, (3.51421, 1.36130)),
        (COMMON, "common", 2.501411e-11, (4.54576, 1.51897)),
    ],
)
def test_f_is_that_of_an_analysis_of_variance_and_variances_those_of_reml(text, design, p, variances):
    # statsmodels 0.14: anova_lm of y ~ set + set:run + set:case (common: + case); mixedlm by REML with these as
    # random effects, whose optimum it finds to four digits.
    training = stochastic_training(losses_of(text), 4, design=design)
    assert training.p == pytest.approx(p, rel=1e-6)
    assert (training.sd_training**2, training.sd_stochastic**2) == pytest.approx(variances, rel=2e-4)


def test_runs_are_averaged_as_far_as_they_are_there():
    losses = {0: np.array([1.0, 3.0]), 1: np.array([6.0, 4.0]), 2: np.array([5.0, 5.0])}
    assert {number: row.tolist() for number, row in over_runs(losses, 2).items()} == {0: [3, 4], 1: [6, 4]}
    assert stochastic_training(losses, 2, design="hierarchical") is None
    assert stochastic_training(losses, 3, design="hierarchical") is None
