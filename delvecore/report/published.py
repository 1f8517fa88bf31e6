"""Published results next to those of an archive: on a task, in the unit of a loss, and in tables of papers.

A sign marks them; they are never tested or ranked. Values are converted to the unit of a loss if both are the
same quantity. The measures follow L. Prechelt, PROBEN1, technical report 21/94, Universität Karlsruhe 1994,
section 2.6.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

import pyarrow as pa
import pyarrow.compute as pc

from delvecore.losses.published import PUBLISHED_SIGN, PublishedResult, origins_of
from delvecore.losses.spec import measure_named
from delvecore.measures import Measure, Measures
from delvecore.metrics.registry import spec_named
from delvecore.model import TaskId
from delvecore.report.paper.table import ELSEWHERE, Head, PaperCell, PaperTable
from delvecore.stats.losses.results import standardized_mean, standardized_spread
from delvecore.stats.orientation import oriented
from delvecore.tables import PLACE, distinct_rows, rows_of

SHARE = "[0,1]"
"""Range of a target that is a share."""
MEANING = f"{PUBLISHED_SIGN}: published elsewhere; ± is the standard error over the runs; not tested."
Find = Callable[[TaskId, str], Sequence[PublishedResult]]
"""Returns the published results on a task, in the unit of a loss."""


class WithPublished(Protocol):
    """The parts of an Archive that this module needs, because it may not import `archive`."""

    @property
    def measures(self) -> Measures: ...
    @property
    def published(self) -> pa.Table: ...
    @property
    def prototasks(self) -> pa.Table: ...
    @property
    def attributes(self) -> pa.Table: ...


CONVERSIONS = {
    ("cep", "Z"): (0.01, 0.0),
    ("err", "Z"): (1.0, 0.0),
    ("acc", "Z"): (-1.0, 1.0),
    ("mse", "S"): (1.0, 0.0),
    ("mae", "A"): (1.0, 0.0),
}
"""{(metric, loss): (slope, start)} for one target: the loss is start plus slope times the metric."""


def in_unit_of(
    measure: Measure, published: str, mean: float, deviation: float | None, *, ranges: Sequence[str | None]
) -> tuple[float, float | None] | None:
    """Return a published mean and deviation in the unit of a measure; None if it is a different quantity.

    `published` is the letter of a loss or the name of a metric. `ranges` are those of the targets of the
    task.
    """
    line, name, loss = None, _called(published), measure.key if measure.is_loss else ""
    if published == loss or (not loss and name == _called(measure.title)):
        line = 1.0, 0.0
    elif (name, loss) == ("sep", "S"):
        # 100 (o_max - o_min) / (N P) times the sum of squares, for N outputs from 0 to 1 and P examples.
        line = (len(ranges) / 100, 0.0) if all(one == SHARE for one in ranges) else None
    elif len(ranges) == 1:
        line = CONVERSIONS.get((name, loss))
    if line is None:
        return None
    slope, start = line
    return start + slope * mean, None if deviation is None else abs(slope) * deviation


def _called(measure: str) -> str:
    """Return the main name of a metric with several names."""
    spec = spec_named(measure)
    return spec.name if spec else measure


def published_on(archive: WithPublished, task: TaskId, loss: str) -> tuple[PublishedResult, ...]:
    """Return the published results on a task that can be converted to a measure, the best first.

    `loss` is the key of the measure.
    """
    if not archive.published.num_rows:
        return ()
    table, measure = archive.published, measure_named(loss, archive.measures)
    for column, name in zip(("dataset", "prototask", "task"), task, strict=True):
        table = table.filter(pc.equal(table[column], name))
    ranges, values = _target_ranges(archive, task), []
    for row in rows_of(table, PublishedResult._fields[:-1]):
        one = PublishedResult._make((*row, 0))
        same = in_unit_of(measure, one.measure, one.mean, one.deviation, ranges=ranges)
        if same is not None:
            values.append(one._replace(mean=same[0], deviation=same[1]))
    return tuple(sorted(values, key=lambda one: (oriented(one.mean, measure), one.method)))


def standardized(
    values: Iterable[PublishedResult], *, loss: str, constant: float | None
) -> tuple[PublishedResult, ...]:
    """Return published values in units of the baseline; omit those that cannot be converted."""
    standardized_values = []
    for one in values:
        mean = standardized_mean(loss, one.mean, constant)
        if mean is not None:
            spread = standardized_spread(loss, one.deviation, constant)
            standardized_values.append(one._replace(mean=mean, deviation=spread))
    return tuple(standardized_values)


def published_methods(archive: WithPublished, paths: Collection[str]) -> dict[str, int]:
    """Return the methods with published results on these tasks, and their number of tasks.

    paths: full paths.
    """
    pairs = distinct_rows(archive.published, PLACE)
    return dict(sorted(Counter(method for method, *task in pairs if TaskId(*task).path in paths).items()))


def _target_ranges(archive: WithPublished, task: TaskId) -> list[str | None]:
    rows = rows_of(archive.prototasks, ("dataset", "prototask", "targets"))
    names = next((targets for *place, targets in rows if (*place,) == task[:2]), ())
    attributes = archive.attributes.filter(pc.equal(archive.attributes["dataset"], task.dataset))
    ranges = dict(rows_of(attributes, ("attribute", "range")))
    return [ranges.get(name) for name in names]


def with_published(
    table: PaperTable,
    tasks: Mapping[str, Sequence[PublishedResult]],
    cell: Callable[[str, PublishedResult], PaperCell],
) -> PaperTable:
    """Return a table with methods in columns, and a further column for each published method.

    `tasks` has published results by path. `cell` returns a cell in the unit of the table. If a method has two
    values on a task, the first is used.
    """
    cells: dict[str, dict[str, PaperCell]] = {}
    for path, values in tasks.items():
        for value in values:
            row = cells.setdefault(value.method, {})
            published_cell = replace(cell(path, value), standing=ELSEWHERE, note=value.origin)
            row.setdefault(path, published_cell)
    if not cells:
        return table
    names, nothing = sorted(cells), PaperCell(None)
    origins = origins_of([value for values in tasks.values() for value in values])
    more = [
        [cells[name].get(head.tasks[0], nothing) if head.tasks else nothing for name in names]
        for head in table.rows
    ]
    return replace(
        table,
        columns=(*table.columns, *(Head("published", (name,)) for name in names)),
        cells=tuple((*row, *added) for row, added in zip(table.cells, more, strict=True)),
        notes=(*table.notes, MEANING, *(f"{PUBLISHED_SIGN} {origin}." for origin in origins)),
    )
