"""What a table of single scores says: no test within a task, so that no cell depends on the confidence."""

import functools
import itertools
from collections.abc import Sequence

import numpy as np

from delvecore.report.grid import ALONE, BEST, UNTESTED
from delvecore.report.paper.table import Head, PaperCell
from delvecore.stats.ranking.score_table import ScoreTable

__all__ = ["ScoreValues"]

UNTESTABLE = "a single score says nothing of its own uncertainty"
NO_SCORE = PaperCell(None, missing="no score")


class ScoreValues:
    """The rows of scores, made once for all levels and marks. table: of the methods that are asked for."""

    def __init__(self, table: ScoreTable) -> None:
        self.table = table
        self.heads = tuple(Head("task", (name,), (name,)) for name in table.tasks)
        self._known = (~np.isnan(table.values)).sum(axis=1).tolist()
        self._lowest = np.where(np.isnan(table.losses), np.inf, table.losses).min(axis=1, initial=np.inf)
        self._rows: tuple[tuple[str, ...], list[dict[str, PaperCell]]] = (), []

    def rows(self, shown: Sequence[str]) -> list[dict[str, PaperCell]]:
        """Return the cells of these methods, by name, one row a task; those that were asked for last are
        kept."""
        kept, rows = self._rows
        if kept != tuple(shown):
            part = self.table.select(methods=shown)
            are_best = (part.losses == self._lowest[:, None]).tolist()
            found = zip(part.values.tolist(), are_best, self._known, strict=True)
            cell = functools.cache(_cell)  # Scores have few digits, so that there are few cells.
            rows = [
                dict(zip(shown, map(cell, *row, itertools.repeat(known == 1)), strict=True))
                for *row, known in found
            ]
            self._rows = tuple(shown), rows
        return rows


def _cell(value: float, is_best: bool, is_alone: bool) -> PaperCell:
    """Return the cell of a score, perhaps the only one of its task."""
    if value != value:
        return NO_SCORE
    if is_best:
        return PaperCell(value, standing=ALONE if is_alone else BEST)
    return PaperCell(value, standing=UNTESTED, note=UNTESTABLE)
