"""Effect sizes without a unit: by hand, published, and by simulation."""

import numpy as np
import pytest
from scipy.stats import nct

from delvecore.stats.ranking.effects import effect_sizes, scaled_effects
from delvecore.stats.ranking.score_table import ScoreTable
from delvecore.stats.ranking.wilcoxon import scan_pairs


def scaled(values, *, higher=True, zeros="drop"):
    values = np.asarray(values, dtype=float)
    names = [
        tuple(f"{kind}{place}" for place in range(size))
        for kind, size in zip("tm", values.shape, strict=True)
    ]
    scan = scan_pairs(ScoreTable(*names, values, higher), zeros=zeros)
    return scaled_effects(scan, effect_sizes(scan))


def test_each_scale_by_hand():
    # Differences 1, 2, 3, -4: mean 0.5, deviation sqrt(29 / 3); ranks 1 2 3 against 4 of 10.
    found = scaled([[1, 0], [2, 0], [3, 0], [-4, 0]])
    assert found.standardized.estimate == pytest.approx([(1 - 3 / 11) * 0.5 / np.sqrt(29 / 3)])
    assert found.rank_biserial == pytest.approx([(6 - 4) / 10])
    assert found.cliff.estimate == pytest.approx([(12 - 4) / 16])


def test_cliffs_delta_is_above_0_where_values_of_a_are_larger_whatever_is_better():
    values = np.random.default_rng(1).normal([0.5, 0], 1, (20, 2))
    higher, lower = scaled(values).cliff, scaled(values, higher=False).cliff
    assert higher.estimate == pytest.approx(lower.estimate)
    assert higher.lower == pytest.approx(lower.lower)
    assert higher.upper == pytest.approx(lower.upper)
    assert higher.lower < higher.estimate < higher.upper


def test_the_interval_is_that_of_the_noncentral_t():
    # Nine differences of mean 1 and deviation 1: t = 3 has 2.5 % below and above it at the ends.
    values = np.linspace(-1, 1, 9)
    values = values / values.std(ddof=1) + 1
    found = scaled(np.column_stack([values, np.zeros(9)]))
    ends = found.standardized.lower[0], found.standardized.upper[0]
    assert [nct.cdf(3, 8, 3 * end) for end in ends] == pytest.approx([0.975, 0.025], abs=1e-6)


@pytest.mark.slow
def test_intervals_hold_the_true_standardized_difference():
    generator, held = np.random.default_rng(2), 0
    for _ in range(400):
        found = scaled(np.column_stack([generator.normal(0.4, 1, 15), np.zeros(15)])).standardized
        held += bool(found.lower[0] <= 0.4 <= found.upper[0])
    assert 0.925 <= held / 400 <= 0.975


def test_differences_that_do_not_vary_have_no_scale():
    assert np.isnan(scaled([[1, 0], [1, 0]]).standardized.estimate[0])
    assert np.isnan(scaled([[1, 1], [2, 2]]).rank_biserial[0])


def test_zeros_that_are_ranked_take_their_ranks_along():
    # Differences 0, 1, 2, -3 by Pratt: ranks 2 and 3 against 4 of 9.
    assert scaled([[0, 0], [1, 0], [2, 0], [-3, 0]], zeros="pratt").rank_biserial == pytest.approx([1 / 9])
