"""Analyses that go by the scheme of instances: bootstrap percentiles and .632, McNemar's test, runs."""

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

from delvecore.stats.choose import Setting
from delvecore.stats.losses.comparisons import compare_all
from delvecore.stats.losses.resampled_t import percentile_bounds, percentile_p
from delvecore.stats.losses.results import result_table

PLAIN = Setting(0.95, "none")
KEYS = {"dataset": "d", "prototask": "p", "task": "std.9", "prior": "std", "training_size": 9, "loss": "S"}
"""Of one task."""


def losses(**methods):
    """A losses table: of each method, the losses of its instances by number."""
    rows = [
        {**KEYS, "method": name, "instance": number, "values": list(map(float, values))}
        for name, instances in sorted(methods.items())
        for number, values in instances.items()
    ]
    return pa.Table.from_pylist(rows)


def task(scheme, share=0.0):
    names = {name: KEYS[name] for name in ("dataset", "prototask", "task")}
    return pa.Table.from_pylist(
        [{**names, "test_set_selection": "hierarchical", "scheme": scheme, "share": share}]
    )


def compared(scheme, share=0.0, setting=PLAIN, **methods):
    (row,) = compare_all(losses(**methods), task(scheme, share), {}, setting=setting).to_pylist()
    return row


def estimated(scheme, **methods):
    return {row["method"]: row for row in result_table(losses(**methods), task(scheme), {}).to_pylist()}


def test_e0_is_the_mean_of_the_samples_and_its_error_how_they_vary():
    # Means of the samples: 1, 2, 3 and 6; their mean is 3, their variance 14/3, whatever their number.
    found = estimated("bootstrap e0", a={0: [1, 1], 1: [2], 2: [3, 2, 4], 3: [6]})["a"]
    assert (found["mean"], found["standard_error"]) == pytest.approx((3, (14 / 3) ** 0.5))
    assert (found["instances"], found["notes"]) == (4, ["bootstrap_e0"])


def test_632_weighs_the_resubstitution_loss_and_e0():
    # Of 5 cases; instance 0 loses 0.5 on what it was trained on, the samples 1, 2 and 3.
    whole = [1, 0.5, 0.5, 0.5, 0]
    found = estimated("bootstrap .632", a={0: whole, 1: [1, 1], 2: [2], 3: [4, 2]})["a"]
    assert found["mean"] == pytest.approx(0.368 * 0.5 + 0.632 * 2)
    assert found["standard_error"] == pytest.approx(1)


def test_without_the_resubstitution_instance_there_is_no_632():
    rows = {1: [1, 1], 2: [2], 3: [4, 2]}
    assert estimated("bootstrap .632", a=rows)["a"]["mean"] is None
    row = compared("bootstrap .632", a=rows, b={0: [0] * 5} | rows)
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
    row = compared("bootstrap e0", **bootstrap_pair(samples))
    assert (row["test"], row["p"]) == ("percentile", pytest.approx(0.08))
    # (B + 1) alpha / 2 = 2.5: from the second smallest to the second largest.
    assert (row["lower"], row["upper"]) == (-1.0, 95.0)
    assert row["statistic"] is row["df1"] is None


def test_tasks_may_have_different_numbers_of_samples():
    parts = [losses(**bootstrap_pair([float(n) for n in range(-2, count)])) for count in (18, 97)]
    both = pa.concat_tables(
        part.set_column(part.column_names.index("task"), "task", pa.array([name] * part.num_rows))
        for part, name in zip(parts, ("std.1", "std.2"), strict=True)
    )
    rows = task("bootstrap e0").to_pylist()
    tasks = pa.Table.from_pylist([{**rows[0], "task": name} for name in ("std.1", "std.2")])
    found = compare_all(both, tasks, {}, setting=PLAIN).to_pylist()
    # Of 20 and of 99 samples two are below zero and one is zero: 2 x 4 / 21 and 2 x 4 / 100.
    assert [row["p"] for row in found] == pytest.approx([8 / 21, 0.08])


def test_the_percentiles_of_632_are_those_of_e0_moved_to_its_mean():
    samples = [float(n) for n in range(-10, 89)]
    e0 = np.mean(samples)
    found = compared("bootstrap .632", **bootstrap_pair(samples, whole=4.0))
    moved = 0.368 * 4 + 0.632 * e0 - e0
    assert found["difference"] == pytest.approx(e0 + moved)
    assert (found["lower"], found["upper"]) == pytest.approx((-9 + moved, 87 + moved))
    below = sum(one + moved <= 0 for one in samples)
    assert found["p"] == pytest.approx(2 * (below + 1) / 100)


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
    row = compared("bootstrap e0", **bootstrap_pair(samples))
    assert (row["p"], row["verdict"]) == (0.05, "not significant")
    assert row["lower"] <= 0
    assert compared("bootstrap e0", **bootstrap_pair([*samples, 1.5]))["verdict"] == "worse"


def right_or_wrong(only_a, only_b, both, neither):
    a = [1] * only_a + [0] * only_b + [1] * both + [0] * neither
    b = [0] * only_a + [1] * only_b + [1] * both + [0] * neither
    return {name: {n: [value] for n, value in enumerate(row)} for name, row in (("a", a), ("b", b))}


def test_leave_one_out_of_0_1_losses_is_not_tested_and_has_mcnemars_test_of_these_classifiers():
    # 20 cases, of which 9 only a gets wrong, and 2 only b.
    row = compared("leave-one-out", 0.05, **right_or_wrong(9, 2, 4, 5))
    assert (row["verdict"], row["p"], row["test"]) == ("not tested", None, None)
    assert row["difference"] == pytest.approx(7 / 20)
    exact = stats.binomtest(2, 11, 0.5).pvalue
    assert row["notes"] == [f"mcnemar(0.05,9,2,{exact:.4g})"]
    assert row["note"].startswith(
        "not tested: leave-one-out of losses 0 or 1 does not compare methods, 10 folds do"
    )
    assert "Of these two classifiers on this training set, 9 cases only a gets wrong, 2 only b" in row["note"]


@pytest.mark.parametrize(("folds", "tested"), [(10, True), (19, True), (20, False), (30, False)])
def test_20_folds_or_more_of_0_1_losses_are_not_tested(folds, tested):
    draws = np.random.default_rng(3)
    methods = {name: {n: draws.integers(0, 2, 5).tolist() for n in range(folds)} for name in "ab"}
    row = compared("cross-validation", 1 / folds, **methods)
    assert (row["verdict"] != "not tested") == (row["p"] is not None) == tested
    assert ("too_many_folds" in row["notes"]) == (not tested)


def test_losses_other_than_0_and_1_are_compared_by_the_t_test():
    methods = right_or_wrong(9, 2, 4, 5)
    methods["a"][0] = [0.5]
    row = compared("leave-one-out", 0.05, **methods)
    assert (row["test"], row["notes"]) == ("cases", ["leave_one_out(0.05)"])


def test_mcnemars_test_of_three_methods_tells_the_counts_of_each_pair():
    methods = right_or_wrong(9, 2, 4, 5)
    methods["c"] = {n: [0] for n in range(20)}
    table = compare_all(losses(**methods), task("leave-one-out", 0.05), {}).to_pylist()
    counts = [row["notes"][0].partition("(")[2].split(",")[1:3] for row in table]
    assert counts == [["9", "2"], ["13", "0"], ["6", "0"]]


def test_runs_on_one_partition_are_compared_run_by_run():
    draws = np.random.default_rng(2)
    a, b = draws.normal(0, 1, size=(2, 6, 8))
    rows = {name: dict(enumerate(one.tolist())) for name, one in (("a", a), ("b", b))}
    row = compared("one split", **rows)
    expected = stats.ttest_rel(a.mean(axis=1), b.mean(axis=1))
    assert (row["test"], row["df1"], row["notes"]) == ("runs", 5, ["one_split"])
    assert row["p"] == pytest.approx(expected.pvalue)
