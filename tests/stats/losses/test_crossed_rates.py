"""The test of a common test set errs no more than it says, by simulation."""

import numpy as np
import pytest

from benchmarks.error_rates_of_common_tests import Common, rates

pytestmark = pytest.mark.slow
DRAWS = 4000


@pytest.mark.parametrize("sources", [(0, 0), (0, 3), (10, 0), (10, 10), (100, 3), (1, 100)])
@pytest.mark.parametrize("shape", [(2, 16), (2, 1024), (3, 64), (8, 16), (8, 1024)])
def test_errors_and_intervals_keep_their_promise_whatever_varies(shape, sources):
    found = rates(Common(*shape, *sources), np.random.default_rng(5), DRAWS)
    assert found.holds
    assert found.covered == pytest.approx(1 - found.error)
    assert found.error_at_1 < 0.0125 + 3 * (0.01 / DRAWS) ** 0.5


def test_the_quasi_f_test_of_two_training_sets_does_not():
    found = rates(Common(2, 256, 10, 0), np.random.default_rng(5), DRAWS)
    assert found.quasi_f_error > 0.12
    assert found.holds


def test_many_training_sets_cost_no_power():
    found = rates(Common(8, 256, 1, 1), np.random.default_rng(5), DRAWS)
    assert found.power > found.quasi_f_power - 0.02 > 0.8
