"""Results of `cross_validate`, `cross_val_score` and fitted searches of scikit-learn, and their splits.

scikit-learn is not imported: its results are dictionaries, and its splitters are recognized by class
names."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pandas as pd

from delvecore.encoding.schemes import windows
from delvecore.errors import Fault
from delvecore.model import Scheme
from delvecore.readers.instances import overlap_of
from delvecore.stats.designs import RunDesign, fold_correlation, named_design

SCORE = "score"
"""The name of scores if no scorer is named."""
TESTED = "test_"
"""Prefix of the keys of test scores, and their ending in a search."""
FOLD_SPLITTERS = ("KFold", "StratifiedKFold", "GroupKFold", "StratifiedGroupKFold", "LeaveOneGroupOut")
"""Classes of scikit-learn that test each case once."""
WINDOW = 100
"""Number of cases in each of several equal windows. Shares of cases do not depend on this number."""
REMEDY = (
    "compute them with cross_validate(..., return_indices=True), or say design='cross-validation', "
    "or design='repeated cross-validation' or 'resampled' with share= the share of cases in a test set"
)
FEWEST = 2


Cases: TypeAlias = "Sequence[int] | np.ndarray"


Splits: TypeAlias = tuple[RunDesign, float | None]
"""How folds were drawn, and the share of the cases in the test set of a fold, None if unknown."""


class CrossValidated(NamedTuple):
    """Scores of methods on the same folds.

    Attributes
    ----------
    scores : mapping of str to array
        Scores by method.
    metric : str
        The name of the scorer.
    splits : Splits or None
        How folds were drawn, None if unknown.
    is_program : bool
        Whether scores follow the rule of scikit-learn that higher is better.
    """

    scores: Mapping[str, np.ndarray]
    metric: str
    splits: Splits | None
    is_program: bool

    @property
    def frame(self) -> pd.DataFrame:
        """Return the scores as a table with a row per method and fold."""
        rows = [
            ("data", name, fold, value)
            for name, values in self.scores.items()
            for fold, value in enumerate(values.tolist())
        ]
        return pd.DataFrame(rows, columns=["dataset", "method", "fold", self.metric])


def cross_validated(data: Any, metric: str | None = None) -> CrossValidated | None:
    """Return results of scikit-learn, or None for other data.

    data: {method: result}, where a result is from `cross_validate`, `cross_val_score` or a search; or one
    search, whose candidates are the methods. metric: the scorer to use, if there are several. Raises Fault if
    folds differ, or if several scorers are left to choose from."""
    if hasattr(data, "cv_results_"):
        name = _scorer("data", data, metric)
        return CrossValidated(_candidates(data, name), name, _splits_of(data, len(_splits(data, name))), True)
    if not isinstance(data, Mapping) or not data:
        return None
    if all(map(_is_result, data.values())):
        return _of_results(data, metric)
    if len(data) >= FEWEST and all(map(_is_array, data.values())):
        scores = {str(name): np.asarray(one, dtype=float) for name, one in data.items()}
        _check_counts(scores)
        return CrossValidated(scores, metric or SCORE, None, False)
    return None


def _of_results(data: Mapping[str, Any], metric: str | None) -> CrossValidated:
    scorers = {name: _scorer(name, one, metric) for name, one in data.items()}
    if len(set(scorers.values())) > 1:
        actual = ", ".join(f"{name}: {scorer}" for name, scorer in scorers.items())
        raise Fault("metric", "the same scorer for all", actual, "pass the same scoring= to all")
    scorer = next(iter(scorers.values()))
    scores = {name: _scores(one, scorer) for name, one in data.items()}
    _check_counts(scores)
    _check_same_folds(data)
    splits = [_splits_of(one, len(scores[name])) for name, one in data.items()]
    found_splits = dict.fromkeys(one for one in splits if one is not None)
    if len(found_splits) > 1:
        words = " and ".join(design.words for design, _ in found_splits)
        raise Fault("data", "results of one split, the same folds for all", words, "pass the same cv= to all")
    return CrossValidated(scores, scorer, next(iter(found_splits), None), True)


def question(count: int) -> Fault:
    """Return the question about how folds were drawn, for scores without indices of cases."""
    return Fault("design", f"how the {count} folds were drawn", "their scores alone", REMEDY)


def _is_result(one: Any) -> bool:
    is_search = hasattr(one, "cv_results_")
    return is_search or (isinstance(one, Mapping) and any(str(key).startswith(TESTED) for key in one))


def _is_array(one: Any) -> bool:
    if not isinstance(one, np.ndarray | list | tuple):
        return False
    values = np.asarray(one)
    return values.ndim == 1 and values.dtype.kind == "f" and len(values) >= FEWEST


def _check_counts(scores: Mapping[str, np.ndarray]) -> None:
    counts = {name: len(values) for name, values in scores.items()}
    if len(set(counts.values())) > 1:
        words = ", ".join(f"{name} {count}" for name, count in counts.items())
        raise Fault("data", "results of one split, the same folds for all", f"{words} folds")


def _keys(one: Any) -> list[str]:
    """Return the names of the scorers of a result, without `test_`."""
    if hasattr(one, "cv_results_"):
        start = f"split0_{TESTED}"
        keys = (str(key) for key in one.cv_results_)
    else:
        start, keys = TESTED, (str(key) for key in one)
    return [key.removeprefix(start) for key in keys if key.startswith(start)]


def _scorer(name: str, one: Any, metric: str | None) -> str:
    """Return the name of the scorer to use."""
    keys = _keys(one)
    if not keys:
        raise Fault(name, "test scores", "none", "fit the search, or call cross_validate")
    word = None if metric is None else metric.removeprefix(TESTED)
    if word is None and len(keys) == 1:
        return keys[0]
    if word in keys:
        return str(word)
    listed = ", ".join(keys)
    remedy = f"say metric={keys[0]!r}" + (f" or {keys[1]!r}" if len(keys) > 1 else "")
    if word is None:
        raise Fault(name, "one score", listed, remedy)
    raise Fault("metric", f"a score of {name}: {listed}", repr(metric), remedy)


def _scores(one: Any, scorer: str) -> np.ndarray:
    if hasattr(one, "cv_results_"):
        if not hasattr(one, "best_index_"):
            expected = "a search with a best candidate"
            raise Fault("data", expected, "none", "set refit= to the name of the scorer that decides")
        return _splits(one, scorer)[:, one.best_index_]
    return np.asarray(one[f"{TESTED}{scorer}"], dtype=float)


def _candidates(search: Any, scorer: str) -> dict[str, np.ndarray]:
    splits, params = _splits(search, scorer), search.cv_results_["params"]
    names = [" ".join(f"{key}={value}" for key, value in one.items()) for one in params]
    return {name: splits[:, place] for place, name in enumerate(names)}


def _splits(search: Any, scorer: str) -> np.ndarray:
    """Return the test scores of a search, shape (folds, candidates)."""
    results = search.cv_results_
    count = sum(key.startswith("split") and key.endswith(f"_{TESTED}{scorer}") for key in results)
    return np.array([results[f"split{number}_{TESTED}{scorer}"] for number in range(count)], dtype=float)


def _indices(one: Any) -> tuple[list[np.ndarray], list[np.ndarray]] | None:
    """Return the training and test cases of each fold, if a result has them."""
    if isinstance(one, Mapping) and "indices" in one:
        return list(one["indices"]["train"]), list(one["indices"]["test"])
    cv: Any = getattr(one, "cv", None)
    if type(cv).__name__ == "PredefinedSplit":
        cv = list(cv.split())
    if isinstance(cv, list | tuple):
        return [training for training, _ in cv], [test for _, test in cv]
    return None


def _check_same_folds(data: Mapping[str, Any]) -> None:
    """Raise Fault if the folds of two results differ, or if their splitter draws different folds each
    time."""
    expected, remedy = "the same folds for all", "pass the same cv= to all, with an integer random_state="
    known = {name: sets for name, one in data.items() if (sets := _indices(one)) is not None}
    first = next(iter(known), "")
    for name, sets in known.items():
        for kind, mine, others in zip(("training", "test"), known[first], sets, strict=True):
            for fold, (a, b) in enumerate(zip(mine, others, strict=False)):
                if not np.array_equal(np.sort(a), np.sort(b)):
                    raise Fault("data", expected, f"different {kind} cases in fold {fold} of {name}", remedy)
    for name, one in data.items():
        if len(data) > 1 and _is_drawn_anew(getattr(one, "cv", None)):
            actual = f"{type(one.cv).__name__} of {name}, which draws new folds each time"
            raise Fault("data", expected, actual, remedy)


def _is_drawn_anew(cv: Any) -> bool:
    state = getattr(cv, "random_state", 0)
    return not isinstance(state, int | np.integer) and bool(getattr(cv, "shuffle", True))


def _splits_of(one: Any, count: int) -> Splits | None:
    """Return how the folds of a result were drawn; None if the result does not show it."""
    if (sets := _indices(one)) is not None:
        return splits_of_sets(*sets)
    return splits_of_splitter(one.cv, count) if hasattr(one, "cv") else None


def splits_of_sets(training: Iterable[Cases], test: Iterable[Cases]) -> Splits:
    """Return the design of folds whose cases are known, and the share of test cases.

    Examples
    --------
    >>> splits_of_sets([[2, 3], [0, 1]], [[0, 1], [2, 3]])[0].words
    '2-fold cross-validation'
    """
    sets = [[np.sort(np.asarray(one)).tolist() for one in part] for part in (training, test)]
    trained, tested = (sum(map(len, part)) for part in sets)
    share = tested / (trained + tested)
    scheme, correlation = overlap_of(
        *([tuple((case, case) for case in one) for one in part] for part in sets)
    )
    count = len(sets[0])
    if scheme == Scheme.CROSS_VALIDATION:
        return RunDesign(scheme, count, 1, correlation, assumed=False), share
    if scheme == Scheme.REPEATED and count % max(round(1 / share), 1) == 0:
        folds = round(1 / share)
        return RunDesign(scheme, folds, count // folds, correlation, assumed=False), share
    return RunDesign(scheme, 1, count, correlation, assumed=False), share


def splits_of_splitter(cv: Any, count: int) -> Splits | None:
    """Return the design of the folds, and the share of test cases, of a scikit-learn splitter or a number of
    folds.

    None for an unknown class, or if the design depends on the number of cases, which is unknown. count:
    actual number of folds."""
    if cv is None or isinstance(cv, int | np.integer):
        return _of_folds(count)
    kind = type(cv).__name__
    if not type(cv).__module__.startswith("sklearn."):
        return None
    if kind in FOLD_SPLITTERS:
        return _of_folds(count)
    if hasattr(cv, "n_repeats") and "n_splits" in getattr(cv, "cvargs", {}):
        return _of_folds(cv.cvargs["n_splits"], cv.n_repeats)
    if kind == "LeaveOneOut":
        return named_design(Scheme.LEAVE_ONE_OUT, count), 1 / count
    if hasattr(cv, "test_size") and hasattr(cv, "train_size"):
        share = _resampled_share(cv)
        if share is None:
            return None
        return named_design(Scheme.RESAMPLED, count, test_share=share), share
    if kind == "TimeSeriesSplit" and (cv.max_train_size, cv.test_size, cv.gap) == (None, None, 0):
        instances = windows((count + 1) * WINDOW, count, sliding=False)
        return splits_of_sets([training for training, _ in instances], [test for _, test in instances])
    return None


def _of_folds(folds: int, repeats: int = 1) -> Splits:
    kind = Scheme.REPEATED if repeats > 1 else Scheme.CROSS_VALIDATION
    design = RunDesign(kind, folds, repeats, fold_correlation(folds, repeats), assumed=False)
    return design, 1 / folds


def _resampled_share(cv: Any) -> float | None:
    """Return the share of test cases of ShuffleSplit and similar splitters; None if only one size is a number
    of cases."""
    test, training = cv.test_size, cv.train_size
    if test is None and training is None:
        return float(getattr(cv, "_default_test_size", 0.1))
    if test is None or training is None:
        size = training if test is None else test
        if isinstance(size, int | np.integer):
            return None
        return float(1 - size if test is None else size)
    if isinstance(test, int | np.integer) != isinstance(training, int | np.integer):
        return None
    return float(test / (test + training))
