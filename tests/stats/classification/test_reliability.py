"""Reliability curves and the calibration error: by hand and by simulation."""

import numpy as np
import pytest

from delvecore.stats.classification.summary import reliability

pytestmark = pytest.mark.slow


def test_each_bin_has_what_was_said_and_what_held():
    found = reliability(np.array([0.55, 0.59, 0.91, 0.95, 1.0]), np.array([1, 0, 1, 1, 0]), draws=20)
    assert found.cases.tolist() == [2, 3]
    assert found.said == pytest.approx([0.57, 2.86 / 3])
    assert found.held == pytest.approx([0.5, 2 / 3])
    assert found.error == pytest.approx((2 * 0.07 + 3 * (2.86 / 3 - 2 / 3)) / 5)


def test_probabilities_that_come_true_are_called_wrong_as_rarely_as_promised():
    generator, rejected, covered = np.random.default_rng(1), 0, 0
    for _ in range(150):
        said = generator.uniform(0.5, 1, 400)
        found = reliability(said, generator.random(400) < said, draws=200)
        rejected += found.p < 0.05
        covered += found.error_lower == 0
        assert found.chance > 0.02  # what is well calibrated shows an error, too
    assert rejected <= 15
    assert covered >= 141


def test_overconfidence_is_found_and_its_size_held():
    generator, held = np.random.default_rng(2), 0
    for _ in range(150):
        said = generator.uniform(0.6, 1, 500)
        found = reliability(said, generator.random(500) < said - 0.1, draws=300)
        assert found.p < 0.05
        held += found.error_lower <= 0.1 <= found.error_upper
    assert held >= 138


def test_what_is_no_probability_is_refused():
    for said in ([], [1.2], [np.nan]):
        with pytest.raises(ValueError, match="probabilities from 0 to 1"):
            reliability(np.array(said), np.ones(len(said)))
