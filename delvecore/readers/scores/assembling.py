"""Scores as rows: names as codes, one row a value."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from delvecore.readers.scores.columns import Codes
from delvecore.tables import SCORE_ROWS

__all__ = ["Scores", "rows_of"]


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores, each with names as codes; lines: the rows of the sheet that they come from."""

    dataset: Codes
    method: Codes
    instance: Codes
    metric: Codes
    value: NDArray[np.float64]
    lines: NDArray[np.int64]
    measured: Mapping[str, NDArray[np.float64]]
    """`spread`, `seconds` and `megabytes`, as far as they are known."""

    @property
    def names(self) -> dict[str, Codes]:
        return {name: getattr(self, name) for name in ("dataset", "method", "instance", "metric")}

    def kept(self, rows: NDArray[np.bool_]) -> "Scores":
        """Return some of the scores, with the names that these have."""
        if rows.all():
            return self
        names = {name: _used(Codes(codes.places[rows], codes.levels)) for name, codes in self.names.items()}
        measured = {name: values[rows] for name, values in self.measured.items()}
        return Scores(**names, value=self.value[rows], lines=self.lines[rows], measured=measured)

    def with_paths(self, paths: Mapping[str, str]) -> "Scores":
        """Return the scores with the paths of tasks in the place of their names."""
        codes = self.dataset
        return replace(
            self, dataset=Codes(codes.places, tuple(paths.get(level, level) for level in codes.levels))
        )

    def of_metrics(self, names: Collection[str]) -> "Scores":
        """Return the scores of some metrics only."""
        wanted = np.array([*(level in names for level in self.metric.levels), False])
        return self.kept(wanted[self.metric.places])

    def with_values(self, values: NDArray[np.float64]) -> "Scores":
        """Return the scores with other values."""
        return replace(self, value=values)

    def largest_values(self) -> dict[str, float]:
        """Return the largest value of each metric, minus infinity for one without values."""
        known = ~np.isnan(self.value) & (self.metric.places >= 0)
        most = np.full(len(self.metric.levels), -np.inf)
        np.maximum.at(most, self.metric.places[known], self.value[known])
        return dict(zip(self.metric.levels, most.tolist(), strict=True))


def rows_of(scores: Scores) -> pa.Table:
    """Return scores as a table of the schema SCORE_ROWS."""
    columns = {name: _words(codes) for name, codes in scores.names.items()}
    for name in ("value", "spread", "seconds", "megabytes"):
        values = scores.value if name == "value" else scores.measured.get(name)
        columns[name] = _reals(values, len(scores.value))
    return pa.table(columns, schema=SCORE_ROWS)


def _words(codes: Codes) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(
        pa.array(codes.places.astype(np.int32, copy=False)), pa.array(codes.levels, pa.string())
    )


def _reals(values: NDArray[np.float64] | None, count: int) -> pa.Array:
    if values is None:
        return pa.nulls(count, pa.float64())
    return pa.array(values, mask=np.isnan(values))


def _used(codes: Codes) -> Codes:
    """Return codes without the levels that no row has."""
    there = np.zeros(len(codes.levels), dtype=bool)
    there[codes.places] = True
    if there.all():
        return codes
    moved = (np.cumsum(there) - 1).astype(np.int32)
    levels = tuple(level for level, used in zip(codes.levels, there.tolist(), strict=True) if used)
    return Codes(moved[codes.places], levels)
