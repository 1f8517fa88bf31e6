"""The instances that a plan such as ten-fold cross-validation gives of a prototask."""

from dataclasses import replace

import numpy as np

from delvecore.encoding.instances import Instance, undivided
from delvecore.encoding.prototask_cases import PrototaskCases
from delvecore.encoding.schemes import (
    Split,
    Whole,
    bootstrap,
    folds,
    holdout,
    leave_one_out,
    random_windows,
    windows,
)
from delvecore.errors import Fault
from delvecore.plan import BOOTSTRAPS, ORDERED, Plan


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
    if groups is not None and (plan.stratified or plan.kind in (*ORDERED, *BOOTSTRAPS)):
        expected = "cross-validation, leave-one-out or holdout that is not stratified"
        raise Fault(prototask.path, f"{expected}, where cases have commonality indexes", plan.words)
    units = cases.count if groups is None else int(groups.max()) + 1
    splits = _splits(plan, units, _classes(cases) if plan.stratified else None, _gap(cases))
    if groups is not None:
        splits = [Split(*(np.flatnonzero(np.isin(groups, one)) for one in split)) for split in splits]
    return [Instance(number, *split) for number, split in enumerate(splits)]


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


def _gap(cases: PrototaskCases) -> int:
    prototask = cases.prototask
    return prototask.maximum_dependency_range or 0


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
    """Return the class of each case by the first target. Raises Fault where that has none."""
    attribute = cases.dataset.attribute(cases.prototask.targets[0])
    if attribute.range.categories is None:
        found = f"{attribute.name}, which is a number"
        raise Fault(cases.prototask.path, "a target with classes to stratify by", found)
    return np.unique(cases.columns[attribute.number].words, return_inverse=True)[1].astype(np.int64)
