"""Estimates and comparisons of an archive under one loss, by task and method."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from delvecore.model import TaskArray
from delvecore.report.paper.standings import PairFound
from delvecore.report.paper.table import PaperCell
from delvecore.statistics.notes import Note, parsed
from delvecore.statistics.ranking.score_table import ScoreTable

__all__ = ["NOT_COMPARED", "ArchiveValues", "Difference", "PaperArchive", "Task"]

NO_RESULTS, NO_CONSTANT, NO_MEAN = "no results", "not standardized", "undefined"
NOT_COMPARED = "their losses cannot be paired"


Task = tuple[str, str, str]
"""Names of dataset, prototask and task."""
Row = dict[str, Any]
"""A row of an Arrow table, as pyarrow gives it."""


class PaperArchive(Protocol):
    """What a table needs of an Archive, which lives above this room."""

    @property
    def paths(self) -> Sequence[str]: ...
    @property
    def state(self) -> str: ...
    @property
    def datasets(self) -> pa.Table: ...
    @property
    def tasks(self) -> pa.Table: ...
    @property
    def methods(self) -> pa.Table: ...
    @property
    def results(self) -> pa.Table: ...
    @property
    def comparisons(self) -> pa.Table: ...
    @property
    def arrays(self) -> Sequence[TaskArray]: ...


class Difference(NamedTuple):
    """The difference of two methods on one task: value and standard error in the table's unit, degrees of
    freedom of the error; None where there is none."""

    value: float | None
    error: float | None
    df: float | None
    p: float | None
    test: str | None
    note: str | None
    instances: int | None
    notes: tuple[Note, ...]

    @classmethod
    def of(cls, row: Row, sign: int, unit: tuple[str, str]) -> "Difference":
        """Return what a row of comparisons says. sign: -1 where it has the two the other way round."""
        return cls(
            value=None if row[unit[0]] is None else sign * row[unit[0]],
            error=row[unit[1]],
            df=row["df2"] if row["test"] == "F" else row["df1"],
            p=None if row["p"] is None or math.isnan(row["p"]) else row["p"],
            test=row["test"],
            note=row["note"],
            instances=row["instances"],
            notes=tuple(parsed(row["notes"])),
        )


class ArchiveValues:
    """What an archive says under one loss. raw: in the loss's own unit, not standardized."""

    def __init__(self, archive: PaperArchive, loss: str, *, raw: bool) -> None:
        self.raw = raw
        self._estimates = self._index(archive.results, loss, "method")
        self._pairs = self._index(archive.comparisons, loss, "method_a", "method_b")
        self._unit = (
            ("difference", "standard_error") if raw else ("standardized_difference", "standardized_error")
        )

    @staticmethod
    def _index(table: pa.Table, loss: str, *names: str) -> dict[tuple[Any, ...], Row]:
        rows = table.filter(pc.equal(table["loss"], loss)).to_pylist()
        return {
            ((row["dataset"], row["prototask"], row["task"]), *(row[name] for name in names)): row
            for row in rows
        }

    def has(self, task: Task, method: str) -> bool:
        return (task, method) in self._estimates

    def cell(self, task: Task, method: str) -> PaperCell:
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

    def difference(self, task: Task, first: str, second: str) -> Difference | None:
        """Return first less second; None where the archive has not compared them."""
        row = self._pairs.get((task, first, second))
        if row is not None:
            return Difference.of(row, 1, self._unit)
        row = self._pairs.get((task, second, first))
        return None if row is None else Difference.of(row, -1, self._unit)

    def pair(self, task: Task, first: str, second: str) -> PairFound:
        """Return the archive's test of first against second."""
        found = self.difference(task, first, second)
        if found is None:
            return PairFound(None, None, note=NOT_COMPARED)
        return PairFound(found.value, found.p, found.test, found.note, found.instances, found.notes)

    def score_table(self, tasks: Sequence[Task], methods: Sequence[str]) -> ScoreTable:
        """Return the values as a table for ranks; infinite ones, which cannot be averaged, are missing."""
        values = np.full((len(tasks), len(methods)), math.nan)
        for row, task in enumerate(tasks):
            for column, method in enumerate(methods):
                value = self.cell(task, method).value
                if value is not None and math.isfinite(value):
                    values[row, column] = value
        return ScoreTable(tuple("/" + "/".join(task) for task in tasks), tuple(methods), values)

    def tests(self, tasks: Sequence[Task]) -> tuple[str, ...]:
        """Return the tests (`t`, `F`) that the comparisons on these tasks used."""
        wanted = set(tasks)
        return tuple(
            sorted({row["test"] for key, row in self._pairs.items() if key[0] in wanted and row["test"]})
        )
