"""The standard instances of a task. Source: DELVE manual, sections 4.2 and 6.2.

The division of test cases among instances is that of DELVE 1.1.
"""

from dataclasses import dataclass

import numpy as np

from delvecore.encoding.divisions import divide, numbers_of_values, take_first
from delvecore.encoding.instances import Instance, with_unused
from delvecore.encoding.prototask_cases import Strata
from delvecore.errors import Fault
from delvecore.model import Prototask

__all__ = ["instance_count", "standard_instances"]


@dataclass(frozen=True)
class _Pools:
    """The positions set aside for testing, those for training, and those kept out of both."""

    test: np.ndarray
    training: np.ndarray
    gap: np.ndarray


def instance_count(prototask: Prototask, case_count: int, training_size: int) -> int:
    """How many instances has a task of a prototask without groups and strata? As many whole training sets as
    the cases behind the test set (and the gap of a sequential prototask) give, but no more than the prototask
    allows.

    Raises DelveError where the cases do not suffice for one instance.
    """
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

    The first cases are for testing, then training sets follow each other. With a hierarchical test set the
    test cases are divided evenly, consecutively; what is left over tests nothing. groups: the group of each
    case by number; a case in the group of a test case is not trained on, and as far as the cases to spare
    suffice, no group is in two training sets, nor in two test sets. strata: training sets have equally many
    cases of each value, and so have test sets where there are enough. Raises DelveError where there are too
    few cases.
    """
    pools = _pools(prototask, case_count, groups, strata)
    codes, values = (None, 1) if strata is None else (strata.codes, len(strata.values))
    size = np.full(values, training_size // values)
    if strata is None and groups is None:
        count = instance_count(prototask, case_count, training_size)
    else:
        count = _count(prototask, pools.training, size, strata)
    tests = [pools.test] * count
    if prototask.test_set_selection == "hierarchical":
        share = numbers_of_values(pools.test, codes, values) // count
        _check_share(prototask, count, share)
        tests = list(divide(pools.test, count, share, codes=codes, groups=groups))
    trainings = divide(pools.training, count, size, codes=codes, groups=groups)
    pairs = enumerate(zip(trainings, tests, strict=True))
    instances = [Instance(number, *pair, _weights(pair[1], strata)) for number, pair in pairs]
    return with_unused(instances, pools.gap, case_count, groups)


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


def _pools(prototask: Prototask, case_count: int, groups: np.ndarray | None, strata: Strata | None) -> _Pools:
    """Set test cases aside, and keep out of the training sets what depends on them."""
    everything = np.arange(case_count)
    if strata is None:
        test = everything[: prototask.test_set_size]
    else:
        test = take_first(everything, strata.codes, _test_quota(prototask, strata))
    is_test = np.isin(everything, test)
    gap = np.zeros(case_count, dtype=bool)
    if prototask.maximum_dependency_range:
        gap[prototask.test_set_size :][: prototask.maximum_dependency_range] = True
    if groups is not None:
        gap |= np.isin(groups, groups[test]) & ~is_test
    return _Pools(test, everything[~is_test & ~gap], everything[gap])


def _test_quota(prototask: Prototask, strata: Strata) -> np.ndarray:
    """How many cases of each value test? As many of each, if there are enough for them and for one training
    set of the largest size that the rarest value allows; fewer of a value where there are not."""
    numbers = numbers_of_values(np.arange(len(strata.codes)), strata.codes, len(strata.values))
    rarest, share = int(numbers.argmin()), prototask.test_set_size // len(strata.values)
    sizes = [size // len(strata.values) for size in prototask.training_set_sizes]
    possible = [size for size in sizes if size < numbers[rarest]]
    expected, found = f"a Test-Set-Size of at least {len(strata.values)}", str(prototask.test_set_size)
    if share:
        expected = f"more than {min(sizes)} cases of each value"
        found = f"{numbers[rarest]} with {strata.target} {strata.values[rarest]}"
    if not share or not possible:
        raise Fault(
            prototask.path,
            f"{expected} for stratified training and test sets",
            found,
            "change the sizes, or do not stratify",
            key=None if share else "test-set-size",
        )
    return np.minimum(share, numbers - max(possible))


def _count(prototask: Prototask, pool: np.ndarray, size: np.ndarray, strata: Strata | None) -> int:
    """How many instances? As many training sets as the pool holds, at most the prototask's maximum."""
    codes = None if strata is None else strata.codes
    numbers = numbers_of_values(pool, codes, len(size))
    count = min(prototask.maximum_instances, int((numbers // size).min()))
    if count < 1:
        scarce = int((numbers // size).argmin())
        which = "" if strata is None else f" with {strata.target} {strata.values[scarce]}"
        raise Fault(
            prototask.path,
            f"at least {size[scarce]} cases{which} for one training set, none of them testing or depending "
            "on those that do",
            numbers[scarce],
            "add cases or make the sizes smaller",
        )
    return count


def _weights(test: np.ndarray, strata: Strata | None) -> np.ndarray | None:
    """Return weights of mean 1 under which all values are equally likely, None where they are already."""
    if strata is None:
        return None
    codes = strata.codes[test]
    numbers = np.bincount(codes, minlength=len(strata.values))
    if (numbers == numbers[0]).all():
        return None
    return (len(test) / len(numbers) / numbers)[codes]
