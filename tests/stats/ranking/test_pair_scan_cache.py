"""Pairs of a table are gone over once, and draws made once, whatever confidence is asked for."""

import numpy as np

from delvecore.stats.ranking import ranks, wilcoxon
from delvecore.stats.ranking.score_table import ScoreTable


def table_of(values) -> ScoreTable:
    tasks, methods = np.shape(values)
    return ScoreTable([f"t{n}" for n in range(tasks)], [f"m{n}" for n in range(methods)], values)


def test_another_confidence_asks_for_the_same_ranks_and_other_ends(monkeypatch):
    values = np.random.default_rng(7).normal(size=(30, 4))
    one = wilcoxon.scan_pairs(table_of(values), level=0.95)
    monkeypatch.setattr(wilcoxon, "_scan", None)  # Whoever goes over the pairs again fails.
    other = wilcoxon.scan_pairs(table_of(values), level=0.5)
    assert other.rank_sum is one.rank_sum
    assert (one.median_ends[0] < other.median_ends[0]).all()
    assert (one.median_ends[1] > other.median_ends[1]).all()


def test_other_values_are_gone_over_anew():
    values = np.random.default_rng(8).normal(size=(12, 3))
    before = wilcoxon.scan_pairs(table_of(values))
    after = wilcoxon.scan_pairs(table_of(values * [1, 2, 3]))
    assert not np.array_equal(before.mean, after.mean)
    assert np.array_equal(after.mean, wilcoxon.scan_pairs(table_of(values * [1, 2, 3]), level=0.9).mean)


def test_ends_of_the_median_are_ordered_differences_by_the_sign_test():
    # 10 tasks: P(at most 1 of 10 below) = 0.0107, at most 2 = 0.0547 (binomial), so the 2nd and the 9th.
    values = np.column_stack([np.arange(1.0, 11.0) ** 2, np.zeros(10)])
    low, high = wilcoxon.scan_pairs(table_of(values), level=0.95).median_ends
    assert (low[0], high[0]) == (4.0, 81.0)


def test_another_confidence_asks_for_the_same_draws_of_mean_ranks(monkeypatch):
    found = ranks.task_ranks(table_of(np.random.default_rng(9).normal(size=(30, 5))))
    wide = ranks.rank_intervals(found, level=0.99)
    monkeypatch.setattr(np.random, "default_rng", None)  # Whoever draws again fails.
    narrow = ranks.rank_intervals(found, level=0.9)
    assert (wide.best == narrow.best).all()
    assert (wide.lower <= narrow.lower).all()
    assert (wide.upper >= narrow.upper).all()
