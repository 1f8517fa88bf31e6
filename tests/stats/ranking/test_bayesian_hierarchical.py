"""The hierarchical model over tasks: against plain integration, in its limits, and by simulation."""

import numpy as np
import pytest
from scipy.stats import gamma, t

from delvecore.stats.ranking.bayesian_hierarchical import hierarchical_pairs, tasks_with_errors

pytestmark = pytest.mark.slow

NU = np.array([0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0])


def one(differences, errors, df, **options):
    rows = (np.broadcast_to(np.asarray(part, dtype=float), (1, len(differences))) for part in (errors, df))
    return hierarchical_pairs(np.array([differences], dtype=float), *rows, **options)


def plain_posterior(d, s, df, region):
    """The same model with every integral a sum over even steps: shares of the next task's difference."""
    places, spreads = np.linspace(-0.3, 0.5, 31), (np.arange(30) + 0.5) / 30 * 0.5
    inner = np.linspace(-1.5, 1.5, 501)
    log = np.zeros((len(NU), 30, 31))
    likelihood = t.pdf((d - inner[:, None]) / s, df) / s
    for place, nu in enumerate(NU):
        for row, spread in enumerate(spreads):
            prior = t.pdf((inner - places[:, None]) / spread, nu) / spread
            log[place, row] = np.log(prior @ likelihood * (inner[1] - inner[0])).sum(axis=1)
    log += (np.log(gamma.pdf(NU, 2, scale=10)) + np.log(NU))[:, None, None]
    # Spreads beyond 0.5, up to ten times the spread of the differences, have next to no weight here.
    weights = np.exp(log - log.max())
    weights /= weights.sum()
    scaled = (np.array([-region, region])[:, None, None, None] - places) / spreads[:, None]
    below, within = t.cdf(scaled, NU[:, None, None])
    return [(weights * share).sum() for share in (below, within - below, 1 - within)]


def test_the_posterior_is_that_of_plain_integration():
    d = np.array([0.05, 0.12, -0.02, 0.2, 0.08, 0.01, 0.15, 0.09, 0.9, 0.04, 0.1, 0.07])
    s, df = np.full(12, 0.05) * np.linspace(0.8, 2, 12), np.array([3.0, 7.0] * 6)
    posterior, *_ = one(d, s, df, region=0.02)
    expected = plain_posterior(d, s, df, 0.02)
    assert [posterior.a_better[0], posterior.equivalent[0], posterior.b_better[0]] == pytest.approx(
        expected, abs=0.01
    )


def test_methods_that_differ_by_next_to_nothing_are_practically_the_same():
    d = np.random.default_rng(2).normal(0, 0.002, 25)
    posterior, *_ = one(d, 0.002, 7)
    assert posterior.equivalent[0] > 0.95


def test_methods_that_differ_on_a_quarter_of_the_tasks_are_not_the_same():
    d = np.append(np.random.default_rng(2).normal(0, 0.002, 20), [-0.05, -0.1, -0.12, -0.16, 0.06, -0.06])
    posterior, decided, _ = one(d, 0.002, 7)
    assert decided.equivalent[0] > 0.95
    assert posterior.equivalent[0] < 0.85


def test_turning_the_pair_round_turns_the_answer_round():
    d = np.random.default_rng(3).normal(0.02, 0.03, 15)
    (there, _, typical), (back, _, turned) = one(d, 0.01, 3), one(-d, 0.01, 3)
    assert there.a_better == pytest.approx(back.b_better, abs=1e-9)
    assert there.equivalent == pytest.approx(back.equivalent, abs=1e-9)
    assert typical.estimate == pytest.approx(-turned.estimate, abs=1e-9)
    assert there.a_better + there.equivalent + there.b_better == pytest.approx(1)


def test_an_unsure_task_counts_less_than_a_sure_one():
    d = np.append(np.full(9, 0.05) + np.linspace(-0.01, 0.01, 9), -2.0)
    assert one(d, [*[0.01] * 9, 2.0], 7)[2].estimate[0] == pytest.approx(0.05, abs=0.005)


def test_two_tasks_are_too_few_and_tasks_without_an_error_are_left_out():
    differences, errors = np.array([0.1, 0.2, 0.3, np.nan]), np.array([0.1, 0.1, 0.0, 0.1])
    assert tasks_with_errors(differences, errors).tolist() == [True, True, False, False]
    assert np.isnan(one(differences, errors, 7)[0].a_better[0])


def test_posterior_chances_come_true():
    # Methods with a typical difference drawn at random: of what is called 80 to 90 % sure, so much holds.
    generator = np.random.default_rng(8)
    said, held = [], []
    for _ in range(100):
        middle, spread = generator.normal(0, 0.02), generator.uniform(0.005, 0.04)
        truth = middle + spread * generator.standard_t(8, 21)
        errors = generator.uniform(0.005, 0.02, 20)
        posterior, *_ = one(truth[:20] + errors * generator.standard_t(7, 20), errors, 7)
        said.append([posterior.a_better[0], posterior.equivalent[0], posterior.b_better[0]])
        held.append([truth[20] < -0.01, abs(truth[20]) <= 0.01, truth[20] > 0.01])
    said, held = np.concatenate(said), np.concatenate(held)
    for low, high in ((0, 0.2), (0.2, 0.5), (0.5, 1)):
        there = (said >= low) & (said < high)
        assert held[there].mean() == pytest.approx(said[there].mean(), abs=0.1)


def test_intervals_of_the_typical_difference_hold_it():
    generator, held = np.random.default_rng(9), 0
    for _ in range(100):
        errors = generator.uniform(0.005, 0.05, 15)
        truth = 0.02 + 0.03 * generator.standard_t(8, 15)
        *_, typical = one(truth + errors * generator.standard_t(3, 15), errors, 3)
        held += bool(typical.lower[0] <= 0.02 <= typical.upper[0])
    assert held >= 90  # two standard deviations of 95 are 4.4


def test_a_region_below_nothing_is_refused():
    with pytest.raises(ValueError, match="at least 0"):
        one([0.1, 0.2, 0.3], 0.1, 7, region=-1)
