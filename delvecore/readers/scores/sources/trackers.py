"""Runs as trackers of experiments export them."""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from delvecore.readers.scores import words
from delvecore.readers.scores.columns import Column, Sheet
from delvecore.readers.scores.records import ScoreOptions
from delvecore.readers.scores.roles import named
from delvecore.readers.scores.sources.known import Known, Names, are_there, renamed

__all__ = ["mlflow", "weights_and_biases"]

_PREFIXES = re.compile(r"^(metrics|params|tags|config|summary)\.(mlflow\.)?")
_DURATION = re.compile(r"([\d.]+)\s*(ms|s|min|h|d)")
_SECONDS = {"ms": 0.001, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}


def mlflow(sheet: Sheet, names: Names) -> Known | None:
    """What `search_runs` returns, and what the page of an experiment downloads."""
    if are_there(names, "starttime runid sourcetype"):
        columns = [_in_seconds(column) if column.name == "Duration" else column for column in sheet.columns]
        return _runs(replace(sheet, columns=tuple(columns)), "MLflow runs")
    is_nested = any(column.name.startswith(("metrics.", "params.")) for column in sheet.columns)
    return _runs(sheet, "MLflow runs") if is_nested else None


def _in_seconds(column: Column) -> Column:
    """Return durations such as `1.5s` and `2.3min` as numbers, where all are such."""
    found = [_DURATION.fullmatch(level) for level in column.codes.levels]
    known = [float(one[1]) * _SECONDS[one[2]] for one in found if one is not None]
    if len(known) < len(found):
        return column
    return Column(column.name, pa.array(np.array([*known, np.nan])[column.codes.places], from_pandas=True))


def weights_and_biases(sheet: Sheet, names: Names) -> Known | None:
    is_nested = any(column.name.startswith(("config.", "summary.")) for column in sheet.columns)
    if not is_nested and not are_there(names, "name state") and not are_there(names, "runtime step"):
        return None
    return _runs(sheet, "Weights & Biases runs")


def _runs(sheet: Sheet, title: str) -> Known:
    """Return runs by their settings and metrics; by their own names where no setting is a method."""
    plain = {column.name: _PREFIXES.sub("", column.name) for column in sheet.columns}
    taken = list(plain.values())
    sheet = renamed(sheet, {name: short for name, short in plain.items() if taken.count(short) == 1})
    own = [column for column in sheet.columns if not column.name.startswith("_")]
    sheet = replace(sheet, columns=tuple(own))
    last = [column.name for column in own if column.name.lower() in ("name", "runname")]
    method = last[0] if last and not _methods(own) else None
    return Known(title, sheet, ScoreOptions(method=method), plain=True)


def _methods(columns: Sequence[Column]) -> list[Column]:
    """Return the settings that may be methods, beside the names of runs."""
    return [one for one in named(columns, words.METHODS) if one.name.lower() != "runname"]
