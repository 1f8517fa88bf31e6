"""Which cases train and test in each instance, also of sequential and stratified prototasks and of groups."""

import numpy as np
import pytest

from delvecore.encoding.instances import standard_instances, test_union, test_weights
from delvecore.errors import DelveError
from delvecore.model import Attribute, Prototask
from delvecore.readers.dataset import parse_range


def manual_prototask(selection="common", *, test_size=340, maximum=16):
    return prototask(test_size=test_size, sizes=(20, 40, 80), selection=selection, maximum=maximum)


@pytest.mark.parametrize(("size", "count"), [(160, 1), (80, 2), (40, 4), (20, 8)])
def test_500_cases_give_the_instances_of_the_manuals_example(size, count):
    # Section 6.2: 340 of 500 cases for testing leave 160 for training.
    instances = standard_instances(manual_prototask(), 500, size)
    assert [instance.number for instance in instances] == list(range(count))
    together = np.concatenate([instance.training for instance in instances])
    assert together.tolist() == list(range(340, 500))


def test_smaller_training_sets_divide_the_larger_ones():
    large, small = (standard_instances(manual_prototask(), 500, size) for size in (40, 20))
    halves = [np.concatenate([small[2 * n].training, small[2 * n + 1].training]) for n in range(4)]
    assert [half.tolist() for half in halves] == [instance.training.tolist() for instance in large]


def test_common_test_set_is_the_same_for_every_instance():
    for instance in standard_instances(manual_prototask(), 500, 40):
        assert instance.test.tolist() == list(range(340))


def test_hierarchical_test_sets_are_disjoint_and_what_is_left_over_is_unused():
    # 340 test cases among 8 instances: 42 each, 4 left over.
    instances = standard_instances(manual_prototask("hierarchical"), 500, 20)
    assert [instance.test[0] for instance in instances] == list(range(0, 336, 42))
    assert {len(instance.test) for instance in instances} == {42}
    assert test_union(instances).tolist() == list(range(336))


def test_no_more_instances_than_the_maximum():
    assert len(standard_instances(manual_prototask(maximum=3), 500, 20)) == 3


def test_incomplete_last_training_set_is_left_out():
    assert len(standard_instances(manual_prototask(), 499, 20)) == 7


def test_too_few_cases_are_an_error():
    message = (
        "/river/flow: expected at least 420 cases (340 for testing and 80 for one training set), found 419; "
        "add cases or make the sizes smaller"
    )
    with pytest.raises(DelveError) as caught:
        standard_instances(manual_prototask(), 419, 80)
    assert str(caught.value) == message


def test_more_instances_than_test_cases_are_an_error():
    with pytest.raises(DelveError, match="expected a test case for each of 16 instances, found 7"):
        standard_instances(manual_prototask("hierarchical", test_size=7), 500, 20)


def prototask(*, test_size, sizes, selection="common", maximum=16, order="retain", reach=None, strata=False):
    names = ("river", "flow", "natural", "all", order, (1,), (2,))
    return Prototask(*names, test_size, sizes, selection, maximum, reach, strata)


def lists(instances):
    return [(one.training.tolist(), one.test.tolist()) for one in instances]


def test_a_gap_as_long_as_the_maximum_range_lies_between_test_and_training_cases():
    # Manual, section 6.2: 4 test cases, 3 unused, then training sets of 5.
    specified = prototask(test_size=4, sizes=(5,), order="sequential", reach=3)
    instances = standard_instances(specified, 18, 5)
    assert lists(instances) == [([7, 8, 9, 10, 11], [0, 1, 2, 3]), ([12, 13, 14, 15, 16], [0, 1, 2, 3])]
    assert instances[0].gap.tolist() == [4, 5, 6]
    assert instances[1].unused.tolist() == [4, 5, 6, 17]


def test_test_sets_of_a_hierarchical_sequential_prototask_are_consecutive():
    specified = prototask(test_size=4, sizes=(5,), order="sequential", reach=3, selection="hierarchical")
    assert [one.test.tolist() for one in standard_instances(specified, 18, 5)] == [[0, 1], [2, 3]]


def test_too_few_cases_for_the_gap_are_an_error():
    specified = prototask(test_size=4, sizes=(5,), order="sequential", reach=3)
    with pytest.raises(DelveError, match=r"at least 12 cases \(4 for testing, 3 unused between and 5 for"):
        standard_instances(specified, 11, 5)


def grouped(groups, size, **options):
    specified = prototask(sizes=(size,), **options)
    return standard_instances(specified, len(groups), size, groups=np.array(groups))


def test_a_gap_ensures_that_no_test_case_has_the_commonality_index_of_a_training_case():
    # Manual, section 6.2: the group of the last two test cases goes on for one more case.
    instances = grouped([0, 1, 1, 1, 2, 2, 3, 3], 4, test_size=3)
    assert lists(instances) == [([4, 5, 6, 7], [0, 1, 2])]
    assert (instances[0].gap.tolist(), instances[0].unused.tolist()) == ([3], [3])


def test_no_gap_is_left_where_none_is_needed():
    instances = grouped([0, 1, 1, 2, 2, 3, 3], 4, test_size=3)
    assert lists(instances) == [([3, 4, 5, 6], [0, 1, 2])]
    assert not len(instances[0].gap)


def test_a_group_that_is_scattered_is_kept_out_of_training_too():
    # Group 0 has cases at the beginning (test), in the middle and at the end.
    instances = grouped([0, 1, 2, 3, 0, 4, 5, 0], 2, test_size=2)
    assert lists(instances) == [([2, 3], [0, 1]), ([5, 6], [0, 1])]
    assert instances[0].gap.tolist() == [4, 7]


def test_groups_are_not_split_between_training_sets_where_this_can_be_avoided():
    # Groups of 3 and training sets of 2: with a case to spare behind each, none is split.
    instances = grouped([0, 1, 1, 1, 2, 2, 2, 3, 3, 3], 2, test_size=1, maximum=3)
    assert [one.training.tolist() for one in instances] == [[1, 2], [4, 5], [7, 8]]
    assert instances[0].gap.tolist() == [3, 6, 9]


def test_the_number_of_instances_is_not_reduced_to_keep_groups_together():
    # 9 cases give 4 training sets of 2; one case only is to spare, and used for the first boundary.
    instances = grouped([0, 1, 1, 1, 2, 2, 2, 3, 3, 3], 2, test_size=1)
    assert [one.training.tolist() for one in instances] == [[1, 2], [4, 5], [6, 7], [8, 9]]


def test_groups_are_not_split_between_test_sets_where_this_can_be_avoided():
    # 7 test cases among 3 instances: 2 each, one to spare.
    groups = [0, 0, 0, 1, 1, 2, 2, *range(3, 9)]
    instances = grouped(groups, 2, test_size=7, selection="hierarchical", maximum=3)
    assert [one.test.tolist() for one in instances] == [[0, 1], [3, 4], [5, 6]]


@pytest.mark.parametrize("seed", range(2))
def test_no_group_is_ever_split_between_training_and_test_sets(seed):
    random = np.random.default_rng(seed)
    groups = random.integers(0, 30, size=120)
    for selection in ("common", "hierarchical"):
        instances = grouped(groups, 9, test_size=25, selection=selection)
        tests = np.unique(np.concatenate([groups[one.test] for one in instances]))
        assert not any(np.isin(groups[one.training], tests).any() for one in instances)
        assert {len(one.training) for one in instances} == {9}


def stratified(codes, sizes, *, size=None, values=("low", "mid", "high"), groups=None, **options):
    specified = prototask(sizes=sizes, strata=True, **options)
    strata = Attribute(1, "CLASS", "u", parse_range(" ".join(values)), "invented"), np.array(codes)
    return standard_instances(specified, len(codes), size or sizes[0], groups=groups, strata=strata)


def test_stratified_training_sets_contain_equal_numbers_of_cases_with_each_target_value():
    # Manual, section 4.2. Values go round: the first two of each test, then sets of two of each.
    codes = [0, 1, 2] * 8
    instances = stratified(codes, (6,), test_size=6)
    assert [one.training.tolist() for one in instances] == [list(range(n, n + 6)) for n in (6, 12, 18)]
    assert instances[0].test.tolist() == list(range(6))
    assert instances[0].weights is None


def test_all_values_of_the_target_are_equally_likely_in_the_test_set_by_selection():
    codes = [0, 0, 0, 0, 1, 0, 0, 1, 1, 1, 0, 1, 1]
    (instance,) = stratified(codes, (4,), test_size=6, values=("no", "yes"), maximum=1)
    assert instance.test.tolist() == [0, 1, 2, 4, 7, 8]
    assert instance.training.tolist() == [3, 5, 9, 11]
    assert instance.weights is None


def test_all_values_are_equally_likely_by_weights_where_a_value_has_too_few_cases():
    # 3 cases with value 1, one kept for a training set of 2: two test, against 5 with value 0. Each value
    # gets the weight 7/2: 0.7 for each of 5 cases, 1.75 for each of 2.
    codes = [0, 0, 0, 0, 0, 0, 0, 1, 1, 1]
    (instance,) = stratified(codes, (2,), test_size=10, values=("no", "yes"))
    assert instance.test.tolist() == [0, 1, 2, 3, 4, 7, 8]
    assert instance.training.tolist() == [5, 9]
    assert instance.weights.tolist() == pytest.approx([0.7] * 5 + [1.75] * 2)
    assert instance.weights.mean() == pytest.approx(1)
    assert test_weights([instance]).tolist() == instance.weights.tolist()


def test_hierarchical_stratified_test_sets_have_equal_numbers_of_each_value():
    options = {"test_size": 8, "values": ("no", "yes"), "selection": "hierarchical", "maximum": 2}
    instances = stratified([0, 1] * 10, (4,), **options)
    assert [one.test.tolist() for one in instances] == [[0, 1, 2, 3], [4, 5, 6, 7]]


def test_test_cases_of_a_stratified_prototask_are_the_same_for_all_sizes():
    random = np.random.default_rng(1)
    codes = random.integers(0, 3, size=200)
    tests = {tuple(stratified(codes, (6, 12, 24), size=n, test_size=60)[0].test) for n in (6, 12, 24)}
    assert len(tests) == 1


def test_groups_are_kept_together_in_stratified_prototasks_too():
    # The test cases 0 and 1 share their group with case 2 and 3.
    codes, groups = [0, 1, 0, 1, 0, 1], np.array([7, 8, 7, 8, 9, 9])
    (instance,) = stratified(codes, (2,), test_size=2, values=("no", "yes"), groups=groups)
    assert lists([instance]) == [([4, 5], [0, 1])]
    assert instance.gap.tolist() == [2, 3]


def test_a_size_that_is_too_large_for_the_rarest_value_has_no_instances():
    with pytest.raises(DelveError, match="expected at least 6 cases with CLASS no for one training set"):
        stratified([0, 1] * 6, (4, 12), size=12, test_size=4, values=("no", "yes"))
