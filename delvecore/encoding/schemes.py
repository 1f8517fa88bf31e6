"""Instances by a plan: cross-validation, leave-one-out, holdout, windows of ordered cases.

A scheme divides units (cases or groups of cases) with a seed; `planned_instances` carries out a plan.
The sets are those of scikit-learn's splitters `KFold`, `StratifiedKFold`, `ShuffleSplit`,
`StratifiedShuffleSplit` and `TimeSeriesSplit`, shuffled with `random_state`."""

from collections.abc import Iterator
from dataclasses import replace
from math import ceil

import numpy as np
from numpy.typing import NDArray

from delvecore.encoding.instances import Instance, undivided
from delvecore.encoding.prototask_cases import PrototaskCases
from delvecore.errors import Fault
from delvecore.plan import BOOTSTRAPS, ORDERED, Plan, size_text

Whole = NDArray[np.int64]


Split = tuple[Whole, Whole]
"""Ascending positions, from 0, of training and test units of an instance. Training units may repeat."""


def folds(
    count: int, number: int, *, repeats: int = 1, seed: int = 0, classes: Whole | None = None
) -> list[Split]:
    """Return the instances of cross-validation, repeat by repeat.

    classes: class of each unit, from 0; each class is spread evenly over the folds. Raises Fault if there are
    more folds than units, or than units of the largest class."""
    most = count if classes is None else int(np.bincount(classes).max())
    if not 2 <= number <= most:
        raise Fault("--cv", f"2 to {most} folds", str(number))
    drawn = np.random.RandomState(seed)
    splits = []
    for _ in range(repeats):
        fold = (
            _shuffled_folds(count, number, drawn) if classes is None else _even_folds(classes, number, drawn)
        )
        splits += [_of_mask(fold == one) for one in range(number)]
    return splits


def _of_mask(tested: NDArray[np.bool_]) -> Split:
    return np.flatnonzero(~tested), np.flatnonzero(tested)


def _shuffled_folds(count: int, number: int, drawn: np.random.RandomState) -> Whole:
    """Return the fold of each unit. The first folds have one more unit if the division leaves a remainder."""
    order = np.arange(count)
    drawn.shuffle(order)
    fold = np.empty(count, dtype=np.int64)
    fold[order] = np.repeat(np.arange(number), [len(part) for part in np.array_split(order, number)])
    return fold


def _even_folds(classes: Whole, number: int, drawn: np.random.RandomState) -> Whole:
    """Return the fold of each unit, with each class spread over the folds.

    Classes are processed in the order of their first units."""
    _, first, places = np.unique(classes, return_index=True, return_inverse=True)
    codes = np.argsort(np.argsort(first))[places]
    shares = [np.bincount(np.sort(codes)[start::number], minlength=len(first)) for start in range(number)]
    fold = np.empty(len(classes), dtype=np.int64)
    for code, sizes in enumerate(np.transpose(shares)):
        mine = np.repeat(np.arange(number), sizes)
        drawn.shuffle(mine)
        fold[codes == code] = mine
    return fold


def bootstrap(count: int, samples: int, *, seed: int = 0, resubstitution: bool = False) -> list[Split]:
    """Return instances of the bootstrap e0. Source: Efron and Tibshirani 1997.

    Training sets are drawn with replacement and have as many units as there are. The other units are for
    testing. A sample with all units is redrawn. resubstitution: begin with an instance that trains and tests
    on all units, which .632 needs."""
    if count < 2:
        raise Fault("--bootstrap", "two units or more", str(count))
    drawn, splits = np.random.RandomState(seed), list[Split]()
    while len(splits) < samples:
        training = np.sort(drawn.randint(0, count, size=count))
        test = np.setdiff1d(np.arange(count), training)
        if len(test):
            splits.append((training, test))
    whole = np.arange(count)
    return [*([(whole, whole)] if resubstitution else []), *splits]


def leave_one_out(count: int) -> list[Split]:
    """Return an instance per unit, which tests on that unit and trains on all others."""
    return [_of_mask(np.arange(count) == one) for one in range(count)]


def holdout(
    count: int, share: float, *, repeats: int = 1, seed: int = 0, classes: Whole | None = None
) -> list[Split]:
    """Return instances with independently drawn test sets, a share of all units. Raises Fault for a share
    that leaves no units for one of the sets."""
    tested = ceil(share * count)
    if not 0 < tested < count:
        raise Fault(
            "--holdout",
            f"a share that leaves some of {count} for training and some for testing",
            f"{share:g}",
        )
    drawn = np.random.RandomState(seed)
    if classes is not None:
        return list(_even_holdouts(classes, tested, repeats, drawn))
    orders = (drawn.permutation(count) for _ in range(repeats))
    return [(np.sort(order[tested:]), np.sort(order[:tested])) for order in orders]


def _even_holdouts(
    classes: Whole, tested: int, repeats: int, drawn: np.random.RandomState
) -> Iterator[Split]:
    """Yield instances with the same shares of classes in both sets as in all units."""
    sizes = np.bincount(classes)
    fewest = min(tested, len(classes) - tested)
    if sizes.min() < 2 or fewest < len(sizes):
        sizes_text = f"{sizes.min()} of a class, and {fewest} in the smaller set for {len(sizes)} classes"
        raise Fault("--stratified", "two units of each class, and one in each set", sizes_text)
    members = np.split(np.argsort(classes, kind="stable"), np.cumsum(sizes)[:-1])
    for _ in range(repeats):
        trained = _shared_out(sizes, len(classes) - tested, drawn)
        held = _shared_out(sizes - trained, tested, drawn)
        orders = [own[drawn.permutation(len(own))] for own in members]
        parts = list(zip(orders, trained, held, strict=True))
        training = np.concatenate([own[:many] for own, many, _ in parts])
        test = np.concatenate([own[many : many + more] for own, many, more in parts])
        yield np.sort(drawn.permutation(training)), np.sort(drawn.permutation(test))


def _shared_out(sizes: Whole, wanted: int, drawn: np.random.RandomState) -> Whole:
    """Return the number of units of each class in a sample of the wanted size.

    Proportional numbers are rounded down. Classes with the largest remainders get one more; ties are broken
    at random."""
    exact = sizes / sizes.sum() * wanted
    shares = np.floor(exact)
    lost = exact - shares
    for value in np.unique(lost)[::-1]:
        missing = int(wanted - shares.sum())
        if missing <= 0:
            break
        alike = np.flatnonzero(lost == value)
        shares[drawn.choice(alike, size=min(len(alike), missing), replace=False)] += 1
    shared: Whole = shares.astype(np.int64)
    return shared


def windows(count: int, number: int, *, sliding: bool, gap: int = 0) -> list[Split]:
    """Return instances of ordered units. The last units form consecutive test sets; the units before each one
    are its training set.

    sliding: training sets of equal size instead of all earlier units. gap: unused units between both sets."""
    tested = count // (number + 1)
    first = count - number * tested - gap
    if number < 1 or not tested or first < 1:
        raise Fault("windows", f"test sets that leave some of the {count} units for training", str(number))
    starts = range(count - number * tested, count, tested)
    return [
        (np.arange(start - gap - first if sliding else 0, start - gap), np.arange(start, start + tested))
        for start in starts
    ]


def random_windows(
    count: int, shares: tuple[float, float], *, repeats: int = 1, seed: int = 0, gap: int = 0
) -> list[Split]:
    """Return instances of ordered units around random points.

    shares: sizes of the training set before a point and of the test set after it. Values below 1 are shares
    of all units, others are numbers of units."""
    trained, tested = (int(share * count if share < 1 else share) for share in shares)
    last = count - tested - gap
    if trained < 1 or tested < 1 or trained > last:
        actual = " and ".join(map(size_text, shares))
        expected = f"sizes of training and test sets that {count} units can fill"
        raise Fault("--montecarlo", expected + f", with a gap of {gap}" * bool(gap), actual)
    points = np.random.RandomState(seed).randint(trained, last + 1, size=repeats)
    return [
        (np.arange(point - trained, point), np.arange(point + gap, point + gap + tested))
        for point in points.tolist()
    ]


def planned_instances(cases: PrototaskCases, plan: Plan) -> list[Instance]:
    """Return the instances of a plan. Cases with the same commonality index stay together.

    Raises Fault for windows over a random order, plans other than windows of a sequential prototask,
    stratification without classes, and too few cases."""
    first = _planned_once(cases, plan)
    return [replace(first[0], number=number) for number in range(plan.runs)] if plan.runs > 1 else first


def _planned_once(cases: PrototaskCases, plan: Plan) -> list[Instance]:
    prototask, groups = cases.prototask, cases.groups
    if plan.kind == "division":
        strata = cases.strata
        return [undivided(prototask, cases.count, groups=groups, strata=strata)]
    if prototask.is_sequential and plan.kind not in ORDERED:
        remedy = "use --growing, --sliding or --montecarlo"
        raise Fault(prototask.path, "windows of a sequential prototask", plan.words, remedy)
    check_window_order(cases, plan)
    gap = prototask.maximum_dependency_range or 0
    classes = _classes(cases) if plan.stratified else None
    if groups is None:
        splits = _splits(plan, cases.count, classes, gap)
    else:
        splits = _group_splits(plan, cases, groups, classes, gap)
    return [Instance(number, *split) for number, split in enumerate(splits)]


def _group_splits(
    plan: Plan, cases: PrototaskCases, groups: Whole, classes: Whole | None, gap: int
) -> list[Split]:
    """Return instances without a group in both sets. Windows omit training cases in groups of test cases.

    Raises Fault."""
    if plan.kind in ORDERED:
        splits = _splits(plan, cases.count, None, gap)
        apart = [(training[~np.isin(groups[training], groups[test])], test) for training, test in splits]
        if any(not len(training) for training, _ in apart):
            expected = "training cases of groups outside the test set"
            raise Fault(cases.prototask.path, expected, plan.words, "use fewer windows, or no groups")
        return apart
    if classes is not None and plan.kind == "cv":
        return even_group_folds(classes, groups, plan.number, repeats=plan.repeats, seed=plan.seed)
    if classes is not None:
        expected = "holdout that is not stratified, because cases have commonality indexes"
        raise Fault(cases.prototask.path, expected, plan.words, "use stratified cross-validation")
    members = np.split(np.argsort(groups, kind="stable"), np.cumsum(np.bincount(groups))[:-1])
    splits = _splits(plan, len(members), None, gap)
    return [(_cases_of(members, training), _cases_of(members, test)) for training, test in splits]


def _cases_of(members: list[Whole], groups: Whole) -> Whole:
    """Return the cases of these groups, ascending."""
    return np.sort(np.concatenate([members[one] for one in groups]))


def even_group_folds(
    classes: Whole, groups: Whole, number: int, *, repeats: int = 1, seed: int = 0
) -> list[Split]:
    """Return the instances of cross-validation with whole groups and similar shares of classes in each fold.

    They are those of scikit-learn's `StratifiedGroupKFold`, shuffled. Raises Fault for more folds than
    groups."""
    known, places = np.unique(groups, return_inverse=True)
    if not 2 <= number <= len(known):
        raise Fault("--cv", f"2 to {len(known)} folds, as there are {len(known)} groups", str(number))
    drawn = np.random.RandomState(seed)
    splits = []
    for _ in range(repeats):
        fold = _dealt(classes, places, number, drawn)[places]
        splits += [_of_mask(fold == one) for one in range(number)]
    return splits


def _dealt(classes: Whole, groups: Whole, number: int, drawn: np.random.RandomState) -> Whole:
    """Return the fold of each group.

    Groups with uneven classes come first. Each goes to the fold that makes the shares of classes most
    even."""
    counts = np.zeros((int(groups.max()) + 1, int(classes.max()) + 1))
    np.add.at(counts, (groups, classes), 1)
    totals = counts.sum(axis=0)
    order = np.arange(len(counts))
    drawn.shuffle(order)
    folds, fold = np.zeros((number, len(totals))), np.empty(len(counts), dtype=np.int64)
    for group in order[np.argsort(-np.std(counts[order], axis=1), kind="mergesort")].tolist():
        best, least = np.inf, np.inf
        for place in range(number):
            folds[place] += counts[group]
            spread = np.mean(np.std(folds / totals, axis=0))
            folds[place] -= counts[group]
            held = folds[place].sum()
            if spread < best or (np.isclose(spread, best) and held < least):
                best, least, fold[group] = spread, held, place
        folds[fold[group]] += counts[group]
    return fold


def check_window_order(cases: PrototaskCases, plan: Plan) -> None:
    """Raise Fault for windows over an order other than the dataset's, which would train on the future."""
    if plan.kind not in ORDERED or cases.are_in_order:
        return
    raise Fault(
        cases.prototask.path,
        "cases in order of time for windows",
        f"a random order, that of the file {cases.prototask.order}, in which windows train on the future",
        "where Dataset.data is in order of time, write 'Order: retain' into Prototask.spec",
    )


def _splits(plan: Plan, units: int, classes: Whole | None, gap: int) -> list[Split]:
    if plan.kind in BOOTSTRAPS:
        return bootstrap(units, plan.number, seed=plan.seed, resubstitution=plan.kind == "632")
    drawn = {"repeats": plan.repeats, "seed": plan.seed}
    if plan.kind == "cv":
        return folds(units, plan.number, classes=classes, **drawn)
    if plan.kind == "holdout":
        return holdout(units, plan.shares[0], classes=classes, **drawn)
    if plan.kind == "montecarlo":
        return random_windows(units, (plan.shares[0], plan.shares[1]), gap=gap, **drawn)
    if plan.kind == "loo":
        return leave_one_out(units)
    return windows(units, plan.number, sliding=plan.kind == "sliding", gap=gap)


def _classes(cases: PrototaskCases) -> Whole:
    """Return the class of each case by the first target. Raises Fault for a target without classes."""
    attribute = cases.dataset.attribute(cases.prototask.targets[0])
    if attribute.range.categories is None:
        target_text = f"{attribute.name}, which is a number"
        raise Fault(cases.prototask.path, "a target with classes to stratify by", target_text)
    return np.unique(cases.columns[attribute.number].words, return_inverse=True)[1].astype(np.int64)
