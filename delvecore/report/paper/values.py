"""Estimates and comparisons of an archive under one loss, by task and method."""

import math

import numpy as np
import pyarrow.compute as pc

from delvecore.report.paper.standings import PairFound
from delvecore.report.paper.table import PaperCell
from delvecore.statistics.notes import parsed
from delvecore.statistics.ranking.score_table import ScoreTable

__all__ = ["NOT_COMPARED", "ArchiveValues", "Difference"]

NO_RESULTS, NO_CONSTANT, NO_MEAN = "no results", "not standardized", "undefined"
NOT_COMPARED = "their losses cannot be paired"


class Difference:
    """The difference of two methods on one task: value and standard error in the table's unit, degrees of
    freedom of the error; None where there is none."""

    __slots__ = ("df", "error", "instances", "note", "notes", "p", "test", "value")

    def __init__(self, row, sign, unit):
        self.value = None if row[unit[0]] is None else sign * row[unit[0]]
        self.error = row[unit[1]]
        self.df = row["df2"] if row["test"] == "F" else row["df1"]
        self.test, self.note, self.instances = row["test"], row["note"], row["instances"]
        self.notes = parsed(row["notes"])
        self.p = None if row["p"] is None or math.isnan(row["p"]) else row["p"]


class ArchiveValues:
    """What an archive says under one loss. raw: in the loss's own unit, not standardized."""

    def __init__(self, archive, loss: str, *, raw: bool):
        self.raw = raw
        self._estimates = self._index(archive.results, loss, "method")
        self._pairs = self._index(archive.comparisons, loss, "method_a", "method_b")
        self._unit = (
            ("difference", "standard_error") if raw else ("standardized_difference", "standardized_error")
        )

    @staticmethod
    def _index(table, loss, *names):
        rows = table.filter(pc.equal(table["loss"], loss)).to_pylist()
        return {
            ((row["dataset"], row["prototask"], row["task"]), *(row[name] for name in names)): row
            for row in rows
        }

    def has(self, task, method) -> bool:
        return (task, method) in self._estimates

    def cell(self, task, method) -> PaperCell:
        """Return value and error, or why there is none."""
        row = self._estimates.get((task, method))
        if row is None:
            return PaperCell(None, missing=NO_RESULTS)
        if row["mean"] is None or math.isnan(row["mean"]):
            return PaperCell(None, missing=NO_MEAN)
        if self.raw:
            return PaperCell(row["mean"], row["standard_error"])
        if row["standardized_mean"] is None:
            return PaperCell(None, missing=NO_CONSTANT)
        return PaperCell(row["standardized_mean"], row["standardized_error"])

    def difference(self, task, first, second) -> Difference | None:
        """Return first less second; None where the archive has not compared them."""
        row = self._pairs.get((task, first, second))
        if row is not None:
            return Difference(row, 1, self._unit)
        row = self._pairs.get((task, second, first))
        return None if row is None else Difference(row, -1, self._unit)

    def pair(self, task, first, second) -> PairFound:
        """Return the archive's test of first against second."""
        found = self.difference(task, first, second)
        if found is None:
            return PairFound(None, None, note=NOT_COMPARED)
        return PairFound(found.value, found.p, found.test, found.note, found.instances, found.notes)

    def score_table(self, tasks, methods) -> ScoreTable:
        """Return the values as a table for ranks; infinite ones, which cannot be averaged, are missing."""
        values = np.full((len(tasks), len(methods)), math.nan)
        for row, task in enumerate(tasks):
            for column, method in enumerate(methods):
                value = self.cell(task, method).value
                if value is not None and math.isfinite(value):
                    values[row, column] = value
        return ScoreTable(tuple("/" + "/".join(task) for task in tasks), tuple(methods), values)

    def design_words(self, tasks) -> tuple[str, ...]:
        """Return the tests (`t`, `F`) that the comparisons on these tasks used."""
        wanted = set(tasks)
        return tuple(
            sorted({row["test"] for key, row in self._pairs.items() if key[0] in wanted and row["test"]})
        )
