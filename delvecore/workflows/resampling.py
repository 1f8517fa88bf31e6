"""Resampling of training cases, so that a rare class weighs more, by imbalanced-learn.

`smote` adds cases between rare ones and their neighbours and draws fewer of the others: for each rare case
`over` new ones, for each new one `under` others. Source: L. Torgo, performanceEstimation 1.1.0, smote. With
`drawn = "as-in-r"` cases are drawn as that package draws them, else as imbalanced-learn does."""

from collections.abc import Mapping, Sequence
from importlib import util
from typing import Any

import numpy as np

from delvecore.errors import DelveError

HALF = 0.5
SAMPLERS = ("smote", "oversample", "undersample")


def check_sampling(kind: str) -> None:
    """Raise DelveError where imbalanced-learn is not installed."""
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
    """Return inputs and classes of the training cases to learn from. codes: columns that are a category as a
    whole; seed: of what is drawn. A single class stays as it is."""
    check_sampling(kind)
    counts = np.bincount(classes)
    if np.count_nonzero(counts) < 2:
        return inputs, classes
    if kind == "oversample":
        return _oversampled(inputs, classes, options["ratio"], seed)
    present = np.flatnonzero(counts)
    rare = int(present[np.argmin(counts[present])])
    if kind == "undersample":
        return _fewer(inputs, classes, rare, round(options["ratio"] * counts[rare]), seed)
    if options["drawn"] == "as-in-r":
        return _as_in_r(inputs, classes, rare, options, codes=codes, seed=seed)
    new = int(options["over"] * counts[rare])
    if new:
        inputs, classes = _smoted(
            inputs, classes, rare, new, neighbours=options["neighbours"], codes=codes, seed=seed
        )
    return _fewer(inputs, classes, rare, round(options["under"] * new), seed)


def _oversampled(
    inputs: np.ndarray, classes: np.ndarray, ratio: float, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Repeat cases of classes that are rarer than this share of the most frequent one."""
    counts = np.bincount(classes)
    least = round(ratio * counts.max())
    wanted = {int(one): max(least, int(counts[one])) for one in np.flatnonzero(counts)}
    return _repeated(inputs, classes, wanted, seed)


def _repeated(
    inputs: np.ndarray, classes: np.ndarray, wanted: Mapping[int, int], seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Repeat cases until each class has as many as are wanted."""
    from imblearn.over_sampling import RandomOverSampler

    sampler = RandomOverSampler(sampling_strategy=wanted, random_state=seed)
    found: tuple[np.ndarray, np.ndarray] = sampler.fit_resample(inputs, classes)
    return found


def _fewer(
    inputs: np.ndarray, classes: np.ndarray, rare: int, others: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Keep the rare class, and so many cases of all others together: at least one, at most all."""
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
    neighbours: int,
    codes: Sequence[slice],
    seed: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Add cases of the rare class between its own. A lone case is repeated."""
    from imblearn.over_sampling import SMOTE, SMOTEN, SMOTENC

    count = int(np.sum(classes == rare))
    wanted = {rare: count + new}
    near = min(neighbours, count - 1)
    if not near:
        return _repeated(inputs, classes, wanted, seed)
    compact = _Compact(inputs, codes)
    marks = compact.is_code
    told = {"sampling_strategy": wanted, "k_neighbors": near, "random_state": seed}
    sampler = SMOTEN if marks.all() else SMOTENC if marks.any() else SMOTE
    if sampler is SMOTENC:
        told["categorical_features"] = np.flatnonzero(marks).tolist()
    found, drawn = sampler(**told).fit_resample(compact.inputs, classes)
    return compact.restored(np.asarray(found, dtype=np.float64)), drawn


def _as_in_r(
    inputs: np.ndarray,
    classes: np.ndarray,
    rare: int,
    options: Mapping[str, Any],
    *,
    codes: Sequence[slice],
    seed: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Return others drawn with replacement, the rare cases, and the new ones, in this order."""
    rng, compact = np.random.default_rng(seed), _Compact(inputs, codes)
    own, others = np.flatnonzero(classes == rare), np.flatnonzero(classes != rare)
    made = between(
        compact.inputs[own],
        compact.is_code,
        over=options["over"],
        neighbours=options["neighbours"],
        rng=rng,
    )
    rows = np.concatenate([rng.choice(others, int(options["under"] * len(made))), own])
    drawn = np.concatenate([classes[rows], np.full(len(made), rare)])
    return np.vstack([inputs[rows], compact.restored(made)]), drawn


def between(
    cases: np.ndarray, is_code: np.ndarray, *, over: float, neighbours: int, rng: np.random.Generator
) -> np.ndarray:
    """Make new cases between each case and its neighbours, as performanceEstimation's `smote.exs` does.

    Parameters
    ----------
    cases : array of shape (cases, columns)
        Of the rare class. A column that `is_code` marks is a category by number.
    over : float
        How many new ones of each case; below 1 one of each of so large a share, drawn by chance.
    neighbours : int
        So many of the nearest are drawn from, by squared distance in units of each column's range. As in the
        package, equal categories add 1 to it and other ones nothing.

    Returns
    -------
    array of shape (new cases, columns)
        Those of each case one after the other. Numbers lie at one random place between the two cases;
        each category is that of either, by chance.
    """
    if over < 1:
        cases = cases[rng.permutation(len(cases))[: int(over * len(cases))]]
    ranges = np.ptp(cases, axis=0) if len(cases) else np.empty(0)
    made = []
    for case in cases:
        apart = (cases - case) / np.where(ranges > 0, ranges, 1)
        apart[:, is_code] = cases[:, is_code] == case[is_code]
        near = np.argsort((apart**2).sum(axis=1), kind="stable")[1 : neighbours + 1]
        for _ in range(max(int(over), 1)):
            other = cases[rng.choice(near)] if len(near) else case
            new = case + rng.random() * (other - case)
            new[is_code] = np.where(rng.random(is_code.sum()) < HALF, other[is_code], case[is_code])
            made.append(new)
    return np.array(made).reshape(-1, cases.shape[1])


class _Compact:
    """Inputs with one column for each code, which says which of the codes it is. Numbers come first."""

    def __init__(self, inputs: np.ndarray, codes: Sequence[slice]) -> None:
        self.width, self.codes = inputs.shape[1], codes
        of_codes = {column for code in codes for column in range(code.start, code.stop)}
        self.numbers = [column for column in range(self.width) if column not in of_codes]
        found = [np.unique(inputs[:, code], axis=0, return_inverse=True) for code in codes]
        self.rows = [rows for rows, _ in found]
        places = [places.reshape(-1, 1).astype(np.float64) for _, places in found]
        self.inputs = np.hstack([inputs[:, self.numbers], *places])
        self.is_code = np.arange(self.inputs.shape[1]) >= len(self.numbers)

    def restored(self, compact: np.ndarray) -> np.ndarray:
        inputs = np.empty((len(compact), self.width))
        inputs[:, self.numbers] = compact[:, : len(self.numbers)]
        for place, (code, rows) in enumerate(zip(self.codes, self.rows, strict=True), len(self.numbers)):
            inputs[:, code] = rows[compact[:, place].astype(np.int64)]
        return inputs
