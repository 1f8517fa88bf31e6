"""Metrics of numbers: worked by hand from five cases, and as scikit-learn has them."""

import numpy as np
import pytest
from sklearn import metrics as sklearn_metrics

from delvecore.metrics.metric import Judged, UndefinedError
from delvecore.metrics.registry import find_metric

TARGETS = np.array([2.0, 4.0, 5.0, 8.0, 10.0])
GUESSES = np.array([3.0, 4.0, 3.0, 8.0, 6.0])
TRAINING = np.array([1.0, 3.0, 2.0, 6.0])
# Errors -1 0 2 0 4; training mean 3: deviations -1 1 2 5 7; previous targets 6 2 4 5 8: changes -4 2 1 3 2.
BY_HAND = {
    "mae": 7 / 5,
    "mse": 21 / 5,
    "rmse": (21 / 5) ** 0.5,
    "mape": (1 / 2 + 2 / 5 + 4 / 10) / 5,
    "smape": (2 / 5 + 4 / 8 + 8 / 16) / 5,
    "nmse": 21 / 80,
    "nmae": 7 / 16,
    "theil": 21 / 34,
    "medae": 1.0,
    "maxae": 4.0,
    "mase": (7 / 5) / (7 / 3),  # steps of the training set: 2 1 4
    "mda": 3 / 5,  # signs of the changes - + + + +, of the predicted ones - + - + -
    "sep": 100 * 10 * 21 / 5,
}


def judged(targets=TARGETS, guesses=GUESSES, training=TRAINING, outputs=1, span=(0.0, 10.0)):
    errors = guesses - targets
    columns = (one[:, np.newaxis] for one in (guesses, targets, training))
    names = ("guesses", "targets", "training")
    previous = np.concatenate([training[-1:], targets[:-1]])[:, np.newaxis]
    facts = dict(zip(names, columns, strict=True))
    losses = {"S": errors**2, "A": np.abs(errors)}
    return Judged(losses, previous=previous, outputs=outputs, span=span, **facts)


def value(name, case):
    return find_metric(name).value(case)


@pytest.mark.parametrize("name", BY_HAND)
def test_five_cases_give_what_is_worked_by_hand(name):
    assert value(name, judged()) == pytest.approx(BY_HAND[name])


def test_numbers_agree_with_scikit_learn():
    draws = np.random.default_rng(3)
    targets = draws.normal(5, 2, 100)
    guesses = targets + draws.normal(0, 1, 100)
    case = judged(targets, guesses)
    theirs = {
        "mae": sklearn_metrics.mean_absolute_error(targets, guesses),
        "mse": sklearn_metrics.mean_squared_error(targets, guesses),
        "rmse": sklearn_metrics.mean_squared_error(targets, guesses) ** 0.5,
        "mape": sklearn_metrics.mean_absolute_percentage_error(targets, guesses),
        "r2": sklearn_metrics.r2_score(targets, guesses),
        "medae": sklearn_metrics.median_absolute_error(targets, guesses),
        "maxae": sklearn_metrics.max_error(targets, guesses),
    }
    assert {name: value(name, case) for name in theirs} == pytest.approx(theirs)


def test_the_squared_error_percentage_is_a_mean_over_cases_and_outputs():
    # PROBEN1, section 2.6: outputs from 0.1 to 0.9, three of them; the losses S add their squared errors.
    case = Judged({"S": np.array([0.03, 0.12])}, outputs=3, span=(0.1, 0.9))
    assert value("sep", case) == pytest.approx(100 * 0.8 / (3 * 2) * 0.15)


@pytest.mark.parametrize(
    ("name", "case", "reason"),
    [
        ("mape", judged(targets=np.array([0.0, 1, 2, 3, 4])), "a target is 0"),
        ("nmse", judged(targets=np.full(5, 3.0)), "the baseline makes no error"),
        ("r2", judged(targets=np.full(5, 7.0)), "the baseline makes no error"),
        ("mase", judged(training=np.full(4, 1.0)), "do not change"),
    ],
)
def test_what_is_not_defined_has_no_value_and_says_why(name, case, reason):
    with pytest.raises(UndefinedError, match=reason):
        value(name, case)
