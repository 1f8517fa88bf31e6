"""Examples 12.4 to 12.8 of Flach, Machine Learning (2012), with the slips of the book.

What the book prints is in the tests; docs/statistics-reference.md lists where recomputing it gives something else.
"""

import math

import numpy as np
import pytest
from scipy import stats

from delvecore.stats.losses.anova import student_t_two_sided
from delvecore.stats.ranking.friedman import friedman
from delvecore.stats.ranking.ranks import task_ranks
from delvecore.stats.ranking.score_table import ScoreTable
from tests.shared import golden_path

BAYES, TREE, NEIGHBOR = range(3)


@pytest.fixture(scope="module")
def accuracies():
    lines = golden_path("flach_12_4.csv").read_text(encoding="utf-8").split()[1:]
    return np.array([line.split(",")[1:] for line in lines], dtype=float)


def test_example_12_4_averages_and_standard_deviations(accuracies):
    assert accuracies.mean(axis=0) == pytest.approx([0.6937, 0.7902, 0.7606], abs=6e-5)
    # The first is printed 0.0448; 0.04486 rounds to 0.0449.
    assert accuracies.std(axis=0, ddof=1) == pytest.approx([0.04486, 0.1014, 0.1248], abs=6e-5)


@pytest.mark.parametrize(
    ("pair", "p"), [((BAYES, TREE), 0.0369), ((BAYES, NEIGHBOR), 0.1848), ((TREE, NEIGHBOR), 0.4833)]
)
def test_example_12_6_the_paired_t_test(accuracies, pair, p):
    differences = accuracies[:, pair[0]] - accuracies[:, pair[1]]
    t = differences.mean() / (differences.std(ddof=1) / math.sqrt(10))
    # Within what four printed decimals of the accuracies leave open.
    assert student_t_two_sided(t, 9) == pytest.approx(p, abs=3e-4)


def test_example_12_7_the_sums_of_ranks(accuracies):
    differences = accuracies[:, BAYES] - accuracies[:, TREE]
    ranks = stats.rankdata(np.abs(differences))
    assert ranks.tolist() == [4, 8, 1, 9, 6, 7, 5, 3, 10, 2]
    assert (ranks[differences > 0].sum(), ranks[differences < 0].sum()) == (8, 47)
    # The critical value 8 is right: two-sided p = 50 / 1024.
    assert stats.wilcoxon(differences, method="exact").pvalue == pytest.approx(50 / 1024)


def test_example_12_8_the_critical_value_is_6_2_and_not_7_8():
    exact = {value: _exact_tail(value) for value in (5.6, 6.2, 7.8)}
    assert exact[6.2] == pytest.approx(0.0456, abs=5e-5)
    assert exact[5.6] > 0.05
    assert exact[7.8] == pytest.approx(0.018, abs=5e-4)
    # 7.8 is the quantile of chi-square with three degrees of freedom; there are two.
    assert stats.chi2.isf(0.05, 3) == pytest.approx(7.81, abs=5e-3)


def _exact_tail(value):
    """The probability under the null of Friedman's statistic >= value, k = 3 and n = 10, by convolution."""
    permutations = [(1, 2, 3), (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1)]
    sums = {(0, 0): 1}
    for _ in range(10):
        following = {}
        for (first, second), count in sums.items():
            for one in permutations:
                place = first + one[0], second + one[1]
                following[place] = following.get(place, 0) + count
        sums = following
    deviations = {place: (place[0] - 20, place[1] - 20, 40 - sum(place)) for place in sums}
    # chi-square = 12 / (n k (k + 1)) x sum of squared deviations of the rank sums = that sum / 10.
    far = [place for place, parts in deviations.items() if sum(d * d for d in parts) >= 10 * value - 1e-9]
    return sum(sums[place] for place in far) / 6**10


def test_example_12_8_the_statistic(accuracies):
    folds, methods = tuple(f"fold {n}" for n in range(1, 11)), ("NB", "DT", "NN")
    ranks = task_ranks(ScoreTable(folds, methods, accuracies, higher_is_better=True))
    test = friedman(ranks)
    assert (test.statistic, test.exact_p) == (pytest.approx(2.6), pytest.approx(_exact_tail(2.6)))
    assert test.exact_p > 0.05  # the conclusion of the book holds


def test_the_critical_difference_of_example_12_8_is_1_048():
    # Printed: q = 2.343 and CD = 1.047.
    q = stats.studentized_range.isf(0.05, 3, np.inf) / math.sqrt(2)
    assert q == pytest.approx(2.3437, abs=5e-5)
    assert q * math.sqrt(3 * 4 / (6 * 10)) == pytest.approx(1.0481, abs=5e-5)
    assert 2.343 * math.sqrt(3 * 4 / (6 * 10)) == pytest.approx(1.0478, abs=5e-5)
