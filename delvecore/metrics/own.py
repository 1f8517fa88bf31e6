"""Metrics of one's own without a distribution that brings them: a function, or the name of one in a file.

Source: L. Torgo, performanceEstimation 1.1.0 (2016), the argument `evaluator` of an estimation task."""

import os
import re
from collections.abc import Callable
from importlib import util
from typing import Any

import numpy as np

from delvecore.errors import DelveError
from delvecore.metrics import registry
from delvecore.metrics.metric import CLASSES, NUMBERS, Judged, Measure, MetricSpec, Options

IN_FILE = re.compile(r"(?P<path>[^:]+\.py):(?P<name>[A-Za-z_]\w*)")
WHILE_READING = (ArithmeticError, AttributeError, ImportError, LookupError, NameError, OSError, SyntaxError)
"""What a file that others wrote may raise when it is run, besides TypeError and ValueError."""


def add_metric(
    thing: Callable[..., float] | Measure | str,
    *,
    name: str | None = None,
    higher_is_better: bool | None = None,
) -> str:
    """Make a metric of one's own known to this process; return its name, under which all find it.

    Parameters
    ----------
    thing : function, Measure or str
        A function of true values and predictions, arrays of shape (test cases,) of numbers or of names of
        classes, (test cases, targets) of several numbers. Or a `Measure`, or `FILE.py:NAME` of either, whose
        file is run.
    name : str, optional
        That of the function by default.
    higher_is_better : bool, optional
        The direction; else an attribute `higher_is_better` of the function has to say it.

    Returns
    -------
    str
        The name.

    Raises
    ------
    DelveError
        For what is no metric, has no direction, cannot be read, or has the name of another metric.

    Examples
    --------
    >>> def largest_error(true, predicted):
    ...     return abs(true - predicted).max()
    >>> add_metric(largest_error, higher_is_better=False)
    'largest_error'
    """
    found = _of_file(thing) if isinstance(thing, str) else thing
    measure = found if isinstance(found, Measure) else _of_function(found, name, higher_is_better)
    own = measure.spec.name
    if registry.spec_named(own) is not None or not re.fullmatch(r"[A-Za-z_][\w-]*", own):
        raise DelveError(f"{own}: expected a name of its own for a metric, found another metric's")
    registry.OWN[own] = measure
    registry.measures.cache_clear()
    registry.find_measure.cache_clear()
    return own


def known_name(text: str) -> str:
    """Return the name of a metric: `FILE.py:NAME` is added first. Raises DelveError, see `add_metric`."""
    return add_metric(text) if IN_FILE.fullmatch(text) else text


def _of_function(thing: Any, name: str | None, higher_is_better: bool | None) -> Measure:
    if not callable(thing):
        raise DelveError(f"metric: expected a function or a Measure, found {type(thing).__name__}")
    own = name or str(getattr(thing, "__name__", "metric"))
    direction = getattr(thing, "higher_is_better", None) if higher_is_better is None else higher_is_better
    if direction is None:
        raise DelveError(f"{own}: expected higher_is_better, True or False, of the function, found none")
    title = (getattr(thing, "__doc__", None) or own).strip().partition("\n")[0]
    needs = {CLASSES: ("table",), NUMBERS: ("guesses", "targets")}
    spec = MetricSpec(own, title, "as its function has it", needs, bool(direction), None, "none", "own")

    def value(judged: Judged, _options: Options) -> float:
        if judged.guesses is not None:
            true, predicted = judged.known("targets"), judged.known("guesses")
            return float(thing(*(one[:, 0] if one.shape[1] == 1 else one for one in (true, predicted))))
        names = np.array(judged.classes, dtype=object)
        return float(thing(names[judged.known("actual")], names[judged.known("guessed")]))

    return Measure(spec, value)


def _of_file(text: str) -> Any:
    """Return what a file has under a name; the file is run. Raises DelveError."""
    parts = IN_FILE.fullmatch(text)
    if parts is None:
        raise DelveError(f"{text}: expected FILE.py:NAME of a metric, found another text")
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
        raise DelveError(f"{text}: expected a metric in a file of Python, found {why}") from None
