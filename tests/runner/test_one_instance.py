"""Predictions as the texts of files: checked, decoded, rounded."""

import hashlib

import numpy as np
import pytest

from delvecore.errors import DelveError
from delvecore.methods.protocol import Predictions
from delvecore.model import Task
from delvecore.runner.one_instance import instance_seed, prediction_texts
from tests.methods.problems import make_instance

TRAIN = np.zeros((2, 1))


def instance(target: str = "real", *, scale: float = 1.0, center: float = 0.0, cases: int = 2):
    columns = 3 if target == "nominal" else 1
    targets = np.eye(columns)[[0] * cases]
    return make_instance(
        TRAIN, targets[:2], np.zeros((cases, 1)), targets, targets=[target], scale=scale, center=center
    )


def test_guesses_are_decoded_and_have_five_digits_of_the_spread():
    # Absolute deviation 20: decimals down to 20 / 10^5 rounded to a power of ten: three.
    guesses = {"S": np.array([[0.123456789], [-1.0]]), "A": np.array([[0.0], [2.0]])}
    texts = prediction_texts(instance(scale=20.0, center=100.0), Predictions(guesses))
    assert texts == {"guess.S.0": "102.469\n80.000\n", "guess.A.0": "100.000\n140.000\n"}


def test_guesses_of_large_numbers_are_rounded_before_the_point():
    texts = prediction_texts(instance(scale=4e6), Predictions({"": np.array([[0.123456789], [-1e-9]])}))
    assert texts == {"guess.0": "493800\n0\n"}


def test_categories_are_decoded_to_their_names():
    guesses = {"": np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])}
    assert prediction_texts(instance("nominal"), Predictions(guesses)) == {"guess.0": "b\nc\n"}


def test_probabilities_have_five_decimals_or_four_digits():
    rows = np.array([[0.123456789, 0.876543, 1.0e-7], [1.0, 0.0, 0.000123456]])
    texts = prediction_texts(instance("nominal"), Predictions(probabilities=rows))
    assert texts == {"prob.0": "0.12346 0.87654 1e-07\n1.00000 0 0.0001235\n"}


def test_log_densities_of_coded_targets_become_those_of_the_targets():
    # log(0.5) - log(20) = -3.68888; a density of zero stays one.
    predictions = Predictions(log_densities=np.array([np.log(0.5), -np.inf]))
    assert prediction_texts(instance(scale=20.0), predictions) == {"lptarg.L.0": "-3.68888\n-Inf\n"}


def test_log_densities_of_the_targets_themselves_stay():
    predictions = Predictions(log_densities=np.array([-1.5, -0.25]), coded=False)
    assert prediction_texts(instance(scale=20.0), predictions) == {"lptarg.L.0": "-1.50000\n-0.25000\n"}


@pytest.mark.parametrize(
    ("target", "predictions", "message"),
    [
        (
            "real",
            Predictions({"S": np.array([[0.0], [np.nan]])}),
            "guess.S.0: expected finite numbers, found nan for test case 1",
        ),
        (
            "nominal",
            Predictions(probabilities=np.array([[0.5, -0.1, 0.6], [1, 0, 0]])),
            "prob.0: expected probabilities, found -0.1 for test case 0",
        ),
    ],
)
def test_what_is_no_prediction_is_refused(target, predictions, message):
    with pytest.raises(DelveError) as error:
        prediction_texts(instance(target), predictions)
    assert str(error.value) == message


TASK = Task("demo", "age", "std", 128)


def test_the_seed_is_the_first_63_bits_of_the_hash_of_the_names():
    bits = "".join(f"{byte:08b}" for byte in hashlib.sha256(b"rf-1/demo/age/std.128/0").digest())
    assert instance_seed("rf-1", TASK, 0) == int(bits[:63], 2)


def test_every_instance_method_and_task_has_its_own_seed():
    tasks = (TASK, TASK._replace(training_size=64), TASK._replace(prior="vague"))
    seeds = {instance_seed(method, task, n) for method in ("a", "b") for task in tasks for n in range(8)}
    assert len(seeds) == 2 * 3 * 8
