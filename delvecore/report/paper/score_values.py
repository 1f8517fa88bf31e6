"""What a table of single scores says: no test within a task, so that no cell depends on the confidence."""

from collections.abc import Sequence

import numpy as np

from delvecore.report.grid import ALONE, BEST, UNTESTED
from delvecore.report.paper.table import Head, PaperCell
from delvecore.statistics.ranking.score_table import ScoreTable

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
            rows = [dict(zip(shown, _cells(*row), strict=True)) for row in found]
            self._rows = tuple(shown), rows
        return rows


def _cells(values: Sequence[float], are_best: Sequence[bool], known: int) -> list[PaperCell]:
    return [
        NO_SCORE
        if value != value
        else PaperCell(value, standing=ALONE if known == 1 else BEST)
        if is_best
        else PaperCell(value, standing=UNTESTED, note=UNTESTABLE)
        for value, is_best in zip(values, are_best, strict=True)
    ]
