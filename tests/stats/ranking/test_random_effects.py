"""Random-effects means by hand, and how often they err in simulation."""

import math
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

from delvecore.stats.choose import DEFAULT_SETTING, Setting
from delvecore.stats.ranking.random_effects import combine_comparisons, random_effects
from delvecore.tables import COMPARISONS
from tests.stats.tables import adjusted_comparisons


def test_the_mean_of_three_units_by_hand():
    # 1, 2, 6: mean 3, variance 7; t = 3 / sqrt(7 / 3) = 1.9640 with 2 degrees of freedom, whose quantile is
    # 4.302653; variances 1, 2 and 3 leave tau^2 = 7 - 2.
    effects = random_effects(np.array([[1.0, 2.0, 6.0]]), np.array([[1.0, 2.0, 3.0]]), level=0.95)
    assert (effects.units, effects.mean, effects.tau) == pytest.approx((3, 3, 5**0.5))
    assert effects.p == pytest.approx(0.18850, abs=2e-5)
    assert (effects.upper - 3, 3 - effects.lower) == pytest.approx([4.302653 * (7 / 3) ** 0.5] * 2)
    assert (effects.next_upper - 3, 3 - effects.next_lower) == pytest.approx(
        [4.302653 * (7 * 4 / 3) ** 0.5] * 2
    )


def test_units_that_vary_less_than_their_errors_have_no_deviation_between_them():
    assert random_effects(np.array([[1.0, 2.0, 3.0]]), np.full((1, 3), 1.5), level=0.95).tau == 0


def test_equal_estimates_are_not_tested():
    effects = random_effects(np.ones((1, 3)), np.full((1, 3), 0.1), level=0.95)
    assert effects.mean == 1
    assert np.isnan([effects.p, effects.lower, effects.upper, effects.next_lower, effects.next_upper]).all()


def test_missing_units_and_too_few():
    nan = np.nan
    y = np.array([[1.0, nan, 3.0], [1.0, nan, nan], [nan, nan, nan], [1.0, 2.0, 3.0]])
    v = np.array([[0.1, 0.1, 0.1], [0.1, nan, nan], [nan, nan, nan], [0.0, 0.1, nan]])
    effects = random_effects(y, v, level=0.95)
    assert effects.units.tolist() == [2, 1, 0, 2]
    np.testing.assert_array_equal(effects.mean, [2, 1, nan, 1.5])
    for ends in (effects.lower, effects.next_lower, effects.tau, effects.p):
        assert np.isnan(ends).tolist() == [False, True, True, False]
    assert random_effects(np.empty((0, 0)), np.empty((0, 0)), level=0.95).mean.shape == (0,)


@pytest.mark.parametrize("tau", [0.3, 1.0])
@pytest.mark.parametrize("units", [5, 10, 26])
@pytest.mark.parametrize("sets", [2, 8])
def test_means_err_and_intervals_cover_as_promised(sets, units, tau):
    # Two standard errors of 4,000 tables are 0.007.
    draws = np.random.default_rng(100 * sets + units)
    true = draws.uniform(0.3, 1.5, (4000, units)) ** 2
    y = draws.normal(0, tau, true.shape) + draws.normal(0, np.sqrt(true))
    v = true * draws.chisquare(sets - 1, true.shape) / (sets - 1)
    effects, further = random_effects(y, v, level=0.95), draws.normal(0, tau, 4000)
    assert np.mean(effects.p < 0.05) <= 0.057
    np.testing.assert_array_equal(effects.p < 0.05, (effects.lower > 0) | (effects.upper < 0))
    assert np.mean((effects.next_lower < further) & (further < effects.next_upper)) >= 0.943


def comparisons(*rows, setting=DEFAULT_SETTING):
    """Rows (task, method a, method b, difference, p, standardized error)."""
    names = ("task", "method_a", "method_b", "difference", "p", "standardized_error")
    facts = {"dataset": "d", "prototask": "p", "loss": "S"}
    return adjusted_comparisons([facts | dict(zip(names, row, strict=True)) for row in rows], setting)


ROWS = (
    ("one", "x", "y", -1.0, 0.01, 0.5),
    ("two", "x", "y", -2.0, 0.04, 1.0),
    ("three", "y", "x", -1.0, 0.2, 2.0),
    ("four", "x", "y", 0.0, None, None),
    ("five", "x", "y", 3.0, None, None),
)


def combined_columns(*arguments, **options) -> SimpleNamespace:
    """The columns of the combined comparisons as arrays."""
    table = combine_comparisons(*arguments, **options)
    columns = zip(table.column_names, table.columns, strict=True)
    return SimpleNamespace(**{name: np.asarray(column) for name, column in columns})


def test_wins_ties_and_losses_are_counted_by_the_test_of_each_task():
    combined = combined_columns(comparisons(*ROWS))
    assert (combined.method_a.tolist(), combined.method_b.tolist()) == (["x"], ["y"])
    assert (combined.wins[0], combined.ties[0], combined.losses[0]) == (2, 2, 0)
    assert (combined.tasks[0], combined.untested[0]) == (4, 1)
    stricter = combined_columns(comparisons(*ROWS, setting=Setting(0.98)))
    assert (stricter.wins[0], stricter.ties[0]) == (1, 3)


def test_stouffer_and_fisher():
    combined = combined_columns(comparisons(*ROWS))
    z = [stats.norm.isf(0.005), stats.norm.isf(0.02), -stats.norm.isf(0.1), 0]
    assert combined.stouffer[0] == pytest.approx(sum(z) / 2)
    assert combined.p_stouffer[0] == pytest.approx(2 * stats.norm.sf(sum(z) / 2))
    # Weights 2, 1, 1/2; a task without an error has none.
    weighted = (2 * z[0] + z[1] + z[2] / 2) / math.sqrt(5.25)
    assert combined.weighted[0] == pytest.approx(weighted)
    peer = stats.combine_pvalues([0.01, 0.04, 0.2, 1.0], method="fisher")
    assert (combined.fisher[0], combined.p_fisher[0]) == pytest.approx((peer.statistic, peer.pvalue))


def test_p_is_adjusted_within_each_task():
    rows = [
        ("one", "x", "y", -1.0, 0.04, 1.0),
        ("one", "x", "z", -1.0, 0.2, 1.0),
        ("two", "x", "y", -1.0, 0.04, 1.0),
    ]
    assert combined_columns(comparisons(*rows, setting=Setting(adjust="none"))).wins.tolist() == [2, 0]
    assert combined_columns(comparisons(*rows)).wins.tolist() == [1, 0]


def test_a_pair_without_any_test_has_p_of_one():
    combined = combined_columns(comparisons(("one", "x", "y", 1.0, None, None)))
    assert (combined.tasks[0], combined.untested[0]) == (0, 1)
    assert (combined.p_stouffer[0], combined.p_weighted[0], combined.p_fisher[0]) == (1, 1, 1)


def test_tiny_p_stay_finite():
    combined = combined_columns(comparisons(*[(f"t{k}", "x", "y", -1.0, 0.0, 1.0) for k in range(3)]))
    assert math.isfinite(combined.stouffer[0])
    assert combined.stouffer[0] > 60


def test_comparisons_under_two_losses_are_not_mixed():
    table = comparisons(*ROWS[:2]).to_pylist()
    table[1]["loss"] = "A"
    with pytest.raises(ValueError, match="one loss, got A, S"):
        combined_columns(pa.Table.from_pylist(table, schema=COMPARISONS))


def effects_of(*rows, units=None):
    """Rows (dataset, task, difference, standard error, training sets) of x less y."""
    names = ("dataset", "task", "difference", "standardized_error", "instances")
    facts = {"prototask": "p", "method_a": "x", "method_b": "y", "loss": "S", "p": 0.1}
    full = [facts | dict(zip(names, row, strict=True)) for row in rows]
    full = [row | {"standardized_difference": row["difference"]} for row in full]
    return combined_columns(adjusted_comparisons(full, DEFAULT_SETTING), units=units)


def test_the_mean_is_over_datasets_whose_tasks_depend_on_each_other():
    rows = (("d", "one", -1.0, 0.1, 8), ("d", "two", -3.0, 0.3, 8), ("e", "one", -4.0, 0.2, 8))
    units = {"/d/p/one": "d", "/d/p/two": "d", "/e/p/one": "e"}
    effects = effects_of(*rows, units=units)
    # Both units have an error of 0.2: d has the mean of 0.1 and 0.3. They differ by 2: tau^2 = 2 - 0.04.
    assert (effects.units[0], effects.mean[0]) == (2, pytest.approx(-3))
    assert effects.tau[0] == pytest.approx((2 - 0.04) ** 0.5)
    by_task = effects_of(*rows)
    assert by_task.units[0] == 3
    assert by_task.p_adjusted[0] == by_task.p[0]
    # Stouffer's z takes tasks for independent.
    assert math.isfinite(by_task.stouffer[0])
    assert math.isnan(effects_of(*rows, units=units).stouffer[0])


def test_few_training_sets_have_neither_stouffers_z_nor_fishers_sum():
    rows = (("d", "one", -1.0, 0.1, 8), ("e", "one", -4.0, 0.2, 2))
    table = effects_of(*rows)
    assert [math.isnan(one[0]) for one in (table.stouffer, table.p_holm, table.p_fisher)] == [True] * 3
    assert table.units[0] == 2


def test_intervals_of_the_means_leave_out_zero_where_p_is_significant():
    rows = [
        {"dataset": f"d{k}", "task": "t", "method_a": a, "method_b": b, "difference": size + 0.1 * (k % 3)}
        for k in range(8)
        for a, b, size in (("x", "y", -1.0), ("x", "z", -0.17), ("y", "z", 0.0))
    ]
    facts = {"prototask": "p", "loss": "S", "p": 0.1, "instances": 8, "standardized_error": 0.1}
    full = [facts | row | {"standardized_difference": row["difference"]} for row in rows]
    for adjust in ("holm", "none", "benjamini-hochberg"):
        setting = Setting(adjust=adjust)
        combined = combined_columns(adjusted_comparisons(full, setting), setting=setting)
        apart = (combined.lower > 0) | (combined.upper < 0)
        assert apart.tolist() == (combined.p_adjusted < 0.05).tolist()
