"""Learners that are equally good are not called different too often by folds, holdout and leave-one-out."""

import numpy as np
import pytest

from benchmarks.error_rate import highest
from benchmarks.error_rates_of_overlaps import PLANS, RULES, differences, p_values
from delvecore.stats.designs import Design

pytestmark = pytest.mark.slow

TABLES = 1500
RIDGE, NEAREST, TREE = (rule for rule in RULES if not rule.of_classes and "16" not in rule.name)
MOST = highest(TABLES)


@pytest.mark.parametrize("plan", PLANS, ids=[plan.name for plan in PLANS])
@pytest.mark.parametrize("rule", [RIDGE, TREE], ids=["ridge", "tree"])
def test_equally_good_learners_are_seldom_called_different(plan, rule):
    lost = differences(plan, rule, TABLES, seed=11)
    assert np.mean(p_values(lost, plan.design) <= 0.05) <= MOST


def test_a_plain_t_test_finds_differences_where_holdout_repeats_cases():
    plan = next(plan for plan in PLANS if "holdout" in plan.name)
    lost = differences(plan, RIDGE, TABLES, seed=11)
    assert np.mean(p_values(lost, Design("hierarchical")) <= 0.05) > 0.3
    assert plan.design.note.code == "resampled"


def test_a_learner_that_is_worse_is_found():
    plan = next(plan for plan in PLANS if "10-fold" in plan.name)
    assert np.mean(p_values(differences(plan, RIDGE, 300, seed=12, weaker=0.0), plan.design) <= 0.05) > 0.5


@pytest.mark.parametrize("tested", ["of 30", "of 10"])
def test_neighbours_that_depend_on_their_training_sets_are_seldom_called_different_by_holdout(tested):
    plan = next(plan for plan in PLANS if "holdout " + tested in plan.name)
    assert np.mean(p_values(differences(plan, NEAREST, TABLES, seed=11), plan.design) <= 0.05) <= MOST
