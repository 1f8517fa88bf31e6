"""Plans on a few cases, worked by hand: which sets each scheme makes of a prototask's cases."""

import pytest

from delvecore.encoding.prototask_cases import prototask_cases
from delvecore.encoding.schemes import planned_instances
from delvecore.errors import DelveError
from delvecore.plan import Plan
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import read_dataset, read_prototask
from tests.archives import write_tree

SPEC = "Origin: natural\nUsage: assessment\nOrder: uninformative\nAttributes:\n1 X u (-Inf,Inf)\n2 Y u a b\n"
PROTOTASK = """Origin: natural
Cases: all
Order: retain
Inputs: 1
Targets: 2
Test-Set-Size: 2
Training-Set-Sizes: 2
Test-Set-Selection: common
Maximum-Number-Of-Instances: 2
"""
EIGHT = [(n, "ab"[n % 2]) for n in range(8)]
"""Numbers and classes, which take turns."""


@pytest.fixture
def cases_of(tmp_path):
    def read(rows, groups=()):
        spec = SPEC.replace("Attributes", "Commonality indexes are present\nAttributes") if groups else SPEC
        lines = [f"{x} {y}" for x, y in rows]
        lines = [f"{line} @{group}" for line, group in zip(lines, groups, strict=True)] if groups else lines
        files = {"Dataset.spec": spec, "Dataset.data": "\n".join(lines) + "\n"}
        files |= {"p/Prototask.spec": PROTOTASK, "p/std.prior": "1 N real\n2 N binary\n"}
        root = write_tree(tmp_path / "delve-d", {f"data/d/{name}": text for name, text in files.items()})
        hierarchy = Hierarchy([str(root)])
        dataset = read_dataset(hierarchy, "d")
        return prototask_cases(hierarchy, dataset, read_prototask(hierarchy, dataset, "p"))

    return read


def sets(cases, plan):
    return [(one.training.tolist(), one.test.tolist()) for one in planned_instances(cases, plan)]


def test_leave_one_out_of_five_cases(cases_of):
    assert sets(cases_of(EIGHT[:5]), Plan("loo")) == [
        ([1, 2, 3, 4], [0]),
        ([0, 2, 3, 4], [1]),
        ([0, 1, 3, 4], [2]),
        ([0, 1, 2, 4], [3]),
        ([0, 1, 2, 3], [4]),
    ]


def test_windows_of_eight_cases(cases_of):
    # Three test windows of 8 // 4 = 2 cases at the end; two cases stand before the first.
    assert sets(cases_of(EIGHT), Plan("growing", 3)) == [
        ([0, 1], [2, 3]),
        ([0, 1, 2, 3], [4, 5]),
        ([0, 1, 2, 3, 4, 5], [6, 7]),
    ]
    assert sets(cases_of(EIGHT), Plan("sliding", 3)) == [([0, 1], [2, 3]), ([2, 3], [4, 5]), ([4, 5], [6, 7])]


def test_the_division_of_a_prototask_has_its_test_set_and_all_other_cases(cases_of):
    assert sets(cases_of(EIGHT), Plan("division", runs=3)) == [([2, 3, 4, 5, 6, 7], [0, 1])] * 3


def test_stratified_folds_of_eight_cases_have_two_of_each_class(cases_of):
    tested = []
    for training, test in sets(cases_of(EIGHT), Plan("cv", 2, stratified=True)):
        assert sorted(case % 2 for case in test) == sorted(case % 2 for case in training) == [0, 0, 1, 1]
        tested += test
    assert sorted(tested) == list(range(8))


def test_samples_of_five_cases(cases_of):
    # numpy.random.RandomState(1).randint(0, 5, 5) gives 3 4 0 1 3, then 0 0 1 4 4.
    assert sets(cases_of(EIGHT[:5]), Plan("632", 2)) == [
        ([0, 1, 2, 3, 4], [0, 1, 2, 3, 4]),
        ([0, 1, 3, 3, 4], [2]),
        ([0, 0, 1, 4, 4], [2, 3]),
    ]


def test_groups_stay_together_in_folds_and_are_not_sampled(cases_of):
    cases = cases_of(EIGHT, groups=[1, 1, 2, 2, 3, 3, 4, 4])
    for training, test in sets(cases, Plan("cv", 2)):
        assert not {case // 2 for case in training} & {case // 2 for case in test}
    with pytest.raises(DelveError, match="where cases have commonality indexes"):
        planned_instances(cases, Plan("e0", 5))
