"""Are failed runs concentrated in some methods? An exact test, against numbers worked by hand and simulation."""

from itertools import permutations, product
from math import comb

import numpy as np
import pytest

from benchmarks.simulated_rankings import (
    FAILED_RUNS_NULLS,
    OWN,
    frame_of,
    is_warned,
    measure_failed_runs,
    own_hard_folds,
    table_of,
)
from delvecore.library.ranking import rank
from delvecore.stats.ranking.failed_runs import (
    LARGEST_GROUP,
    Concentration,
    concentration_test,
    failure_concentration,
)
from delvecore.stats.ranking.score_table import CommonRuns


def concentration(counts):
    return concentration_test(counts, [f"m{place}" for place in range(counts.shape[1])])


def test_one_method_that_fails_alone_has_the_p_worked_by_hand():
    # On each of 5 of 6 datasets only the first of 3 methods fails: (1/3)^5 for this method, times 3 methods.
    # Single methods have 2/3 of the level, pairs 1/3: 3 * 3/2 * (1/3)^5 = 1/54.
    test = concentration(np.array([[1, 0, 0], [3, 0, 0], [0, 0, 0], [1, 0, 0], [2, 0, 0], [1, 0, 0]]))
    assert (test.methods, test.failed, test.of) == (("m0",), 8, 8)
    assert test.p == pytest.approx(1 / 54)


def test_of_two_methods_p_is_that_of_a_two_sided_sign_test():
    # 5 to 1: 2 * (6 + 1) / 2^6.
    counts = np.repeat([[1, 0], [0, 1]], [5, 1], axis=0)
    assert concentration(counts).p == pytest.approx(14 / 64)


def test_two_methods_that_fail_equally_often_are_found_together():
    # 20 failed runs, none of the third method: (2/3)^20 for the pair, 3 pairs, a third of the level.
    counts = np.repeat([[1, 0, 0], [0, 1, 0]], [10, 10], axis=0)
    test = concentration(counts)
    assert set(test.methods) == {"m0", "m1"}
    assert test.p == pytest.approx(9 * (2 / 3) ** 20)


def by_all_orders(counts):
    """p by all orders of each dataset's counts, as the definition has it."""
    methods, totals = counts.shape[1], np.sort(counts.sum(axis=0))[::-1]
    sizes = range(1, min(methods - 1, LARGEST_GROUP) + 1)
    orders = [list(permutations(row)) for row in counts.tolist()]
    statistics = []
    for size in sizes:
        sums = [sum(sum(row[:size]) for row in rows) for rows in product(*orders)]
        tail = np.mean([one >= totals[:size].sum() for one in sums])
        weight = 2.0**-size / sum(2.0**-one for one in sizes)
        statistics.append(min(1.0, comb(methods, size) * tail / weight))
    return min(statistics)


@pytest.mark.parametrize("methods", [2, 3, 4])
def test_p_is_that_of_all_orders_of_the_counts(methods):
    draws = np.random.default_rng(methods)
    for _ in range(10):
        counts = draws.poisson(0.7, (3, methods))
        counts[0, 0] += 3
        assert concentration(counts).p == pytest.approx(by_all_orders(counts))


def test_runs_that_all_methods_fail_change_no_p():
    counts, shared = np.array([[1, 0, 0], [2, 0, 1], [1, 0, 0], [1, 1, 0]]), np.array([[2], [0], [5], [1]])
    assert concentration(counts + shared).p == pytest.approx(concentration(counts).p)
    assert concentration(counts * 0) is None


def test_runs_of_one_dataset_that_fail_together_are_no_concentration():
    # A method that fails on all 10 folds of one dataset has one dataset against it, not 10 runs.
    test = concentration(np.array([[10, 0, 0], [0, 1, 0], [0, 0, 1]]))
    assert test.p > 0.5


def test_many_failed_runs_of_many_methods_take_no_long_time():
    # 300 datasets, 100 methods; counts by chance.
    counts = np.random.default_rng(0).binomial(10, 0.05, (300, 100))
    assert 0 < concentration(counts).p <= 1


def runs_of(*failures, methods=("a", "b", "c")):
    return CommonRuns(600, 9, compared=methods, failures=failures)


def test_only_methods_that_are_compared_count():
    failures = [(f"d{number}", ("a",), 2) for number in range(5)]
    failures += [(f"d{number}", ("c",), 5) for number in range(8)]
    concentration = failure_concentration(runs_of(*failures), ("a", "b"))
    # (1/2)^5 times 2 methods is above 0.05. c fails more than a on 8 datasets: (1/3)^8 times 3 times 3/2.
    assert concentration is None
    assert failure_concentration(runs_of(*failures)).methods == ("c",)
    assert failure_concentration(runs_of(*failures)).p == pytest.approx(4.5 / 3**8)
    failures += [("d9", ("a", "b"), 9)]  # a run that both compared methods fail
    failures += [("e", ("a",), 1)]
    assert failure_concentration(runs_of(*failures), ("a", "b")) == Concentration(("a",), 11, 11, 2 / 2**6)


def test_without_failed_runs_or_with_few_nothing_is_concentrated():
    assert failure_concentration(CommonRuns(600, 0)) is None
    assert failure_concentration(runs_of(("d0", ("a",), 9), ("d1", ("a",), 9))) is None


@pytest.mark.slow
def test_the_warning_is_rare_if_all_methods_fail_alike_and_usual_if_one_fails_on_its_hard_folds():
    rates = measure_failed_runs(400)
    assert [one for one in rates if not one.holds] == []
    assert min(one.shown for one in rates if one.name == OWN and one.size[1] == 20) > 0.95


@pytest.mark.slow
@pytest.mark.parametrize("fails", [*FAILED_RUNS_NULLS.values(), own_hard_folds])
def test_the_simulation_warns_where_rankings_do(fails):
    draws = np.random.default_rng(1)
    for _ in range(3):
        errors = table_of(draws, (3, 20, 10), fails)
        sentence = rank(frame_of(errors), higher_is_better=False).sentence
        assert ("Failed runs are concentrated" in sentence) == is_warned(errors)
