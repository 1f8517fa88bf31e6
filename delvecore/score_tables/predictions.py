"""Prediction files of aeon, sktime and tsml: one resample, read as a table of one row with its score."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from delvecore.errors import ParseError
from delvecore.score_tables.cells import Cell, parse_cell

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
    metric, value = _score([row[0] for row in rows], [row[1] for row in rows], parse_cell(scored[0]))
    table: dict[str, Any] = {"dataset": about[0], "method": about[1], "resample": about[3], metric: value}
    unit, taken = _SECONDS.get(about[4].lower()), parse_cell(scored[1]) if len(scored) > 1 else None
    if unit is not None and taken is not None and taken.value >= 0:
        table["seconds"] = taken.value * unit
    return pd.DataFrame([table])


def _score(targets: Sequence[str], predicted: Sequence[str], written: Cell | None) -> tuple[str, float]:
    """Return the accuracy of classes. Return the mean squared error if the targets are numbers and no
    classes, or if the written score is that error."""
    try:
        numbers = np.array([targets, predicted], dtype=float)
    except ValueError:
        return "accuracy", float(np.mean([a == b for a, b in zip(targets, predicted, strict=True)]))
    right, error = float(np.mean(numbers[0] == numbers[1])), float(np.mean((numbers[0] - numbers[1]) ** 2))
    is_right, is_error = (written is not None and np.isclose(written.value, one) for one in (right, error))
    are_classes = bool((numbers == np.floor(numbers)).all()) and (is_right or not is_error)
    return ("accuracy", right) if are_classes else ("mean squared error", error)
