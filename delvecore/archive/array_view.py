"""A task-array of an archive under one loss: its estimates as a frame, its learning curves as a figure."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import pyarrow as pa

from delvecore.archive.views import methods_by_loss, under
from delvecore.errors import Fault
from delvecore.losses.spec import loss_order
from delvecore.stats.arrays.estimates import array_estimates
from delvecore.stats.arrays.results import ArrayResults, array_cells, array_results, best_first
from delvecore.stats.choose import DEFAULT_SETTING, Setting
from delvecore.task_arrays import TaskArray

if TYPE_CHECKING:
    import pandas as pd

    from delvecore.archive import Archive
    from delvecore.plots.theme import Figure

__all__ = ["ArrayView", "array_view"]

MOST_COLOURED = 8


@dataclass(frozen=True, eq=False, repr=False)
class ArrayView:
    """What is known of the methods on a task-array under a loss.

    reference: the method that the others are held against, None for the best."""

    archive: "Archive"
    array: TaskArray
    loss: str
    methods: tuple[str, ...]
    reference: str | None
    setting: Setting = DEFAULT_SETTING

    @cached_property
    def _results(self) -> ArrayResults:
        archive = self.archive
        return array_results(
            self.array,
            loss=self.loss,
            tasks=archive.tasks,
            results=archive.results,
            losses=archive.losses_at(*self.array.datasets, loss=self.loss),
            methods=self.methods,
            setting=self.setting,
        )

    @property
    def order(self) -> tuple[str, ...]:
        """The methods, best first."""
        return best_first(self._results)

    @cached_property
    def estimates(self) -> pa.Table:
        """Every method on every cell of the grid: schema `tables.ARRAY_ESTIMATES`."""
        return array_estimates(self._results, reference=self.reference or self.order[0])

    def to_frame(self) -> "pd.DataFrame":
        """Return the estimates as a data frame: a row a cell of the grid and method."""
        return self.estimates.to_pandas()

    def curves(self, *, is_log: bool = False) -> "Figure":
        """Return the learning curves of all methods as a Plotly figure: a panel a combination of levels.
        is_log: are losses on a logarithmic axis?"""
        from delvecore.plots.task_arrays.curves import curves_figure
        from delvecore.plots.task_arrays.plot_data import curves_of, looks_of

        known = self.archive.methods["method"].to_pylist()
        looks = looks_of(self.order, known=known, coloured=self.order[:MOST_COLOURED])
        rows = self.estimates.to_pylist()
        return curves_figure(curves_of(self.array, rows, looks, loss=self.loss, is_log=is_log))

    def __repr__(self) -> str:
        factors = " x ".join(f"{factor.name} ({len(factor.levels)})" for factor in self.array.shown)
        cells = array_cells(self.array, self.archive.tasks)
        tasks = sum(cell.missing is None for cell in cells)
        return (
            f"Task-array {self.array.name}: {factors}, {tasks} tasks\n"
            f"loss {self.loss}, {len(self.methods)} methods: {', '.join(self.methods)}"
        )


def array_view(
    archive: "Archive",
    name: str,
    *,
    loss: str | None,
    methods: tuple[str, ...] | None,
    reference: str | None,
    setting: Setting,
) -> ArrayView:
    """Return a task-array by its name; see `Archive.array`."""
    arrays = {array.name: array for array in archive.arrays}
    if name not in arrays:
        found = f"there are {', '.join(arrays)}" if arrays else "there is none"
        raise Fault(repr(name), "a task-array of this archive", "none", found)
    archive, loss = under(archive, loss, [(member.dataset,) for member in arrays[name].members])
    places = {cell.place for cell in array_cells(arrays[name], archive.tasks) if cell.missing is None}
    known = methods_by_loss(archive, places.__contains__)
    if not known:
        raise Fault(repr(name), "results on this task-array", "none", "delve run makes them")
    losses = sorted(known, key=loss_order)
    loss = loss or ("S" if "S" in known else losses[0])
    if loss not in known:
        there = f"there are {' '.join(losses)}"
        raise Fault(f"loss {loss}", "a loss with results on this task-array", "none", there)
    asked = (*(methods or ()), *([reference] if reference else []))
    if strangers := [one for one in asked if one not in known[loss]]:
        there = f"there are {', '.join(sorted(known[loss]))}"
        raise Fault(f"method {strangers[0]}", "a method with results on this task-array", "none", there)
    chosen = methods or tuple(sorted(known[loss]))
    return ArrayView(archive, arrays[name], loss, methods=chosen, reference=reference, setting=setting)
