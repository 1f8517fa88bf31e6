"""Bradley and Terry's strengths, against published ones and by simulation."""

import numpy as np
import pytest

from delvecore.stats.ranking.bradley_terry import bradley_terry, fit_strengths, winning_chances

# Games of the American League, East, 1987; Agresti, Categorical Data Analysis (2002), table 10.10.
# Milwaukee, Detroit, Toronto, New York, Boston, Cleveland, Baltimore.
GAMES = np.array(
    [
        [0, 7, 9, 7, 7, 9, 11],
        [6, 0, 7, 5, 11, 9, 9],
        [4, 6, 0, 7, 7, 8, 12],
        [6, 8, 6, 0, 6, 7, 10],
        [6, 2, 6, 7, 0, 7, 12],
        [4, 4, 5, 6, 6, 0, 6],
        [2, 4, 1, 3, 1, 7, 0],
    ],
    dtype=float,
)


def test_baseball_teams_are_as_strong_as_published():
    # Firth 2005, Bradley-Terry models in R: 1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0 (Baltimore).
    strengths = fit_strengths(GAMES)
    assert strengths - strengths[-1] == pytest.approx(
        [1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0], abs=1e-4
    )


def test_two_methods_have_the_odds_of_their_wins():
    # 7 wins, 2 losses, 1 tie, and half a win given to both: odds 8 to 3.
    losses = np.array([[0, 1]] * 7 + [[1, 0]] * 2 + [[1, 1]], dtype=float)
    strengths = bradley_terry(losses)
    assert strengths.estimate[0] - strengths.estimate[1] == pytest.approx(np.log(8 / 3))
    assert winning_chances(strengths.estimate) == pytest.approx([8 / 11, 3 / 11])


def test_methods_that_always_win_have_no_most_likely_strengths():
    with pytest.raises(ArithmeticError, match="always win"):
        fit_strengths(12 * np.triu(np.ones((3, 3)), 1))


def test_the_interval_of_a_method_that_always_wins_is_the_adjusted_logit():
    # 8 wins and half a win of each: log(8.5 / 0.5) = 2.833. In the model the wins of 8 units have the variance
    # 8 p (1 - p), and the information is 9 p (1 - p), so the error is sqrt(8) / 9 / sqrt(p (1 - p)) = 1.3720.
    # Student's t with 7 degrees of freedom is 2.3646. Strengths are plus and minus half of the difference.
    strengths = bradley_terry(np.tile([0.3, 0.4], (8, 1)))
    difference, reach = 2.83321, 2.3646 * 1.37198
    assert strengths.lower == pytest.approx([(difference - reach) / 2, (-difference - reach) / 2], abs=1e-4)
    assert strengths.upper == pytest.approx([(difference + reach) / 2, (reach - difference) / 2], abs=1e-4)


@pytest.mark.parametrize(
    "values",
    [[0.0, 1, 2, 3], [1.0, 1, 1, 1], [0.0, 1, 1, 1], [0.1, 0.2, 0.3, 0.1 + 0.2]],
    ids=["one order", "all equal", "one better", "decimals 0.1 apart"],
)
def test_no_interval_is_without_width_where_all_units_agree(values):
    strengths = bradley_terry(np.tile(values, (8, 1)))
    assert (strengths.upper - strengths.lower > 1).all()
    assert (strengths.lower < strengths.estimate).all()
    assert (strengths.estimate < strengths.upper).all()


def test_values_that_differ_in_their_last_bit_tie():
    strengths = bradley_terry(np.array([[0.1 + 0.2, 0.3]] * 4))
    assert strengths.estimate.tolist() == [0, 0]


def test_two_units_have_no_interval():
    strengths = bradley_terry(np.array([[0.0, 1.0], [1.0, 0.0]]))
    assert np.isnan([strengths.lower, strengths.upper]).all()


LADDER = np.linspace(2.5, -2.5, 6)
ONE_AHEAD = np.array([5, 0, 0, 0, 0, 0]) - 5 / 6


@pytest.mark.slow
@pytest.mark.parametrize("units", [5, 10, 20])
@pytest.mark.parametrize("truth", [np.zeros(6), LADDER, ONE_AHEAD], ids=["equal", "ladder", "one ahead"])
def test_intervals_of_strengths_hold_the_true_ones(truth, units):
    generator, covered = np.random.default_rng(units), []
    for _ in range(200):
        # The lowest of exponential times wins with odds of their rates: a model of Bradley and Terry.
        strengths = bradley_terry(generator.exponential(np.exp(-truth), (units, 6)))
        covered.append((strengths.lower <= truth) & (truth <= strengths.upper))
    # Two standard errors of 200 tables are 0.03.
    assert np.mean(covered) >= 0.93
    assert np.mean(covered, axis=0).min() >= 0.92
