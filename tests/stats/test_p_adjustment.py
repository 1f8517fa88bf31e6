"""Shaffer's and Bergmann and Hommel's procedures, against the published example and against closed testing."""

from itertools import combinations

import numpy as np
import pytest
from scipy.special import ndtr

from delvecore.stats.p_adjustment import _exhaustive_sets, _true_counts, adjust, bergmann_hommel, shaffer

# Garcia and Herrera 2008: mean ranks of C4.5, 1NN, NaiveBayes, Kernel and CN2 on 30 datasets.
NAMES = ("C4.5", "1NN", "NaiveBayes", "Kernel", "CN2")
RANKS = np.array([2.100, 3.250, 2.200, 4.333, 3.117])
# Their pairs by ascending p, with the p that is printed.
PUBLISHED = (
    *(("C4.5", "Kernel", 4.487e-8), ("NaiveBayes", "Kernel", 1.736e-7), ("Kernel", "CN2", 0.0029)),
    *(("C4.5", "1NN", 0.0048), ("1NN", "Kernel", 0.0080), ("1NN", "NaiveBayes", 0.0101)),
    *(("C4.5", "CN2", 0.0128), ("NaiveBayes", "CN2", 0.0247), ("1NN", "CN2", 0.744)),
    ("C4.5", "NaiveBayes", 0.806),
)


def published_p():
    first, second = np.triu_indices(5, 1)
    z = np.abs(RANKS[first] - RANKS[second]) / np.sqrt(5 * 6 / (6 * 30))
    return 2 * ndtr(-z), [{NAMES[i], NAMES[j]} for i, j in zip(first, second, strict=True)]


def test_the_published_example_has_its_p_values():
    p, pairs = published_p()
    order = np.argsort(p)
    assert [pairs[place] for place in order] == [{a, b} for a, b, _ in PUBLISHED]
    # Printed ranks have three decimals, so that p of large z agree in two digits.
    assert p[order] == pytest.approx([p for *_, p in PUBLISHED], rel=0.02)


def test_the_published_example_is_rejected_as_far_as_each_procedure_reaches():
    # Holm rejects the first 5 hypotheses at 0.05, Shaffer the first 6, Bergmann and Hommel the first 8.
    p, _ = published_p()
    assert [(way < 0.05).sum() for way in (adjust(p), shaffer(p), bergmann_hommel(p))] == [5, 6, 8]


def test_five_methods_have_shaffers_factors():
    # t_i of Garcia and Herrera 2008 for five classifiers: at most so many of the hypotheses left can be true.
    p = 10.0 ** np.arange(-12, -2)
    assert shaffer(p) / p == pytest.approx([10, 6, 6, 6, 6, 4, 4, 3, 2, 1])


def test_so_many_pairs_of_five_methods_can_be_equal():
    # Shaffer 1986: S(5).
    assert _true_counts(5) == (0, 1, 2, 3, 4, 6, 10)


def test_exhaustive_sets_are_as_many_as_published():
    # Garcia and Herrera 2008, table 1: 14, 51, 202, 876, 4139 and 21146 for 4 to 9 classifiers.
    assert [len(_exhaustive_sets(k)) for k in range(4, 10)] == [14, 51, 202, 876, 4139, 21146]


def closed_test(p, methods):
    """The closed test with Bonferroni's, over every intersection of hypotheses, each with what it implies."""
    pairs = list(combinations(range(methods), 2))
    adjusted = np.zeros(len(p))
    for chosen in range(1, 2 ** len(pairs)):
        group = list(range(methods))
        for place, (a, b) in enumerate(pairs):
            if chosen >> place & 1:
                group = [group[a] if one == group[b] else one for one in group]
        true = [place for place, (a, b) in enumerate(pairs) if group[a] == group[b]]
        least = len(true) * min(p[place] for place in true)
        for place in true:
            adjusted[place] = max(adjusted[place], least)
    return np.minimum(adjusted, 1)


@pytest.mark.parametrize("seed", range(5))
def test_bergmann_hommel_is_the_closed_test(seed):
    p = np.random.default_rng(seed).beta(0.4, 2, 6)
    assert bergmann_hommel(p) == pytest.approx(closed_test(p, 4))


@pytest.mark.parametrize("methods", [2, 3, 5, 9])
def test_more_logic_never_rejects_less(methods):
    p = np.random.default_rng(methods).beta(0.3, 3, methods * (methods - 1) // 2)
    holm, static, closed = adjust(p), shaffer(p), bergmann_hommel(p)
    assert (p <= closed + 1e-15).all()
    assert (closed <= static + 1e-15).all()
    assert (static <= holm + 1e-15).all()


@pytest.mark.parametrize("way", [shaffer, bergmann_hommel])
def test_what_are_not_p_values_of_all_pairs_is_refused(way):
    for p, words in (([0.1, 0.2], "of all pairs"), ([], "of all pairs"), ([1.5], "between 0 and 1")):
        with pytest.raises(ValueError, match=words):
            way(np.array(p))


def test_ten_methods_are_too_many_for_bergmann_hommel():
    with pytest.raises(ValueError, match="at most 9 methods"):
        bergmann_hommel(np.full(45, 0.5))
