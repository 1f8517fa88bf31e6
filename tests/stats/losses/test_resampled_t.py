"""Instances that share cases: the corrected resampled t-test, bootstrap percentiles and .632, McNemar,
runs."""

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

from delvecore.stats.choose import Setting
from delvecore.stats.losses.comparisons import compare_all
from delvecore.stats.losses.resampled_t import percentile_bounds, percentile_p
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
    estimate = estimated(a, "leave-one-out", 0.2)
    assert (estimate["mean"], estimate["standard_error"]) == pytest.approx(
        (2.8, 1.5 * stats.sem(np.ravel(a)))
    )
    assert estimate["notes"] == ["leave_one_out(0.2)"]


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


@pytest.mark.parametrize(("instances", "df"), [(10, 9), (40, 9)])
def test_more_than_ten_instances_that_share_cases_say_no_more_of_their_correlation(instances, df):
    losses = [[float(number % 7), 1.0] for number in range(instances)]
    row = compared(losses, [[0.0, 0.0]] * instances, "repeated cross-validation", 0.1)
    assert (row["instances"], row["df1"]) == (instances, df)
    assert row["p"] == pytest.approx(2 * stats.t.sf(abs(row["statistic"]), df))
    plain = compared(losses, [[0.0, 0.0]] * instances, "disjoint", 0.0)
    assert plain["df1"] == instances - 1


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
    estimate = estimated(losses, "resampled", 0.5, SHIP)
    assert estimate["standard_error"] == pytest.approx(((72 + 2 * between + 6 - 1.5) / 18) ** 0.5)
    assert estimate["sd_training"] is estimate["sd_cases"] is estimate["sd_residual"] is None


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
    estimate = estimated(A, scheme, 1.0, task)
    assert (estimate["mean"], estimate["standard_error"], estimate["notes"]) == (3, None, [code])


PLAIN = Setting(0.95, "none")


def losses(task=AGE, **methods):
    """A losses table: of each method, the losses of its instances by number."""
    return loss_table(*((task, "S", name, instances) for name, instances in methods.items()))


def compared_runs(scheme, share=0.0, *, a, b):
    return compared(a, b, scheme, share, setting=PLAIN)


def test_e0_is_the_mean_of_the_samples_and_its_error_how_they_vary():
    # Means of the samples: 1, 2, 3 and 6; their mean is 3, their variance 14/3, whatever their number.
    estimate = estimated({0: [1, 1], 1: [2], 2: [3, 2, 4], 3: [6]}, "bootstrap e0", 0.0)
    assert (estimate["mean"], estimate["standard_error"]) == pytest.approx((3, (14 / 3) ** 0.5))
    assert (estimate["instances"], estimate["notes"]) == (4, ["bootstrap_e0"])


def test_632_weighs_the_resubstitution_loss_and_e0():
    # Of 5 cases; instance 0 loses 0.5 on what it was trained on, the samples 1, 2 and 3.
    whole = [1, 0.5, 0.5, 0.5, 0]
    estimate = estimated({0: whole, 1: [1, 1], 2: [2], 3: [4, 2]}, "bootstrap .632", 0.0)
    assert estimate["mean"] == pytest.approx(0.368 * 0.5 + 0.632 * 2)
    assert estimate["standard_error"] == pytest.approx(1)


def test_without_the_resubstitution_instance_there_is_no_632():
    rows = {1: [1, 1], 2: [2], 3: [4, 2]}
    assert estimated(rows, "bootstrap .632", 0.0)["mean"] is None
    row = compared_runs("bootstrap .632", a=rows, b={0: [0] * 5} | rows)
    assert (row["p"], row["notes"]) == (None, ["no_resubstitution"])


def bootstrap_pair(samples, whole=None):
    """Losses of two methods whose differences by samples, and of resubstitution, are these."""
    first = 0 if whole is None else 1
    rows = {number: [value, value] for number, value in enumerate(samples, start=first)}
    rows |= {} if whole is None else {0: [whole] * 9}
    return {
        "a": dict(sorted(rows.items())),
        "b": {number: [0.0] * len(row) for number, row in sorted(rows.items())},
    }


def test_p_counts_samples_on_the_rarer_side_of_zero():
    # Of 99 samples 96 are above zero, one is zero, and two are below: k = 3, p = 2 * 4 / 100.
    samples = [-2.0, -1.0, 0.0, *range(1, 97)]
    row = compared_runs("bootstrap e0", **bootstrap_pair(samples))
    assert (row["test"], row["p"]) == ("percentile", pytest.approx(0.08))
    # (B + 1) alpha / 2 = 2.5: from the second smallest to the second largest.
    assert (row["lower"], row["upper"]) == (-1.0, 95.0)
    assert row["statistic"] is row["df1"] is None


def test_tasks_may_have_different_numbers_of_samples():
    parts = [
        losses((*AGE[:3], size), **bootstrap_pair([float(n) for n in range(-2, count)]))
        for size, count in ((128, 18), (256, 97))
    ]
    row = tasks("bootstrap e0", 0.0).to_pylist()[0]
    both = pa.Table.from_pylist([row, row | {"task": "std.256"}])
    table = compare_all(pa.concat_tables(parts), both, {}, setting=PLAIN).to_pylist()
    # Of 20 and of 99 samples two are below zero and one is zero: 2 x 4 / 21 and 2 x 4 / 100.
    assert [row["p"] for row in table] == pytest.approx([8 / 21, 0.08])


def test_the_percentiles_of_632_are_those_of_e0_moved_to_its_mean():
    samples = [float(n) for n in range(-10, 89)]
    e0 = np.mean(samples)
    comparison = compared_runs("bootstrap .632", **bootstrap_pair(samples, whole=4.0))
    moved = 0.368 * 4 + 0.632 * e0 - e0
    assert comparison["difference"] == pytest.approx(e0 + moved)
    assert (comparison["lower"], comparison["upper"]) == pytest.approx((-9 + moved, 87 + moved))
    below = sum(one + moved <= 0 for one in samples)
    assert comparison["p"] == pytest.approx(2 * (below + 1) / 100)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.1, 0.5])
@pytest.mark.parametrize("count", [19, 39, 40, 99, 200])
def test_interval_and_p_of_percentiles_agree(alpha, count):
    draws = np.random.default_rng(5)
    for shift in np.linspace(-3, 3, 41):
        samples = draws.normal(shift, 1, size=count)
        lower, upper = percentile_bounds(samples, alpha=alpha)
        assert (lower > 0 or upper < 0) is (percentile_p(samples) < alpha)


def test_too_few_samples_find_nothing():
    samples = [1.0] * 19 + [2.0] * 20  # all above zero: p = 2 / 40
    row = compared_runs("bootstrap e0", **bootstrap_pair(samples))
    assert (row["p"], row["p_adjusted"], row["verdict"]) == (0.05, None, "not tested")
    assert (row["lower"], row["upper"]) == (None, None)
    assert row["note"].endswith(
        "not tested: not testable with 39 bootstrap samples (smallest adjusted p 0.050)"
    )
    assert compared_runs("bootstrap e0", **bootstrap_pair([*samples, 1.5]))["verdict"] == "worse"


def right_or_wrong(only_a, only_b, both, neither):
    a = [1] * only_a + [0] * only_b + [1] * both + [0] * neither
    b = [0] * only_a + [1] * only_b + [1] * both + [0] * neither
    return {name: {n: [value] for n, value in enumerate(row)} for name, row in (("a", a), ("b", b))}


def test_leave_one_out_of_0_1_losses_is_not_tested_and_has_mcnemars_test_of_these_classifiers():
    # 20 cases, of which 9 only a gets wrong, and 2 only b.
    row = compared_runs("leave-one-out", 0.05, **right_or_wrong(9, 2, 4, 5))
    assert (row["verdict"], row["p"], row["test"]) == ("not tested", None, None)
    assert row["difference"] == pytest.approx(7 / 20)
    exact = stats.binomtest(2, 11, 0.5).pvalue
    assert row["notes"] == [f"mcnemar(0.05,9,2,{exact:.4g})"]
    assert row["note"].startswith(
        "not tested: leave-one-out of losses 0 or 1 does not compare methods, but 10 folds do"
    )
    assert (
        "For these two classifiers on this training set, 9 cases are wrong only by a, and 2 only by b"
        in row["note"]
    )


@pytest.mark.parametrize(("folds", "tested"), [(10, True), (19, True), (20, False), (30, False)])
def test_20_folds_or_more_of_0_1_losses_are_not_tested(folds, tested):
    draws = np.random.default_rng(3)
    methods = {name: {n: draws.integers(0, 2, 5).tolist() for n in range(folds)} for name in "ab"}
    row = compared_runs("cross-validation", 1 / folds, **methods)
    assert (row["verdict"] != "not tested") == (row["p"] is not None) == tested
    assert ("too_many_folds" in row["notes"]) == (not tested)


def test_mcnemars_test_of_three_methods_tells_the_counts_of_each_pair():
    methods = right_or_wrong(9, 2, 4, 5)
    methods["c"] = {n: [0] for n in range(20)}
    table = compare_all(losses(**methods), tasks("leave-one-out", 0.05), {}).to_pylist()
    counts = [row["notes"][0].partition("(")[2].split(",")[1:3] for row in table]
    assert counts == [["9", "2"], ["13", "0"], ["6", "0"]]


def test_runs_on_one_partition_are_compared_run_by_run():
    draws = np.random.default_rng(2)
    a, b = draws.normal(0, 1, size=(2, 6, 8))
    rows = {name: dict(enumerate(one.tolist())) for name, one in (("a", a), ("b", b))}
    row = compared_runs("one split", **rows)
    expected = stats.ttest_rel(a.mean(axis=1), b.mean(axis=1))
    assert (row["test"], row["df1"], row["notes"]) == ("runs", 5, ["one_split"])
    assert row["p"] == pytest.approx(expected.pvalue)
