"""Published figures in the unit of a loss of this archive."""

import pytest

from delvecore.losses.metrics import Metric
from delvecore.losses.published import PublishedValue, Targets, in_loss, origins_of
from delvecore.losses.spec import metric_loss

ONE, THREE = Targets(1, False), Targets(3, True)


@pytest.mark.parametrize(
    ("measure", "loss", "targets", "expected"),
    [
        ("S", "S", ONE, (40.0, 4.0)),
        # Section 2.6 of the report: 100 / (N P) times the sum of squares over N = 3 outputs of 0 to 1.
        ("squared-error-percentage", "S", THREE, (1.2, 0.12)),
        ("squared-error-percentage", "S", ONE, None),
        ("squared-error-percentage", "Z", THREE, None),
        ("classification-error", "Z", ONE, (0.4, 0.04)),
        ("classification-error", "Z", THREE, None),
        ("accuracy", "Z", ONE, (-39.0, 4.0)),
        ("squared-error-percentage", "sep", THREE, (40.0, 4.0)),
        ("classification-error", "cep", ONE, (40.0, 4.0)),
        ("speed", "S", ONE, None),
    ],
)
def test_a_measure_stands_under_the_loss_that_it_is(measure, loss, targets, expected):
    found = in_loss(measure, 40.0, 4.0, loss=loss, targets=targets)
    assert found == (None if expected is None else pytest.approx(expected))


def test_a_metric_stands_under_the_loss_that_is_kept_of_it():
    loss = metric_loss(Metric("accuracy", True, 1.0))
    assert in_loss("accuracy", 0.8, 0.1, loss=loss, targets=ONE) == pytest.approx((0.2, 0.1))


def test_the_error_of_a_mean_needs_runs_and_deviation():
    value = PublishedValue("net", 1.0, 0.4, 16, "A paper", "table 2")
    assert value.standard_error == pytest.approx(0.1)
    assert value._replace(runs=None).standard_error is None
    assert value._replace(deviation=None).standard_error is None


def test_sources_are_named_once_with_the_places_of_each_method():
    values = [
        PublishedValue("net", 1.0, None, None, "A paper", "table 2"),
        PublishedValue("net", 2.0, None, None, "A paper", "table 3"),
        PublishedValue("tree", 2.0, None, None, "A paper", ""),
    ]
    assert origins_of(values) == ["A paper: net (table 2; table 3), tree"]
