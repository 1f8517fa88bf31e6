"""The instances that a plan such as ten-fold cross-validation gives of a prototask."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from delvecore.encoding.instances import Instance
from delvecore.encoding.prototask_cases import PrototaskCases
from delvecore.encoding.schemes import Split, Whole, folds, holdout, leave_one_out, random_windows, windows
from delvecore.errors import Fault

__all__ = ["EVEN", "REPEATED", "Plan", "Planned", "planned_instances"]

Planned = Literal["cv", "loo", "holdout", "montecarlo", "growing", "sliding"]
REPEATED: tuple[Planned, ...] = ("cv", "holdout", "montecarlo")
"""Those that are drawn by a seed, and may be repeated."""
EVEN: tuple[Planned, ...] = ("cv", "holdout")
"""Those that may be stratified."""
_ORDERED = ("montecarlo", "growing", "sliding")
"""Those of cases in order."""


@dataclass(frozen=True)
class Plan:
    """kind: by which rule; number: of folds or windows; shares: of the cases for the test, or for training
    and for the test."""

    kind: Planned
    number: int = 0
    shares: tuple[float, ...] = ()
    repeats: int = 1
    seed: int = 1
    stratified: bool = False

    @property
    def words(self) -> str:
        """Return such as `10-fold cross-validation, stratified, 3 times, seed 1`."""
        shares = [f"{100 * share:g} %" for share in self.shares]
        parts = [
            {
                "cv": f"{self.number}-fold cross-validation",
                "loo": "leave-one-out",
                "holdout": f"holdout of {shares[0]}" if shares else "",
                "montecarlo": f"Monte Carlo windows, {' for training and '.join(shares)} for the test",
                "growing": f"{self.number} test windows, trained by all before",
                "sliding": f"{self.number} test windows, trained by as many before",
            }[self.kind]
        ]
        parts += ["stratified"] if self.stratified else []
        if self.kind in REPEATED:
            parts += [f"{self.repeats} times"] if self.repeats > 1 else []
            parts.append(f"seed {self.seed}")
        return ", ".join(parts)


def planned_instances(cases: PrototaskCases, plan: Plan) -> list[Instance]:
    """Return the instances of a plan. Cases with one commonality index stay together. Raises Fault for a plan
    that the cases do not allow: of a sequential prototask, without classes to stratify by, too few cases."""
    prototask, groups = cases.prototask, cases.groups
    if prototask.is_sequential and plan.kind not in _ORDERED:
        remedy = "take --growing, --sliding or --montecarlo"
        raise Fault(prototask.path, "windows of a sequential prototask", plan.words, remedy)
    if groups is not None and (plan.stratified or plan.kind in _ORDERED):
        expected = "cross-validation, leave-one-out or holdout that is not stratified"
        raise Fault(prototask.path, f"{expected}, where cases have commonality indexes", plan.words)
    units = cases.count if groups is None else int(groups.max()) + 1
    splits = _splits(plan, units, _classes(cases) if plan.stratified else None, _gap(cases))
    if groups is not None:
        splits = [Split(*(np.flatnonzero(np.isin(groups, one)) for one in split)) for split in splits]
    return [Instance(number, *split) for number, split in enumerate(splits)]


def _gap(cases: PrototaskCases) -> int:
    prototask = cases.prototask
    return prototask.maximum_dependency_range or 0


def _splits(plan: Plan, units: int, classes: Whole | None, gap: int) -> list[Split]:
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
