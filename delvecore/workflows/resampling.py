"""Training cases drawn anew, so that a rare class weighs more: imbalanced-learn does the work.

`smote` adds cases between rare ones and their neighbours and draws fewer of the others: for each rare case
`over` new ones, for each new one `under` others. Source: L. Torgo, performanceEstimation, smote."""

from collections.abc import Mapping, Sequence
from importlib import util
from typing import Any

import numpy as np

from delvecore.errors import DelveError

__all__ = ["SAMPLERS", "check_sampling", "resampled"]

SAMPLERS = ("smote", "oversample", "undersample")


def check_sampling(kind: str) -> None:
    """Raise DelveError where imbalanced-learn is not installed."""
    if util.find_spec("imblearn") is None:
        remedy = "pip install 'delve-browser[workflows]' adds it"
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
    from imblearn.over_sampling import RandomOverSampler

    counts = np.bincount(classes)
    least = round(ratio * counts.max())
    wanted = {int(one): max(least, int(counts[one])) for one in np.flatnonzero(counts)}
    return RandomOverSampler(sampling_strategy=wanted, random_state=seed).fit_resample(inputs, classes)


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
    from imblearn.over_sampling import SMOTE, SMOTEN, SMOTENC, RandomOverSampler

    count = int(np.sum(classes == rare))
    wanted = {rare: count + new}
    near = min(neighbours, count - 1)
    if not near:
        return RandomOverSampler(sampling_strategy=wanted, random_state=seed).fit_resample(inputs, classes)
    compact = _Compact(inputs, codes)
    marks = compact.is_code
    told = {"sampling_strategy": wanted, "k_neighbors": near, "random_state": seed}
    sampler = SMOTEN if marks.all() else SMOTENC if marks.any() else SMOTE
    if sampler is SMOTENC:
        told["categorical_features"] = np.flatnonzero(marks).tolist()
    found, drawn = sampler(**told).fit_resample(compact.inputs, classes)
    return compact.restored(np.asarray(found, dtype=np.float64)), drawn


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
