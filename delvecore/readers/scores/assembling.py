"""Scores as rows: names as codes, one row a value."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from delvecore.readers.scores.batches.codes import PIECE, Codes, looked_up, pieces, used_codes
from delvecore.tables import SCORE_ROWS

__all__ = ["Scores", "rows_of"]


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores, each with names as codes; lines: the rows of the sheet that they come from, None where each
    row is a score."""

    dataset: Codes
    method: Codes
    instance: Codes
    metric: Codes
    value: NDArray[np.float64]
    lines: NDArray[np.signedinteger] | None
    measured: Mapping[str, NDArray[np.float64]]
    """`spread`, `seconds` and `megabytes`, as far as they are known."""

    @property
    def names(self) -> dict[str, Codes]:
        return {name: getattr(self, name) for name in ("dataset", "method", "instance", "metric")}

    def line(self, place: int) -> int:
        """Return the row of the sheet that a score comes from."""
        return place if self.lines is None else int(self.lines[place])

    def kept(self, rows: NDArray[np.bool_]) -> "Scores":
        """Return some of the scores, with the names that these have."""
        if rows.all():
            return self
        names = {
            name: used_codes(Codes(codes.places[rows], codes.levels)) for name, codes in self.names.items()
        }
        measured = {name: values[rows] for name, values in self.measured.items()}
        lines = np.flatnonzero(rows) if self.lines is None else self.lines[rows]
        return Scores(**names, value=self.value[rows], lines=lines, measured=measured)

    def with_paths(self, paths: Mapping[str, str]) -> "Scores":
        """Return the scores with the paths of tasks in the place of their names."""
        codes = self.dataset
        return replace(
            self, dataset=Codes(codes.places, tuple(paths.get(level, level) for level in codes.levels))
        )

    def of_metrics(self, names: Collection[str]) -> "Scores":
        """Return the scores of some metrics only."""
        wanted = np.array([*(level in names for level in self.metric.levels), False])
        return self.kept(looked_up(wanted, self.metric.places))

    def with_values(self, values: NDArray[np.float64]) -> "Scores":
        """Return the scores with other values."""
        return replace(self, value=values)

    def largest_values(self) -> dict[str, float]:
        """Return the largest value of each metric, minus infinity for one without values."""
        most = np.full(len(self.metric.levels) + 1, -np.inf)  # the last one for what is of no metric
        for part in pieces(len(self.value)):
            np.fmax.at(most, self.metric.places[part], self.value[part])
        return dict(zip(self.metric.levels, most[:-1].tolist(), strict=True))


def rows_of(scores: Scores) -> pa.Table:
    """Return scores as a table of the schema SCORE_ROWS."""
    columns = {name: _words(codes) for name, codes in scores.names.items()}
    nothing = _nothing(len(scores.value))
    for name in ("value", "spread", "seconds", "megabytes"):
        values = scores.value if name == "value" else scores.measured.get(name)
        columns[name] = nothing if values is None else _reals(values)
    return pa.table(columns, schema=SCORE_ROWS)


def _words(codes: Codes) -> pa.DictionaryArray:
    places = pa.array(codes.places.astype(np.int32, copy=False))
    return pa.DictionaryArray.from_arrays(places, pa.array(codes.levels, pa.string()))


def _reals(values: NDArray[np.float64]) -> pa.Array:
    missing = np.isnan(values)
    return pa.array(values, mask=missing if missing.any() else None)


def _nothing(count: int) -> pa.ChunkedArray:
    """Return so many nulls, which take the memory of a few."""
    some = pa.nulls(min(count, PIECE), pa.float64())
    return pa.chunked_array(
        [some.slice(0, min(PIECE, count - at)) for at in range(0, count, PIECE)], some.type
    )
