"""Predictions of single targets put together to those of a task."""

import numpy as np
import pytest
from scipy import stats

from delvecore.methods.targets import Distribution, NumberPrediction, PerTargetMethod
from tests.methods.problems import RNG, make_instance

pytestmark = pytest.mark.usefixtures("losses_of_delve")

INPUTS = np.zeros((4, 1))


class Fixed(PerTargetMethod):
    """Predicts 0.4 with deviation 1 for every number, and 1/2, 1/3, 1/6 for the values of every category."""

    name = "fixed"

    def predict_number(self, problem, rng):
        cases = np.ones(len(problem.instance.test_targets))
        location = 0.4 * cases
        return NumberPrediction(location, location, Distribution(location, cases))

    def predict_classes(self, problem, rng):
        return np.tile([1 / 2, 1 / 3, 1 / 6], (len(problem.instance.test_targets), 1))


def predict(method, targets, coded_test, **options):
    coded_test = np.array(coded_test, dtype=float)
    train = np.tile(coded_test[:1], (4, 1))
    cases = len(coded_test)
    instance = make_instance(INPUTS, train, np.zeros((cases, 1)), coded_test, targets=targets, **options)
    return method.fit_predict(instance, RNG)


def test_one_real_target_has_one_guess_for_both_losses_and_a_coded_density():
    predictions = predict(Fixed(), ["real"], [[1.4], [0.4]])
    assert list(predictions.guesses) == [""]
    np.testing.assert_array_equal(predictions.guesses[""], [[0.4], [0.4]])
    np.testing.assert_allclose(predictions.log_densities, stats.norm.logpdf([1.0, 0.0]))
    assert (predictions.coded, predictions.probabilities) == (True, None)


def test_one_category_has_a_distribution_and_the_code_of_its_most_probable_value():
    predictions = predict(Fixed(), ["nominal"], [[0, 1, 0]])
    np.testing.assert_array_equal(predictions.guesses[""], [[1, 0, 0]])
    np.testing.assert_allclose(predictions.probabilities, [[1 / 2, 1 / 3, 1 / 6]])
    assert predictions.log_densities is None


def test_an_integer_has_a_probability_and_the_nearest_integer_as_guess():
    # Coded with median 3 and deviation 2: 0.4 is 3.8, so the guess is 4, coded 0.5; a unit is 0.5 wide.
    predictions = predict(Fixed(), ["integer"], [[0.5]], center=3.0, scale=2.0)
    np.testing.assert_array_equal(predictions.guesses[""], [[0.4]])
    np.testing.assert_allclose(predictions.guesses["Z"], [[0.5]])
    expected = np.log(stats.norm.cdf(0.35) - stats.norm.cdf(-0.15))
    assert predictions.log_densities == pytest.approx([expected])
    assert not predictions.coded


def test_densities_beside_probabilities_are_those_of_the_target_itself():
    # A real target whose unit is 1/4 of the coded one has a density 4 times smaller than the coded one's.
    predictions = predict(Fixed(), ["real", "nominal"], [[1.4, 0, 0, 1]], scale=4.0)
    assert predictions.log_densities == pytest.approx([stats.norm.logpdf(1) - np.log(4) + np.log(1 / 6)])
    assert not predictions.coded
    assert predictions.guesses == {}, "no loss for guesses suits a number and a category together"


def test_several_categories_have_no_explicit_distribution():
    predictions = predict(Fixed(), ["nominal", "nominal"], [[1, 0, 0, 0, 1, 0]])
    assert predictions.probabilities is None
    assert predictions.log_densities == pytest.approx([np.log(1 / 2) + np.log(1 / 3)])
    np.testing.assert_array_equal(predictions.guesses[""], [[1, 0, 0, 1, 0, 0]])


def test_two_arrays_of_guesses_stand_under_their_letters_even_if_their_values_agree():
    # Else the names of files would differ between instances, and mloss would leave some instances out.
    class Skewed(Fixed):
        def predict_number(self, problem, rng):
            cases = np.ones(len(problem.instance.test_targets))
            return NumberPrediction(cases, cases.copy(), Distribution(cases, cases))

    predictions = predict(Skewed(), ["real"], [[0.0]])
    assert {loss: guess.tolist() for loss, guess in predictions.guesses.items()} == {
        "A": [[1.0]],
        "S": [[1.0]],
    }


LOCATION, SCALE = np.array([0.0, 1.5, -2.0]), np.array([1.0, 0.5, 3.0])
VALUES = np.array([0.3, -1.0, 7.0])
PAIRS = [
    (Distribution(LOCATION, SCALE), stats.norm(LOCATION, SCALE)),
    (Distribution(LOCATION, SCALE, 5.0), stats.t(5.0, LOCATION, SCALE)),
]


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_log_densities_are_those_of_scipy(ours, theirs):
    np.testing.assert_allclose(ours.log_density(VALUES), theirs.logpdf(VALUES), rtol=1e-12)


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_log_masses_are_differences_of_the_distribution_function(ours, theirs):
    low, high = VALUES - 0.5, VALUES + 0.5
    expected = np.log(theirs.cdf(high) - theirs.cdf(low))
    np.testing.assert_allclose(ours.log_mass(low, high), expected, rtol=1e-9)


def test_both_tails_cost_the_same_and_stay_finite():
    # At 30 deviations the probability is about exp(-450), which a plain difference cannot show.
    low, high = np.array([29.5, -30.5]), np.array([30.5, -29.5])
    upper, lower = Distribution(np.zeros(2), np.ones(2)).log_mass(low, high)
    # Just beyond 29.5 the density falls by exp(-29.5 x): Mills' ratio gives log(density / 29.5).
    assert upper == lower == pytest.approx(stats.norm.logpdf(29.5) - np.log(29.5), abs=2e-3)


def test_an_interval_that_underflows_counts_density_times_width():
    distribution = Distribution(np.zeros(1), np.ones(1))
    mass = distribution.log_mass(np.array([199.5]), np.array([200.5]))
    assert mass == pytest.approx(stats.norm.logpdf(200.0))
    heavy = Distribution(np.zeros(1), np.ones(1), 400.0)
    assert np.isfinite(heavy.log_mass(np.array([1e4]), np.array([1e4 + 1]))).all()


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_log_probabilities_beyond_a_bound_are_those_of_scipy(ours, theirs):
    np.testing.assert_allclose(ours.log_beyond(VALUES, np.ones(3)), theirs.logsf(VALUES), rtol=1e-9)
    np.testing.assert_allclose(ours.log_beyond(VALUES, -np.ones(3)), theirs.logcdf(VALUES), rtol=1e-9)
