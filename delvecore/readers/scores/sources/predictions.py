"""Predictions as aeon, sktime and tsml write them, a file a resample: the score is computed of them."""

import csv
from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from delvecore.errors import ParseError
from delvecore.readers.scores.columns import Column, Sheet

__all__ = ["are_predictions", "predictions_sheet"]

_ABOVE = 3
"""Lines above the predictions: what they are of, parameters, results."""
_FEWEST = 4
_SECONDS = {"nanoseconds": 1e-9, "microseconds": 1e-6, "milliseconds": 1e-3, "seconds": 1.0}


def are_predictions(head: str) -> bool:
    """Does a text begin as a file of predictions: `dataset,method,TEST,resample,...`, then two lines more?"""
    about = head.partition("\n")[0].split(",")
    return len(about) >= _FEWEST and about[2].strip() in ("TEST", "TRAIN") and about[3].strip().isdecimal()


def predictions_sheet(text: str, source: str) -> Sheet:
    """Return the score of a file of predictions as a table of one line. ParseError for a line that is none.

    Its first line is `dataset,method,TEST,resample,unit of times,...`, its third begins with the score and
    the time of training, and each further one with a target and its prediction."""
    lines = text.splitlines()
    about, results = (next(csv.reader(lines[at : at + 1]), []) for at in (0, _ABOVE - 1))
    rows = [line.split(",") for line in lines[_ABOVE:]]
    for line, row in enumerate(rows, _ABOVE + 1):
        if len(row) < 2:
            raise ParseError(
                source, line, "a target and its prediction", repr(",".join(row)), "write it anew"
            )
    if not rows:
        raise ParseError(source, None, "predictions below three lines", "none", "write it anew")
    names = {"dataset": about[0], "method": about[1], "resample": about[3]}
    columns = [Column(name, pa.array([value.strip()])) for name, value in names.items()]
    metric, value = _measured([row[0].strip() for row in rows], [row[1].strip() for row in rows])
    columns.append(Column(metric, pa.array([value])))
    seconds = _seconds(results, about)
    columns += [Column("seconds", pa.array([seconds]))] if seconds is not None else []
    return Sheet(source, tuple(columns), lambda row: 1, 1)


def _measured(targets: Sequence[str], predicted: Sequence[str]) -> tuple[str, float]:
    """Return the accuracy of classes, the mean squared error of numbers that are no classes."""
    try:
        numbers = np.array([targets, predicted], dtype=float)
    except ValueError:
        numbers = np.zeros((2, 1))
    if (numbers == np.floor(numbers)).all():
        return "accuracy", float(np.mean([a == b for a, b in zip(targets, predicted, strict=True)]))
    return "mean squared error", float(np.mean((numbers[0] - numbers[1]) ** 2))


def _seconds(results: Sequence[str], about: Sequence[str]) -> float | None:
    unit = _SECONDS.get(about[4].strip().lower()) if len(about) > _FEWEST else None
    try:
        taken = float(results[1]) if unit else -1.0
    except (ValueError, IndexError):
        return None
    return taken * unit if unit and taken >= 0 else None
