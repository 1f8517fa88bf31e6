"""DELVE's comparisons put together over tasks: by hand."""

import math

import pyarrow as pa
import pytest
from scipy import stats

from delvecore.statistics.ranking.combined import combine_comparisons
from delvecore.tables import COMPARISONS


def comparisons(*rows):
    """Rows (task, method a, method b, difference, p, standardized error)."""
    names = ("task", "method_a", "method_b", "difference", "p", "standardized_error")
    facts = {"dataset": "d", "prototask": "p", "loss": "S"}
    full = [dict.fromkeys(COMPARISONS.names) | facts | dict(zip(names, row, strict=True)) for row in rows]
    return pa.Table.from_pylist(full, schema=COMPARISONS)


ROWS = (
    ("one", "x", "y", -1.0, 0.01, 0.5),
    ("two", "x", "y", -2.0, 0.04, 1.0),
    ("three", "y", "x", -1.0, 0.2, 2.0),
    ("four", "x", "y", 0.0, None, None),
    ("five", "x", "y", 3.0, None, None),
)


def test_wins_ties_and_losses_are_counted_by_the_test_of_each_task():
    found = combine_comparisons(comparisons(*ROWS))
    assert (found.methods_a, found.methods_b) == (("x",), ("y",))
    assert (found.wins[0], found.ties[0], found.losses[0]) == (2, 2, 0)
    assert (found.tasks[0], found.untested[0]) == (4, 1)
    stricter = combine_comparisons(comparisons(*ROWS), level=0.98)
    assert (stricter.wins[0], stricter.ties[0]) == (1, 3)


def test_stouffer_and_fisher():
    found = combine_comparisons(comparisons(*ROWS))
    z = [stats.norm.isf(0.005), stats.norm.isf(0.02), -stats.norm.isf(0.1), 0]
    assert found.stouffer[0] == pytest.approx(sum(z) / 2)
    assert found.p_stouffer[0] == pytest.approx(2 * stats.norm.sf(sum(z) / 2))
    # Weights 2, 1, 1/2; a task without an error has none.
    weighted = (2 * z[0] + z[1] + z[2] / 2) / math.sqrt(5.25)
    assert found.weighted[0] == pytest.approx(weighted)
    peer = stats.combine_pvalues([0.01, 0.04, 0.2, 1.0], method="fisher")
    assert (found.fisher[0], found.p_fisher[0]) == pytest.approx((peer.statistic, peer.pvalue))


def test_p_can_be_adjusted_within_each_task():
    rows = [
        ("one", "x", "y", -1.0, 0.04, 1.0),
        ("one", "x", "z", -1.0, 0.01, 1.0),
        ("two", "x", "y", -1.0, 0.04, 1.0),
    ]
    assert combine_comparisons(comparisons(*rows)).wins.tolist() == [2, 1]
    assert combine_comparisons(comparisons(*rows), adjustment="bonferroni").wins.tolist() == [1, 1]


def test_a_pair_without_any_test_has_p_of_one():
    found = combine_comparisons(comparisons(("one", "x", "y", 1.0, None, None)))
    assert (found.tasks[0], found.untested[0]) == (0, 1)
    assert (found.p_stouffer[0], found.p_weighted[0], found.p_fisher[0]) == (1, 1, 1)


def test_tiny_p_stay_finite():
    found = combine_comparisons(comparisons(*[(f"t{k}", "x", "y", -1.0, 0.0, 1.0) for k in range(3)]))
    assert math.isfinite(found.stouffer[0])
    assert found.stouffer[0] > 60


def test_comparisons_under_two_losses_are_not_mixed():
    table = comparisons(*ROWS[:2]).to_pylist()
    table[1]["loss"] = "A"
    with pytest.raises(ValueError, match="one loss, got A, S"):
        combine_comparisons(pa.Table.from_pylist(table, schema=COMPARISONS))


def test_nothing_gives_nothing():
    assert combine_comparisons(COMPARISONS.empty_table()).methods_a == ()
