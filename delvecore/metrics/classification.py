"""Metrics of predicted classes and of their probabilities.

Source: performanceEstimation's classificationMetrics; PROBEN1, section 2.6 (rejection). Where R divides zero
by zero there is no value, and it says why; F is defined by counts, so that it is 0 where a class has cases
and none of them is found."""

import re

import numpy as np

from delvecore.errors import DelveError
from delvecore.metrics.metric import Function, Judged, Options, UndefinedError
from delvecore.stats.classification.agreement import agreement_of
from delvecore.stats.classification.measures import ContingencyTable, areas_under_curves

__all__ = ["FUNCTIONS"]

WINNER = "wta"
RULES = {"402040": (0.4, 0.6)}
"""Names of rules of acceptance: outputs up to the first number count as 0, from the second on as 1."""
ACCEPT = re.compile(r"(0?\.\d+|0|1)(?:-(0?\.\d+|0|1))?")


def _mean(letter: str, factor: float = 1.0) -> Function:
    def mean(judged: Judged, _options: Options) -> float:
        return factor * float(judged.losses[letter].mean())

    return mean


def accuracy(judged: Judged, _options: Options) -> float:
    """Return the share of the cases that are predicted right."""
    return 1.0 - float(judged.losses["Z"].mean())


def _positive(judged: Judged, options: Options) -> int:
    """Return the place of the positive class: the one named, else the first of two."""
    name = options.get("positive")
    if name is None and len(judged.classes) > 2:
        raise UndefinedError("there are more than two classes, and none is named as positive")
    if name is None:
        return 0
    if name not in judged.classes:
        raise UndefinedError(f"there is no class {name}")
    return judged.classes.index(name)


class _Counts:
    """Cases of one class against all others: true and false positives and negatives."""

    def __init__(self, judged: Judged, options: Options) -> None:
        self.tp, self.fn, self.fp, self.tn = judged.table.against_rest(_positive(judged, options))

    @property
    def tpr(self) -> float:
        return _share(self.tp, self.tp + self.fn, "there is no positive case")

    @property
    def fnr(self) -> float:
        return _share(self.fn, self.tp + self.fn, "there is no positive case")

    @property
    def fpr(self) -> float:
        return _share(self.fp, self.fp + self.tn, "there is no negative case")

    @property
    def tnr(self) -> float:
        return _share(self.tn, self.fp + self.tn, "there is no negative case")

    @property
    def prec(self) -> float:
        return _share(self.tp, self.tp + self.fp, "no case is predicted positive")

    @property
    def fdr(self) -> float:
        return _share(self.fp, self.tp + self.fp, "no case is predicted positive")

    @property
    def npv(self) -> float:
        return _share(self.tn, self.tn + self.fn, "no case is predicted negative")

    @property
    def omission(self) -> float:
        return _share(self.fn, self.tn + self.fn, "no case is predicted negative")

    @property
    def plr(self) -> float:
        return _share(self.tpr, self.fpr, "there is no false positive")

    @property
    def nlr(self) -> float:
        return _share(self.fnr, self.tnr, "there is no true negative")

    @property
    def dor(self) -> float:
        return _share(self.plr, self.nlr, "there is no false negative")

    @property
    def rpp(self) -> float:
        return _share(self.tp + self.fp, self.tp + self.fn + self.fp + self.tn, "there is no case")

    @property
    def lift(self) -> float:
        return self.tpr * _share(1, self.tp + self.fp, "no case is predicted positive")


def _share(part: float, whole: float, why_none: str) -> float:
    if not whole:
        raise UndefinedError(why_none)
    return part / whole


def _of_two(name: str) -> Function:
    def of_two(judged: Judged, options: Options) -> float:
        found: float = getattr(_Counts(judged, options), name)
        return found

    return of_two


def _f(table: ContingencyTable, place: int, beta: float) -> float:
    hits, missed, alarms, _ = table.against_rest(place)
    weight = beta * beta
    whole = (1 + weight) * hits + weight * missed + alarms
    return _share((1 + weight) * hits, whole, "no case is positive, nor predicted so")


def _beta(options: Options) -> float:
    """Return the weight of recall. Raises DelveError for what is no positive number."""
    try:
        beta = float(options.get("beta", "1"))
    except ValueError:
        beta = -1.0
    if not 0 < beta < float("inf"):
        raise DelveError(f"beta: expected a number above 0, found {options['beta']!r}")
    return beta


def f_measure(judged: Judged, options: Options) -> float:
    """Return F of one class, beta times as much weight on recall as on precision."""
    return _f(judged.table, _positive(judged, options), _beta(options))


def _there(table: ContingencyTable) -> list[int]:
    """Return the places of the classes that have cases."""
    found = [place for place, cases in enumerate(table.actual) if cases]
    if not found:
        raise UndefinedError("there is no case")
    return found


def macro_f(judged: Judged, options: Options) -> float:
    """Return the mean of F over the classes that have cases or are predicted."""
    table, beta = judged.table, _beta(options)
    both = zip(table.actual, table.predicted, strict=True)
    places = [place for place, counts in enumerate(both) if any(counts)]
    return float(np.mean([_f(table, place, beta) for place in places or _there(table)]))


def macro_recall(judged: Judged, _options: Options) -> float:
    """Return the mean recall of the classes that have cases."""
    table = judged.table
    return float(np.mean([table.counts[place][place] / table.actual[place] for place in _there(table)]))


def macro_precision(judged: Judged, _options: Options) -> float:
    """Return the mean precision of the classes that have cases; no value where one is never predicted."""
    table, why = judged.table, "a class is never predicted"
    shares = [_share(table.counts[place][place], table.predicted[place], why) for place in _there(table)]
    return float(np.mean(shares))


def utility(judged: Judged, _options: Options) -> float:
    """Return the sum of what the predictions are worth; the matrix has a row a predicted class."""
    return float(judged.known("matrix")[judged.known("guessed"), judged.known("actual")].sum())


def matthews(judged: Judged, _options: Options) -> float:
    """Return the correlation of actual and predicted classes."""
    return _agreement(agreement_of(judged.table).matthews)


def kappa(judged: Judged, _options: Options) -> float:
    """Return the agreement beyond chance."""
    return _agreement(agreement_of(judged.table).kappa)


def _agreement(value: float) -> float:
    if np.isnan(value):
        raise UndefinedError("all cases, or all predictions, are of one class")
    return value


def area(judged: Judged, _options: Options) -> float:
    """Return the mean area under the curve of each class against all others."""
    areas = areas_under_curves(judged.known("probabilities"), judged.known("actual"))
    if np.isnan(areas).any():
        raise UndefinedError("a class has no case")
    return float(np.mean(areas))


def _thresholds(text: str) -> tuple[float, float]:
    """Return up to where an output counts as 0, and from where on as 1. Raises DelveError."""
    if text in RULES:
        return RULES[text]
    found = ACCEPT.fullmatch(text)
    low, high = (float(found[1]), float(found[2] or found[1])) if found else (1.0, 0.0)
    if low > high:
        expected = "wta, 402040, a threshold such as 0.5 or two such as 0.3-0.7"
        raise DelveError(f"accept: expected {expected}, found {text!r}")
    return low, high


def _accepted(judged: Judged, rule: str) -> np.ndarray:
    """Which cases are accepted, as exactly one output counts as 1 and all others as 0?"""
    outputs = judged.known("probabilities")
    low, high = _thresholds(rule)
    is_one = outputs > low if low == high else outputs >= high
    is_zero = outputs <= low
    accepted: np.ndarray = (is_one.sum(axis=1) == 1) & (is_one | is_zero).all(axis=1)
    return accepted


def classification_error(judged: Judged, options: Options) -> float:
    """Return the percentage of wrongly classified cases. Without `accept` every case is classified; with a
    rule a case that no class is accepted for is rejected, which is no wrong classification."""
    rule = options.get("accept", WINNER)
    if rule == WINNER:
        return 100.0 * float(judged.losses["Z"].mean())
    wrong = judged.known("probabilities").argmax(axis=1) != judged.known("actual")
    return 100.0 * float((wrong & _accepted(judged, rule)).mean())


def rejected(judged: Judged, options: Options) -> float:
    """Return the percentage of cases that no class is accepted for, by 402040 unless a rule is named."""
    rule = options.get("accept", "402040")
    return 0.0 if rule == WINNER else 100.0 * float((~_accepted(judged, rule)).mean())


OF_TWO = ("tpr", "tnr", "fpr", "fnr", "prec", "npv", "fdr", "plr", "nlr", "dor", "rpp", "lift")
FUNCTIONS: dict[str, Function] = {
    **{name: _of_two(name) for name in OF_TWO},
    "acc": accuracy,
    "err": _mean("Z"),
    "totU": utility,
    "for": _of_two("omission"),
    "F": f_measure,
    "macroF": macro_f,
    "macroRec": macro_recall,
    "macroPrec": macro_precision,
    "mcc": matthews,
    "kappa": kappa,
    "auc": area,
    "logloss": _mean("L"),
    "brier": _mean("Q"),
    "cep": classification_error,
    "reject": rejected,
}
"""{name: its function}."""
