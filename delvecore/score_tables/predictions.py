"""Prediction files of aeon, sktime and tsml: one resample, read as a table of one row with its score."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from delvecore.errors import ParseError
from delvecore.score_tables.cells import parse_texts

PREDICTIONS = re.compile(r"[^,\n]*,[^,\n]*,(TEST|TRAIN), *\d+,")
_SECONDS = {"nanoseconds": 1e-9, "microseconds": 1e-6, "milliseconds": 1e-3, "seconds": 1.0}


def predictions(text: str, source: str) -> pd.DataFrame:
    """Return the table of a text of predictions. Raises ParseError.

    The first line is `dataset,method,TEST,resample,unit of times,...`, the third begins with the score and
    the time of training, and each further one with a target and its prediction."""
    lines = text.splitlines()
    about, scored = ([word.strip() for word in line.split(",")] for line in (lines[0], [*lines, "", ""][2]))
    rows = [[word.strip() for word in line.split(",")] for line in lines[3:]]
    short = next((number for number, row in enumerate(rows, 4) if len(row) < 2), None)
    if short is not None or not rows:
        actual = repr(lines[short - 1]) if short else "none"
        raise ParseError(source, short, "a target and its prediction in each line", actual, "write it again")
    written, *times = parse_texts(scored[:2]).value
    metric, value = _score([row[0] for row in rows], [row[1] for row in rows], written)
    table: dict[str, Any] = {"dataset": about[0], "method": about[1], "resample": about[3], metric: value}
    unit = _SECONDS.get(about[4].lower())
    if unit is not None and times and times[0] >= 0:
        table["seconds"] = times[0] * unit
    return pd.DataFrame([table])


def _score(targets: Sequence[str], predicted: Sequence[str], written: float) -> tuple[str, float]:
    """Return the accuracy of classes, or the mean squared error of numbers; the written score decides."""
    try:
        numbers = np.array([targets, predicted], dtype=float)
    except ValueError:
        return "accuracy", float(np.mean([a == b for a, b in zip(targets, predicted, strict=True)]))
    right, error = float(np.mean(numbers[0] == numbers[1])), float(np.mean((numbers[0] - numbers[1]) ** 2))
    is_right, is_error = (np.isclose(written, one) for one in (right, error))
    are_classes = bool((numbers == np.floor(numbers)).all()) and (is_right or not is_error)
    return ("accuracy", right) if are_classes else ("mean squared error", error)
