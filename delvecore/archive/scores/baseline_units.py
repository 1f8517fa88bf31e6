"""Scores in units of the baseline of each task: how to recognize them, and convert them to losses."""

from collections.abc import Mapping
from statistics import median
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from delvecore.archive.scores.building import measure_key
from delvecore.readers.labels import place_of
from delvecore.score_tables.score_file import ScoreFile

__all__ = ["Match", "match_of", "raw_losses"]

USUAL = (0.02, 4.0)
"""Usual range of a median loss in units of the baseline."""
Constants = Mapping[tuple[str, str, str, str], float | None]
"""The baseline's loss by dataset, prototask, task and loss; None: unknown."""


class Match(NamedTuple):
    """How a table of scores fits an archive.

    Attributes
    ----------
    tasks : int
        Number of tasks of the table that the archive has.
    of : int
        Number of tasks of the table.
    raw, standardized : float
        Medians of its values on these tasks: unchanged, and divided by the loss of the baseline.
    """

    tasks: int
    of: int
    raw: float
    standardized: float

    @property
    def looks_standardized(self) -> bool:
        """Do the values look like losses in units of the baseline, and not after division by it?"""
        low, high = USUAL
        return low <= self.raw <= high and not low <= self.standardized <= high


def match_of(file: ScoreFile, constants: Constants) -> Match | None:
    """Return how a file of scores fits the tasks of an archive; None without common tasks."""
    labels, values = (file.rows[name].to_pylist() for name in ("dataset", "value"))
    units = _units(file, constants)
    pairs = [(v, u) for v, u in zip(values, units, strict=True) if v is not None and u is not None]
    if not pairs:
        return None
    tasks = {label for label, unit in zip(labels, units, strict=True) if unit}
    return Match(len(tasks), len(set(labels)), median(v for v, _ in pairs), median(v / u for v, u in pairs))


def raw_losses(file: ScoreFile, constants: Constants) -> pa.Table:
    """Return the rows of a file of standardized scores as raw losses.

    Rows of tasks without a constant stay as they are."""
    rows, units = file.rows, _units(file, constants)
    factors = pa.array([unit or 1.0 for unit in units], pa.float64())
    for name in ("value", "spread"):
        place = rows.column_names.index(name)
        rows = rows.set_column(place, rows.schema.field(name), pc.multiply(rows[name], factors))
    return rows


def _units(file: ScoreFile, constants: Constants) -> list[float | None]:
    """Return the loss of the baseline for each row, None for a row whose task is not in the archive."""
    losses = {metric.key: measure_key(metric) for metric in file.metrics}
    places = {label: place_of(label) for label in set(file.rows["dataset"].to_pylist())}
    rows = zip(file.rows["dataset"].to_pylist(), file.rows["metric"].to_pylist(), strict=True)
    return [constants.get((*places[label].id, losses.get(metric, metric))) or None for label, metric in rows]
