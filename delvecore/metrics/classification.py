"""Metrics of predicted classes and of their probabilities. Each record is above its function.

Source: performanceEstimation's classificationMetrics; PROBEN1, section 2.6 (rejection). A quotient of zeros
is undefined, with a reason. F is computed from counts, so it is 0 for a class without right predictions."""

import re
from collections.abc import Callable, Sequence

import numpy as np

from delvecore.errors import DelveError
from delvecore.metrics.metric import (
    CLASSES,
    PROBEN1,
    SKLEARN,
    Function,
    Judged,
    MetricSpec,
    Options,
    UndefinedError,
    metric,
    of_losses,
)
from delvecore.stats.classification.contingency import ContingencyTable, areas_under_curves

FOUR_CASES = Judged(classes=("a", "b"), actual=np.array([0, 0, 1, 1]), guessed=np.array([0, 1, 1, 1]))
"""Data of the examples: two classes; one case of a is predicted as b."""
WINNER = "wta"
RULES = {"402040": (0.4, 0.6)}
"""Names of acceptance rules: outputs up to the first number count as 0, from the second on as 1."""
ACCEPT = re.compile(r"(0?\.\d+|0|1)(?:-(0?\.\d+|0|1))?")


def _classes(name: str, title: str, formula: str, needs: str) -> MetricSpec:
    return MetricSpec(name, title, formula, {CLASSES: tuple(needs.split())})


def _of_two(name: str, title: str, formula: str, *aliases: str) -> MetricSpec:
    """Return a metric of one class against all others."""
    spec = _classes(name, title, formula, "table")
    return spec._replace(aliases=aliases, options=("positive",), has_two=True)


def place_of_positive(classes: Sequence[str], options: Options) -> int:
    """Return the position of the positive class: the one in the option, otherwise the first of two. Raises
    UndefinedError for an unknown class, and for more than two classes without the option."""
    name = options.get("positive")
    if name is None and len(classes) > 2:
        raise UndefinedError("there are more than two classes, and none is named as the positive one")
    if name is None:
        return 0
    if name not in classes:
        raise UndefinedError(f"there is no class {name}")
    return classes.index(name)


def _counts(judged: Judged, options: Options) -> tuple[float, float, float, float]:
    """Return the counts of one class against all others: true positives, false negatives, false positives and
    true negatives."""
    return judged.table.against_rest(place_of_positive(judged.classes, options))


def _share(part: float, whole: float, why_none: str) -> float:
    if not whole:
        raise UndefinedError(why_none)
    return part / whole


accuracy = of_losses(
    _classes("acc", "accuracy", "share of cases with p = t", "Z")._replace(aliases=("accuracy", "microF")),
    lambda losses: 1.0 - float(losses.mean()),
)
error_rate = of_losses(_classes("err", "error rate", "1 - acc", "Z").turned())


@metric(
    _classes("totU", "total utility", "sum of B[p, t] over the cases", "table matrix")._replace(
        best=None, unit="of the matrix", aliases=("utility",), options=("benefits", "matrix")
    )
)
def utility(judged: Judged, _options: Options) -> float:
    """Total utility: the sum of the benefits of all predictions. The matrix has a row per predicted class.

    Examples
    --------
    >>> worth = np.array([[1, -5], [0, 2]])
    >>> utility(Judged(actual=np.array([0, 0, 1, 1]), guessed=np.array([0, 1, 1, 1]), matrix=worth), {})
    5.0
    """
    return float(judged.known("matrix")[judged.known("guessed"), judged.known("actual")].sum())


def _rate(
    spec: MetricSpec, share: Callable[[float, float, float, float], tuple[float, float]], why_none: str
) -> Function:
    """Register a share of cases. share: part and whole, from the true positives, false negatives, false
    positives and true negatives of one class; why_none: reason for no value if the whole is zero."""
    return metric(spec)(lambda judged, options: _share(*share(*_counts(judged, options)), why_none))


_NO_POSITIVE, _NO_NEGATIVE = "there is no positive case", "there is no negative case"
_NONE_PREDICTED, _ALL_PREDICTED = "no case is predicted positive", "no case is predicted negative"
true_positive_rate = _rate(
    _of_two("tpr", "true positive rate", "TP / P", "rec", "sens", "recall", "sensitivity"),
    lambda tp, fn, fp, tn: (tp, tp + fn),
    _NO_POSITIVE,
)
true_negative_rate = _rate(
    _of_two("tnr", "true negative rate", "TN / N", "spec", "specificity"),
    lambda tp, fn, fp, tn: (tn, fp + tn),
    _NO_NEGATIVE,
)
false_positive_rate = _rate(
    _of_two("fpr", "false positive rate", "FP / N").turned(),
    lambda tp, fn, fp, tn: (fp, fp + tn),
    _NO_NEGATIVE,
)
false_negative_rate = _rate(
    _of_two("fnr", "false negative rate", "FN / P").turned(),
    lambda tp, fn, fp, tn: (fn, tp + fn),
    _NO_POSITIVE,
)
precision = _rate(
    _of_two("prec", "precision", "TP / (TP + FP)", "ppv", "precision"),
    lambda tp, fn, fp, tn: (tp, tp + fp),
    _NONE_PREDICTED,
)
negative_predictive_value = _rate(
    _of_two("npv", "negative predicted value", "TN / (TN + FN)"),
    lambda tp, fn, fp, tn: (tn, tn + fn),
    _ALL_PREDICTED,
)
false_discovery_rate = _rate(
    _of_two("fdr", "false discovery rate", "FP / (TP + FP)").turned(),
    lambda tp, fn, fp, tn: (fp, tp + fp),
    _NONE_PREDICTED,
)
false_omission_rate = _rate(
    _of_two("for", "false omission rate", "FN / (TN + FN)").turned(),
    lambda tp, fn, fp, tn: (fn, tn + fn),
    _ALL_PREDICTED,
)


@metric(_of_two("plr", "positive likelihood ratio", "tpr / fpr")._replace(best=None, unit="ratio"))
def positive_likelihood_ratio(judged: Judged, options: Options) -> float:
    """Positive likelihood ratio of one class.

    Examples
    --------
    >>> positive_likelihood_ratio(FOUR_CASES, {"positive": "b"})
    2.0
    """
    true, false = true_positive_rate(judged, options), false_positive_rate(judged, options)
    return _share(true, false, "there is no false positive")


@metric(_of_two("nlr", "negative likelihood ratio", "fnr / tnr").turned(unit="ratio"))
def negative_likelihood_ratio(judged: Judged, options: Options) -> float:
    """Negative likelihood ratio of one class.

    Examples
    --------
    >>> negative_likelihood_ratio(FOUR_CASES, {})
    0.5
    """
    false, true = false_negative_rate(judged, options), true_negative_rate(judged, options)
    return _share(false, true, "there is no true negative")


@metric(_of_two("dor", "diagnostic odds ratio", "plr / nlr")._replace(best=None, unit="ratio"))
def diagnostic_odds_ratio(judged: Judged, options: Options) -> float:
    """Diagnostic odds ratio of one class.

    Examples
    --------
    >>> judged = Judged(classes=("a", "b"), actual=np.array([0, 0, 1, 1]), guessed=np.array([0, 1, 1, 0]))
    >>> diagnostic_odds_ratio(judged, {})
    1.0
    """
    ratios = positive_likelihood_ratio(judged, options), negative_likelihood_ratio(judged, options)
    return _share(*ratios, "there is no false negative")


rate_of_positive_predictions = _rate(
    _of_two("rpp", "rate of positive predictions", "(TP + FP) / n")._replace(
        higher_is_better=None, best=None
    ),
    lambda tp, fn, fp, tn: (tp + fp, tp + fn + fp + tn),
    "there is no case",
)


@metric(_of_two("lift", "lift", "TP / (P (TP + FP))")._replace(best=None, unit="per case"))
def lift(judged: Judged, options: Options) -> float:
    """Lift of one class.

    Examples
    --------
    >>> lift(FOUR_CASES, {})
    0.5
    """
    tp, _, fp, _ = _counts(judged, options)
    return true_positive_rate(judged, options) * _share(1, tp + fp, "no case is predicted positive")


def _f(table: ContingencyTable, place: int, beta: float) -> float:
    hits, missed, alarms, _ = table.against_rest(place)
    weight = beta * beta
    whole = (1 + weight) * hits + weight * missed + alarms
    return _share((1 + weight) * hits, whole, "no case is positive or predicted positive")


def _beta(options: Options) -> float:
    """Return the weight of recall. Raises DelveError unless it is a positive number."""
    try:
        beta = float(options.get("beta", "1"))
    except ValueError:
        beta = -1.0
    if not 0 < beta < float("inf"):
        raise DelveError(f"beta: expected a number above 0, found {options['beta']!r}")
    return beta


@metric(
    _of_two("F", "F measure", "(1 + b²) TP / ((1 + b²) TP + b² FN + FP), b = beta", "f1", "F1")._replace(
        options=("positive", "beta")
    )
)
def f_measure(judged: Judged, options: Options) -> float:
    """F measure of one class; recall has beta times the weight of precision.

    Examples
    --------
    >>> f_measure(FOUR_CASES, {})
    0.6666666666666666
    """
    return _f(judged.table, place_of_positive(judged.classes, options), _beta(options))


def _there(table: ContingencyTable) -> list[int]:
    """Return the positions of the classes with cases."""
    present = [place for place, cases in enumerate(table.actual) if cases]
    if not present:
        raise UndefinedError("there is no case")
    return present


@metric(
    _classes("macroF", "mean F of the classes", "mean of F over the classes", "table")._replace(
        aliases=("f1_macro",), options=("beta",)
    )
)
def macro_f(judged: Judged, options: Options) -> float:
    """Macro-averaged F measure: its mean over the classes with cases or predictions.

    Examples
    --------
    >>> round(macro_f(FOUR_CASES, {}), 3)
    0.733
    """
    table, beta = judged.table, _beta(options)
    both = zip(table.actual, table.predicted, strict=True)
    places = [place for place, counts in enumerate(both) if any(counts)]
    return float(np.mean([_f(table, place, beta) for place in places or _there(table)]))


@metric(
    _classes("macroRec", "mean recall of the classes", "mean of tpr over the classes", "table")._replace(
        aliases=("balanced_accuracy", "recall_macro")
    )
)
def macro_recall(judged: Judged, _options: Options) -> float:
    """Balanced accuracy, or macro-averaged recall: its mean over the classes with cases.

    Examples
    --------
    >>> macro_recall(FOUR_CASES, {})
    0.75
    """
    table = judged.table
    return float(np.mean([table.counts[place][place] / table.actual[place] for place in _there(table)]))


@metric(
    _classes("macroPrec", "mean precision of the classes", "mean of prec over the classes", "table")._replace(
        aliases=("precision_macro",)
    )
)
def macro_precision(judged: Judged, _options: Options) -> float:
    """Macro-averaged precision over the classes with cases; undefined if one is never predicted.

    Examples
    --------
    >>> round(macro_precision(FOUR_CASES, {}), 3)
    0.833
    """
    table, why = judged.table, "a class is never predicted"
    shares = [_share(table.counts[place][place], table.predicted[place], why) for place in _there(table)]
    return float(np.mean(shares))


def _agreement(value: float) -> float:
    if np.isnan(value):
        raise UndefinedError("all cases, or all predictions, are of one class")
    return value


@metric(_classes("mcc", "Matthews’ correlation", "correlation of p and t", "table")._replace(origin=SKLEARN))
def matthews(judged: Judged, _options: Options) -> float:
    """Matthews' correlation coefficient of actual and predicted classes.

    Examples
    --------
    >>> round(matthews(FOUR_CASES, {}), 3)
    0.577
    """
    return _agreement(judged.table.matthews)


@metric(
    _classes("kappa", "Cohen’s kappa", "(acc - c) / (1 - c), c by chance", "table")._replace(origin=SKLEARN)
)
def kappa(judged: Judged, _options: Options) -> float:
    """Cohen's kappa: the agreement beyond chance.

    Examples
    --------
    >>> kappa(FOUR_CASES, {})
    0.5
    """
    return _agreement(judged.table.kappa)


@metric(
    _classes(
        "auc", "area under the ROC curve", "pairs ranked right, mean over the classes", "table probabilities"
    )._replace(origin=SKLEARN, aliases=("roc_auc",))
)
def area(judged: Judged, _options: Options) -> float:
    """Area under the ROC curve, the mean of each class against all others.

    Raises UndefinedError if a class has no case.

    Examples
    --------
    >>> sure = np.array([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
    >>> judged = Judged(classes=("a", "b"), actual=np.array([0, 0, 1]), probabilities=sure)
    >>> area(judged, {})
    1.0
    """
    areas = areas_under_curves(judged.known("probabilities"), judged.known("actual"))
    if np.isnan(areas).any():
        raise UndefinedError("a class has no case")
    return float(np.mean(areas))


log_loss = of_losses(
    _classes("logloss", "log loss", "mean of -ln q(t)", "L")
    .turned(unit="nats")
    ._replace(origin=SKLEARN, aliases=("log_loss",))
)
brier_score = of_losses(
    _classes("brier", "Brier score", "mean of Σ (q - [t])²", "Q").turned(unit="none")._replace(origin=SKLEARN)
)


def _thresholds(text: str) -> tuple[float, float]:
    """Return the largest output that counts as 0, and the smallest that counts as 1. Raises DelveError."""
    if text in RULES:
        return RULES[text]
    match = ACCEPT.fullmatch(text)
    low, high = (float(match[1]), float(match[2] or match[1])) if match else (1.0, 0.0)
    if low > high:
        expected = "wta, 402040, a threshold such as 0.5 or two such as 0.3-0.7"
        raise DelveError(f"accept: expected {expected}, found {text!r}")
    return low, high


def _accepted(judged: Judged, rule: str) -> np.ndarray:
    """Return a mask of the accepted cases: one output counts as 1, and all others as 0."""
    outputs = judged.known("probabilities")
    low, high = _thresholds(rule)
    is_one = outputs > low if low == high else outputs >= high
    is_zero = outputs <= low
    accepted: np.ndarray = (is_one.sum(axis=1) == 1) & (is_one | is_zero).all(axis=1)
    return accepted


@metric(
    _classes("cep", "classification error in percent", "100 × wrong / n", "Z")
    .turned(unit="%")
    ._replace(
        origin=PROBEN1,
        aliases=("classification-error",),
        options=("accept",),
        needs_said=("table", "probabilities"),
    )
)
def classification_error(judged: Judged, options: Options) -> float:
    """Return the percentage of wrongly classified cases.

    Without `accept` all cases are classified. A rule rejects cases without an
    accepted class, which do not count as wrong.

    Examples
    --------
    >>> classification_error(Judged({"Z": np.array([0.0, 1.0, 0.0, 0.0])}), {})
    25.0
    """
    rule = options.get("accept", WINNER)
    if rule == WINNER:
        return 100.0 * float(judged.losses["Z"].mean())
    wrong = judged.known("probabilities").argmax(axis=1) != judged.known("actual")
    return 100.0 * float((wrong & _accepted(judged, rule)).mean())


@metric(
    _classes("reject", "rejected cases in percent", "100 × rejected / n", "table probabilities")
    .turned(unit="%")
    ._replace(origin=PROBEN1, options=("accept",))
)
def rejected(judged: Judged, options: Options) -> float:
    """Percentage of rejected cases, which have no accepted class. The default rule is 402040.

    Examples
    --------
    >>> sure = np.array([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
    >>> judged = Judged(classes=("a", "b"), actual=np.array([0, 0, 1]), probabilities=sure)
    >>> rejected(judged, {"accept": "0.7"}), rejected(judged, {"accept": "0.3-0.7"})
    (33.33333333333333, 33.33333333333333)
    """
    rule = options.get("accept", "402040")
    return 0.0 if rule == WINNER else 100.0 * float((~_accepted(judged, rule)).mean())
