"""Files of programs that hold no scores of finished runs: each is refused with what to export instead."""

import os
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from delvecore.errors import ParseError
from delvecore.score_tables.names import folded, words_in

LONG = "columns dataset, method, seed and the score"


class Refused(NamedTuple):
    """A file that is known by the names of its columns. title: what it is; columns: folded names that are all
    there; remedy: what to export; is_all: has it no other column?"""

    title: str
    columns: tuple[str, ...]
    remedy: str
    is_all: bool = False


REFUSED = (
    Refused(
        "trials of an Optuna study",
        words_in("number value datetimestart datetimecomplete"),
        f"write study.best_value of each study into a table with {LONG}",
    ),
    Refused(
        "a log of FLAML",
        words_in("recordid iterperlearner validationloss learner"),
        f"write the test score of each finished search into a table with {LONG}",
    ),
    Refused(
        "statistics of describe()",
        words_in("count mean std 25 50 75"),
        f"write the scores themselves into a table with {LONG}",
    ),
    Refused(
        "forecasts, a row a time step",
        words_in("uniqueid ds y"),
        "write evaluate(forecasts, metrics=[mae]) of utilsforecast as CSV; unique_id holds the datasets",
    ),
    Refused(
        "rounds of a HalvingGridSearchCV",
        words_in("iter nresources params"),
        "keep the last round: frame[frame.iter == frame.iter.max()] without the column n_resources",
    ),
    Refused(
        "episodes of a training, by Monitor of Stable-Baselines3",
        words_in("r l t"),
        f"write the mean return of evaluate_policy for each run into a table with {LONG}",
        is_all=True,
    ),
)
PANEL = ("__MIN", "__MAX")
"""Ends of columns in an exported panel of Weights & Biases."""
TRACES = {
    "bbobexp": ("a folder of COCO", "run cocopp and save its table of expected running times as CSV"),
    "IOHprofiler_": (
        "a folder of IOHprofiler",
        "export the table of fixed-target results of IOHanalyzer as CSV",
    ),
}
"""Beginnings of names of files with the course of single runs."""


def refuse_table(names: Iterable[str], source: str) -> None:
    """Raise ParseError for a table whose columns are those of a file that is refused."""
    listed = list(names)
    known = {folded(name) for name in listed}
    for one in REFUSED:
        if known >= {*one.columns} and (not one.is_all or len(listed) == len(one.columns)):
            raise ParseError(source, None, "scores of finished runs", one.title, one.remedy)
    if any(name.endswith(PANEL) for name in listed):
        remedy = "export the table of runs: Runs, Download, CSV export"
        raise ParseError(source, None, "scores of finished runs", "a panel of Weights & Biases", remedy)


def refuse_traces(paths: Sequence[str], source: str) -> None:
    """Raise ParseError for a directory with the course of single runs."""
    for path in paths:
        for beginning, (title, remedy) in TRACES.items():
            if os.path.basename(path).startswith(beginning):
                raise ParseError(source, None, "scores of finished runs", title, remedy)


def refuse_arrays(names: Iterable[str], source: str) -> None:
    """Raise ParseError for a file of NumPy arrays, such as `evaluations.npz`."""
    if all(name.endswith(".npy") for name in names):
        remedy = f"write results[-1].mean() of each run into a table with {LONG}"
        raise ParseError(source, None, "a table", "arrays of NumPy", remedy)
