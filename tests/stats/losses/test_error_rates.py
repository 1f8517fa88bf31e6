"""Learners that are equally good are seldom called different: overlapping training sets, bootstrap samples, common
test sets; leave-one-out is no test."""

import numpy as np
import pytest

from benchmarks.simulated_rankings import highest
from benchmarks.simulated_tasks import (
    DESIGNS,
    PLANS,
    RULES,
    Common,
    Plan,
    differences,
    mcnemar_p_values,
    p_values,
    rates,
    sample_differences,
    sample_p_values,
)
from delvecore.encoding.schemes import leave_one_out
from delvecore.stats.designs import Design

pytestmark = pytest.mark.slow

TABLES = 600
RIDGE, NEAREST, TREE = (rule for rule in RULES if not rule.of_classes and "16" not in rule.name)
MOST = highest(TABLES)


@pytest.mark.parametrize("plan", PLANS, ids=[plan.name for plan in PLANS])
@pytest.mark.parametrize("rule", [RIDGE, TREE], ids=["ridge", "tree"])
def test_equally_good_learners_are_seldom_called_different(plan, rule):
    tables = TABLES // 4 if len(plan.test) == 100 else TABLES  # 100 instances take their time
    lost = differences(plan, rule, tables, seed=11)
    assert np.mean(p_values(lost, plan.design) <= 0.05) <= highest(tables)


def test_a_plain_t_test_finds_differences_where_holdout_repeats_cases():
    plan = next(plan for plan in PLANS if "holdout" in plan.name)
    lost = differences(plan, RIDGE, TABLES, seed=11)
    assert np.mean(p_values(lost, Design("hierarchical")) <= 0.05) > 0.3
    assert plan.design.note.code == "resampled"


def test_a_learner_that_is_worse_is_found():
    plan = next(plan for plan in PLANS if "10-fold" in plan.name)
    assert np.mean(p_values(differences(plan, RIDGE, 300, seed=12, weaker=0.0), plan.design) <= 0.05) > 0.5


@pytest.mark.parametrize("tested", ["of 30", "of 10"])
def test_neighbors_that_depend_on_their_training_sets_are_seldom_called_different_by_holdout(tested):
    plan = next(plan for plan in PLANS if "holdout " + tested in plan.name)
    assert np.mean(p_values(differences(plan, NEAREST, TABLES, seed=11), plan.design) <= 0.05) <= MOST


FEWER_TABLES = 300


@pytest.mark.parametrize("rule", [RIDGE, NEAREST], ids=["ridge", "neighbors"])
def test_bootstrap_percentiles_seldom_call_equally_good_learners_different(rule):
    differences = sample_differences(rule, 40, FEWER_TABLES, seed=11)
    for design in DESIGNS.values():
        assert np.mean(sample_p_values(differences, design) < 0.05) <= highest(FEWER_TABLES)


def test_bootstrap_percentiles_find_a_learner_that_is_worse():
    differences = sample_differences(RIDGE, 100, 100, seed=12, weaker=0.0)
    for design in DESIGNS.values():
        assert np.mean(sample_p_values(differences, design) < 0.05) > 0.5


def test_mcnemars_exact_test_of_leave_one_out_is_no_test_of_methods():
    # Trees of one split, which a single case turns round: so the verdict is not tested.
    tree = next(rule for rule in RULES if rule.name == "a tree of one split")
    splits = leave_one_out(50)
    plan = Plan("leave-one-out", 50, [training for training, _ in splits], [test for _, test in splits])
    lost = np.sign(differences(plan, tree._replace(of_classes=True), FEWER_TABLES, seed=11))
    assert np.mean(mcnemar_p_values(lost) < 0.05) > 0.06
    design = plan.design._replace(right_or_wrong=True)
    assert not design.keeps_level(50)
    assert np.isnan(p_values(lost, design)).all()


DRAWS = 4000


@pytest.mark.parametrize("sources", [(0, 3), (10, 0), (10, 10), (1, 100)])
@pytest.mark.parametrize("shape", [(2, 16), (3, 64), (8, 1024)])
def test_errors_and_intervals_keep_their_promise_whatever_varies(shape, sources):
    error_rates = rates(Common(*shape, *sources), np.random.default_rng(5), DRAWS)
    assert error_rates.holds
    assert error_rates.covered == pytest.approx(1 - error_rates.error)
    assert error_rates.error_at_1 < 0.0125 + 3 * (0.01 / DRAWS) ** 0.5


def test_the_quasi_f_test_of_two_training_sets_does_not():
    error_rates = rates(Common(2, 256, 10, 0), np.random.default_rng(5), DRAWS)
    assert error_rates.quasi_f_error > 0.12
    assert error_rates.holds


def test_many_training_sets_cost_no_power():
    error_rates = rates(Common(8, 256, 1, 1), np.random.default_rng(5), DRAWS)
    assert error_rates.power > error_rates.quasi_f_power - 0.02 > 0.8
