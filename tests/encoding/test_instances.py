"""Which cases train and test in each instance."""

import numpy as np
import pytest

from delvecore.encoding.instances import standard_instances, test_union
from delvecore.errors import DelveError
from delvecore.model import Prototask


def prototask(selection="common", *, test_size=340, maximum=16):
    return Prototask(
        *(
            "demo",
            "age",
            "artificial",
            "all",
            "retain",
            (1,),
            (2,),
            test_size,
            (20, 40, 80),
            selection,
            maximum,
        )
    )


@pytest.mark.parametrize(("size", "count"), [(160, 1), (80, 2), (40, 4), (20, 8)])
def test_500_cases_give_the_instances_of_the_manuals_example(size, count):
    # Section 6.2: 340 of 500 cases for testing leave 160 for training.
    instances = standard_instances(prototask(), 500, size)
    assert [instance.number for instance in instances] == list(range(count))
    together = np.concatenate([instance.training for instance in instances])
    assert together.tolist() == list(range(340, 500))


def test_smaller_training_sets_divide_the_larger_ones():
    large, small = (standard_instances(prototask(), 500, size) for size in (40, 20))
    halves = [np.concatenate([small[2 * n].training, small[2 * n + 1].training]) for n in range(4)]
    assert [half.tolist() for half in halves] == [instance.training.tolist() for instance in large]


def test_common_test_set_is_the_same_for_every_instance():
    for instance in standard_instances(prototask(), 500, 40):
        assert instance.test.tolist() == list(range(340))


def test_hierarchical_test_sets_are_disjoint_and_what_is_left_over_is_unused():
    # 340 test cases among 8 instances: 42 each, 4 left over.
    instances = standard_instances(prototask("hierarchical"), 500, 20)
    assert [instance.test[0] for instance in instances] == list(range(0, 336, 42))
    assert {len(instance.test) for instance in instances} == {42}
    assert test_union(instances).tolist() == list(range(336))


def test_no_more_instances_than_the_maximum():
    assert len(standard_instances(prototask(maximum=3), 500, 20)) == 3


def test_incomplete_last_training_set_is_left_out():
    assert len(standard_instances(prototask(), 499, 20)) == 7


def test_too_few_cases_are_an_error():
    message = (
        "/demo/age: expected at least 420 cases (340 for testing and 80 for one training set), found 419; "
        "add cases or make the sizes smaller"
    )
    with pytest.raises(DelveError) as caught:
        standard_instances(prototask(), 419, 80)
    assert str(caught.value) == message


def test_more_instances_than_test_cases_are_an_error():
    with pytest.raises(DelveError, match="expected a test case for each of 16 instances, found 7"):
        standard_instances(prototask("hierarchical", test_size=7), 500, 20)
