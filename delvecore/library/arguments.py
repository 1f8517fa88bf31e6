"""Checks of the keyword arguments of `rank` and `compare`, before anything is read."""

import functools
import inspect
import math
import os
from collections.abc import Callable, Collection, Iterable, Mapping
from numbers import Integral, Real
from typing import Any, ParamSpec, TypeVar, get_args

import numpy as np

from delvecore.errors import Fault
from delvecore.names import nearest
from delvecore.score_tables.options import Decimal, Failed, Scale, Steps
from delvecore.stats.choose import ADJUSTMENTS, DROPS, UNITS, FlipStatistic
from delvecore.stats.verdicts import PLACES, RankTest

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
LONGEST = 60


_Kind = tuple[str, Callable[[Any], bool]]
"""A kind of argument in words, and a test of a value."""


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _are_texts(value: Any) -> bool:
    is_list = isinstance(value, Collection) and not isinstance(value, str | bytes | Mapping)
    return is_list and getattr(value, "ndim", 1) == 1 and all(map(_is_text, value))


def _is_where(value: Any) -> bool:
    return isinstance(value, Mapping) and all(
        _is_text(column) and (_is_text(texts) or _are_texts(texts)) for column, texts in value.items()
    )


def _is_number(value: Any) -> bool:
    is_real = isinstance(value, Real) and not isinstance(value, bool | np.bool_)
    return is_real and math.isfinite(value)


def _is_natural(value: Any) -> bool:
    return _is_number(value) and isinstance(value, Integral) and int(value) >= 0


def _are_counts(value: Any) -> bool:
    is_list = isinstance(value, Collection) and not isinstance(value, str | bytes | Mapping)
    return is_list and all(_is_natural(one) and int(one) > 0 for one in value)


_POSITIVE = ("a whole number of at least 1", lambda value: _is_natural(value) and int(value) > 0)


def _optional(kind: _Kind) -> _Kind:
    expected, holds = kind
    return f"{expected}, or None", lambda value: value is None or holds(value)


def _one_of(words: Iterable[str]) -> _Kind:
    listed = [str(word) for word in words]
    return f"one of {', '.join(listed)}", lambda value: _is_text(value) and value in listed


_FLAG = _optional(("True, False", lambda value: isinstance(value, bool | np.bool_)))
_COLUMN = _optional(("the name of a column", _is_text))
_COLUMNS = _optional(("the name of a column, several joined by `+`", _is_text))
_SEVERAL = ("a name or a list of names", lambda value: _is_text(value) or _are_texts(value))
_LIST = ("a list of names", _are_texts)
_SHARE = ("a share of at least 0 and below 1", lambda value: _is_number(value) and 0 <= value < 1)
_LEVEL = ("a level of confidence from 0.5 to below 1", lambda value: _is_number(value) and 0.5 <= value < 1)
_WIDTH = ("a width of at least 0", lambda value: _is_number(value) and value >= 0)
_COUNT = (
    "a whole number of at least 2",
    lambda value: _is_number(value) and isinstance(value, Integral) and int(value) >= 2,
)
_KINDS: dict[str, _Kind] = {
    "higher_is_better": _FLAG,
    "lower_is_better": _FLAG,
    "transpose": _FLAG,
    "dataset": _COLUMNS,
    "method": _COLUMNS,
    "metric": _optional(("the name of a column or of a metric", _is_text)),
    "case": _COLUMN,
    "group": _COLUMN,
    "fold": _SEVERAL,
    "value": _SEVERAL,
    "keep": _SEVERAL,
    "drop": _SEVERAL,
    "methods": _optional(_LIST),
    "tasks": _optional(_LIST),
    "places": _LIST,
    "names": _LIST,
    "where": _optional(("a mapping from columns to texts", _is_where)),
    "failed_words": _SEVERAL,
    "steps": _optional(_one_of(get_args(Steps))),
    "failed": _one_of(get_args(Failed)),
    "decimal": _optional(_one_of(get_args(Decimal))),
    "scale": _optional(_one_of(get_args(Scale))),
    "design": _optional(("the name of a design", _is_text)),
    "sheet": _optional(("the name of a sheet", _is_text)),
    "loss": _optional(("the name of a loss or metric", _is_text)),
    "control": _optional(("the name of a method", _is_text)),
    "unit": _optional(_one_of(UNITS)),
    "test": _optional(_one_of(test.word for test in RankTest)),
    "statistic": _optional(_one_of(FlipStatistic)),
    "adjust": _optional(_one_of(ADJUSTMENTS)),
    "places_of": _one_of(PLACES),
    "missing": _optional(_one_of(DROPS)),
    "share": _optional(_SHARE),
    "level": _LEVEL,
    "rope": _WIDTH,
    "top": _optional(_COUNT),
    "losses": _optional(_SEVERAL),
    "jobs": _optional(_POSITIVE),
    "instances": _POSITIVE,
    "sizes": ("a list of numbers of training cases", _are_counts),
    "seed": ("a whole number of at least 0", _is_natural),
    "quiet": ("True, False", lambda value: isinstance(value, bool | np.bool_)),
    "into": _optional(("the path of a directory", lambda value: isinstance(value, str | os.PathLike))),
    "scheduler": _optional(("the address of a scheduler", _is_text)),
    "codings": _optional(("the name of a set of codings, or the path of a file with codings", _is_text)),
}
"""The kind of each keyword argument, the same in all functions that have it."""
_DIRECTION = {"minimize": "lower_is_better=True", "maximize": "higher_is_better=True"}


def checked_arguments(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Check the keyword arguments of each call of a function before it runs.

    The function itself checks an argument that is annotated as Any. The call raises Fault for an argument
    that the function does not have, and for a value of another kind. The message names the argument, the
    expected and the actual value."""
    parameters = inspect.signature(function).parameters
    known = [name for name, one in parameters.items() if one.kind is inspect.Parameter.KEYWORD_ONLY]
    kinds = {
        name: _KINDS[name] for name in known if name in _KINDS and parameters[name].annotation is not Any
    }

    @functools.wraps(function)
    def call(*args: Arguments.args, **options: Arguments.kwargs) -> Result:
        for name, value in options.items():
            if name not in parameters:
                raise Fault(
                    function.__name__, f"one of the options {', '.join(known)}", *_unknown(name, known)
                )
            expected, holds = kinds.get(name, ("", None))
            if holds is not None and not holds(value):
                raise Fault(name, expected, _shown(value))
        return function(*args, **options)

    return call


def _unknown(name: str, known: Iterable[str]) -> tuple[str, str]:
    best = _DIRECTION.get(name) or nearest(name, known)
    return repr(name), f"did you mean {best}?" if best else ""


def _shown(value: Any) -> str:
    """Return a value for a message: its text if it is short, otherwise its type."""
    is_plain = value is None or isinstance(value, str | bool | Real | list | tuple | dict)
    text = repr(value) if is_plain else type(value).__name__
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
