"""What would decide it is said of the pair's own standard deviations."""

import pytest

from delvecore.answers.planning import plan_answer
from delvecore.errors import DelveError
from delvecore.render.spans import plain
from delvecore.stats.losses.anova import Components
from delvecore.stats.power import planned_power

PAIR = {
    "method_a": "a",
    "method_b": "b",
    "difference": 0.02,
    "lower": -0.03,
    "upper": 0.07,
    "notes": [],
    "sd_training": 0.05,
    "sd_cases": None,
    "sd_residual": 0.1,
    "verdict": "not significant",
    "instances": 8,
    "test_cases": 200,
    "standardizer": 4.0,
}


def test_the_sizes_of_a_plan_have_the_power_that_it_states():
    answer = plan_answer(PAIR)  # 1 % of 4: a difference of 0.04
    spread = Components(0.05, None, 0.1)
    for name, instances, test_cases, power in answer.table.rows:
        exact = planned_power(spread, 0.04, instances=instances, test_cases=test_cases)
        assert power <= exact + 1e-9 if name.startswith("enough") else power == pytest.approx(exact)
    enough = dict(answer.table.select("plan", "instances").rows)["enough training sets"]
    assert f"{enough} training sets would give 80 % power" in plain(answer.headline)
    assert planned_power(spread, 0.04, instances=enough - 1, test_cases=200) < 0.8
    told = " ".join(answer.notes)
    assert "Most of the error comes from training sets. Doubling the test cases would not help." in told
    assert "interval −0.03 to 0.07" in told


def test_no_plan_is_made_without_a_baseline_a_size_or_disjoint_sets():
    for changes in (
        {"standardizer": None},
        {"instances": 1},
        {"sd_residual": None},
        {"notes": ["resampled(0.1)"]},
    ):
        with pytest.raises(DelveError):
            plan_answer(PAIR | changes)
    with pytest.raises(DelveError, match="above 0"):
        plan_answer(PAIR, smallest=-1.0)
