"""The parts of a squared standard error."""

import numpy as np
import pytest

from delvecore.stats.losses.anova import error_sources
from delvecore.stats.losses.mstats import compare_losses


def test_parts_worked_by_hand():
    # 4 training sets, 10 test cases: 2^2/4, 3^2/10 and 4^2/40.
    found = error_sources(sd_training=2, sd_cases=3, sd_residual=4, instances=4, test_cases=10)
    assert found == pytest.approx((1.0, 0.9, 0.4))


def test_disjoint_test_sets_have_two_parts():
    assert error_sources(sd_training=2, sd_cases=None, sd_residual=4, instances=4, test_cases=10) == (
        1.0,
        None,
        0.4,
    )


def test_where_test_sets_differ_in_size_the_residual_is_the_rest():
    # 2^2/4 of 1.5^2 is due to training sets.
    known = {"sd_training": 2, "sd_cases": None, "sd_residual": 4, "instances": 4, "test_cases": None}
    assert error_sources(**known, standard_error=1.5) == (1.0, None, 1.25)


def test_without_a_standard_error_there_are_no_parts():
    assert error_sources(sd_training=None, sd_cases=None, sd_residual=None, instances=1, test_cases=9) is None


@pytest.mark.parametrize("design", ["hierarchical", "common"])
def test_the_parts_sum_to_the_squared_standard_error(design):
    rng = np.random.default_rng(3)
    a, b = rng.gamma(2, 1, (2, 6, 30)) + rng.normal(size=(2, 6, 1))
    pair = compare_losses(a, b, design=design)
    names = ("sd_training", "sd_cases", "sd_residual", "instances", "test_cases")
    parts = error_sources(**{name: getattr(pair, name) for name in names})
    assert sum(part for part in parts if part is not None) == pytest.approx(pair.standard_error**2, rel=1e-12)
