"""Designs of experiments: textual plans, numbers of folds, splitters of scikit-learn, and defaults."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from delvecore.encoding.instances import Instance
from delvecore.encoding.prototask_cases import PrototaskCases
from delvecore.encoding.task_instances import instances_text, listed_instances, planned_listing
from delvecore.errors import DelveError, Fault
from delvecore.plan import ORDERED, Plan, parse_plan
from delvecore.readers.instances import parse_instances

DEFAULT_FOLDS, FEWEST_FOLDS = 10, 5
DEFAULT_WINDOWS = 10
FEW_CASES = 4096
"""Largest number of cases that are divided into folds by default; more have training sets that share no
cases."""
IN_ORDER = ("TimeSeriesSplit",)
"""Splitters of scikit-learn for cases in order of time."""
DESIGN_FORMS = "a number of folds, a splitter such as KFold(5), or a plan such as 'cv folds=10 repeats=3'"


@dataclass(frozen=True)
class ChosenDesign:
    """The design of an experiment's instances: a plan, a splitter, or the default.

    Attributes
    ----------
    plan : Plan or None
        The plan.
    splitter : object or None
        A splitter of scikit-learn.
    folds : int or None
        Folds of cross-validation, which is stratified for classes.
    seed : int
        Seed of random draws.
    is_ordered : bool
        Whether the cases have an order of time.
    has_sizes : bool
        Whether training sets have requested sizes, and share no cases.
    """

    plan: Plan | None = None
    splitter: Any = None
    folds: int | None = None
    seed: int = 1
    is_ordered: bool = False
    has_sizes: bool = False

    @property
    def keeps_order(self) -> bool:
        """Do the cases keep the order of their source?"""
        return (
            self.is_ordered
            or self.splitter is not None
            or (self.plan is not None and self.plan.kind in ORDERED)
        )

    @property
    def goes_along_time(self) -> bool:
        is_window = self.plan is not None and self.plan.kind in ORDERED
        return self.is_ordered or is_window or type(self.splitter).__name__ in IN_ORDER

    @property
    def words(self) -> str:
        """Return a text that identifies this design."""
        if self.splitter is not None:
            return re.sub(r" at 0x[0-9a-f]+", "", " ".join(repr(self.splitter).split()))
        if self.plan is not None:
            return self.plan.words
        return f"{self.folds} folds, seed {self.seed}" if self.folds else "default"


def choose_design(design: Any, *, seed: int, sizes: Sequence[int], is_ordered: bool) -> ChosenDesign:
    """Return the design that an argument describes. Raises DelveError for an invalid argument."""
    if sizes:
        if design is not None:
            raise DelveError("sizes: expected none with design=, which sets the training sets")
        if is_ordered:
            raise Fault("sizes", "none with order=", list(sizes), "use design='growing windows=10'")
        return ChosenDesign(seed=seed, has_sizes=True)
    if design is None:
        return ChosenDesign(seed=seed, is_ordered=is_ordered)
    if isinstance(design, int | np.integer) and not isinstance(design, bool):
        if design < 2:
            raise Fault("design", "2 folds or more", design)
        chosen = ChosenDesign(folds=int(design), seed=seed, is_ordered=is_ordered)
    elif isinstance(design, str):
        chosen = ChosenDesign(_parsed(design, seed), seed=seed, is_ordered=is_ordered)
    elif callable(getattr(design, "split", None)) and not isinstance(design, type):
        chosen = ChosenDesign(splitter=design, seed=seed, is_ordered=is_ordered)
    else:
        name = design.__name__ if isinstance(design, type) else type(design).__name__
        remedy = f"write {name}()" if isinstance(design, type) else ""
        raise Fault("design", DESIGN_FORMS, f"{'the class ' * isinstance(design, type)}{name}", remedy)
    if is_ordered and (chosen.folds or (chosen.plan and chosen.plan.kind not in ORDERED)):
        expected = "windows of cases in order of time with order="
        raise Fault("design", expected, chosen.words, "take 'growing windows=10', or leave order= out")
    return chosen


def _parsed(design: str, seed: int) -> Plan:
    try:
        plan = parse_plan(design)
    except ValueError as error:
        expected, actual = error.args
        raise DelveError(f"design: expected {expected}, found {actual}") from None
    return plan._replace(seed=seed) if plan.is_drawn and "seed=" not in design else plan


def listing_of(design: ChosenDesign, cases: PrototaskCases) -> tuple[list[Instance], str] | None:
    """Return the instances of a prototask, and the file that lists them; None for the standard instances.

    Raises Fault for a design that the cases do not allow."""
    if design.has_sizes:
        return None
    if design.splitter is not None:
        return _split(design, cases)
    plan = design.plan or _plan_for(design, cases)
    return None if plan is None else planned_listing(cases, plan)


def _plan_for(design: ChosenDesign, cases: PrototaskCases) -> Plan | None:
    """Return the plan for a number of folds, or the default plan; None for training sets that share no
    cases."""
    if design.is_ordered:
        return Plan("growing", min(DEFAULT_WINDOWS, max(1, cases.count // 2 - 1)))
    if design.folds is None and cases.count > FEW_CASES:
        return None
    units = cases.count if cases.groups is None else int(cases.groups.max()) + 1
    attribute = cases.dataset.attribute(cases.prototask.targets[0])
    has_classes = attribute.range.categories is not None
    folds = design.folds or min(DEFAULT_FOLDS, units)
    if has_classes and design.folds is None:
        counts = np.unique(cases.columns[attribute.number].words, return_counts=True)[1]
        folds = min(folds, max(FEWEST_FOLDS, int(counts.min())))
        has_classes = int(counts.max()) >= folds
    return Plan("cv", folds, stratified=has_classes, seed=design.seed)


def _split(design: ChosenDesign, cases: PrototaskCases) -> tuple[list[Instance], str]:
    attribute = cases.dataset.attribute(cases.prototask.targets[0])
    column = cases.columns[attribute.number]
    values: np.ndarray
    if attribute.range.categories is not None:
        values = np.unique(column.words, return_inverse=True)[1]
    else:
        values = column.numbers
    name = type(design.splitter).__name__
    try:
        pairs = [
            (np.asarray(training), np.asarray(test))
            for training, test in design.splitter.split(np.zeros((cases.count, 1)), values, cases.groups)
        ]
    except (ValueError, TypeError, AttributeError, IndexError) as error:
        remedy = "say groups=" if cases.groups is None and "group" in str(error).lower() else ""
        actual = " ".join(f"{type(error).__name__}: {error}".split())
        raise Fault("design", f"a splitter that divides {cases.prototask.path}", actual, remedy) from None
    _check_apart(design, cases, pairs, name)
    instances = [Instance(number, *pair) for number, pair in enumerate(pairs)]
    text = f"# {design.words}\n{instances_text(instances, cases.case_numbers)}"
    listed_instances(parse_instances(text, design.words), cases, design.words)
    return instances, text


def _check_apart(
    design: ChosenDesign, cases: PrototaskCases, pairs: Iterable[tuple[np.ndarray, np.ndarray]], name: str
) -> None:
    """Raise Fault for training cases from groups of the test set, or from the future."""
    for training, test in pairs:
        if cases.groups is not None and np.isin(cases.groups[training], cases.groups[test]).any():
            expected, actual = "groups in either training or test", f"{name}, which divides a group"
            raise Fault("design", expected, actual, "take GroupKFold, or a plan such as 'cv folds=5'")
        if design.is_ordered and training.max(initial=-1) >= test.min(initial=cases.count):
            expected, actual = (
                "training cases before the test cases, with order=",
                f"{name}, which trains on later ones",
            )
            raise Fault("design", expected, actual, "take TimeSeriesSplit, or 'growing windows=10'")
