"""Confidence sets of places against counts by hand, and by simulation."""

import numpy as np
import pytest

from delvecore.stats.choose import FlipStatistic, Verdict
from delvecore.stats.ranking.places import place_sets, places_of
from delvecore.stats.ranking.sign_flips import sign_flips
from tests.stats.tables import score_table

WORDS = {
    "+": Verdict.BETTER,
    "-": Verdict.WORSE,
    "0": Verdict.NOT_SIGNIFICANT,
    ".": Verdict.NOT_TESTED,
}


def verdicts(*rows):
    return np.array([[WORDS[one] for one in row] for row in rows], dtype=object)


def sets_of(values, *, higher_is_better=False, **options):
    table = score_table(values, higher_is_better=higher_is_better)
    flips = sign_flips(table, statistic=FlipStatistic.SCALED, draws=500)
    return place_sets(flips, higher_is_better=higher_is_better, **options)


def test_a_place_lies_between_the_better_and_the_worse_methods():
    # a beats c and d, b beats d: a 1 to 2, b 1 to 3, c 2 to 4 and d 3 to 4.
    lowest, highest = places_of(verdicts(".0++", "0.0+", "-0.0", "--0."))
    assert lowest.tolist() == [1, 1, 2, 3]
    assert highest.tolist() == [2, 3, 4, 4]


def test_pairs_without_a_test_exclude_no_place():
    lowest, highest = places_of(verdicts("...", "...", "..."))
    assert (lowest.tolist(), highest.tolist()) == ([1, 1, 1], [3, 3, 3])


@pytest.mark.parametrize("higher_is_better", [False, True])
def test_a_method_that_is_best_everywhere_has_place_one(higher_is_better):
    # The first is 5 better on all of eight units; the others take turns.
    values = np.array([[0.0, 5, 6, 7], [0, 7, 5, 6], [0, 6, 7, 5], [0, 5, 7, 6]] * 2)
    place_sets = sets_of(-values if higher_is_better else values, higher_is_better=higher_is_better)
    assert (place_sets.lowest.tolist(), place_sets.highest.tolist()) == ([1, 2, 2, 2], [1, 4, 4, 4])
    assert place_sets.may_be_best.tolist() == [True, False, False, False]


def test_too_few_units_exclude_no_place():
    # Five units have 16 flips: p is at least 1/16.
    place_sets = sets_of(np.arange(5.0)[:, None] + np.array([0, 4.0, 5.0]))
    assert (place_sets.lowest.tolist(), place_sets.highest.tolist()) == ([1, 1, 1], [3, 3, 3])
    assert place_sets.may_be_best.all()


@pytest.mark.parametrize("seed", range(10))
def test_single_sets_lie_within_simultaneous_ones_and_the_best_may_have_place_one(seed):
    draws = np.random.default_rng(seed)
    values = draws.normal(size=(int(draws.integers(5, 20)), 7)) + np.linspace(0, 2, 7)
    together, single = sets_of(values), sets_of(values, single=True)
    assert (together.lowest <= single.lowest).all()
    assert (single.highest <= together.highest).all()
    assert single.may_be_best.tolist() == together.may_be_best.tolist() == (single.lowest == 1).tolist()
    assert together.may_be_best.any()
    assert (single.single, together.single) == (True, False)


@pytest.mark.slow
@pytest.mark.parametrize("shifts", [(0, 0, 0, 0), (0, 2, 2, 2), (0, 1, 2, 3)])
def test_places_and_the_best_are_covered(shifts):
    # Lower is better. Equal methods share their places, from the first to the last one of them.
    shifts, tables, draws = np.array(shifts, dtype=float), 200, np.random.default_rng(17)
    first = 1 + (shifts[:, None] > shifts).sum(axis=1)
    last = (shifts[:, None] >= shifts).sum(axis=1)
    missed = np.zeros(2)
    for _ in range(tables):
        place_sets = sets_of(draws.normal(size=(10, 4)) + shifts)
        missed[0] += ((first < place_sets.lowest) | (last > place_sets.highest)).any()
        missed[1] += not place_sets.may_be_best[shifts == 0].all()
    most = 0.05 + 2 * (0.05 * 0.95 / tables) ** 0.5
    assert missed[0] / tables <= most
    if (shifts == 0).sum() == 1:
        assert missed[1] / tables <= most
