"""Sets of instances: as scikit-learn's splitters have them where these define the same, else worked by hand."""

import numpy as np
import pytest
from sklearn import model_selection
from sklearn.utils import resample

from delvecore.encoding.prototask_cases import prototask_cases
from delvecore.encoding.schemes import (
    bootstrap,
    even_group_folds,
    folds,
    holdout,
    leave_one_out,
    planned_instances,
    random_windows,
    windows,
)
from delvecore.errors import DelveError, Fault
from delvecore.plan import Plan
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import read_dataset, read_prototask
from tests.archives import prototask_text, write_tree

CLASSES = np.array([1, 0, 2, 2, 1, 0, 0, 2, 1, 1, 0, 2, 0, 1, 0, 2, 2, 1, 0, 0])
COUNT = len(CLASSES)
SPLITTERS = {
    "folds": (
        lambda seed: folds(COUNT, 3, seed=seed),
        lambda seed: model_selection.KFold(3, shuffle=True, random_state=seed),
    ),
    "repeated folds": (
        lambda seed: folds(COUNT, 3, repeats=4, seed=seed),
        lambda seed: model_selection.RepeatedKFold(n_splits=3, n_repeats=4, random_state=seed),
    ),
    "stratified folds": (
        lambda seed: folds(COUNT, 4, repeats=2, seed=seed, classes=CLASSES),
        lambda seed: model_selection.RepeatedStratifiedKFold(n_splits=4, n_repeats=2, random_state=seed),
    ),
    "leave-one-out": (lambda seed: leave_one_out(COUNT), lambda seed: model_selection.LeaveOneOut()),
    "holdout": (
        lambda seed: holdout(COUNT, 0.33, repeats=3, seed=seed),
        lambda seed: model_selection.ShuffleSplit(3, test_size=0.33, random_state=seed),
    ),
    "stratified holdout": (
        lambda seed: holdout(COUNT, 0.33, repeats=3, seed=seed, classes=CLASSES),
        lambda seed: model_selection.StratifiedShuffleSplit(3, test_size=0.33, random_state=seed),
    ),
    "growing windows": (
        lambda seed: windows(COUNT, 3, sliding=False, gap=2),
        lambda seed: model_selection.TimeSeriesSplit(3, gap=2),
    ),
    "sliding windows": (
        lambda seed: windows(COUNT, 3, sliding=True),
        lambda seed: model_selection.TimeSeriesSplit(3, max_train_size=5),
    ),
}


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("name", SPLITTERS)
def test_sets_are_those_of_scikit_learn(name, seed):
    ours, theirs = SPLITTERS[name]
    expected = list(theirs(seed).split(np.zeros((COUNT, 1)), CLASSES))
    splits = ours(seed)
    assert len(splits) == len(expected)
    for (our_training, our_test), (training, test) in zip(splits, expected, strict=True):
        assert our_training.tolist() == sorted(training.tolist())
        assert our_test.tolist() == sorted(test.tolist())


def test_windows_worked_by_hand():
    # Eight cases: two test windows of 8 // 3 cases behind the first four; one case between is left out.
    pairs = [(training.tolist(), test.tolist()) for training, test in windows(8, 2, sliding=False, gap=1)]
    assert pairs == [([0, 1, 2], [4, 5]), ([0, 1, 2, 3, 4], [6, 7])]
    pairs = [(training.tolist(), test.tolist()) for training, test in windows(8, 2, sliding=True, gap=1)]
    assert pairs == [([0, 1, 2], [4, 5]), ([2, 3, 4], [6, 7])]


def test_windows_by_chance_lie_around_points_that_leave_room_for_both_sets():
    splits = random_windows(10, (0.4, 0.2), repeats=50, seed=3, gap=1)
    starts = {training[0] for training, _ in splits}
    assert starts == {0, 1, 2, 3}
    for training, test in splits:
        assert training.tolist() == list(range(training[0], training[0] + 4))
        assert test.tolist() == [training[0] + 5, training[0] + 6]


@pytest.mark.parametrize("sizes", [(4, 2), (0.4, 2), (4, 0.2)])
def test_sizes_of_windows_may_be_numbers_of_cases_as_in_r(sizes):
    # MonteCarlo-class of performanceEstimation: between 0 and 1 a share, otherwise the number of cases.
    by_shares = random_windows(10, (0.4, 0.2), repeats=5, seed=3, gap=1)
    by_numbers = random_windows(10, sizes, repeats=5, seed=3, gap=1)
    assert [[part.tolist() for part in one] for one in by_numbers] == [
        [part.tolist() for part in one] for one in by_shares
    ]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: random_windows(10, (9, 2)),
            "sizes of training and test sets that 10 units can fill, found 9 and 2",
        ),
        (lambda: folds(5, 6), "--cv: expected 2 to 5 folds, found 6"),
        (lambda: folds(20, 9, classes=CLASSES), "--cv: expected 2 to 8 folds, found 9"),
        (
            lambda: holdout(5, 1.0),
            "expected a share that leaves some of 5 for training and some for testing, found 1",
        ),
        (lambda: holdout(4, 0.5, classes=np.array([0, 0, 0, 1])), "expected two units of each class"),
        (
            lambda: windows(3, 3, sliding=False),
            "expected test sets that leave some of the 3 units for training, found 3",
        ),
        (
            lambda: random_windows(10, (0.8, 0.3)),
            "expected sizes of training and test sets that 10 units can fill",
        ),
    ],
)
def test_what_cannot_be_divided_is_told(make, message):
    with pytest.raises(Fault, match=message):
        make()


def test_bootstrap_samples_are_those_of_scikit_learn_and_leave_the_rest_for_the_test():
    splits, state = bootstrap(20, 5, seed=3), np.random.RandomState(3)
    for training, test in splits:
        assert training.tolist() == np.sort(resample(np.arange(20), random_state=state)).tolist()
        assert sorted({*training.tolist(), *test.tolist()}) == list(range(20))
        assert not {*training.tolist()} & {*test.tolist()}
    whole, *rest = bootstrap(20, 5, seed=3, resubstitution=True)
    assert whole[0].tolist() == whole[1].tolist() == list(range(20))
    assert [training.tolist() for training, _ in rest] == [training.tolist() for training, _ in splits]


def test_a_sample_that_leaves_no_case_is_drawn_again():
    # Of two units half of the samples are both; the tests of the others are the one not drawn.
    for training, test in bootstrap(2, 20, seed=1):
        assert (training[0], training[1], test.tolist()) in ((0, 0, [1]), (1, 1, [0]))


SPEC = "Origin: natural\nUsage: assessment\nOrder: uninformative\nAttributes:\n1 X u (-Inf,Inf)\n2 Y u a b\n"
PROTOTASK = prototask_text("1", "2", 2, "2", 2)
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


def test_the_division_of_a_prototask_has_its_test_set_and_all_other_cases(cases_of):
    assert sets(cases_of(EIGHT), Plan("division", runs=3)) == [([2, 3, 4, 5, 6, 7], [0, 1])] * 3


def test_samples_of_five_cases(cases_of):
    # numpy.random.RandomState(1).randint(0, 5, 5) gives 3 4 0 1 3, then 0 0 1 4 4.
    assert sets(cases_of(EIGHT[:5]), Plan("632", 2)) == [
        ([0, 1, 2, 3, 4], [0, 1, 2, 3, 4]),
        ([0, 1, 3, 3, 4], [2]),
        ([0, 0, 1, 4, 4], [2, 3]),
    ]


@pytest.mark.parametrize(
    "plan",
    [
        Plan("cv", 2),
        Plan("cv", 3, stratified=True, repeats=2),
        Plan("loo"),
        Plan("holdout", shares=(0.3,), repeats=4),
        Plan("e0", 6),
        Plan("growing", 3),
        Plan("sliding", 2),
        Plan("montecarlo", shares=(0.4, 0.2), repeats=4),
        Plan("montecarlo", shares=(4, 2), repeats=2),
    ],
)
def test_no_group_has_cases_for_training_and_for_the_test(cases_of, plan):
    cases = cases_of(EIGHT, groups=[1, 1, 2, 2, 3, 3, 4, 4])
    splits = sets(cases, plan)
    for training, test in splits:
        assert training
        assert test
        assert not {case // 2 for case in training} & {case // 2 for case in test}
    if plan.kind == "e0":  # whole groups are drawn
        assert all(training.count(0) == training.count(1) for training, _ in splits)


def test_stratified_folds_of_groups_are_those_of_scikit_learn():
    random = np.random.default_rng(0)
    for _ in range(40):
        count, number = int(random.integers(40, 150)), int(random.integers(2, 6))
        groups = random.integers(0, 12, count)
        classes = np.unique(random.integers(0, 3, count), return_inverse=True)[1]
        theirs = model_selection.StratifiedGroupKFold(number, shuffle=True, random_state=number)
        expected = [test.tolist() for _, test in theirs.split(classes, classes, groups)]
        folds = even_group_folds(classes, groups, number, seed=number)
        assert [test.tolist() for _, test in folds] == expected


def test_plans_that_groups_do_not_allow_are_refused(cases_of):
    cases = cases_of(EIGHT, groups=[1, 1, 2, 2, 3, 3, 4, 4])
    with pytest.raises(
        DelveError, match="holdout that is not stratified, because cases have commonality indexes"
    ):
        planned_instances(cases, Plan("holdout", shares=(0.3,), stratified=True))
    with pytest.raises(DelveError, match="2 to 4 folds, as there are 4 groups"):
        planned_instances(cases, Plan("cv", 5, stratified=True))
    one = cases_of(EIGHT, groups=[1, 1, 1, 1, 1, 1, 1, 1])
    with pytest.raises(DelveError, match="training cases of groups outside the test set"):
        planned_instances(one, Plan("growing", 2))


def test_groups_stay_together_in_folds(cases_of):
    cases = cases_of(EIGHT, groups=[1, 1, 2, 2, 3, 3, 4, 4])
    for training, test in sets(cases, Plan("cv", 2)):
        assert not {case // 2 for case in training} & {case // 2 for case in test}
