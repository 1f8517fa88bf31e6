"""All computable metrics: those of this project, of other packages, and of users.

A user's metric is a function, or the name of a function in a file. Source: L. Torgo, performanceEstimation
1.1.0 (2016), the argument `evaluator` of an estimation task."""

import os
import re
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from importlib import util
from importlib.metadata import entry_points
from inspect import Parameter, signature
from typing import Any

import numpy as np

from delvecore.errors import DelveError
from delvecore.metrics import classification, regression, times  # noqa: F401 - they register their metrics
from delvecore.metrics.metric import (
    CLASSES,
    FUNCTIONS,
    METRIC_SPECS,
    NUMBERS,
    ComputedMetric,
    Judged,
    MetricSpec,
    Options,
)

GROUP = "delvecore.metrics"
"""The group of the entry points of other packages; each is a `ComputedMetric`."""
OWN: dict[str, ComputedMetric] = {}
"""Metrics added in this process, by name; see `add_metric`."""
USUAL = {"beta": 1.0}
"""Default numbers of options."""


def spec_named(name: str) -> MetricSpec | None:
    """Return the metric of this name or alias; None for an unknown name."""
    named = (spec for spec in METRIC_SPECS.values() if name in spec.aliases)
    return METRIC_SPECS.get(name) or next(named, None)


@lru_cache(maxsize=1)
def computed_metrics() -> dict[str, ComputedMetric]:
    """Return all metrics by name, first those of the project, then those of entry points by name.

    Raises DelveError for an entry point that is not a ComputedMetric, or has the name of another metric."""
    metrics = {name: ComputedMetric(spec, FUNCTIONS[name]) for name, spec in METRIC_SPECS.items()}
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        measure = point.load()
        if not isinstance(measure, ComputedMetric) or not isinstance(measure.spec, MetricSpec):
            raise DelveError(
                f"{point.value}: expected a delvecore.metrics.metric.ComputedMetric, found another object"
            )
        if spec_named(measure.spec.name) is not None:
            raise DelveError(f"{point.value}: expected a new name, found {measure.spec.name!r}")
        metrics.setdefault(measure.spec.name, measure)
    return metrics | OWN


@lru_cache(maxsize=1000)
def find_metric(text: str) -> ComputedMetric | None:
    """Return the metric of a name with options, such as `F:beta=2` or `rec:positive=yes`; None for an unknown
    name. Raises DelveError for options that the metric does not have.

    >>> find_metric("f1:beta=2").name
    'F:beta=2'
    """
    name, *options = text.split(":")
    spec = spec_named(name)
    measure = computed_metrics().get(spec.name if spec else name)
    if measure is None:
        return None
    pairs = [part.partition("=") for part in options]
    for key, _, value in pairs:
        if key not in measure.spec.options or not value or "/" in value:
            takes = " or ".join(f"{option}=..." for option in measure.spec.options) or "none"
            raise DelveError(f"{text}: expected options of {measure.spec.name}: {takes}, found {key!r}")
    kept = {key: value for key, _, value in pairs if not _is_usual(key, value)}
    return ComputedMetric(measure.spec, measure.function, tuple(sorted(kept.items())))


def with_setting(measure: ComputedMetric, key: str, value: str) -> ComputedMetric:
    """Return a metric with one setting changed; an empty value removes it.

    The name of the metric, in commands, addresses and tables, includes the setting. Raises DelveError for a
    setting that the metric does not have."""
    options = {**dict(measure.options), key: value}
    name = ":".join([measure.spec.name, *(f"{one}={text}" for one, text in options.items() if text)])
    return find_metric(name) or measure


def _is_usual(key: str, value: str) -> bool:
    """Does an option have its default value?"""
    try:
        return key in USUAL and float(value) == USUAL[key]
    except ValueError:
        return False


IN_FILE = re.compile(r"(?P<place>(?P<path>[^:]+\.py):(?P<name>[A-Za-z_]\w*))(?P<options>(?::\w+=[^:]+)*)")
"""A function in a file, and settings of its further parameters."""
WHILE_READING = (ArithmeticError, AttributeError, ImportError, LookupError, NameError, OSError, SyntaxError)
"""Errors that the code in a user's file may raise, besides TypeError and ValueError."""


def add_metric(
    thing: Callable[..., float] | ComputedMetric | str,
    *,
    name: str | None = None,
    higher_is_better: bool | None = None,
) -> str:
    """Add a user's metric in this process; return its name.

    Parameters
    ----------
    thing : function, ComputedMetric or str
        A function of true values and predictions. They are arrays of numbers or of names of classes, shape
        (test cases,), or of several numbers, shape (test cases, targets). Further parameters are options
        after its name, such as `power_error:power=4`. Alternatively a `ComputedMetric`, or `FILE.py:NAME` of
        either, which runs the file.
    name : str, optional
        Name of the metric, by default that of the function.
    higher_is_better : bool, optional
        The direction, by default the attribute `higher_is_better` of the function.

    Returns
    -------
    str
        The name.

    Raises
    ------
    DelveError
        If it is not a metric, has no direction, cannot be read, or has the name of another metric.

    Examples
    --------
    >>> def largest_error(true, predicted):
    ...     return abs(true - predicted).max()
    >>> add_metric(largest_error, higher_is_better=False)
    'largest_error'
    """
    function = _of_file(thing) if isinstance(thing, str) else thing
    measure = (
        function if isinstance(function, ComputedMetric) else _of_function(function, name, higher_is_better)
    )
    own = measure.spec.name
    if spec_named(own) is not None or not re.fullmatch(r"[A-Za-z_][\w-]*", own):
        raise DelveError(f"{own}: expected a new name for a metric, found another metric's")
    OWN[own] = measure
    computed_metrics.cache_clear()
    find_metric.cache_clear()
    return own


def known_name(text: str) -> str:
    """Return the name of a metric with its options. A metric `FILE.py:NAME:KEY=VALUE` is added first.

    Raises DelveError, see `add_metric` and `find_metric`."""
    parts = IN_FILE.fullmatch(text)
    if parts is None:
        return text
    name = add_metric(parts["place"]) + parts["options"]
    find_metric(name)
    return name


def _of_function(thing: Any, name: str | None, higher_is_better: bool | None) -> ComputedMetric:
    if not callable(thing):
        raise DelveError(f"metric: expected a function or a ComputedMetric, found {type(thing).__name__}")
    own = name or str(getattr(thing, "__name__", "metric"))
    direction = getattr(thing, "higher_is_better", None) if higher_is_better is None else higher_is_better
    if direction is None:
        raise DelveError(
            f"{own}: expected the function's attribute higher_is_better, found none; set it to True or False"
        )
    title = (getattr(thing, "__doc__", None) or own).strip().partition("\n")[0]
    needs = {CLASSES: ("table",), NUMBERS: ("guesses", "targets")}
    spec = MetricSpec(own, title, "as its function computes it", needs, bool(direction), None, "none", "own")
    spec = spec._replace(options=tuple(_parameters(thing)[2:]))

    def value(judged: Judged, options: Options) -> float:
        parameters = {key: setting_value(text) for key, text in options.items()}
        if judged.guesses is not None:
            true, predicted = judged.known("targets"), judged.known("guesses")
            return float(
                thing(*(one[:, 0] if one.shape[1] == 1 else one for one in (true, predicted)), **parameters)
            )
        names = np.array(judged.classes, dtype=object)
        return float(thing(names[judged.known("actual")], names[judged.known("guessed")], **parameters))

    return ComputedMetric(spec, value)


def _parameters(function: Callable[..., object]) -> list[str]:
    """Return the names of the parameters of a function that may be keywords."""
    try:
        parameters = signature(function).parameters.values()
    except ValueError:  # some functions in C have no signature
        return []
    return [
        one.name for one in parameters if one.kind not in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    ]


def setting_value(text: str) -> int | float | str:
    """Return a setting as a number if possible, otherwise as text."""
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text


def summary_of(text: str) -> tuple[str, Callable[[np.ndarray], float]]:
    """Return the name and the function of a summary of scores, `FILE.py:NAME` or `FILE.py:NAME:KEY=VALUE`.

    Raises DelveError for objects that are not functions, and for an unknown parameter."""
    parts = IN_FILE.fullmatch(text)
    function = _of_file(parts["place"] if parts else text)
    if not callable(function) or parts is None:
        raise DelveError(
            f"{text}: expected a function of an array of scores, found {type(function).__name__}"
        )
    pairs = [part.partition("=") for part in parts["options"].split(":")[1:]]
    known = _parameters(function)[1:]
    for key, _, _ in pairs:
        if key not in known:
            raise DelveError(
                f"{text}: expected a parameter among {', '.join(known) or 'none'}, found {key!r}"
            )
    parameters = {key: setting_value(value) for key, _, value in pairs}

    def summary(scores: np.ndarray) -> float:
        try:
            return float(function(scores, **parameters))
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            why = " ".join(f"{type(error).__name__}: {error}".split())
            raise DelveError(f"{text}: expected a number for {len(scores)} scores, found {why}") from None

    return f"{parts['name']}{parts['options']}", summary


def _of_file(text: str) -> Any:
    """Return the object of this name in a Python file, which is run. Raises DelveError."""
    parts = IN_FILE.fullmatch(text)
    if parts is None:
        raise DelveError(f"{text}: expected FILE.py:NAME of a function, found another text")
    path = os.path.abspath(parts["path"])
    try:
        spec = util.spec_from_file_location(f"own_metrics_{abs(hash(path))}", path)
        module = util.module_from_spec(spec) if spec else None
        if spec is None or spec.loader is None or module is None:
            raise ImportError(path)
        spec.loader.exec_module(module)
        return getattr(module, parts["name"])
    except (*WHILE_READING, TypeError, ValueError) as error:
        why = " ".join(f"{type(error).__name__}: {error}".split())
        raise DelveError(f"{text}: expected a function in a Python file, found {why}") from None
