"""An archive under a metric, and a task-array as a table and a figure."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import pyarrow as pa

from delvecore.answers.answer import Answer
from delvecore.answers.array_questions import ARRAY_QUESTIONS
from delvecore.answers.task_array import ArrayFacts, definition
from delvecore.archive.metrics import measured
from delvecore.errors import DelveError, Fault
from delvecore.losses.spec import loss_order
from delvecore.measures import Measure
from delvecore.model import TaskArray, TaskId
from delvecore.render.spans import plain
from delvecore.report.ranking.sentences import run_sentences
from delvecore.stats.arrays.estimates import array_estimates
from delvecore.stats.arrays.results import (
    ArrayResults,
    array_cells,
    array_comparisons,
    array_results,
    best_first,
)
from delvecore.stats.choose import DEFAULT_SETTING, Setting
from delvecore.tables import values_in

if TYPE_CHECKING:
    import pandas as pd

    from delvecore.archive import Archive
    from delvecore.plots.figure import PlotlyFigure


def under(
    archive: "Archive", loss: str | None, places: Sequence[Sequence[str]] = ()
) -> "tuple[Archive, str | None]":
    """Return an archive with results under a loss, and the name of the loss in this archive.

    The loss may be a metric, which is then computed. None is returned unchanged. `places` are described in
    `archive.metrics.measured`, which raises DelveError.
    """
    if loss is None or loss in archive.index.losses:
        return archive, loss
    measured_loss = measured(archive, loss, places)
    return measured_loss.archive, measured_loss.loss


def methods_by_loss(archive: "Archive", is_wanted: Callable[[TaskId], bool]) -> dict[str, set[str]]:
    """Return {loss: methods with results} on the tasks for which `is_wanted` is true."""
    method_names: dict[str, set[str]] = {}
    for task, losses in archive.index.methods_on.items():
        if is_wanted(task):
            for loss, methods in losses.items():
                method_names.setdefault(loss, set()).update(methods)
    return method_names


MOST_COLORED = 12


@dataclass(frozen=True, eq=False, repr=False)
class ArrayView:
    """Methods on a task-array under a measure.

    Attributes
    ----------
    archive : Archive
        The archive.
    array : TaskArray
        The task-array.
    measure : Measure
        Measure of the values.
    methods : tuple of str
        Compared methods.
    reference : str or None
        The method that the others are compared with, None for the best.
    setting : Setting
        Confidence and adjustment of the tests.
    keep : tuple of str
        Methods that are shown however few runs they have.
    """

    archive: "Archive"
    array: TaskArray
    measure: Measure
    methods: tuple[str, ...]
    reference: str | None
    setting: Setting = DEFAULT_SETTING
    keep: tuple[str, ...] = ()

    @cached_property
    def results(self) -> ArrayResults:
        """Values of the methods, and their differences."""
        return common_array_results(
            self.archive,
            self.array,
            measure=self.measure,
            methods=self.methods,
            keep=self.keep,
            reference=self.reference,
            setting=self.setting,
        )

    def answer(self, question: str, *, order: int = 2, scale: str | None = None) -> Answer:
        """Answer one of `ARRAY_QUESTIONS`.

        `order` is the maximum number of factors in an interaction. `scale` is that of effects, `log` or
        `raw`. Raises DelveError for a scale that the values do not allow, and for differences without a
        reference.
        """
        if question == "definition":
            return definition(self.array)
        tables = self.archive.costs, self.archive.results
        facts = ArrayFacts(self.results, self.reference, self.setting, *tables, order=order, scale=scale)
        try:
            return ARRAY_QUESTIONS[question].answer(facts)
        except ValueError as error:
            raise DelveError(f"{question}: {error}") from None

    @property
    def order(self) -> tuple[str, ...]:
        """The methods, best first, without those with fewer than half of their runs."""
        return best_first(self.results)

    @cached_property
    def estimates(self) -> pa.Table:
        """Every method on every cell of the grid: schema `tables.ARRAY_ESTIMATES`."""
        return array_estimates(self.results, reference=self.reference or self.order[0])

    def to_frame(self) -> "pd.DataFrame":
        """Return the estimates as a data frame: a row per cell of the grid and method."""
        return self.estimates.to_pandas()

    def curves(self, *, is_log: bool = False, width: float | None = None) -> "PlotlyFigure":
        """Return the learning curves of all methods as a Plotly figure, with one panel per combination of
        levels.

        `is_log` selects a logarithmic axis of values. `width` is that of a figure for a paper in inches, such
        as 3.3 or 7, with text of 8 points. Raises DelveError for a logarithmic axis if values are not
        positive.
        """
        from delvecore.plots import theme
        from delvecore.plots.task_arrays.curves import curves_figure
        from delvecore.plots.task_arrays.panels import columns_within, looks_of, panel_grid

        if is_log and (self.results.value <= 0).any():
            raise Fault("is_log=True", "values above zero", "others", "a linear axis shows them")
        known = values_in(self.archive.methods, "method")
        looks = looks_of(self.order, known=known, colored=self.order[:MOST_COLORED])
        grid = panel_grid(self.array, most_columns=columns_within(width))
        array_table = ArrayFacts(self.results, setting=self.setting, table=self.estimates)
        figure = curves_figure(array_table, looks, is_log=is_log, grid=grid)
        return (figure if width is None else theme.for_paper(figure, width)).plotly()

    def __repr__(self) -> str:
        factors = " x ".join(f"{factor.name} ({len(factor.levels)})" for factor in self.array.shown)
        cells = array_cells(self.array, self.archive.tasks)
        tasks = sum(cell.missing is None for cell in cells)
        under = f"{'loss ' * self.measure.is_loss}{self.measure.key}"
        return (
            f"Task-array {self.array.name}: {factors}, {tasks} tasks\n"
            f"{under}, {len(self.methods)} methods: {', '.join(self.methods)}"
        )


def task_array(archive: "Archive", name: str) -> TaskArray:
    """Return a task-array by its name. Raises DelveError if there is none."""
    arrays = {array.name: array for array in archive.arrays}
    if name not in arrays:
        remedy = f"there are {', '.join(arrays)}" if arrays else "the archive has no task-arrays"
        raise Fault(repr(name), "a task-array of this archive", "none", remedy)
    return arrays[name]


def array_view(
    archive: "Archive",
    name: str,
    *,
    loss: str | None,
    methods: Sequence[str] | None,
    reference: str | None,
    setting: Setting,
) -> ArrayView:
    """Return a task-array by its name: see `Archive.array`. Raises DelveError."""
    array = task_array(archive, name)
    archive, loss = under(archive, loss, [(member.dataset,) for member in array.members])
    places = {cell.place for cell in array_cells(array, archive.tasks) if cell.missing is None}
    known = methods_by_loss(archive, places.__contains__)
    if not known:
        raise Fault(repr(name), "results on this task-array", "none", "delve run makes them")
    losses = sorted(known, key=loss_order)
    loss = loss or ("S" if "S" in known else losses[0])
    if loss not in known:
        remedy = f"there are {' '.join(losses)}"
        raise Fault(f"loss {loss}", "a loss with results on this task-array", "none", remedy)
    chosen = list(methods or sorted(known[loss]))
    chosen[:0] = [reference] if reference and reference not in chosen else []
    there = values_in(archive.methods, "method")
    if strangers := [one for one in chosen if one not in there]:
        raise Fault(f"method {strangers[0]}", "a method", "none", f"there are {', '.join(sorted(there))}")
    keep = tuple(chosen) if methods else ()
    return ArrayView(archive, array, archive.measures[loss], tuple(chosen), reference, setting, keep)


def common_array_results(
    archive: "Archive",
    array: TaskArray,
    *,
    measure: Measure,
    methods: Sequence[str],
    compared: Sequence[str] = (),
    keep: Collection[str] = (),
    reference: str | None = None,
    comparisons: pa.Table | None = None,
    with_covariances: bool = True,
    setting: Setting = DEFAULT_SETTING,
) -> ArrayResults:
    """Estimate the methods on a task-array over the instances that all compared methods have.

    `methods` are estimated in this order. Those with fewer than half of their runs are omitted unless they
    are in `keep`. `compared` are all compared methods, if there are more. `comparisons` are those of pairs,
    each over their common instances, if available. `with_covariances` computes covariances of the estimates
    in addition to their errors. Raises DelveError if no method has half of its runs, or if the reference has
    fewer.
    """
    loss, cells = measure.key, array_cells(array, archive.tasks)
    places = [tuple(map(str, cell.place)) for cell in cells if cell.missing is None]
    common = archive.common_results(loss=loss, places=places, methods=compared or methods, keep=keep)
    unranked = {one.name for one in common.runs.unranked}
    ranked = [name for name in methods if name not in unranked]
    if (methods and not ranked) or reference in unranked:
        sentences = plain(" ".join(run_sentences(common.runs, warns=False)))
        which = reference if reference in unranked else f"/{array.name}"
        raise DelveError(f"{which}: expected a method with half of its runs, found none; {sentences}")
    needs_losses = with_covariances or comparisons is None
    losses = archive.losses_at(*array.datasets, loss=loss) if needs_losses else None
    tables = {"tasks": archive.tasks, "results": archive.results}
    if comparisons is None and losses is not None:
        comparisons = array_comparisons(
            cells, measure=measure, losses=losses, methods=ranked, setting=setting, **tables
        )
    return array_results(
        array,
        measure=measure,
        tasks=archive.tasks,
        results=common.results,
        losses=common.of(losses) if with_covariances and losses is not None else None,
        comparisons=comparisons,
        methods=ranked,
        runs=common.runs,
    )
