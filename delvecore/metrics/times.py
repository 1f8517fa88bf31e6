"""Metrics of time: processor seconds for learning and predicting each instance, from `Costs`.

Source: L. Torgo, performanceEstimation 1.1.0 (2016), `trTime`, `tsTime` and `totTime`."""

from delvecore.metrics.metric import CLASSES, NUMBERS, Judged, MetricSpec, Options, UndefinedError, metric


def _time(name: str, title: str, formula: str) -> MetricSpec:
    needs = dict.fromkeys((CLASSES, NUMBERS), ("times",))
    return MetricSpec(name, title, formula, needs).turned(unit="seconds")


def _testing(judged: Judged) -> float:
    if judged.testing_seconds is None:
        raise UndefinedError("the method did not separate predicting from learning")
    return judged.testing_seconds


def _total(judged: Judged) -> float:
    if judged.seconds is None:
        raise UndefinedError("no times are kept")
    return judged.seconds


@metric(_time("trTime", "training time", "seconds of learning"))
def training_time(judged: Judged, _options: Options) -> float:
    """Training time: the seconds that learning took.

    Examples
    --------
    >>> training_time(Judged(seconds=5.0, testing_seconds=2.0), {})
    3.0
    """
    return max(_total(judged) - _testing(judged), 0.0)


@metric(_time("tsTime", "testing time", "seconds of predicting"))
def testing_time(judged: Judged, _options: Options) -> float:
    """Testing time: the seconds that predicting the test cases took.

    Examples
    --------
    >>> testing_time(Judged(seconds=5.0, testing_seconds=2.0), {})
    2.0
    """
    return _testing(judged)


@metric(_time("totTime", "total time", "trTime + tsTime"))
def total_time(judged: Judged, _options: Options) -> float:
    """Total time: the seconds that learning and predicting took.

    Examples
    --------
    >>> total_time(Judged(seconds=5.0, testing_seconds=2.0), {})
    5.0
    """
    return _total(judged)
