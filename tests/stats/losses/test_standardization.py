import numpy as np
import pytest

from delvecore.losses.standard_losses import LOSS_SPECS, LOSSES
from delvecore.stats.losses.results import loss_title, standardized_mean, standardized_spread


def test_every_loss_has_a_name():
    assert {letter: loss_title(letter) for letter in LOSSES} == {
        letter: spec.name for letter, spec in LOSS_SPECS.items()
    }
    assert set(LOSSES) >= set("ALQSZ")


@pytest.mark.parametrize(
    ("loss", "title"),
    [("S", "Squared error"), ("Z0.2N", "Zero-one, no guess 0.2"), ("Mcosts", "Loss matrix costs")],
)
def test_every_loss_has_a_title(loss, title):
    assert loss_title(loss) == title


@pytest.mark.parametrize("loss", ["Z0.2N", "Mcosts"])
def test_specialised_losses_are_divided_by_the_constant(loss):
    assert standardized_mean(loss, 3.0, 2.0) == 1.5
    assert standardized_spread(loss, 3.0, 0.0) is None


@pytest.mark.parametrize("loss", "AQSZ")
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


def test_no_value_gives_no_standardized_value():
    assert standardized_mean("S", None, 2.0) is None
    assert standardized_spread("L", None, 2.0) is None


def test_arrays_are_standardized_elementwise():
    assert standardized_mean("L", np.array([1.0, 2.0]), 1.0).tolist() == [2.0, 3.0]
    assert standardized_spread("S", np.array([1.0, 2.0]), 2.0).tolist() == [0.5, 1.0]


def test_what_is_kept_of_a_metric_has_its_title_and_no_other_unit():
    assert [loss_title(loss) for loss in ("accuracy", "MAE", "-score")] == ["1 - accuracy", "MAE", "-score"]
    assert standardized_mean("MAE", 0.25, 1.0) == 0.25
