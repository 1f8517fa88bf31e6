"""Learners that are equally good are not told apart too often by folds, holdout and leave-one-out."""

import numpy as np
import pytest

from benchmarks.error_rates_of_overlaps import PLANS, differences, p_values, ridge
from delvecore.statistics.designs import Design

pytestmark = pytest.mark.slow

TABLES = 1500
MOST = 0.078
"""With an error of 0.06 so many of TABLES reject with a probability of 0.002."""


@pytest.mark.parametrize("plan", PLANS, ids=[plan.name for plan in PLANS])
def test_equally_good_learners_are_seldom_told_apart(plan):
    lost = differences(plan, ridge, TABLES, seed=11)
    assert np.mean(p_values(lost, plan.design) <= 0.05) <= MOST


def test_a_plain_t_test_tells_apart_what_holdout_repeats():
    (plan,) = [plan for plan in PLANS if "holdout" in plan.name]
    lost = differences(plan, ridge, TABLES, seed=11)
    assert np.mean(p_values(lost, Design("hierarchical")) <= 0.05) > 0.3
    assert plan.design.note.code == "resampled"


def test_a_learner_that_is_worse_is_found():
    (plan,) = [plan for plan in PLANS if "10-fold" in plan.name]
    assert np.mean(p_values(differences(plan, ridge, 300, seed=12, weaker=0.0), plan.design) <= 0.05) > 0.5
