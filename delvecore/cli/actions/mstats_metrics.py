"""Metrics that `mstats` prints: estimates and comparisons of an archive. Losses need none."""

from collections.abc import Iterator, Sequence

import pyarrow.compute as pc

import delvecore
from delvecore.answers.compare_pair import with_first
from delvecore.archive import Archive
from delvecore.archive.metrics import measured
from delvecore.cli.support.context import Session
from delvecore.cli.support.places import Names, path_text
from delvecore.errors import DelveError
from delvecore.measures import Measure
from delvecore.model import TaskId
from delvecore.report.statistics_text import (
    metric_comparison,
    metric_estimate,
    metric_heading,
)
from delvecore.stats.losses.mstats import Estimate
from delvecore.stats.notes import parsed
from delvecore.tables import rows_of


def metric_texts(
    session: Session, names: Names, metrics: Sequence[str], methods: Sequence[str]
) -> Iterator[str]:
    """Yield the text of each metric on a task. `methods` are compared; without any, estimates are shown."""
    hierarchy, path = session.hierarchy, path_text(names)
    links, datasets = hierarchy.follow_links, {names[1]}
    archive = delvecore.open(hierarchy.roots, follow_links=links, datasets=datasets)
    for asked in metrics:
        try:
            measured_archive = measured(archive, asked, [names[1:]])
        except DelveError as error:
            session.warn(f"{path}: {error}")
            continue
        for note in measured_archive.notes:
            session.warn(f"{path}: {note}")
        metric = measured_archive.archive.measures[measured_archive.loss]
        for number, text in enumerate(_texts(measured_archive.archive, metric, names, methods)):
            yield text if number else f"{metric_heading(metric)}\n{text}"


def _texts(archive: Archive, metric: Measure, names: Names, methods: Sequence[str]) -> Iterator[str]:
    method, place, key = names[0], names[1:], metric.key
    if not methods:
        rows = archive.results.take(archive.index.rows_of(TaskId(*place), key))
        columns = ("instances", "test_cases", "mean", "standard_error", "notes")
        for *numbers, notes in rows_of(rows.filter(pc.equal(rows["method"], method)), columns):
            yield metric_estimate(Estimate(*numbers), parsed(notes), metric)
    for other in methods:
        for row in archive.compare(path_text(place), loss=key, methods=(method, other)).to_pylist():
            yield metric_comparison(with_first(row, method), metric)
