"""Metrics of predicted numbers, and PROBEN1's squared error percentage. Each record is above its function.

Source: performanceEstimation's regressionMetrics; PROBEN1, section 2.6; Hyndman and Koehler 2006 (MASE)."""

import numpy as np

from delvecore.metrics.metric import (
    CLASSES,
    NUMBERS,
    PROBEN1,
    SKLEARN,
    Judged,
    MetricSpec,
    Options,
    UndefinedError,
    metric,
    of_losses,
)


def _numbers(name: str, title: str, formula: str, needs: str) -> MetricSpec:
    return MetricSpec(name, title, formula, {NUMBERS: tuple(needs.split())}, unit="none").turned()


@metric(
    MetricSpec(
        "sep",
        "squared error percentage",
        "100 (o_max - o_min) / (O n) Σ Σ (o - t)²",
        {CLASSES: ("Q", "classes", "outputs"), NUMBERS: ("S", "span")},
    )
    .turned(unit="%")
    ._replace(origin=PROBEN1, aliases=("squared-error-percentage",))
)
def squared_error_percentage(judged: Judged, _options: Options) -> float:
    """Return 100 (o_max - o_min) / (O n) times the sum of squared errors of O outputs.

    Classes have one output each, from 0 to 1: the plain output of the method, otherwise the probability.

    Examples
    --------
    >>> squared_error_percentage(Judged({"S": np.array([0.5, 0.25])}, span=(0.0, 2.0)), {})
    75.0
    """
    if judged.span is None:
        errors = judged.losses["Q"] if judged.output_errors is None else judged.output_errors
        return 100.0 * float(errors.mean()) / len(judged.classes)
    low, high = judged.span
    return 100.0 * (high - low) * float(judged.losses["S"].mean()) / judged.outputs


def _one(values: np.ndarray) -> np.ndarray:
    """Return the values of the single target. Raises UndefinedError if there are several."""
    if values.shape[1] != 1:
        raise UndefinedError("there are several targets")
    one: np.ndarray = values[:, 0]
    return one


def _ratio(errors: np.ndarray, baseline: np.ndarray) -> float:
    """Return the ratio of errors to the errors of a baseline."""
    if not (whole := float(baseline.sum())):
        raise UndefinedError("the baseline makes no error")
    return float(errors.sum()) / whole


def _from_mean(judged: Judged) -> np.ndarray:
    """Return the errors of constant predictions, the mean of the training targets."""
    deviations: np.ndarray = judged.known("targets") - judged.known("training").mean(axis=0)
    return deviations


mae = of_losses(_numbers("mae", "mean absolute error", "Σ |t - p| / n", "A")._replace(unit="of the target"))
mse = of_losses(_numbers("mse", "mean squared error", "Σ (t - p)² / n", "S")._replace(unit="its square"))


@metric(_numbers("rmse", "root mean squared error", "√ mse", "S")._replace(unit="of the target"))
def rmse(judged: Judged, options: Options) -> float:
    """Root mean squared error.

    Examples
    --------
    >>> rmse(Judged({"S": np.array([1.0, 7.0])}), {})
    2.0
    """
    return float(np.sqrt(mse(judged, options)))


@metric(_numbers("mape", "mean absolute percentage error", "Σ |t - p| / |t| / n", "A targets"))
def mape(judged: Judged, _options: Options) -> float:
    """Mean absolute percentage error: errors as shares of the targets.

    Raises UndefinedError if a target is 0.

    Examples
    --------
    >>> targets = np.array([[2.0], [4.0]])
    >>> mape(Judged({"A": np.array([1.0, 1.0])}, targets=targets), {})
    0.375
    """
    targets = _one(judged.known("targets"))
    if not targets.all():
        raise UndefinedError("a target is 0")
    return float((judged.losses["A"] / np.abs(targets)).mean())


@metric(
    _numbers("smape", "symmetric mape", "Σ 2 |t - p| / (|t| + |p|) / n", "guesses targets")._replace(
        origin="M3 competition"
    )
)
def smape(judged: Judged, _options: Options) -> float:
    """Symmetric mean absolute percentage error: errors as shares of the mean size of target and guess.

    Raises UndefinedError if a target and its guess are 0.

    Examples
    --------
    >>> guesses, targets = np.array([[1.0], [5.0]]), np.array([[2.0], [4.0]])
    >>> round(smape(Judged(guesses=guesses, targets=targets), {}), 3)
    0.444
    """
    targets, guesses = _one(judged.known("targets")), _one(judged.known("guesses"))
    sizes = np.abs(targets) + np.abs(guesses)
    if not sizes.all():
        raise UndefinedError("a target and its guess are 0")
    return float((2 * np.abs(targets - guesses) / sizes).mean())


@metric(_numbers("nmse", "normalized mse", "Σ (t - p)² / Σ (t - ȳ)²", "S targets training"))
def nmse(judged: Judged, _options: Options) -> float:
    """Normalized mean squared error: its ratio to the error of the mean of the training targets.

    Examples
    --------
    >>> targets, training = np.array([[1.0], [3.0]]), np.array([[1.0], [1.0]])
    >>> nmse(Judged({"S": np.array([1.0, 1.0])}, targets=targets, training=training), {})
    0.5
    """
    return _ratio(judged.losses["S"], _from_mean(judged) ** 2)


@metric(_numbers("nmae", "normalized mae", "Σ |t - p| / Σ |t - ȳ|", "A targets training"))
def nmae(judged: Judged, _options: Options) -> float:
    """Normalized mean absolute error: its ratio to the error of the mean of the training targets.

    Examples
    --------
    >>> targets, training = np.array([[1.0], [3.0]]), np.array([[1.0], [1.0]])
    >>> nmae(Judged({"A": np.array([0.5, 1.0])}, targets=targets, training=training), {})
    0.75
    """
    return _ratio(judged.losses["A"], np.abs(_from_mean(judged)))


@metric(_numbers("theil", "Theil’s U", "Σ (t - p)² / Σ (t - t′)²", "S targets previous"))
def theil(judged: Judged, _options: Options) -> float:
    """Theil's U: ratio of squared errors to those of the last observed value.

    Examples
    --------
    >>> targets, previous = np.array([[1.0], [3.0]]), np.array([[1.0], [1.0]])
    >>> theil(Judged({"S": np.array([1.0, 1.0])}, targets=targets, previous=previous), {})
    0.5
    """
    return _ratio(judged.losses["S"], (judged.known("targets") - judged.known("previous")) ** 2)


@metric(
    _numbers("r2", "coefficient of determination", "1 - Σ (t - p)² / Σ (t - t̄)²", "S targets")._replace(
        higher_is_better=True, best=1.0, origin=SKLEARN
    )
)
def r2(judged: Judged, _options: Options) -> float:
    """Coefficient of determination: the explained share of the variance of the targets.

    Examples
    --------
    >>> r2(Judged({"S": np.array([0.5, 0.5])}, targets=np.array([[1.0], [3.0]])), {})
    0.5
    """
    targets = judged.known("targets")
    return 1.0 - _ratio(judged.losses["S"], (targets - targets.mean(axis=0)) ** 2)


medae = of_losses(
    _numbers("medae", "median absolute error", "median of |t - p|", "A")._replace(
        unit="of the target", origin=SKLEARN
    ),
    np.median,
)
maxae = of_losses(
    _numbers("maxae", "largest absolute error", "largest |t - p|", "A")._replace(
        unit="of the target", origin=SKLEARN
    ),
    np.max,
)


@metric(
    _numbers("mase", "mean absolute scaled error", "mae / mean of |y - y′|", "A training order")._replace(
        origin="Hyndman and Koehler"
    )
)
def mase(judged: Judged, options: Options) -> float:
    """Mean absolute scaled error: its ratio to the error of the previous value within the training set.

    Raises UndefinedError if the training targets do not change.

    Examples
    --------
    >>> mase(Judged({"A": np.array([1.0, 2.0])}, training=np.array([[1.0], [2.0], [4.0]])), {})
    1.0
    """
    steps = np.abs(np.diff(judged.known("training"), axis=0)).sum(axis=1)
    if not len(steps) or not steps.any():
        raise UndefinedError("the training targets do not change")
    return mae(judged, options) / float(steps.mean())


@metric(
    _numbers("mda", "directional accuracy", "share of cases with sign(p - t′) = sign(t - t′)", "")._replace(
        needs={NUMBERS: ("guesses", "targets", "previous", "order")},
        higher_is_better=True,
        best=1.0,
        unit="share",
        origin="forecasting",
    )
)
def mda(judged: Judged, _options: Options) -> float:
    """Directional accuracy: the share of cases with the predicted sign of the change since the last value.

    Examples
    --------
    >>> targets, guesses, previous = (np.array([[one], [2.0]]) for one in (3.0, 4.0, 1.0))
    >>> mda(Judged(targets=targets, guesses=guesses, previous=previous), {})
    1.0
    """
    before = _one(judged.known("previous"))
    changes = (_one(judged.known(name)) - before for name in ("targets", "guesses"))
    true, predicted = map(np.sign, changes)
    return float((true == predicted).mean())
