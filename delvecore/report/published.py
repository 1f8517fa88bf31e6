"""Published results beside those of an archive: on a task, in the unit of a loss, and in tables of papers.

A sign marks them; they are never tested or ranked. Figures are converted to the unit of a loss where both are
the same quantity. Source of what measures are: L. Prechelt, PROBEN1, technical report 21/94, Universität
Karlsruhe 1994, section 2.6."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol

import pyarrow as pa
import pyarrow.compute as pc

from delvecore.losses.published import PUBLISHED_SIGN, PublishedValue, origins_of
from delvecore.losses.spec import measure_named
from delvecore.measures import Measure, Measures
from delvecore.metrics.registry import spec_named
from delvecore.model import TaskId
from delvecore.report.paper.table import ELSEWHERE, Head, PaperCell, PaperTable
from delvecore.stats.losses.results import standardized_mean, standardized_spread
from delvecore.stats.orientation import oriented
from delvecore.tables import PLACE, distinct_rows, rows_of

SHARE = "[0,1]"
"""The range of a target that is a share."""
MEANING = f"{PUBLISHED_SIGN}: published elsewhere; ± is the standard error over the runs; not tested."
Find = Callable[[TaskId, str], Sequence[PublishedValue]]
"""Gives what was published on a task, in the unit of a loss."""
Cells = Mapping[str, Mapping[str, PaperCell]]


class WithPublished(Protocol):
    """The parts of an Archive that are needed; `archive` is above this package."""

    @property
    def measures(self) -> Measures: ...
    @property
    def published(self) -> pa.Table: ...
    @property
    def prototasks(self) -> pa.Table: ...
    @property
    def attributes(self) -> pa.Table: ...


class Targets(NamedTuple):
    """What a conversion depends on: how many targets a task has, and whether all are numbers from 0 to 1."""

    number: int
    are_shares: bool


CONVERSIONS = {
    ("cep", "Z"): (0.01, 0.0),
    ("err", "Z"): (1.0, 0.0),
    ("acc", "Z"): (-1.0, 1.0),
    ("mse", "S"): (1.0, 0.0),
    ("mae", "A"): (1.0, 0.0),
}
"""By (name of the metric, loss) of one target: the loss is slope times the measure, and start."""


def in_unit_of(
    measure: Measure, published: str, mean: float, deviation: float | None, *, targets: Targets
) -> tuple[float, float | None] | None:
    """Return mean and deviation of what was published in the unit of a measure; None for another quantity.

    published: letter of a loss or name of a metric."""
    line, name, loss = None, _called(published), measure.key if measure.is_loss else ""
    if published == loss or (not loss and name == _called(measure.title)):
        line = 1.0, 0.0
    elif (name, loss) == ("sep", "S"):
        # 100 (o_max - o_min) / (N P) times the sum of squares, of N outputs from 0 to 1 and P examples.
        line = (targets.number / 100, 0.0) if targets.are_shares else None
    elif targets.number == 1:
        line = CONVERSIONS.get((name, loss))
    if line is None:
        return None
    slope, start = line
    return start + slope * mean, None if deviation is None else abs(slope) * deviation


def _called(measure: str) -> str:
    """Return the name of a metric that has others."""
    spec = spec_named(measure)
    return spec.name if spec else measure


def published_on(archive: WithPublished, task: TaskId, loss: str) -> tuple[PublishedValue, ...]:
    """Return what was published on a task, as far as it is the measure in another unit; the best first.

    loss: key of the measure."""
    if not archive.published.num_rows:
        return ()
    found, measure = archive.published, measure_named(loss, archive.measures)
    for column, name in zip(("dataset", "prototask", "task"), task, strict=True):
        found = found.filter(pc.equal(found[column], name))
    targets, values = _targets(archive, *task[:2]), []
    names = ("measure", "mean", "deviation", "method", "runs", "source", "where")
    for published, mean, deviation, method, *origin in rows_of(found, names):
        same = in_unit_of(measure, published, mean, deviation, targets=targets)
        if same is not None:
            values.append(PublishedValue(method, *same, *origin))
    return tuple(sorted(values, key=lambda one: (oriented(one.mean, measure), one.method)))


def standardized(
    values: Iterable[PublishedValue], *, loss: str, constant: float | None
) -> tuple[PublishedValue, ...]:
    """Return published values in units of the baseline, without those that cannot be."""
    found = []
    for one in values:
        mean = standardized_mean(loss, one.mean, constant)
        if mean is not None:
            spread = standardized_spread(loss, one.deviation, constant)
            found.append(one._replace(mean=mean, deviation=spread))
    return tuple(found)


def published_methods(archive: WithPublished, paths: Collection[str]) -> dict[str, int]:
    """Of which methods was something published on these tasks, and on how many of them? paths: full ones."""
    pairs = distinct_rows(archive.published, PLACE)
    return dict(sorted(Counter(method for method, *task in pairs if TaskId(*task).path in paths).items()))


def _targets(archive: WithPublished, dataset: str, prototask: str) -> Targets:
    rows = rows_of(archive.prototasks, ("dataset", "prototask", "targets"))
    names = next((targets for *place, targets in rows if place == [dataset, prototask]), ())
    attributes = archive.attributes.filter(pc.equal(archive.attributes["dataset"], dataset))
    ranges = dict(rows_of(attributes, ("attribute", "range")))
    return Targets(len(names), all(ranges.get(name) == SHARE for name in names))


class Beside(NamedTuple):
    """cells: by method and path of the task; notes: where they come from."""

    cells: Cells
    notes: tuple[str, ...]


def published_beside(
    tasks: Mapping[str, Sequence[PublishedValue]], cell: Callable[[str, PublishedValue], PaperCell]
) -> Beside:
    """Return what stands beside a table. tasks: what was published, by path; cell: in the table's unit. Of
    two figures of a method on a task the first."""
    cells: dict[str, dict[str, PaperCell]] = {}
    for path, values in tasks.items():
        for value in values:
            row = cells.setdefault(value.method, {})
            found = replace(cell(path, value), standing=ELSEWHERE, note=value.origin)
            row.setdefault(path, found)
    ordered = {name: cells[name] for name in sorted(cells)}
    origins = origins_of([value for values in tasks.values() for value in values])
    return Beside(ordered, (MEANING, *(f"{PUBLISHED_SIGN} {said}." for said in origins)))


def with_published(table: PaperTable, beside: Beside) -> PaperTable:
    """Return an upright table with a column for each published method."""
    heads = tuple(Head("published", (name,)) for name in beside.cells)
    nothing = PaperCell(None)
    cells = [
        (
            *row,
            *(
                found.get(head.tasks[0], nothing) if head.tasks else nothing
                for found in beside.cells.values()
            ),
        )
        for head, row in zip(table.rows, table.cells, strict=True)
    ]
    return replace(
        table, columns=(*table.columns, *heads), cells=tuple(cells), notes=(*table.notes, *beside.notes)
    )
