"""What holds for each method that sets its parameters by held-out cases: seeds, calibration, odd data."""

import importlib.util
from dataclasses import replace

import numpy as np
import pytest

from delvecore.errors import DelveError
from delvecore.methods import load_method
from delvecore.runner.one_instance import instance_generator
from tests.methods.problems import number_problem, spread_inputs, task_view

REGRESSION_ONLY = ("ridge-cv-1", "lasso-cv-1", "svr-cv-1")
WITH_SCIKIT = (*REGRESSION_ONLY, "cart-1", "et-1", "gbt-1")
NAMES = (*WITH_SCIKIT, "mlp-ese-1")
SEEDLESS = {"ridge-cv-1"}


@pytest.fixture
def method(request):
    if request.param in WITH_SCIKIT:
        pytest.importorskip("sklearn", reason="the method needs it")
    return load_method(request.param)


def unit_noise(cases: int, seed: int):
    """Gaussian noise, scaled so that chance does not make its variance other than one."""
    noise = spread_inputs(cases, 1, seed=seed)[:, 0]
    return noise / noise.std()


def linear_problem(cases: int = 200):
    """A linear function of 3 inputs, noise of deviation 0.5; 500 test cases and their true targets."""
    inputs, test = spread_inputs(cases, 3, seed=5), spread_inputs(500, 3, seed=6)
    values = inputs @ [1.0, -1.0, 0.5] + 0.5 * unit_noise(cases, seed=7)
    return number_problem(inputs, values, test), test @ [1.0, -1.0, 0.5] + 0.5 * unit_noise(500, seed=8)


@pytest.mark.parametrize("name", WITH_SCIKIT)
def test_without_scikit_learn_one_line_says_what_to_install(name, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(DelveError) as error:
        load_method(name)
    expected = f"{name}: expected scikit-learn, found none; pip install scikit-learn adds it"
    assert str(error.value) == expected


@pytest.mark.parametrize("method", NAMES, indirect=True)
def test_refusals_name_the_target_and_its_type(method):
    refusal = "its target X2 is nominal" if method.name in REGRESSION_ONLY else None
    assert method.can(task_view(["real"], ["nominal"])) == refusal
    assert method.can(task_view(["real"], ["angular"])) == "its target X2 is an angle"
    assert method.can(task_view([], ["real"])) == "it has no inputs"
    assert method.can(task_view(["nominal"], ["real"])) is None


@pytest.mark.parametrize("method", NAMES, indirect=True)
def test_a_target_whose_coding_is_not_linear_is_refused_before_a_run(method):
    # A prior may say `coding=rectan unit=24` of a real target; methods predict one number for each target.
    task = task_view(["real"], ["real"])
    prior = task.prior
    line = prior.lines[1]._replace(options=(("coding", "rectan"), ("unit", "24")))
    task = replace(task, prior=prior._replace(lines=(prior.lines[0], line)))
    assert method.can(task) == "its target X2 has the coding rectan, which is not linear"


@pytest.mark.slow
@pytest.mark.parametrize("method", NAMES, indirect=True)
def test_the_same_seed_gives_the_same_predictions_and_another_seed_others(method):
    problem, _ = linear_problem(40)
    first, again, other = (method.predict_number(problem, instance_generator(seed)) for seed in (5, 5, 6))
    for part in ("mean", "median"):
        np.testing.assert_array_equal(getattr(first, part), getattr(again, part))
    changes = not np.array_equal(first.mean, other.mean)
    changes |= not np.array_equal(first.distribution.scale, other.distribution.scale)
    assert changes == (method.name not in SEEDLESS)


@pytest.mark.slow
@pytest.mark.parametrize("method", NAMES, indirect=True)
def test_predictive_densities_are_calibrated_on_a_linear_problem_with_gaussian_noise(method):
    # Errors divided by the deviation that the method gives them have a mean square near one; over 500 cases
    # the share beyond two deviations is near 0.046.
    problem, true = linear_problem()
    prediction = method.predict_number(problem, instance_generator(1))
    scaled = (true - prediction.mean) / prediction.distribution.scale
    assert np.mean(scaled**2) == pytest.approx(1, abs=0.25)
    assert 0.01 < np.mean(np.abs(scaled) > 2) < 0.1


@pytest.mark.slow
@pytest.mark.parametrize("method", NAMES, indirect=True)
@pytest.mark.filterwarnings("error")
def test_odd_training_sets_give_finite_predictions_without_a_warning(method):
    inputs = spread_inputs(12, 5)
    some = inputs[:, 0] + inputs[:, 1] ** 2
    odd = {
        "three cases": (inputs[:3], some[:3]),
        "constant inputs": (np.full((12, 2), 0.1), some),
        "a constant target": (inputs, np.full(12, 0.3)),
        "large numbers": (1e9 + 1e6 * inputs, some),
    }
    for what, (train, values) in odd.items():
        prediction = method.predict_number(number_problem(train, values, train + 0.1), instance_generator(1))
        for part in (prediction.mean, prediction.median, prediction.distribution.log_density(values)):
            assert part.shape == (len(train),), what
            assert np.isfinite(part).all(), what
