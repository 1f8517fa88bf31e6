"""Instances that share cases: estimates and comparisons by the mean losses of the instances."""

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

from delvecore.stats.choose import Setting
from delvecore.stats.designs import Design
from delvecore.stats.losses.comparisons import compare_all
from delvecore.stats.losses.results import result_table
from tests.stats.tables import AGE, SHIP, TASKS, loss_table

# Four instances with two test cases; the differences of the instance means are 1, 2, 3, 2: mean 2, variance
# 2/3.
A = [[2.0, 2.0], [2.0, 4.0], [3.0, 5.0], [1.0, 5.0]]
B = [[1.0, 1.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0]]


def tasks(scheme, share):
    """TASKS with a design: that of disjoint sets but for its selection."""
    columns = {"scheme": pa.array([scheme] * 2), "share": pa.array([share] * 2)}
    table = TASKS
    for name, column in columns.items():
        table = table.append_column(name, column)
    return table


def compared(a, b, scheme, share, task=AGE, **options):
    losses = loss_table((task, "S", "a", a), (task, "S", "b", b))
    (row,) = compare_all(losses, tasks(scheme, share), {}, **options).to_pylist()
    return row


def estimated(a, scheme, share, task=AGE):
    (row,) = result_table(loss_table((task, "S", "a", a)), tasks(scheme, share), {}).to_pylist()
    return row


def test_the_corrected_resampled_t_test_by_hand():
    # Share 1/4 is a third as many test cases as training cases: error sqrt(2/3 (1/4 + 1/3)) = sqrt(7/18).
    row = compared(A, B, "cross-validation", 0.25)
    assert (row["difference"], row["standard_error"]) == pytest.approx((2, (7 / 18) ** 0.5))
    t = 2 / (7 / 18) ** 0.5
    assert (row["test"], row["statistic"], row["df1"], row["df2"]) == ("resampled", pytest.approx(t), 3, None)
    assert row["p"] == pytest.approx(2 * stats.t.sf(t, 3))
    reach = stats.t.ppf(0.975, 3) * (7 / 18) ** 0.5
    assert (row["lower"], row["upper"]) == pytest.approx((2 - reach, 2 + reach))
    assert (row["instances"], row["test_cases"]) == (4, 2)
    assert row["sd_training"] is row["sd_cases"] is row["sd_residual"] is None
    assert row["notes"] == ["cross_validation(0.25)"]
    assert row["note"] == (
        "training sets overlap (cross-validation): corrected resampled t, correlation 0.25"
    )


def test_ten_folds_double_the_variance_and_more():
    # 1/10 + 1/9 in place of 1/10: the error is sqrt(19/9) times that of SciPy's paired t test.
    draws = np.random.default_rng(1)
    a, b = draws.gamma(2, size=(10, 7)), draws.gamma(2, size=(10, 7))
    row = compared(a, b, "cross-validation", 0.1)
    plain = stats.ttest_rel(a.mean(axis=1), b.mean(axis=1))
    assert row["statistic"] == pytest.approx(plain.statistic / (19 / 9) ** 0.5)
    assert row["p"] == pytest.approx(2 * stats.t.sf(abs(row["statistic"]), 9))
    turned = compared(b, a, "cross-validation", 0.1)
    assert turned["statistic"] == pytest.approx(-row["statistic"])


def test_interval_and_p_agree():
    for level in (0.5, 0.9, 0.94, 0.95, 0.96, 0.99):
        row = compared(A, B, "resampled", 0.25, setting=Setting(level))
        assert (row["p"] < 1 - level) == (row["lower"] > 0 or row["upper"] < 0)


def test_test_sets_of_different_sizes_count_alike():
    # Instance means 1, 2, 3, 2 as above.
    a = [[1.0], [1.0, 3.0], [2.0, 3.0, 4.0], [2.0, 2.0]]
    nothing = [[0.0] * len(row) for row in a]
    row = compared(a, nothing, "cross-validation", 0.25)
    assert (row["difference"], row["standard_error"]) == pytest.approx((2, (7 / 18) ** 0.5))
    assert row["test_cases"] is None
    assert row["p"] == pytest.approx(2 * stats.t.sf(2 / (7 / 18) ** 0.5, 3))


def test_leave_one_out_is_a_paired_t_test_over_the_cases():
    # Share 1/5: the variance is S^2 (1/5 + 1/4), which is 9/4 of that of SciPy's test.
    a, b = [[3.0], [1.0], [4.0], [1.0], [5.0]], [[2.0], [1.0], [1.0], [2.0], [1.0]]
    row = compared(a, b, "leave-one-out", 0.2)
    plain = stats.ttest_rel(np.ravel(a), np.ravel(b))
    assert (row["test"], row["df1"], row["statistic"]) == ("cases", 4, pytest.approx(plain.statistic / 1.5))
    assert row["p"] == pytest.approx(2 * stats.t.sf(plain.statistic / 1.5, 4))
    assert row["notes"] == ["leave_one_out(0.2)"]
    found = estimated(a, "leave-one-out", 0.2)
    assert (found["mean"], found["standard_error"]) == pytest.approx((2.8, 1.5 * stats.sem(np.ravel(a))))
    assert found["notes"] == ["leave_one_out(0.2)"]


def test_estimates_are_corrected_likewise():
    row = estimated(A, "cross-validation", 0.25)
    means = np.mean(A, axis=1)
    error = (means.var(ddof=1) * (1 / 4 + 1 / 3)) ** 0.5
    assert (row["mean"], row["standard_error"]) == pytest.approx((3, error))
    assert row["sd_training"] is row["sd_residual"] is None
    assert row["notes"] == ["cross_validation(0.25)"]
    assert estimated(A, "disjoint", 0.0)["notes"] == []


def test_disjoint_instances_are_what_they_are_without_the_columns():
    losses = loss_table((AGE, "S", "a", A), (AGE, "S", "b", B), (SHIP, "S", "a", A), (SHIP, "S", "b", B))
    assert compare_all(losses, tasks("disjoint", 0.0), {}).equals(compare_all(losses, TASKS, {}))
    assert result_table(losses, tasks("disjoint", 0.0), {}).equals(result_table(losses, TASKS, {}))


def test_many_methods_are_compared_as_each_pair_is():
    draws = np.random.default_rng(2)
    stacks = {name: draws.gamma(2, size=(6, 5)) for name in "abcd"}
    losses = loss_table(*((AGE, "S", name, stack) for name, stack in stacks.items()))
    for row in compare_all(losses, tasks("resampled", 0.3), {}).to_pylist():
        one = compared(stacks[row["method_a"]], stacks[row["method_b"]], "resampled", 0.3)
        for name in ("mean_a", "mean_b", "difference", "standard_error", "p"):
            assert row[name] == pytest.approx(one[name], rel=1e-12)


@pytest.mark.parametrize(("instances", "df"), [(10, 9), (40, 9)])
def test_more_than_ten_instances_that_share_cases_say_no_more_of_their_correlation(instances, df):
    losses = [[float(number % 7), 1.0] for number in range(instances)]
    row = compared(losses, [[0.0, 0.0]] * instances, "repeated cross-validation", 0.1)
    assert (row["instances"], row["df1"]) == (instances, df)
    assert row["p"] == pytest.approx(2 * stats.t.sf(abs(row["statistic"]), df))
    plain = compared(losses, [[0.0, 0.0]] * instances, "disjoint", 0.0)
    assert plain["df1"] == instances - 1


def test_methods_with_different_instances_are_compared_on_those_in_common():
    row = compared(dict(enumerate(A)), dict(enumerate(B[:3])), "cross-validation", 0.25)
    # Differences 1, 2, 3: mean 2, variance 1; 1/3 + 1/3.
    assert (row["instances"], row["standard_error"]) == (3, pytest.approx((2 / 3) ** 0.5))
    assert row["notes"] == ["shared_instances(3,4,3)", "cross_validation(0.25)"]


def test_training_sets_that_overlap_before_a_common_test_set():
    # Worked in test_anova: mean 4, MS_a 24, MS_b 8, MS_e 2; with each case three times 72, 6, 1.5. Half of the
    # training cases in common: 70.5, of which the deviation is 72 sqrt 2, is to be taken 1 + 2 x 1 times.
    excess = 70.5 / (72 * 2**0.5)
    between = 72 * 2**0.5 * (excess * stats.norm.cdf(excess) + stats.norm.pdf(excess))
    losses = [[1.0, 2.0, 3.0] * 3, [3.0, 6.0, 9.0] * 3]
    row = compared(losses, [[0.0] * 9] * 2, "resampled", 0.5, SHIP)
    plain = compared(losses, [[0.0] * 9] * 2, "disjoint", 0.0, SHIP)
    assert row["difference"] == plain["difference"] == 4
    assert row["p"] > plain["p"]
    assert row["upper"] - row["lower"] > plain["upper"] - plain["lower"]
    assert row["notes"][0] == "overlap_common_test_set(0.5)"
    assert row["p_delve"] == row["p"]
    found = estimated(losses, "resampled", 0.5, SHIP)
    assert found["standard_error"] == pytest.approx(((72 + 2 * between + 6 - 1.5) / 18) ** 0.5)
    assert found["sd_training"] is found["sd_cases"] is found["sd_residual"] is None


@pytest.mark.parametrize("scheme", ["cross-validation", "leave-one-out"])
def test_what_does_not_differ_or_differs_by_a_constant_has_no_p(scheme):
    losses = [[0.3], [0.2], [0.7]]
    row = compared(losses, losses, scheme, 0.0)
    assert (row["p"], row["test"], row["notes"][-1]) == (None, None, "identical")
    row = compared([[0.3], [0.2]], [[0.2], [0.1]], scheme, 0.0)
    assert (row["p"], row["notes"][-1]) == (None, "zero_variance")


def test_one_instance_and_infinite_losses_have_no_p():
    assert compared(A[:1], B[:1], "cross-validation", 0.1)["notes"][-1] == "one_training_set"
    row = compared([[np.inf, 1.0], *A[1:]], B, "cross-validation", 0.1)
    assert (row["p"], row["notes"][-1]) == (None, "not_finite")
    assert estimated([[np.inf, 1.0], *A[1:]], "cross-validation", 0.1)["standard_error"] is None


@pytest.mark.parametrize(
    ("scheme", "code"), [("one training set", "same_training_sets"), ("reordered", "reordered")]
)
@pytest.mark.parametrize("task", [AGE, SHIP])
def test_where_no_variance_can_be_known_nothing_is_tested(scheme, code, task):
    row = compared(A, B, scheme, 1.0, task)
    assert (row["difference"], row["standard_error"], row["p"], row["lower"]) == (2, None, None, None)
    assert row["notes"] == [code]
    found = estimated(A, scheme, 1.0, task)
    assert (found["mean"], found["standard_error"], found["notes"]) == (3, None, [code])


def test_a_task_whose_instances_cannot_be_read_is_not_tested():
    row = compared(A, B, None, None)
    assert (row["p"], row["notes"]) == (None, ["unknown_task"])


def test_the_correction_grows_with_the_share_and_the_instances():
    assert Design("hierarchical", "cross-validation", 0.1).inflation(10) == pytest.approx(19 / 9)
    assert Design("hierarchical").inflation(10) == 1
    assert Design("hierarchical", "leave-one-out", 0.01).inflation(100) == pytest.approx(1 + 100 / 99)
