"""`delve metrics`: which metrics there are, and their values for a method."""

import os
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from delvecore.archive import Archive
from delvecore.archive.metrics import WHOLE, metric_rows
from delvecore.cli.support.archives import open_places
from delvecore.cli.support.context import active_hierarchy, print_text
from delvecore.cli.support.places import method_of, path_text
from delvecore.errors import DelveError
from delvecore.metrics.metric import ComputedMetric
from delvecore.metrics.registry import computed_metrics, find_metric, known_name, summary_of
from delvecore.render.csv import csv_text
from delvecore.render.numbers import significant
from delvecore.render.text import aligned

LISTED = ("name", "better", "unit", "what it is", "formula", "other names")
VALUES = ("task", "metric", "instance", "value", "reason")
Value = tuple[str, str, int | None, float | None, str | None]
"""What VALUES names; the instance is None for a reason that holds for all of a task."""


def print_metrics(options: Namespace) -> int:
    chosen = list(_measures(options.metric))
    if options.method is None:
        rows = [
            (spec.name, spec.direction, spec.unit, spec.title, spec.formula, " ".join(spec.aliases))
            for spec in (measure.spec for measure in chosen)
        ]
        print_text(_aligned(LISTED, rows) if options.format == "text" else csv_text(LISTED, rows))
        return 0
    hierarchy = active_hierarchy(os.getcwd(), follow_links=options.follow_links)
    method = method_of(hierarchy, options.method)
    archive, places = open_places(options.paths, follow_links=options.follow_links)
    values = list(_values(archive, chosen, method, places))
    values = values if options.metric else [row for row in values if row[3] is not None]
    if not values:
        where = ", ".join(map(path_text, places)) or "/"
        raise DelveError(f"{where}: expected results of {method}, found none; minfo {method} lists them")
    values.sort(key=lambda row: row[0])
    name, summary = summary_of(options.summary) if options.summary else ("mean", np.mean)
    print_text(_text(values, name, summary) if options.format == "text" else csv_text(VALUES, values))
    return 0


def _measures(names: Sequence[str] | None) -> Iterator[ComputedMetric]:
    """Yield the metrics of these names, all without names. Raises DelveError for an unknown name."""
    if names is None:
        yield from computed_metrics().values()
    for name in map(known_name, " ".join(names or ()).replace(",", " ").split()):
        measure = find_metric(name)
        if measure is None:
            raise DelveError(f"{name}: expected a metric, found none; delve metrics lists them")
        yield measure


def _values(
    archive: Archive, metrics: Sequence[ComputedMetric], method: str, places: Sequence[tuple[str, ...]]
) -> Iterator[Value]:
    for name, rows_by_task in metric_rows(archive, metrics, places, method=method).items():
        for (_, *task), rows in rows_by_task.items():
            for instance, value, reason in rows:
                number = None if instance == WHOLE else instance
                yield path_text(tuple(task)), name, number, value, reason


def _text(values: Sequence[Value], name: str, summary: Callable[[np.ndarray], float]) -> str:
    """Return a summary over the instances that have a value, and why others have none."""
    rows_by_task: dict[tuple[str, str], list[Value]] = {}
    for row in values:
        rows_by_task.setdefault(row[:2], []).append(row)
    rows = []
    for (task, metric), own in rows_by_task.items():
        known = [value for _, _, _, value, _ in own if value is not None]
        shown = significant(summary(np.array(known)), 4) if known else "-"
        why = "; ".join(dict.fromkeys(reason for *_, reason in own if reason))
        rows.append((task, metric, shown, f"{len(known)} of {len(own)}", why))
    return _aligned(("task", "metric", name, "instances", "why not"), rows)


def _aligned(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(aligned([header, *rows], left=len(header))) + "\n"
