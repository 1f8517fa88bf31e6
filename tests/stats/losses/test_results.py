"""The results table, one row per method x task x loss, and standardized losses."""

import pytest

from delvecore.losses.standard_losses import LOSSES
from delvecore.stats.losses.results import (
    RESULTS,
    result_table,
    standardized_mean,
    standardized_spread,
)
from tests.stats.tables import AGE, SHIP, TASKS, loss_table

# Worked by hand in test_anova.
HAND = [[1.0, 2.0, 3.0], [3.0, 6.0, 9.0]]


def rows_of(losses, tasks=TASKS, standardizers=()):
    table = result_table(losses, tasks, dict(standardizers))
    assert table.schema == RESULTS
    table.validate(full=True)
    return table.to_pylist()


def test_disjoint_test_sets_are_analyzed_by_the_hierarchical_model():
    (row,) = rows_of(
        loss_table((AGE, "S", "lin", HAND)), standardizers={("age", "years", "std.128", "S"): 2.0}
    )
    assert row == {
        "method": "lin",
        "dataset": "age",
        "prototask": "years",
        "task": "std.128",
        "prior": "std",
        "training_size": 128,
        "loss": "S",
        "instances": 2,
        "test_cases": 3,
        "mean": 4.0,
        "standard_error": pytest.approx(2.0),
        "sd_training": pytest.approx((19 / 3) ** 0.5),
        "sd_cases": None,
        "sd_residual": pytest.approx(5**0.5),
        "standardizer": 2.0,
        "standardized_mean": 2.0,
        "standardized_error": pytest.approx(1.0),
        "notes": [],
    }


def test_a_common_test_set_is_analyzed_by_the_common_model():
    (row,) = rows_of(
        loss_table((SHIP, "L", "lin", HAND)), standardizers={("ship", "survived", "std.20", "L"): -0.5}
    )
    assert (row["mean"], row["standard_error"]) == pytest.approx((4.0, 5**0.5))
    assert (row["sd_training"], row["sd_cases"]) == pytest.approx(((22 / 3) ** 0.5, 3**0.5))
    assert (row["standardized_mean"], row["standardized_error"]) == pytest.approx((3.5, 5**0.5))


def test_disjoint_test_sets_of_different_sizes_are_estimated_by_the_means_of_instances():
    # Means 2 and 1.5; MS_e = (2 + 0.5) / 3 exceeds MS_a, so that the variance is MS_e / (2 x 2.4).
    (row,) = rows_of(loss_table((AGE, "S", "lin", [[1, 2, 3], [1, 2]])))
    assert (row["instances"], row["test_cases"], row["mean"], row["sd_training"]) == (2, None, 1.75, 0.0)
    assert row["standard_error"] == pytest.approx((2.5 / 3 / 4.8) ** 0.5)


def test_common_test_sets_of_different_lengths_are_counted_and_not_averaged():
    (row,) = rows_of(loss_table((SHIP, "S", "lin", [[1, 2, 3], [1, 2]])))
    assert (row["instances"], row["test_cases"], row["mean"], row["standard_error"]) == (2, None, None, None)


def test_a_method_with_fewer_instances_is_estimated_from_its_own():
    table = loss_table((AGE, "S", "lin", [*HAND, [0, 0, 3]]), (AGE, "S", "mean", {0: HAND[0], 2: HAND[1]}))
    lin, mean = rows_of(table)
    assert (lin["instances"], mean["instances"]) == (3, 2)
    assert (mean["mean"], mean["standard_error"]) == pytest.approx((4.0, 2.0))


def test_an_unspecified_task_has_means_without_errors():
    (row,) = rows_of(loss_table((AGE, "S", "lin", HAND)), tasks=TASKS.slice(1))
    assert (row["mean"], row["standard_error"], row["sd_residual"]) == (4.0, None, None)


@pytest.mark.parametrize("loss", [*"AQSZ", "Z0.2N", "Mcosts"])
def test_four_losses_are_divided_by_the_constant(loss):
    assert standardized_mean(loss, 3.0, 2.0) == 1.5
    assert standardized_spread(loss, 3.0, 2.0) == 1.5


def test_the_constant_is_added_to_an_expected_log_loss_but_not_to_its_spread():
    # Manual section 8.3; the recorded session: lin on kin-8nm/dist/std.64, -0.0976446655 and -0.100114053.
    assert standardized_mean("L", -0.0976446655, -0.100114053) == pytest.approx(-0.1977587185)
    assert standardized_spread("L", 0.02793963, -0.100114053) == 0.02793963


@pytest.mark.parametrize("constant", [None, float("nan"), float("inf")])
@pytest.mark.parametrize("loss", LOSSES)
def test_without_a_finite_constant_there_is_no_standardized_loss(loss, constant):
    assert standardized_mean(loss, 1.0, constant) is None
    assert standardized_spread(loss, 1.0, constant) is None


def test_a_constant_of_zero_divides_nothing_but_may_be_added():
    # All test targets alike: the baseline is perfect, its entropy is zero.
    assert standardized_mean("Z", 0.5, 0.0) is None
    assert standardized_spread("S", 0.5, 0.0) is None
    assert standardized_mean("L", 0.5, 0.0) == 0.5


def test_a_metric_has_no_other_unit():
    assert standardized_mean("MAE", 0.25, 1.0) == 0.25
