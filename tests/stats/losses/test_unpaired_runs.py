"""Runs that are not paired: Welch's t-test of each pair of methods, by the numbers of SciPy."""

from itertools import combinations

import pyarrow as pa
import pytest
from scipy import stats

from delvecore.stats.losses.comparisons import compare_all
from delvecore.stats.losses.results import result_table
from tests.stats.tables import AGE, TASKS, loss_table

RUNS = {
    "a": [3.1, 2.7, 3.6, 3.3],
    "b": [2.2, 2.9, 1.8, 2.4, 2.0, 2.6],
    "c": [2.5, 2.6],
}


def task_table():
    table = TASKS.append_column("scheme", pa.array(["unpaired"] * 2))
    return table.append_column("share", pa.array([0.0] * 2))


def rows_of(runs):
    return loss_table(*((AGE, "S", name, [[value] for value in values]) for name, values in runs.items()))


def test_methods_are_compared_as_scipy_compares_samples_of_unequal_variance():
    table = compare_all(rows_of(RUNS), task_table(), {}).to_pylist()
    assert [(row["method_a"], row["method_b"]) for row in table] == [*combinations(RUNS, 2)]
    welch = {
        (row["method_a"], row["method_b"]): stats.ttest_ind(
            RUNS[row["method_a"]], RUNS[row["method_b"]], equal_var=False
        )
        for row in table
    }
    ordered = sorted(one.pvalue for one in welch.values())
    adjusted = [min(1, max((3 - k) * p for k, p in enumerate(ordered[: at + 1]))) for at in range(3)]
    for row in table:
        expected = welch[row["method_a"], row["method_b"]]
        known = (row["statistic"], row["df1"], row["p"])
        assert known == pytest.approx((expected.statistic, expected.df, expected.pvalue))
        assert row["p_adjusted"] == pytest.approx(adjusted[ordered.index(expected.pvalue)])
        assert (row["test"], row["notes"]) == ("welch", ["unpaired"])


def test_the_interval_of_one_pair_is_that_of_scipy():
    two = {name: RUNS[name] for name in "ab"}
    (row,) = compare_all(rows_of(two), task_table(), {}).to_pylist()
    expected = stats.ttest_ind(*two.values(), equal_var=False).confidence_interval(0.95)
    assert (row["lower"], row["upper"]) == pytest.approx((expected.low, expected.high))


def test_a_method_with_one_run_is_not_tested():
    (row,) = compare_all(rows_of({"a": RUNS["a"], "b": [2.0]}), task_table(), {}).to_pylist()
    assert (row["p"], row["verdict"]) == (None, "not tested")
    assert row["notes"] == ["unpaired", "one_training_set"]
    assert row["difference"] == pytest.approx(3.175 - 2.0)


def test_runs_without_any_spread_are_not_tested():
    same = {"a": [0.1 + 0.2] * 3, "b": [0.3, 0.3, 0.1 + 0.2]}
    (row,) = compare_all(rows_of(same), task_table(), {}).to_pylist()
    assert (row["p"], row["verdict"]) == (None, "not tested")


def test_each_method_has_the_mean_and_error_of_its_own_runs():
    by_method = {row["method"]: row for row in result_table(rows_of(RUNS), task_table(), {}).to_pylist()}
    for name, values in RUNS.items():
        assert by_method[name]["mean"] == pytest.approx(sum(values) / len(values))
        assert by_method[name]["standard_error"] == pytest.approx(stats.sem(values))
