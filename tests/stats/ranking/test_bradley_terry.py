"""Bradley and Terry's strengths, against published ones and by simulation."""

import numpy as np
import pytest

from delvecore.stats.ranking.bradley_terry import bradley_terry, fit_strengths

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
    found = fit_strengths(GAMES[None])[0]
    assert found - found[-1] == pytest.approx([1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0], abs=1e-4)


def test_two_methods_have_the_odds_of_their_wins():
    # 7 wins, 2 losses, 1 tie, and half a win given to both: odds 8 to 3.
    losses = np.array([[0, 1]] * 7 + [[1, 0]] * 2 + [[1, 1]], dtype=float)
    found = bradley_terry(losses, draws=50)
    assert found.strength[0] - found.strength[1] == pytest.approx(np.log(8 / 3))
    assert found.chance == pytest.approx([8 / 11, 3 / 11])


def test_methods_that_always_win_do_not_converge_without_a_prior():
    with pytest.raises(ArithmeticError, match="always win"):
        bradley_terry(np.tile([0.0, 1.0, 2.0], (12, 1)), prior=1e-9, draws=2)


@pytest.mark.slow
def test_intervals_of_strengths_hold_the_true_ones():
    generator, truth = np.random.default_rng(11), np.array([0.6, 0.1, -0.7])
    covered = []
    for _ in range(80):
        # The lowest of exponential times wins with odds of their rates: a model of Bradley and Terry.
        losses = generator.exponential(np.exp(-truth), (60, 3))
        found = bradley_terry(losses, draws=200, prior=0.1)
        covered.append((found.lower <= truth) & (truth <= found.upper))
    assert 0.9 <= np.mean(covered) <= 0.99
