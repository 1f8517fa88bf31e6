"""Steps before learning, fitted to the training cases alone, and steps after predicting.

docs/running.md, Workflows, describes each step. Cases are drawn as in imbalanced-learn, or with `drawn =
"as-in-r"` as in performanceEstimation. Steps after predicting change only guesses, and not the distributions
from a learner. Source: L. Torgo, performanceEstimation 1.1.0, smote, knnImp, standardPRE, standardPOST; C.
Elkan, "The foundations of cost-sensitive learning", IJCAI 2001."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import util
from typing import Any

import numpy as np
from numpy.random import Generator

from delvecore.encoding.codings import center_and_scale
from delvecore.errors import DelveError
from delvecore.methods.base_1 import Base1
from delvecore.methods.objects import load_object, make_object
from delvecore.methods.protocol import LearningInstance, Predictions
from delvecore.methods.standard import state, usable_inputs
from delvecore.workflows.workflow_spec import Step

SAMPLERS = ("smote", "oversample", "undersample")
SUPERVISED = ("select", *SAMPLERS)
"""The steps that use the target. They require a single target."""


@dataclass(frozen=True)
class Group:
    """The columns of one attribute.

    Attributes
    ----------
    is_categorical : bool
        Whether they code a category, which is treated as a whole.
    unit : float
        Size of one scaled unit in the units of the data.
    """

    columns: slice
    is_categorical: bool
    unit: float = 1.0


@dataclass(frozen=True)
class Cases:
    """Cases between two steps; missing inputs are NaN.

    Attributes
    ----------
    targets : array
        Targets of the training cases, coded.
    classes : array or None
        Classes of the training cases, if the target is categorical.
    validation : array
        See `LearningInstance`.
    left_out : array
        Test cases with missing values that `omit` leaves out.
    """

    train: np.ndarray
    test: np.ndarray
    targets: np.ndarray
    groups: tuple[Group, ...]
    classes: np.ndarray | None
    validation: np.ndarray
    left_out: np.ndarray

    def changed(self, change: Callable[[np.ndarray], np.ndarray]) -> "Cases":
        """Return cases with changed inputs, which are all numbers."""
        train, test = change(self.train), change(self.test)
        groups = tuple(Group(slice(place, place + 1), False) for place in range(train.shape[1]))
        return replace(self, train=train, test=test, groups=groups)


def preprocess(
    instance: LearningInstance, steps: tuple[Step, ...], rng: Generator
) -> tuple[LearningInstance, np.ndarray]:
    """Return (instance after some steps, mask of the test cases that `omit` leaves out). The inputs are plain
    numbers without attributes; those of left-out cases have no meaning."""
    if not steps:
        return instance, np.zeros(len(instance.test_inputs), dtype=bool)
    cases = _cases(instance, tells_missing=any(step.kind in ("impute", "omit") for step in steps))
    for step in steps:
        cases = _DONE.get(step.kind, partial(_by_object, step.place))(cases, step.options, rng)
    ready = replace(
        instance,
        inputs=(),
        train_inputs=cases.train,
        train_targets=cases.targets,
        test_inputs=cases.test,
        validation=cases.validation,
    )
    return ready, cases.left_out


def _cases(instance: LearningInstance, *, tells_missing: bool) -> Cases:
    """Return the cases of an instance. tells_missing: whether missing values become NaN and their indicators
    are removed; otherwise, indicators remain as separate columns."""
    train, test = usable_inputs(instance)
    groups, kept, first = [], [], 0
    for coded in instance.inputs:
        positions = list(range(coded.columns.start, coded.columns.stop))
        mark = positions.pop() if coded.coding.option("missing") == "indicator" else None
        if mark is not None and tells_missing:
            for inputs in (train, test):
                inputs[np.ix_(inputs[:, mark] == 1, positions)] = np.nan
        parts = [(positions, coded.is_categorical)]
        if mark is not None and not tells_missing:
            parts.append(([mark], True))
        for columns, is_categorical in parts:
            kept += columns
            linear = None if is_categorical else center_and_scale(coded.coding, coded.constants)
            unit = linear[1] if linear else 1.0
            groups.append(Group(slice(first, first + len(columns)), is_categorical, unit))
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
        left_out=np.zeros(len(test), dtype=bool),
    )


def _rows(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct rows, and the number of each row among them."""
    rows, places = np.unique(values, axis=0, return_inverse=True)
    return rows, places.reshape(-1)


def _impute(cases: Cases, options: Mapping[str, Any], rng: Generator) -> Cases:
    near = options["neighbors"] if options["by"] == "neighbors" else 0
    imputer = _Imputer(cases, near, scaled=options.get("scale") is not False)
    return replace(cases, train=imputer.filled(cases.train), test=imputer.filled(cases.test))


class _Imputer:
    """Fills in missing values from the training cases.

    Attributes
    ----------
    near : int
        Number of training cases, 0 for all.
    scaled : bool
        Whether distances are in standard deviations, not in the units of the data.
    """

    def __init__(self, cases: Cases, near: int, *, scaled: bool = True) -> None:
        self.groups, self.near = cases.groups, near
        self.train = cases.train
        self.complete = self.train[~np.isnan(self.train).any(axis=1)]
        self.spreads = [
            _spread(self.train[:, group.columns]) if scaled else 1 / group.unit for group in self.groups
        ]

    def filled(self, inputs: np.ndarray) -> np.ndarray:
        filled = inputs.copy()
        for place in np.flatnonzero(np.isnan(inputs).any(axis=1)):
            row = inputs[place]
            rows = self.neighbors(row) if self.near and len(self.complete) else self.train
            for group in self.groups:
                if np.isnan(row[group.columns]).any():
                    filled[place, group.columns] = _center(rows[:, group.columns], group)
        return filled

    def neighbors(self, row: np.ndarray) -> np.ndarray:
        """Return the complete training cases nearest to a case. Unequal categories have distance one."""
        distances = np.zeros(len(self.complete))
        for group, spread in zip(self.groups, self.spreads, strict=True):
            values, others = row[group.columns], self.complete[:, group.columns]
            if np.isnan(values).any():
                continue
            if group.is_categorical:
                distances += (others != values).any(axis=1)
            else:
                distances += (((others - values) / spread) ** 2).sum(axis=1)
        nearest: np.ndarray = self.complete[np.argsort(distances, kind="stable")[: self.near]]
        return nearest


def _omit(cases: Cases, options: Mapping[str, Any], rng: Generator) -> Cases:
    """Omit training cases with missing values. Mark test cases with missing values and fill in their
    inputs."""
    kept = ~np.isnan(cases.train).any(axis=1)
    if not kept.any():
        raise DelveError("omit: expected a training case without missing values, found none")
    is_held = np.isin(np.arange(len(kept)), cases.validation)
    left_out = np.isnan(cases.test).any(axis=1)
    return replace(
        cases,
        train=cases.train[kept],
        test=_Imputer(cases, 0).filled(cases.test),
        targets=cases.targets[kept],
        classes=None if cases.classes is None else cases.classes[kept],
        validation=np.flatnonzero(is_held[kept]),
        left_out=cases.left_out | left_out,
    )


def _spread(values: np.ndarray) -> float:
    """Return the standard deviation of the known values, or one if they do not vary."""
    present = values[~np.isnan(values)]
    return float(np.std(present, ddof=1)) or 1.0 if len(present) > 1 else 1.0


def _center(values: np.ndarray, group: Group) -> np.ndarray:
    """Return the median, or the most frequent category; zeros if no value is known."""
    present = values[~np.isnan(values).any(axis=1)]
    if not len(present):
        return np.zeros(values.shape[1])
    if not group.is_categorical:
        medians: np.ndarray = np.median(present, axis=0)
        return medians
    return _most_frequent(present)


def _scale(cases: Cases, options: Mapping[str, Any], rng: Generator) -> Cases:
    """Scale the numeric inputs; codes of categories are not changed."""
    from sklearn.preprocessing import MinMaxScaler, StandardScaler

    slices = [group.columns for group in cases.groups if not group.is_categorical]
    numbers = [column for one in slices for column in range(one.start, one.stop)]
    if not numbers:
        return cases
    scaler = StandardScaler() if options["by"] == "deviation" else MinMaxScaler((-1, 1))
    train, test = cases.train.copy(), cases.test.copy()
    train[:, numbers] = scaler.fit_transform(train[:, numbers])
    if len(test):
        test[:, numbers] = scaler.transform(test[:, numbers])
    groups = tuple(group if group.is_categorical else replace(group, unit=1.0) for group in cases.groups)
    return replace(cases, train=train, test=test, groups=groups)


def _squared_correlations(inputs: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Return squared correlations, which give the same order of inputs as F. (Rounding can make F
    negative.)"""
    from sklearn.feature_selection import r_regression

    correlations: np.ndarray = np.square(r_regression(inputs, target))
    return correlations


def _select(cases: Cases, options: Mapping[str, Any], rng: Generator) -> Cases:
    """Select the columns with the most information about the target, one by one."""
    from sklearn import feature_selection as selection

    kind = "regression" if cases.classes is None else "classif"
    scores = selection.f_classif if cases.classes is not None else _squared_correlations
    if options["by"] == "information":
        scores = partial(getattr(selection, f"mutual_info_{kind}"), random_state=state(rng))
    chosen = selection.SelectKBest(scores, k=min(options["keep"], cases.train.shape[1]))
    with np.errstate(divide="ignore", invalid="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # about constant columns
        chosen.fit(cases.train, _values(cases))
    kept = chosen.get_support()
    return cases.changed(lambda inputs: inputs[:, kept])


def _values(cases: Cases) -> np.ndarray:
    return cases.targets[:, 0] if cases.classes is None else cases.classes


def _sample(kind: str, cases: Cases, options: Mapping[str, Any], rng: Generator) -> Cases:
    """Return cases with resampled training cases; validation cases remain."""
    if cases.classes is None:
        raise ValueError(f"{kind} is for categorical targets")
    rest = np.setdiff1d(np.arange(len(cases.train)), cases.validation)
    codes = [group.columns for group in cases.groups if group.is_categorical]
    rows, classes = resampled(
        kind, cases.train[rest], cases.classes[rest], options, codes=codes, seed=state(rng)
    )
    held = cases.validation
    class_codes = _rows(cases.targets)[0]
    return replace(
        cases,
        train=np.vstack([rows, cases.train[held]]),
        targets=np.vstack([class_codes[classes], cases.targets[held]]),
        classes=np.concatenate([classes, cases.classes[held]]),
        validation=len(rows) + np.arange(len(held)),
    )


def _by_object(place: str, cases: Cases, options: Mapping[str, Any], rng: Generator) -> Cases:
    """Apply an object with `fit_resample`, or with `fit` and `transform`."""
    thing = make_object(load_object(place), rng, options)
    if not hasattr(thing, "fit_resample"):
        thing.fit(cases.train, _values(cases))
        return cases.changed(lambda inputs: np.asarray(thing.transform(inputs), dtype=np.float64))
    if len(cases.validation):
        raise ValueError(f"{place} resamples cases, which a task with validation cases does not allow")
    is_class = cases.classes is not None
    rows, values = thing.fit_resample(cases.train, _values(cases))
    targets = _rows(cases.targets)[0][values] if is_class else np.asarray(values, dtype=float)[:, np.newaxis]
    return replace(cases, train=rows, targets=targets, classes=values if is_class else None)


_DONE: dict[str, Callable[[Cases, Mapping[str, Any], Generator], Cases]] = {
    "impute": _impute,
    "omit": _omit,
    "scale": _scale,
    "select": _select,
    **{kind: partial(_sample, kind) for kind in SAMPLERS},
}


HALF = 0.5


def check_sampling(kind: str) -> None:
    """Raise DelveError if imbalanced-learn is not installed."""
    if util.find_spec("imblearn") is None:
        remedy = "pip install imbalanced-learn adds it"
        raise DelveError(f"{kind}: expected the package imbalanced-learn, found none; {remedy}")


def resampled(
    kind: str,
    inputs: np.ndarray,
    classes: np.ndarray,
    options: Mapping[str, Any],
    *,
    codes: Sequence[slice] = (),
    seed: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Return inputs and classes of the training cases to learn from. codes: columns that together encode a
    category; seed: seed of random draws. A single class is not changed."""
    check_sampling(kind)
    counts = np.bincount(classes)
    if np.count_nonzero(counts) < 2:
        return inputs, classes
    if kind == "oversample":  # classes that are rarer than this share of the most frequent one
        least = round(options["ratio"] * counts.max())
        sizes = {int(one): max(least, int(counts[one])) for one in np.flatnonzero(counts)}
        return _repeated(inputs, classes, sizes, seed)
    present = np.flatnonzero(counts)
    rare = int(present[np.argmin(counts[present])])
    if kind == "undersample":
        return _fewer(inputs, classes, rare, round(options["ratio"] * counts[rare]), seed)
    if options["drawn"] == "as-in-r":
        return _as_in_r(inputs, classes, rare, options, codes=codes, seed=seed)
    new = int(options["over"] * counts[rare])
    if new:
        inputs, classes = _smoted(
            inputs, classes, rare, new, neighbors=options["neighbors"], codes=codes, seed=seed
        )
    return _fewer(inputs, classes, rare, round(options["under"] * new), seed)


def _repeated(
    inputs: np.ndarray, classes: np.ndarray, sizes: Mapping[int, int], seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Repeat cases until each class has the required number."""
    from imblearn.over_sampling import RandomOverSampler

    sampler = RandomOverSampler(sampling_strategy=sizes, random_state=seed)
    resampled: tuple[np.ndarray, np.ndarray] = sampler.fit_resample(inputs, classes)
    return resampled


def _fewer(
    inputs: np.ndarray, classes: np.ndarray, rare: int, others: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Keep the rare class and `others` of the other cases, but at least one and at most all."""
    from imblearn.under_sampling import RandomUnderSampler

    is_rare = classes == rare
    kept = min(max(others, 1), int(np.sum(~is_rare)))
    sampler = RandomUnderSampler(sampling_strategy={False: kept}, random_state=seed)
    sampler.fit_resample(np.arange(len(classes))[:, np.newaxis], is_rare)
    rows = np.sort(sampler.sample_indices_)
    return inputs[rows], classes[rows]


def _smoted(
    inputs: np.ndarray,
    classes: np.ndarray,
    rare: int,
    new: int,
    *,
    neighbors: int,
    codes: Sequence[slice],
    seed: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Add cases of the rare class between existing ones, or copies of a single one."""
    from imblearn.over_sampling import SMOTE, SMOTEN, SMOTENC

    count = int(np.sum(classes == rare))
    sizes = {rare: count + new}
    near = min(neighbors, count - 1)
    if not near:
        return _repeated(inputs, classes, sizes, seed)
    compact = _Compact(inputs, codes)
    marks = compact.is_code
    options = {"sampling_strategy": sizes, "k_neighbors": near, "random_state": seed}
    sampler = SMOTEN if marks.all() else SMOTENC if marks.any() else SMOTE
    if sampler is SMOTENC:
        options["categorical_features"] = np.flatnonzero(marks).tolist()
    resampled, drawn = sampler(**options).fit_resample(compact.inputs, classes)
    return compact.restored(np.asarray(resampled, dtype=np.float64)), drawn


def _as_in_r(
    inputs: np.ndarray,
    classes: np.ndarray,
    rare: int,
    options: Mapping[str, Any],
    *,
    codes: Sequence[slice],
    seed: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Return other cases drawn with replacement, the rare cases, and the new ones, in this order."""
    rng, compact = np.random.default_rng(seed), _Compact(inputs, codes)
    rare_rows, others = np.flatnonzero(classes == rare), np.flatnonzero(classes != rare)
    over, near = options["over"], options["neighbors"]
    made = between(compact.inputs[rare_rows], compact.is_code, over=over, neighbors=near, rng=rng)
    rows = np.concatenate([rng.choice(others, int(options["under"] * len(made))), rare_rows])
    drawn = np.concatenate([classes[rows], np.full(len(made), rare)])
    return np.vstack([inputs[rows], compact.restored(made)]), drawn


def between(
    cases: np.ndarray, is_code: np.ndarray, *, over: float, neighbors: int, rng: np.random.Generator
) -> np.ndarray:
    """Return new cases between each of some rare cases and its neighbors, as performanceEstimation's
    `smote.exs` does. New cases of one case are consecutive.

    is_code: columns that are a category by number; over: new cases for each rare case; a number below 1 is
    the share of rare cases, chosen at random, that get one. neighbors: number of nearest cases to draw from,
    by squared distance in units of each column's range. As in the package, equal categories add 1 to the
    distance and different ones add nothing. All numbers of a new case are at one random point between the two
    cases; each category is that of one of them."""
    if over < 1:
        cases = cases[rng.permutation(len(cases))[: int(over * len(cases))]]
    ranges = np.ptp(cases, axis=0) if len(cases) else np.empty(0)
    made = []
    for case in cases:
        apart = (cases - case) / np.where(ranges > 0, ranges, 1)
        apart[:, is_code] = cases[:, is_code] == case[is_code]
        near = np.argsort((apart**2).sum(axis=1), kind="stable")[1 : neighbors + 1]
        for _ in range(max(int(over), 1)):
            other = cases[rng.choice(near)] if len(near) else case
            new = case + rng.random() * (other - case)
            new[is_code] = np.where(rng.random(is_code.sum()) < HALF, other[is_code], case[is_code])
            made.append(new)
    return np.array(made).reshape(-1, cases.shape[1])


class _Compact:
    """Inputs with one indicator column for each code. Numbers come first."""

    def __init__(self, inputs: np.ndarray, codes: Sequence[slice]) -> None:
        self.width, self.codes = inputs.shape[1], codes
        of_codes = {column for code in codes for column in range(code.start, code.stop)}
        self.numbers = [column for column in range(self.width) if column not in of_codes]
        levels = [np.unique(inputs[:, code], axis=0, return_inverse=True) for code in codes]
        self.rows = [rows for rows, _ in levels]
        places = [places.reshape(-1, 1).astype(np.float64) for _, places in levels]
        self.inputs = np.hstack([inputs[:, self.numbers], *places])
        self.is_code = np.arange(self.inputs.shape[1]) >= len(self.numbers)

    def restored(self, compact: np.ndarray) -> np.ndarray:
        inputs = np.empty((len(compact), self.width))
        inputs[:, self.numbers] = compact[:, : len(self.numbers)]
        for place, (code, rows) in enumerate(zip(self.codes, self.rows, strict=True), len(self.numbers)):
            inputs[:, code] = rows[compact[:, place].astype(np.int64)]
        return inputs


NUMERIC = ("clip", "positive", "integer")
"""The steps for numbers only."""


def postprocess(instance: LearningInstance, predictions: Predictions, steps: tuple[Step, ...]) -> Predictions:
    """Return predictions after some steps. instance: the input of the learner."""
    for step in steps:
        if step.kind == "utility":
            predictions = _of_most_use(instance, predictions, np.array(step.options["matrix"], dtype=float))
        elif step.kind == "fill":
            predictions = _filled(instance, predictions)
        elif step.kind in NUMERIC:
            predictions = _with_numbers(instance, predictions, partial(_changed, step=step))
        else:
            predictions = _guessed_by_object(step, instance, predictions)
    return predictions


Change = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""Computes new guesses from guesses and the targets of the training cases, in the units of the data."""


def _changed(guesses: np.ndarray, targets: np.ndarray, *, step: Step) -> np.ndarray:
    """Apply one of the NUMERIC steps."""
    low, high = 0.0, np.inf  # of `positive`
    if step.kind == "integer":
        return np.asarray(np.rint(guesses))
    if step.kind == "clip":
        low, high = step.options.get("low", targets.min()), step.options.get("high", targets.max())
    return np.asarray(np.clip(guesses, low, high))


def _with_numbers(instance: LearningInstance, predictions: Predictions, change: Change) -> Predictions:
    """Return predictions with changed guesses of numbers."""
    guesses = {loss: guess.astype(np.float64) for loss, guess in predictions.guesses.items()}
    for target in instance.targets:
        if target.is_categorical:
            continue
        if target.coding.option("transform"):
            raise DelveError(f"{target.attribute.name}: expected a target without a transformation")
        (center, scale), column = target.center_and_scale, target.columns.start
        targets = instance.train_targets[:, column] * scale + center
        for guess in guesses.values():
            guess[:, column] = (change(guess[:, column] * scale + center, targets) - center) / scale
    return replace(predictions, guesses=guesses)


def without_left_out(
    instance: LearningInstance, predictions: Predictions, left_out: np.ndarray, rng: Generator
) -> Predictions:
    """Replace predictions for left-out test cases by those from the training targets alone: the median, or
    the most frequent category and the frequencies, and the densities of base-1."""
    guesses = {loss: guess.astype(np.float64) for loss, guess in predictions.guesses.items()}
    for guess in guesses.values():
        guess[left_out] = np.nan
    shares, densities = predictions.probabilities, predictions.log_densities
    if shares is not None:
        shares = np.where(left_out[:, np.newaxis], np.nan, shares)
    fallback = None if densities is None else Base1().fit_predict(instance, rng).log_densities
    if densities is not None and fallback is not None:
        densities = np.where(left_out, fallback, densities)
    lost = replace(predictions, guesses=guesses, probabilities=shares, log_densities=densities, outputs=None)
    return _filled(instance, lost)


def _filled(instance: LearningInstance, predictions: Predictions) -> Predictions:
    """Replace missing predictions by the median, or the most frequent category and the frequencies."""
    guesses = {loss: guess.astype(np.float64) for loss, guess in predictions.guesses.items()}
    shares = predictions.probabilities
    lost = np.isnan(shares).any(axis=1) if shares is not None else np.zeros(len(instance.test_inputs), bool)
    for target in instance.targets:
        targets, columns = instance.train_targets[:, target.columns], target.columns
        center = _most_frequent(targets) if target.is_categorical else np.median(targets, axis=0)
        for guess in guesses.values():
            guess[np.isnan(guess[:, columns]).any(axis=1) | lost, columns] = center
    if shares is not None and lost.any():
        target = instance.targets[0]
        codes = instance.train_targets[:, target.columns]
        counts = [np.sum((codes == code).all(axis=1)) for code in target.codes]
        shares = np.where(lost[:, np.newaxis], np.array(counts) / len(codes), shares)
    return replace(predictions, guesses=guesses, probabilities=shares)


def _most_frequent(codes: np.ndarray) -> np.ndarray:
    rows, counts = np.unique(codes, axis=0, return_counts=True)
    return np.asarray(rows[np.argmax(counts)])


def _of_most_use(instance: LearningInstance, predictions: Predictions, matrix: np.ndarray) -> Predictions:
    """Guess the category with the largest expected utility; in a tie, the first one. matrix: the value of
    each guess (column) for each true category (row)."""
    target, shares = instance.targets[0], predictions.probabilities
    if shares is None:
        raise DelveError("utility: expected a learner that predicts probabilities, found guesses only")
    if len(matrix) != len(target.codes):
        count = len(target.codes)
        raise DelveError(f"utility: expected a matrix of {count} x {count}, found {len(matrix)} rows")
    guesses = np.zeros((len(shares), target.columns.stop))
    guesses[:, target.columns] = target.codes[np.argmax(shares @ matrix, axis=1)]
    return replace(predictions, guesses={loss: guesses.copy() for loss in predictions.guesses})


def _guessed_by_object(step: Step, instance: LearningInstance, predictions: Predictions) -> Predictions:
    """Let a user's function compute guesses from guesses and training targets, both in data units."""
    return _with_numbers(instance, predictions, partial(load_object(step.place), **step.options))
