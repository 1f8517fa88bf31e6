"""Metrics of predicted numbers, and PROBEN1's squared error percentage.

Source: performanceEstimation's regressionMetrics; PROBEN1, section 2.6; Hyndman and Koehler 2006 (MASE)."""

import numpy as np

from delvecore.metrics.metric import Function, Judged, Options, UndefinedError

__all__ = ["FUNCTIONS"]


def mae(judged: Judged, _options: Options) -> float:
    """Return the mean absolute error."""
    return float(judged.losses["A"].mean())


def mse(judged: Judged, _options: Options) -> float:
    """Return the mean squared error."""
    return float(judged.losses["S"].mean())


def rmse(judged: Judged, options: Options) -> float:
    """Return the root of the mean squared error."""
    return float(np.sqrt(mse(judged, options)))


def medae(judged: Judged, _options: Options) -> float:
    """Return the median absolute error."""
    return float(np.median(judged.losses["A"]))


def maxae(judged: Judged, _options: Options) -> float:
    """Return the largest absolute error."""
    return float(judged.losses["A"].max())


def _one(values: np.ndarray) -> np.ndarray:
    """Return the values of the only target. Raises UndefinedError where there are several."""
    if values.shape[1] != 1:
        raise UndefinedError("there are several targets")
    one: np.ndarray = values[:, 0]
    return one


def mape(judged: Judged, _options: Options) -> float:
    """Return the mean of the absolute errors as shares of the targets."""
    targets = _one(judged.known("targets"))
    if not targets.all():
        raise UndefinedError("a target is 0")
    return float((judged.losses["A"] / np.abs(targets)).mean())


def smape(judged: Judged, _options: Options) -> float:
    """Return the mean of the absolute errors as shares of the mean size of target and guess."""
    targets, guesses = _one(judged.known("targets")), _one(judged.known("guesses"))
    sizes = np.abs(targets) + np.abs(guesses)
    if not sizes.all():
        raise UndefinedError("a target and its guess are 0")
    return float((2 * np.abs(targets - guesses) / sizes).mean())


def _ratio(errors: np.ndarray, baseline: np.ndarray) -> float:
    """Return errors in units of those of a baseline."""
    if not (whole := float(baseline.sum())):
        raise UndefinedError("the baseline makes no error")
    return float(errors.sum()) / whole


def _from_mean(judged: Judged) -> np.ndarray:
    """Return the errors of always predicting the mean of the training targets."""
    return judged.known("targets") - judged.known("training").mean(axis=0)


def nmse(judged: Judged, _options: Options) -> float:
    """Return squared errors in units of those of the training mean."""
    return _ratio(judged.losses["S"], _from_mean(judged) ** 2)


def nmae(judged: Judged, _options: Options) -> float:
    """Return absolute errors in units of those of the training mean."""
    return _ratio(judged.losses["A"], np.abs(_from_mean(judged)))


def theil(judged: Judged, _options: Options) -> float:
    """Return squared errors in units of those of the last value that was observed."""
    return _ratio(judged.losses["S"], (judged.known("targets") - judged.known("previous")) ** 2)


def r2(judged: Judged, _options: Options) -> float:
    """Return the share of the variance of the targets that is explained."""
    targets = judged.known("targets")
    return 1.0 - _ratio(judged.losses["S"], (targets - targets.mean(axis=0)) ** 2)


def mase(judged: Judged, options: Options) -> float:
    """Return the mean absolute error in units of that of the value before, within the training set."""
    steps = np.abs(np.diff(judged.known("training"), axis=0)).sum(axis=1)
    if not len(steps) or not steps.any():
        raise UndefinedError("the training targets do not change")
    return mae(judged, options) / float(steps.mean())


def mda(judged: Judged, _options: Options) -> float:
    """Return the share of cases whose change since the value before is predicted with the right sign."""
    before = _one(judged.known("previous"))
    changes = (_one(judged.known(name)) - before for name in ("targets", "guesses"))
    true, predicted = map(np.sign, changes)
    return float((true == predicted).mean())


def squared_error_percentage(judged: Judged, _options: Options) -> float:
    """Return 100 (o_max - o_min) / (O n) times the sum of squared errors of O outputs. Of classes the
    outputs, one a class, are the plain ones of the method, else its probabilities; they go from 0 to 1."""
    if judged.span is None:
        errors = judged.losses["Q"] if judged.output_errors is None else judged.output_errors
        return 100.0 * float(errors.mean()) / len(judged.classes)
    low, high = judged.span
    return 100.0 * (high - low) * float(judged.losses["S"].mean()) / judged.outputs


FUNCTIONS: dict[str, Function] = {
    "mae": mae,
    "mse": mse,
    "rmse": rmse,
    "mape": mape,
    "smape": smape,
    "nmse": nmse,
    "nmae": nmae,
    "theil": theil,
    "r2": r2,
    "medae": medae,
    "maxae": maxae,
    "mase": mase,
    "mda": mda,
    "sep": squared_error_percentage,
}
"""{name: its function}."""
