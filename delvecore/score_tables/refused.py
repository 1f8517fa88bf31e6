"""Files that are refused because they lack scores of finished runs. The error names the file to export
instead."""

import os
from collections.abc import Iterable, Sequence

from delvecore.errors import ParseError
from delvecore.score_tables.names import folded, words_in

LONG = "columns dataset, method, seed and the score"


REFUSED = {
    "number value datetimestart datetimecomplete": (
        "trials of an Optuna study",
        f"write study.best_value of each study into a table with {LONG}",
    ),
    "recordid iterperlearner validationloss learner": (
        "a log of FLAML",
        f"write the test score of each finished search into a table with {LONG}",
    ),
    "count mean std 25 50 75": (
        "statistics of describe()",
        f"write the scores themselves into a table with {LONG}",
    ),
    "uniqueid ds y": (
        "forecasts, one row per time step",
        "write evaluate(forecasts, metrics=[mae]) of utilsforecast as CSV; unique_id holds the datasets",
    ),
    "iter nresources params": (
        "rounds of a HalvingGridSearchCV",
        "keep the last round: frame[frame.iter == frame.iter.max()] without the column n_resources",
    ),
    "r l t": (
        "episodes of a training, by Monitor of Stable-Baselines3",
        f"write the mean return of evaluate_policy for each run into a table with {LONG}",
    ),
}
"""Refused files, and what to export, by the folded names of columns that must all occur."""
COMPLETE = ("r l t",)
"""Names of columns of refused tables that have no other columns."""
PANEL = ("__MIN", "__MAX")
"""Endings of columns in an exported panel of Weights & Biases."""
TRACES = {
    "bbobexp": ("a folder of COCO", "run cocopp and save its table of expected running times as CSV"),
    "IOHprofiler_": (
        "a folder of IOHprofiler",
        "export the table of fixed-target results of IOHanalyzer as CSV",
    ),
}
"""Beginnings of names of files with the learning curves of single runs."""


def refuse_table(names: Iterable[str], source: str) -> None:
    """Raise ParseError for a table that has the columns of a refused file."""
    listed = list(names)
    present = {folded(name) for name in listed}
    for words, (title, remedy) in REFUSED.items():
        columns = words_in(words)
        if present >= {*columns} and (words not in COMPLETE or len(listed) == len(columns)):
            raise ParseError(source, None, "scores of finished runs", title, remedy)
    if any(name.endswith(PANEL) for name in listed):
        remedy = "export the table of runs: Runs, Download, CSV export"
        raise ParseError(source, None, "scores of finished runs", "a panel of Weights & Biases", remedy)


def refuse_traces(paths: Sequence[str], source: str) -> None:
    """Raise ParseError for a directory with the learning curves of single runs."""
    for path in paths:
        for beginning, (title, remedy) in TRACES.items():
            if os.path.basename(path).startswith(beginning):
                raise ParseError(source, None, "scores of finished runs", title, remedy)


def refuse_arrays(names: Iterable[str], source: str) -> None:
    """Raise ParseError for a file of NumPy arrays, such as `evaluations.npz`."""
    if all(name.endswith(".npy") for name in names):
        remedy = f"write results[-1].mean() of each run into a table with {LONG}"
        raise ParseError(source, None, "a table", "arrays of NumPy", remedy)
