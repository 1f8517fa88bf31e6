"""Metrics of a method's task, as `mstats` prints them beside losses of cases. Needs NumPy and Arrow."""

from collections.abc import Iterator, Sequence

import delvecore
from delvecore.archive import Archive
from delvecore.archive.metrics.metric_columns import measured
from delvecore.cli.support.context import Session
from delvecore.cli.support.places import Names, path_text
from delvecore.errors import DelveError
from delvecore.report.information.metric_text import metric_comparison, metric_estimate, metric_heading

__all__ = ["metric_texts"]


def metric_texts(
    session: Session, names: Names, metrics: Sequence[str], methods: Sequence[str]
) -> Iterator[str]:
    """Yield what is said of each metric on a method's task. methods: to compare with, none for an estimate.
    Where there is no value, and why, is said on standard error."""
    hierarchy, path = session.hierarchy, path_text(names)
    links, datasets = hierarchy.follow_links, {names[1]}
    archive = delvecore.open(hierarchy.roots, follow_links=links, datasets=datasets)
    for asked in metrics:
        try:
            found = measured(archive, asked, [names[1:]])
        except DelveError as error:
            session.warn(f"{path}: {error}")
            continue
        for note in found.notes:
            session.warn(f"{path}: {note}")
        for number, text in enumerate(_texts(found.archive, found.loss, names, methods)):
            yield text if number else f"{metric_heading(found.loss)}\n{text}"


def _texts(archive: Archive, loss: str, names: Names, methods: Sequence[str]) -> Iterator[str]:
    method, place = names[0], names[1:]
    if not methods:
        for row in archive.results.to_pylist():
            if (row["method"], row["dataset"], row["prototask"], row["task"], row["loss"]) == (*names, loss):
                yield metric_estimate(row)
    for other in methods:
        for row in archive.compare(path_text(place), loss=loss, methods=(method, other)).to_pylist():
            yield metric_comparison(row, first=method)
