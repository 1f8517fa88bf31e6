"""Instances of one's own: cross-validation, leave-one-out, holdout, windows of ordered cases.

A scheme divides so many units, cases or groups of cases, by a seed; `planned_instances` carries out a plan.
If scikit-learn's splitters define the same (`KFold`, `StratifiedKFold`, `ShuffleSplit`,
`StratifiedShuffleSplit` and `TimeSeriesSplit`, shuffled with `random_state`), the sets are the same as
theirs."""

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
"""The positions of units, from 0 and ascending, that an instance trains and tests on; a unit that trains
several times comes as often."""


def folds(
    count: int, number: int, *, repeats: int = 1, seed: int = 0, classes: Whole | None = None
) -> list[Split]:
    """Return the instances of cross-validation, repeat by repeat. classes: of each unit, from 0; each
    fold has its share of all. Raises Fault for more folds than units, or than units of every class."""
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
    """Return the fold of each unit: the first folds have one more where units are left over."""
    order = np.arange(count)
    drawn.shuffle(order)
    fold = np.empty(count, dtype=np.int64)
    fold[order] = np.repeat(np.arange(number), [len(part) for part in np.array_split(order, number)])
    return fold


def _even_folds(classes: Whole, number: int, drawn: np.random.RandomState) -> Whole:
    """Return the fold of each unit, each class spread over the folds; classes come as they first occur."""
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
    """Return instances that as many units as there are, drawn with replacement, train, and those not drawn
    test (out of bag, e0). resubstitution: an instance before them that all units train and test, as .632
    needs it. A sample that leaves out no unit is drawn again. Source: Efron and Tibshirani 1997."""
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
    """Return an instance a unit, which is tested by all others."""
    return [_of_mask(np.arange(count) == one) for one in range(count)]


def holdout(
    count: int, share: float, *, repeats: int = 1, seed: int = 0, classes: Whole | None = None
) -> list[Split]:
    """Return instances whose test sets are a share of all units, drawn anew each. Raises Fault for a share
    that leaves no units for one of the sets."""
    tested = ceil(share * count)
    if not 0 < tested < count:
        raise Fault(
            "--holdout", f"a share that leaves some of {count} for training and for test", f"{share:g}"
        )
    drawn = np.random.RandomState(seed)
    if classes is not None:
        return list(_even_holdouts(classes, tested, repeats, drawn))
    orders = (drawn.permutation(count) for _ in range(repeats))
    return [(np.sort(order[tested:]), np.sort(order[:tested])) for order in orders]


def _even_holdouts(
    classes: Whole, tested: int, repeats: int, drawn: np.random.RandomState
) -> Iterator[Split]:
    """Yield instances in whose sets each class has its share."""
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
    """Return how many units of each class make up so many: rounded down, and one more of those that lost most
    by that, by lot where several lost alike."""
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
    """Return instances of ordered units: the last ones are consecutive test sets, and the units before each
    are its training set. sliding: as many as before the first one, otherwise all. gap: units between
    that are left out."""
    tested = count // (number + 1)
    first = count - number * tested - gap
    if number < 1 or not tested or first < 1:
        raise Fault("windows", f"test sets that leave units for training, of {count}", str(number))
    starts = range(count - number * tested, count, tested)
    return [
        (np.arange(start - gap - first if sliding else 0, start - gap), np.arange(start, start + tested))
        for start in starts
    ]


def random_windows(
    count: int, shares: tuple[float, float], *, repeats: int = 1, seed: int = 0, gap: int = 0
) -> list[Split]:
    """Return instances of ordered units around points drawn by chance: a share of all before each trains, a
    share behind it tests. A share from 1 on is a number of units."""
    trained, tested = (int(share * count if share < 1 else share) for share in shares)
    last = count - tested - gap
    if trained < 1 or tested < 1 or trained > last:
        actual = " and ".join(map(size_text, shares))
        expected = f"sizes for training and test that {count} units have"
        raise Fault("--montecarlo", expected + f", with a gap of {gap}" * bool(gap), actual)
    points = np.random.RandomState(seed).randint(trained, last + 1, size=repeats)
    return [
        (np.arange(point - trained, point), np.arange(point + gap, point + gap + tested))
        for point in points.tolist()
    ]


def planned_instances(cases: PrototaskCases, plan: Plan) -> list[Instance]:
    """Return the instances of a plan. Cases with one commonality index stay together. Raises Fault for a plan
    that the cases do not allow: windows over a random order, other plans of a sequential prototask, without
    classes to stratify by, too few cases."""
    first = _planned_once(cases, plan)
    return [replace(first[0], number=number) for number in range(plan.runs)] if plan.runs > 1 else first


def _planned_once(cases: PrototaskCases, plan: Plan) -> list[Instance]:
    prototask, groups = cases.prototask, cases.groups
    if plan.kind == "division":
        strata = cases.strata
        return [undivided(prototask, cases.count, groups=groups, strata=strata)]
    if prototask.is_sequential and plan.kind not in ORDERED:
        remedy = "take --growing, --sliding or --montecarlo"
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
    """Return instances in which no group has cases for training and for the test. Windows train on no case of
    a group that they test. Raises Fault."""
    if plan.kind in ORDERED:
        splits = _splits(plan, cases.count, None, gap)
        apart = [(training[~np.isin(groups[training], groups[test])], test) for training, test in splits]
        if any(not len(training) for training, _ in apart):
            expected = "training cases of groups that do not test"
            raise Fault(cases.prototask.path, expected, plan.words, "take fewer windows, or no groups")
        return apart
    if classes is not None and plan.kind == "cv":
        return even_group_folds(classes, groups, plan.number, repeats=plan.repeats, seed=plan.seed)
    if classes is not None:
        expected = "holdout that is not stratified, where cases have commonality indexes"
        raise Fault(cases.prototask.path, expected, plan.words, "take stratified cross-validation")
    members = np.split(np.argsort(groups, kind="stable"), np.cumsum(np.bincount(groups))[:-1])
    splits = _splits(plan, len(members), None, gap)
    return [(_cases_of(members, training), _cases_of(members, test)) for training, test in splits]


def _cases_of(members: list[Whole], groups: Whole) -> Whole:
    """Return the cases of some groups, ascending."""
    return np.sort(np.concatenate([members[one] for one in groups]))


def even_group_folds(
    classes: Whole, groups: Whole, number: int, *, repeats: int = 1, seed: int = 0
) -> list[Split]:
    """Return the instances of cross-validation with whole groups in each fold, and about as many cases of
    each class, as those of `StratifiedGroupKFold`, shuffled. Raises Fault for more folds than groups."""
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
    """Return the fold of each group. Groups with uneven classes are dealt first, each to the fold that then
    has the most even shares of the classes."""
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
    """Raise Fault for windows of cases that are not in the order of their dataset: they would train on cases
    that come after those they test on."""
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
    """Return the class of each case by the first target. Raises Fault if that has none."""
    attribute = cases.dataset.attribute(cases.prototask.targets[0])
    if attribute.range.categories is None:
        target_text = f"{attribute.name}, which is a number"
        raise Fault(cases.prototask.path, "a target with classes to stratify by", target_text)
    return np.unique(cases.columns[attribute.number].words, return_inverse=True)[1].astype(np.int64)
