"""Steps before learning, impute, scale, select and resample, by what the training cases say alone.

Imputation: values that are missing are filled in by the median (of categories: the most frequent) of all
training cases, or of the nearest complete ones. Source: L. Torgo, performanceEstimation, knnImp, standardPRE.
"""

import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.random import Generator

from delvecore.methods.objects import load_object, make_object
from delvecore.methods.protocol import LearningInstance
from delvecore.methods.standard import state, usable_inputs
from delvecore.workflows.resampling import SAMPLERS, resampled
from delvecore.workflows.workflow_spec import Step

SUPERVISED = ("select", *SAMPLERS)
"""The steps that look at the target: there must be one alone."""


@dataclass(frozen=True)
class Group:
    """The columns of one attribute. is_categorical: are they a code, which is taken as a whole?"""

    columns: slice
    is_categorical: bool


@dataclass(frozen=True)
class Cases:
    """Inputs under way; not a number where a value is missing. targets: of the training cases, coded;
    classes: of the training cases, where the target is categorical; validation: as in LearningInstance."""

    train: np.ndarray
    test: np.ndarray
    targets: np.ndarray
    groups: tuple[Group, ...]
    classes: np.ndarray | None
    validation: np.ndarray

    def changed(self, change: Callable[[np.ndarray], np.ndarray]) -> "Cases":
        """Return cases whose inputs, all of them numbers now, are others."""
        train, test = change(self.train), change(self.test)
        groups = tuple(Group(slice(place, place + 1), False) for place in range(train.shape[1]))
        return replace(self, train=train, test=test, groups=groups)


def preprocess(instance: LearningInstance, steps: tuple[Step, ...], rng: Generator) -> LearningInstance:
    """Return an instance after some steps; its inputs are plain numbers of no attributes then."""
    if not steps:
        return instance
    cases = _cases(instance, tells_missing=any(step.kind == "impute" for step in steps))
    for step in steps:
        cases = _DONE.get(step.kind, partial(_by_object, step.place))(cases, step.options, rng)
    return replace(
        instance,
        inputs=(),
        train_inputs=cases.train,
        train_targets=cases.targets,
        test_inputs=cases.test,
        validation=cases.validation,
    )


def _cases(instance: LearningInstance, *, tells_missing: bool) -> Cases:
    """Return the cases of an instance. tells_missing: values with an indicator of missing ones become no
    numbers, and the indicators go; else they stay, as columns of their own."""
    train, test = usable_inputs(instance)
    groups, kept, first = [], [], 0
    for coded in instance.inputs:
        own = list(range(coded.columns.start, coded.columns.stop))
        mark = own.pop() if coded.coding.option("missing") == "indicator" else None
        if mark is not None and tells_missing:
            for inputs in (train, test):
                inputs[np.ix_(inputs[:, mark] == 1, own)] = np.nan
        parts = [(own, coded.is_categorical)]
        if mark is not None and not tells_missing:
            parts.append(([mark], True))
        for columns, is_categorical in parts:
            kept += columns
            groups.append(Group(slice(first, first + len(columns)), is_categorical))
            first += len(columns)
    targets = instance.targets
    is_class = len(targets) == 1 and targets[0].is_categorical
    classes = _rows(instance.train_targets)[1] if is_class else None
    filled = tuple(group for group in groups if group.columns.stop > group.columns.start)
    return Cases(
        train=train[:, kept],
        test=test[:, kept],
        targets=instance.train_targets,
        groups=filled,
        classes=classes,
        validation=instance.validation,
    )


def _rows(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows that there are, and which of them each is."""
    rows, places = np.unique(values, axis=0, return_inverse=True)
    return rows, places.reshape(-1)


def _impute(cases: Cases, options: Mapping[str, Any], rng: Generator) -> Cases:
    imputer = _Imputer(cases, options["neighbours"] if options["by"] == "neighbours" else 0)
    return replace(cases, train=imputer.filled(cases.train), test=imputer.filled(cases.test))


class _Imputer:
    """Fills in what is missing by training cases. near: by how many of them; 0 for all."""

    def __init__(self, cases: Cases, near: int) -> None:
        self.groups, self.near = cases.groups, near
        self.train = cases.train
        self.complete = self.train[~np.isnan(self.train).any(axis=1)]
        self.spreads = [_spread(self.train[:, group.columns]) for group in self.groups]

    def filled(self, inputs: np.ndarray) -> np.ndarray:
        found = inputs.copy()
        for place in np.flatnonzero(np.isnan(inputs).any(axis=1)):
            row = inputs[place]
            known = self.neighbours(row) if self.near and len(self.complete) else self.train
            for group in self.groups:
                if np.isnan(row[group.columns]).any():
                    found[place, group.columns] = _centre(known[:, group.columns], group)
        return found

    def neighbours(self, row: np.ndarray) -> np.ndarray:
        """Return the complete training cases nearest to a case in what it has: in standard deviations, one
        between two categories."""
        distances = np.zeros(len(self.complete))
        for group, spread in zip(self.groups, self.spreads, strict=True):
            own, others = row[group.columns], self.complete[:, group.columns]
            if np.isnan(own).any():
                continue
            if group.is_categorical:
                distances += (others != own).any(axis=1)
            else:
                distances += (((others - own) / spread) ** 2).sum(axis=1)
        found: np.ndarray = self.complete[np.argsort(distances, kind="stable")[: self.near]]
        return found


def _spread(values: np.ndarray) -> float:
    """Return the standard deviation of what is known, one where it does not vary."""
    known = values[~np.isnan(values)]
    return float(np.std(known, ddof=1)) or 1.0 if len(known) > 1 else 1.0


def _centre(values: np.ndarray, group: Group) -> np.ndarray:
    """Return the median, or the most frequent category; zeros where nothing is known."""
    known = values[~np.isnan(values).any(axis=1)]
    if not len(known):
        return np.zeros(values.shape[1])
    if not group.is_categorical:
        found: np.ndarray = np.median(known, axis=0)
        return found
    rows, places = _rows(known)
    most_frequent: np.ndarray = rows[np.argmax(np.bincount(places))]
    return most_frequent


def _scale(cases: Cases, options: Mapping[str, Any], rng: Generator) -> Cases:
    """Scale the inputs that are numbers; codes of categories stay."""
    from sklearn.preprocessing import MinMaxScaler, StandardScaler

    numbers = [column for group in cases.groups if not group.is_categorical for column in _columns(group)]
    if not numbers:
        return cases
    scaler = StandardScaler() if options["by"] == "deviation" else MinMaxScaler((-1, 1))
    train, test = cases.train.copy(), cases.test.copy()
    train[:, numbers] = scaler.fit_transform(train[:, numbers])
    if len(test):
        test[:, numbers] = scaler.transform(test[:, numbers])
    return replace(cases, train=train, test=test)


def _columns(group: Group) -> Iterator[int]:
    yield from range(group.columns.start, group.columns.stop)


def _squared_correlations(inputs: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Order inputs as F does, which is below zero where rounding takes a correlation beyond 1."""
    from sklearn.feature_selection import r_regression

    found: np.ndarray = np.square(r_regression(inputs, target))
    return found


def _select(cases: Cases, options: Mapping[str, Any], rng: Generator) -> Cases:
    """Keep the columns that tell most of the target, one by one."""
    from sklearn import feature_selection as selection

    kind = "regression" if cases.classes is None else "classif"
    scores = selection.f_classif if cases.classes is not None else _squared_correlations
    if options["by"] == "information":
        scores = partial(getattr(selection, f"mutual_info_{kind}"), random_state=state(rng))
    chosen = selection.SelectKBest(scores, k=min(options["keep"], cases.train.shape[1]))
    with np.errstate(divide="ignore", invalid="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of columns that are constant
        chosen.fit(cases.train, _values(cases))
    kept = chosen.get_support()
    return cases.changed(lambda inputs: inputs[:, kept])


def _values(cases: Cases) -> np.ndarray:
    return cases.targets[:, 0] if cases.classes is None else cases.classes


def _sample(kind: str, cases: Cases, options: Mapping[str, Any], rng: Generator) -> Cases:
    """Return cases with other training cases, as few or many of each class; those of validation stay."""
    if cases.classes is None:
        raise ValueError(f"{kind} is for categorical targets")
    rest = np.setdiff1d(np.arange(len(cases.train)), cases.validation)
    codes = [group.columns for group in cases.groups if group.is_categorical]
    rows, classes = resampled(
        kind, cases.train[rest], cases.classes[rest], options, codes=codes, seed=state(rng)
    )
    held = cases.validation
    known = _rows(cases.targets)[0]
    return replace(
        cases,
        train=np.vstack([rows, cases.train[held]]),
        targets=np.vstack([known[classes], cases.targets[held]]),
        classes=np.concatenate([classes, cases.classes[held]]),
        validation=len(rows) + np.arange(len(held)),
    )


def _by_object(place: str, cases: Cases, options: Mapping[str, Any], rng: Generator) -> Cases:
    """Let an object do it: something with `fit_resample`, or with `fit` and `transform`."""
    thing = make_object(load_object(place), rng, options)
    if not hasattr(thing, "fit_resample"):
        thing.fit(cases.train, _values(cases))
        return cases.changed(lambda inputs: np.asarray(thing.transform(inputs), dtype=np.float64))
    if len(cases.validation):
        raise ValueError(f"{place} draws cases again, which a task with validation cases does not allow")
    is_class = cases.classes is not None
    rows, values = thing.fit_resample(cases.train, _values(cases))
    targets = _rows(cases.targets)[0][values] if is_class else np.asarray(values, dtype=float)[:, np.newaxis]
    return replace(cases, train=rows, targets=targets, classes=values if is_class else None)


_DONE: dict[str, Callable[[Cases, Mapping[str, Any], Generator], Cases]] = {
    "impute": _impute,
    "scale": _scale,
    "select": _select,
    **{kind: partial(_sample, kind) for kind in SAMPLERS},
}
