"""The instances of a task: their training cases, test cases and unused cases.

Source: DELVE manual, sections 3.2 and 6.2 (commonality indexes, gaps), 4.2 (stratified training sets, equally
likely values). The division of test cases among instances is that of DELVE 1.1."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from delvecore.encoding.prototask_cases import Strata
from delvecore.errors import Fault
from delvecore.model import Prototask

MOST_INSTANCES = 100_000


def _values(strata: Strata) -> tuple[str, ...]:
    return strata[0].range.categories or ()


@dataclass(frozen=True)
class Instance:
    """One task instance: its number (from 0) and the positions of its cases.

    Positions, int64, count from 0 in the prototask's order.

    Attributes
    ----------
    training, test : array
        Positions of training and test cases. Training cases may repeat.
    weights : array or None
        Weights of the test cases, float64 of mean 1, which make all values of a stratified target equally
        likely. None for equal weights.
    unused : array
        Positions that no instance of the task uses.
    gap : array
        Unused positions that separate dependent cases. `unused` and `gap` are the same for all instances of
        a task.
    validation : array
        Positions of the training cases for validation, often none.
    """

    number: int
    training: np.ndarray
    test: np.ndarray
    weights: np.ndarray | None = None
    unused: np.ndarray = field(default_factory=partial(np.empty, 0, dtype=np.int64))
    gap: np.ndarray = field(default_factory=partial(np.empty, 0, dtype=np.int64))
    validation: np.ndarray = field(default_factory=partial(np.empty, 0, dtype=np.int64))


def with_unused(
    instances: list[Instance], gap: np.ndarray, case_count: int, groups: np.ndarray | None = None
) -> list[Instance]:
    """Return the instances of a task with the positions of their unused cases and of gaps.

    gap: positions of a gap. Unused cases in the group of a used case are gaps, too."""
    used = np.zeros(case_count, dtype=bool)
    for instance in instances:
        used[instance.training] = used[instance.test] = True
    is_gap = np.zeros(case_count, dtype=bool)
    is_gap[gap] = True
    if groups is not None:
        is_gap |= ~used & np.isin(groups, groups[used])
    unused = np.flatnonzero(~used)
    return [replace(one, unused=unused, gap=np.flatnonzero(is_gap)) for one in instances]


def test_union(instances: Sequence[Instance]) -> np.ndarray:
    """Return the positions of the test cases of all instances, each once, ascending."""
    is_tested = np.zeros(1 + max(int(one.test.max(initial=-1)) for one in instances), dtype=bool)
    for instance in instances:
        is_tested[instance.test] = True
    return np.flatnonzero(is_tested)


def shared_test(instances: Sequence[Instance]) -> bool:
    """Do all instances have the same test cases, in the same order?"""
    return all(np.array_equal(one.test, instances[0].test) for one in instances)


def test_weights(instances: Sequence[Instance]) -> np.ndarray | None:
    """Return the weight of each case of `test_union`, or None for equal weights."""
    if all(instance.weights is None for instance in instances):
        return None
    union = test_union(instances)
    weights = np.ones(len(union))
    for instance in instances:
        weights[np.searchsorted(union, instance.test)] = instance.weights
    return weights


for _function in (test_union, test_weights):
    vars(_function)["__test__"] = False  # their names mean something else to pytest


def numbers_of_values(positions: np.ndarray, codes: np.ndarray | None, values: int) -> np.ndarray:
    """Return the number of cases with each value. codes: of all cases, -1 without value; None: one value."""
    if codes is None:
        return np.array([len(positions)])
    pool_codes = codes[positions]
    return np.bincount(pool_codes[pool_codes >= 0], minlength=values)


def divide(
    positions: np.ndarray,
    count: int,
    share: np.ndarray,
    *,
    codes: np.ndarray | None = None,
    groups: np.ndarray | None = None,
) -> Iterator[np.ndarray]:
    """Yield `count` consecutive sets with share[value] cases of each value.

    There must be enough positions. groups: group of every case. Spare cases are skipped, beginning with the
    first set, if this prevents a group from entering two sets."""
    spare = numbers_of_values(positions, codes, len(share)) - count * share
    for _ in range(count):
        if codes is None:
            chosen, positions = positions[: share[0]], positions[share[0] :]
        else:
            taken = _first(positions, codes, share)
            chosen, positions = positions[taken], positions[~taken]
        yield chosen
        if groups is not None:
            positions = _pass_over(positions, chosen, codes, groups, spare)


def _first(positions: np.ndarray, codes: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Return a mask of the first share[value] cases of each value."""
    taken = np.zeros(len(positions), dtype=bool)
    pool_codes = codes[positions]
    for value, number in enumerate(share.tolist()):
        taken[np.flatnonzero(pool_codes == value)[:number]] = True
    return taken


def _pass_over(
    positions: np.ndarray, chosen: np.ndarray, codes: np.ndarray | None, groups: np.ndarray, spare: np.ndarray
) -> np.ndarray:
    """Return positions without the groups of the chosen cases, as far as there are spare cases.

    spare: number of spare cases of each value, which this function reduces."""
    pool_groups = groups[positions]
    for group in dict.fromkeys(pool_groups[np.isin(pool_groups, groups[chosen])].tolist()):
        members = groups[positions] == group
        cost = numbers_of_values(positions[members], codes, len(spare))
        if (cost <= spare).all():
            spare -= cost
            positions = positions[~members]
    return positions


def instance_count(prototask: Prototask, case_count: int, training_size: int) -> int:
    """Return the number of instances of a task of a prototask without groups and strata.

    It is the number of whole training sets after the test set (and the gap of a sequential prototask), at
    most the prototask's maximum. Raises DelveError if there are too few cases for one instance."""
    gap = prototask.maximum_dependency_range or 0
    count = min(prototask.maximum_instances, (case_count - prototask.test_set_size - gap) // training_size)
    if count < 1:
        between = f", {gap} unused between" if gap else ""
        raise Fault(
            prototask.path,
            f"at least {prototask.test_set_size + gap + training_size} cases ({prototask.test_set_size} for "
            f"testing{between} and {training_size} for one training set)",
            case_count,
            "add cases or make the sizes smaller",
        )
    if count > MOST_INSTANCES:
        raise Fault(
            prototask.path, f"at most {MOST_INSTANCES} instances", count, "lower their maximum number"
        )
    return count


def standard_instances(
    prototask: Prototask,
    case_count: int,
    training_size: int,
    *,
    groups: np.ndarray | None = None,
    strata: Strata | None = None,
) -> list[Instance]:
    """Return the standard instances of the task with this training set size.

    The first cases are for testing, and consecutive training sets follow. A hierarchical test set is divided
    into equal consecutive parts; the remainder is not used. groups: number of the group of each case. A case
    in the group of a test case is never a training case. If there are enough spare cases, no group is in two
    training sets or in two test sets. strata: training sets have the same number of cases of each value, and
    test sets, too, if there are enough. Raises DelveError for too few cases."""
    test, training, gap = _pools(prototask, case_count, groups, strata)
    codes, values = (None, 1) if strata is None else (strata[1], len(_values(strata)))
    size = np.full(values, training_size // values)
    if strata is None and groups is None:
        count = instance_count(prototask, case_count, training_size)
    else:
        count = _count(prototask, training, size, strata)
    tests = [test] * count
    if prototask.test_set_selection == "hierarchical":
        share = numbers_of_values(test, codes, values) // count
        _check_share(prototask, count, share)
        tests = list(divide(test, count, share, codes=codes, groups=groups))
    trainings = divide(training, count, size, codes=codes, groups=groups)
    pairs = enumerate(zip(trainings, tests, strict=True))
    instances = [Instance(number, *pair, _weights(pair[1], strata)) for number, pair in pairs]
    return with_unused(instances, gap, case_count, groups)


def undivided(
    prototask: Prototask, case_count: int, *, groups: np.ndarray | None = None, strata: Strata | None = None
) -> Instance:
    """Return one instance with the whole test set of a prototask, and all other cases for training.

    groups, strata: as for `standard_instances`. Raises Fault if no case is left for training."""
    test, training, _ = _pools(prototask, case_count, groups, strata)
    if not len(training):
        raise Fault(prototask.path, "cases besides the test set", "none", "make Test-Set-Size smaller")
    return Instance(0, training, test)


def _check_share(prototask: Prototask, count: int, share: np.ndarray) -> None:
    if not share.all():
        kind = "a test case of each value" if len(share) > 1 else "a test case"
        raise Fault(
            prototask.path,
            f"{kind} for each of {count} instances",
            f"{prototask.test_set_size} test cases",
            "make Test-Set-Size larger",
            key="test-set-size",
        )


def _pools(
    prototask: Prototask, case_count: int, groups: np.ndarray | None, strata: Strata | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the positions for testing, for training, and of cases that depend on test cases."""
    everything = np.arange(case_count)
    if strata is None:
        test = everything[: prototask.test_set_size]
    else:
        test = everything[_first(everything, strata[1], _test_quota(prototask, strata))]
    is_test = np.zeros(case_count, dtype=bool)
    is_test[test] = True
    gap = np.zeros(case_count, dtype=bool)
    if prototask.maximum_dependency_range:
        gap[prototask.test_set_size :][: prototask.maximum_dependency_range] = True
    if groups is not None:
        gap |= np.isin(groups, groups[test]) & ~is_test
    return test, everything[~is_test & ~gap], everything[gap]


def _test_quota(prototask: Prototask, strata: Strata) -> np.ndarray:
    """Return the number of test cases of each value.

    It is equal if there are enough cases for them and for one training set of the largest size that the
    rarest value allows. Otherwise values with too few cases have fewer test cases."""
    (target, codes), values = strata, _values(strata)
    if not values:
        expected = "cases for stratified training and test sets"
        raise Fault(prototask.path, expected, "none", "add cases, or do not stratify")
    numbers = numbers_of_values(np.arange(len(codes)), codes, len(values))
    rarest, share = int(numbers.argmin()), prototask.test_set_size // len(values)
    sizes = [size // len(values) for size in prototask.training_set_sizes]
    possible = [size for size in sizes if size < numbers[rarest]]
    expected, actual = f"a Test-Set-Size of at least {len(values)}", str(prototask.test_set_size)
    if share:
        expected = f"more than {min(sizes)} cases of each value"
        actual = f"{numbers[rarest]} with {target.name} {values[rarest]}"
    if not share or not possible:
        raise Fault(
            prototask.path,
            f"{expected} for stratified training and test sets",
            actual,
            "change the sizes, or do not stratify",
            key=None if share else "test-set-size",
        )
    shares: np.ndarray = np.minimum(share, numbers - max(possible))
    return shares


def _count(prototask: Prototask, pool: np.ndarray, size: np.ndarray, strata: Strata | None) -> int:
    """Return the number of training sets that fit into the pool, at most the prototask's maximum."""
    numbers = numbers_of_values(pool, None if strata is None else strata[1], len(size))
    count = min(prototask.maximum_instances, int((numbers // size).min()))
    if count < 1:
        scarce = int((numbers // size).argmin())
        which = "" if strata is None else f" with {strata[0].name} {_values(strata)[scarce]}"
        raise Fault(
            prototask.path,
            f"at least {size[scarce]} cases{which} for one training set, not counting test cases and cases "
            "that depend on them",
            numbers[scarce],
            "add cases or make the sizes smaller",
        )
    return count


def _weights(test: np.ndarray, strata: Strata | None) -> np.ndarray | None:
    """Return weights of mean 1 that make all values equally likely, None if they already are."""
    if strata is None:
        return None
    codes = strata[1][test]
    numbers = np.bincount(codes, minlength=len(_values(strata)))
    if (numbers == numbers[0]).all():
        return None
    weights: np.ndarray = (len(test) / len(numbers) / numbers)[codes]
    return weights
