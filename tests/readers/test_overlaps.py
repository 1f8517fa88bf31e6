"""How instances share cases is told from their lists, whatever they are named."""

import random
from itertools import combinations

import numpy as np
import pytest

from delvecore.model import Scheme
from delvecore.readers.instances import listed_facts, parse_instances, runs_of


def overlap(training, test):
    """The Overlap of sets of case numbers, listed as a file has them."""
    blocks = zip(training, test, strict=True)
    text = "".join(
        f"Instance: {number}\nTraining: {runs_of(train)}\nTest: {runs_of(tests)}\n"
        for number, (train, tests) in enumerate(blocks)
    )
    return listed_facts(parse_instances(text, "s"), "hierarchical").overlap


def rest(tests, cases):
    """For each test set all other cases."""
    return [sorted(set(cases) - set(one)) for one in tests]


def folds(cases, count):
    return [cases[fold::count] for fold in range(count)]


CASES = list(range(1, 31))


def test_instances_without_a_case_in_common_are_disjoint():
    assert overlap([[1, 2], [3, 4]], [[5], [6]]) == (Scheme.DISJOINT, 0)
    assert overlap([[1, 2], [3, 4]], [[5, 6]] * 2) == (Scheme.DISJOINT, 0)
    assert overlap([[1, 2]], [[5, 6]]) == (Scheme.DISJOINT, 0)


# With 10 folds training sets of 9 have 8 in common, and every case that tests one set trains the others.
TENFOLD = 0.1 * 8 / 9 + 0.1 / 2


@pytest.mark.parametrize(("count", "share"), [(2, 0.5), (3, 1 / 3), (5, 0.2 * 3 / 4 + 0.1), (10, TENFOLD)])
def test_cross_validation_has_the_share_of_a_fold_and_that_of_training_sets(count, share):
    tests = folds(CASES, count)
    assert overlap(rest(tests, CASES), tests) == (Scheme.CROSS_VALIDATION, pytest.approx(share))


def test_neither_the_order_of_cases_nor_that_of_folds_matters():
    shuffled = random.Random(1).sample(CASES, len(CASES))
    tests = folds(shuffled, 10)
    training = [random.Random(2).sample(one, len(one)) for one in rest(tests, CASES)]
    assert overlap(training, tests) == (Scheme.CROSS_VALIDATION, pytest.approx(TENFOLD))


def test_folds_of_different_sizes_and_cases_never_tested():
    # 3 and 3 and 2 of 10 cases: 8 tested, 8 + 7 + 7 trained on; two are always trained on, and
    # two training sets have 5, 5 and 4 cases in common.
    tests = [[1, 2], [3, 4, 5], [6, 7, 8]]
    found = overlap(rest(tests, range(1, 11)), tests)
    assert found == (Scheme.CROSS_VALIDATION, pytest.approx(8 / 30 * (28 / 44 + 1 / 2)))


def test_cases_kept_for_validation_are_in_no_set_of_their_instance():
    # Ten folds; the next fold is kept back, so that 24 train and 3 test; of 24, 21 are in two sets that follow each
    # other, 18 in others.
    tests = folds(CASES, 10)
    training = [
        sorted(set(CASES) - set(one) - set(other))
        for one, other in zip(tests, [*tests[1:], tests[0]], strict=True)
    ]
    assert overlap(training, tests) == (Scheme.CROSS_VALIDATION, pytest.approx(1 / 9 * (7 / 9 + 4 / 9)))


def test_repeated_cross_validation():
    tests = [fold for seed in range(3) for fold in folds(random.Random(seed).sample(CASES, len(CASES)), 10)]
    # Training sets of one repetition have 8 of 9 cases in common, of different ones 9 of 10 on average.
    common = (9 * 8 / 9 + 20 * 9 / 10) / 29
    assert overlap(rest(tests, CASES), tests) == (Scheme.REPEATED, pytest.approx(0.1 * common + 0.9 * 2 / 29))


def test_leave_one_out_has_the_share_of_one_case():
    tests, share = [[case] for case in CASES], pytest.approx((28 / 29 + 1 / 2) / 30)
    assert overlap(rest(tests, CASES), tests) == (Scheme.LEAVE_ONE_OUT, share)
    assert overlap(rest(tests[:7], CASES), tests[:7]) == (Scheme.LEAVE_ONE_OUT, share)


def test_a_case_left_out_twice_in_another_order_is_not_leave_one_out():
    tests = [[case] for case in CASES] + [[case] for case in reversed(CASES)]
    # Of 59 other training sets one is the same.
    share = pytest.approx(((1 + 58 * 28 / 29) / 59 + 58 / 59 / 2) / 30)
    assert overlap(rest(tests, CASES), tests) == (Scheme.REPEATED, share)


def test_repeated_holdout_has_the_share_of_its_test_sets():
    tests = [random.Random(seed).sample(CASES, 9) for seed in range(10)]
    training = rest(tests, CASES)
    train, test = (
        np.mean([len({*a} & {*b}) / len(a) for a, b in combinations(sets, 2)]) for sets in (training, tests)
    )
    assert overlap(training, tests) == (Scheme.RESAMPLED, pytest.approx(0.3 * train + 0.7 * test))
    assert (train, test) == (pytest.approx(0.7, abs=0.03), pytest.approx(0.3, abs=0.06))


def test_test_cases_that_are_never_trained_on_are_no_cross_validation():
    training = [list(range(1, 9)), list(range(2, 10)), list(range(3, 11))]
    # 1 and 9 and 10 ... of 8 cases: 7, 7 and 6 shared by two sets, of 8.
    found = overlap(training, [[11, 12], [13, 14], [15, 16]])
    assert found == (Scheme.RESAMPLED, pytest.approx(0.2))


def test_a_few_cases_in_common_weigh_no_more_than_they_are():
    # One of ten training cases is shared: less than a third of the cases, which test.
    training = [list(range(1, 11)), [10, *range(11, 20)]]
    assert overlap(training, [list(range(21, 26)), list(range(26, 31))]).share == pytest.approx(0.1)


def test_test_cases_that_train_elsewhere_are_shared_too():
    # Of two test cases one trains in the other instance, which is less than the share 4/8 of test cases.
    found = overlap([[1, 2], [3, 5]], [[5, 6], [7, 1]])
    assert found == (Scheme.RESAMPLED, pytest.approx(0.5))
    found = overlap([[1, 2], [3, 4]], [[5, 6, 4], [7, 8, 9]])
    assert found == (Scheme.RESAMPLED, pytest.approx(1 / 6))


def test_test_sets_alone_may_overlap():
    # Of two test cases one is shared.
    found = overlap([[1, 2], [3, 4]], [[5, 6], [6, 7]])
    assert found == (Scheme.RESAMPLED, pytest.approx(0.5))


def test_test_sets_that_are_nearly_the_same_weigh_as_much_as_they_are():
    # Of five test cases four are shared; half of the cases test.
    found = overlap([[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]], [[11, 12, 13, 14, 15], [12, 13, 14, 15, 16]])
    assert found == (Scheme.RESAMPLED, pytest.approx(0.5))
    found = overlap([[1], [2]], [[11, 12, 13, 14, 15], [12, 13, 14, 15, 16]])
    assert found == (Scheme.RESAMPLED, pytest.approx(0.8))
    found = overlap([[*range(1, 21)], [*range(21, 41)]], [[51, 52, 53, 54, 55], [52, 53, 54, 55, 56]])
    assert found == (Scheme.RESAMPLED, pytest.approx(0.8 * 0.8))


def test_with_a_common_test_set_the_share_is_that_of_training_cases():
    # Of four training cases three are shared.
    assert overlap([[1, 2, 3, 4], [2, 3, 4, 5]], [[8, 9]] * 2) == (Scheme.RESAMPLED, pytest.approx(0.75))


def test_one_training_set_for_all_and_test_sets_in_other_orders():
    assert overlap([[1, 2, 3], [3, 1, 2]], [[4], [5]]).scheme == Scheme.ONE_TRAINING_SET
    assert overlap([[1, 2], [2, 3]], [[4, 5], [5, 4]]).scheme == Scheme.REORDERED


def test_leave_one_out_of_many_cases_is_told_quickly():
    # As ranges: 1000 training sets of 999 cases.
    text = "".join(
        f"Instance: {n - 1}\nTraining: {'' if n == 1 else f'1-{n - 1}'} {'' if n == 1000 else f'{n + 1}-1000'}\n"
        f"Test: {n}\n"
        for n in range(1, 1001)
    )
    found = listed_facts(parse_instances(text, "s"), "hierarchical")
    assert found.overlap.scheme == Scheme.LEAVE_ONE_OUT
