"""Learners that are equally good are seldom called different by bootstrap samples; leave-one-out is no test."""

import numpy as np
import pytest

from benchmarks.error_rate import highest
from benchmarks.error_rates_of_overlaps import RULES, Plan, differences, p_values
from benchmarks.error_rates_of_schemes import (
    DESIGNS,
    mcnemar_p_values,
    sample_differences,
    sample_p_values,
)
from delvecore.encoding.schemes import leave_one_out

pytestmark = pytest.mark.slow

RIDGE, NEAREST, *_ = RULES
TABLES = 500


@pytest.mark.parametrize("rule", [RIDGE, NEAREST], ids=["ridge", "neighbours"])
def test_bootstrap_percentiles_seldom_call_equally_good_learners_different(rule):
    found = sample_differences(rule, 40, TABLES, seed=11)
    for design in DESIGNS.values():
        assert np.mean(sample_p_values(found, design) < 0.05) <= highest(TABLES)


def test_bootstrap_percentiles_find_a_learner_that_is_worse():
    found = sample_differences(RIDGE, 100, 100, seed=12, weaker=0.0)
    for design in DESIGNS.values():
        assert np.mean(sample_p_values(found, design) < 0.05) > 0.5


def test_mcnemars_exact_test_of_leave_one_out_is_no_test_of_methods():
    # Trees of one split, which a single case turns round: so the verdict is not tested.
    tree = next(rule for rule in RULES if rule.name == "a tree of one split")
    splits = leave_one_out(50)
    plan = Plan("leave-one-out", 50, [one.training for one in splits], [one.test for one in splits])
    lost = np.sign(differences(plan, tree._replace(of_classes=True), TABLES, seed=11))
    assert np.mean(mcnemar_p_values(lost) < 0.05) > 0.06
    design = plan.design._replace(right_or_wrong=True)
    assert not design.keeps_level(50)
    assert np.isnan(p_values(lost, design)).all()
