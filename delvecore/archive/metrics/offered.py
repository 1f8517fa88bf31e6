"""Which metrics can be had of the results of an archive? What is offered where a loss is chosen."""

from collections.abc import Collection

from delvecore.archive import Archive
from delvecore.archive.computed import has_predictions
from delvecore.archive.metrics.adding import metric_name
from delvecore.archive.metrics.rows import PREDICTED, Task, kinds_of_tasks
from delvecore.losses.metric_specs import MetricSpec
from delvecore.metrics.gather import BENEFITS
from delvecore.metrics.registry import measures
from delvecore.model import SEQUENTIAL

__all__ = ["measurable", "task_facts_of_metrics"]

TWO, PREDICTIONS = "two classes", "predictions"
Facts = dict[Task, frozenset[str]]
"""What is known of each task with results: its kind of targets, and of what else metrics may be made."""


def task_facts_of_metrics(archive: Archive) -> Facts:
    """Return what metrics can be made of on each task with results."""
    if not archive.paths:
        return {}
    units, datasets = archive._snapshot.results, archive._snapshot.datasets
    kept = {place[1:] for place, unit in units.items() if has_predictions(unit)}
    done = {place[1:] for place in units}
    rows = {(row["dataset"], row["prototask"]): row for row in archive.prototasks.to_pylist()}
    two = _of_two_values(archive)
    found = {}
    for (dataset, prototask, task), kind in kinds_of_tasks(archive).items():
        row, facts = rows[dataset, prototask], {kind}
        facts |= {"order"} if row["order"].lower() == SEQUENTIAL else set()
        facts |= {PREDICTIONS} if (dataset, prototask, task) in kept else set()
        facts |= {TWO} if (dataset, row["targets"][0]) in two else set()
        facts |= {"matrix"} if f"{prototask}/{BENEFITS}" in datasets[dataset].files else set()
        if (dataset, prototask, task) in done:
            found[dataset, prototask, task] = frozenset(facts)
    return found


def _of_two_values(archive: Archive) -> set[tuple[str, str]]:
    """Return dataset and name of the attributes that have two values."""
    columns = (archive.attributes[name].to_pylist() for name in ("dataset", "attribute", "categories"))
    rows = zip(*columns, strict=True)
    return {(dataset, name) for dataset, name, values in rows if values is not None and len(values) == 2}


def measurable(facts: Facts, tasks: Collection[Task] | None = None) -> tuple[str, ...]:
    """Return the losses of the metrics that can be had on some task, in the order of the registry. facts: of
    `task_facts_of_metrics`; tasks: the only ones, None for all."""
    there = {known for task, known in facts.items() if tasks is None or task in tasks}
    found = [one for one in measures().values() if one.spec.is_ranked]
    return tuple(metric_name(one) for one in found if any(_suits(one.spec, known) for known in there))


def _suits(spec: MetricSpec, known: frozenset[str]) -> bool:
    """Can a metric be had on a task of which this is known?"""
    for kind, needs in spec.needs.items():
        wanted = {kind, *(name for name in ("order", "matrix") if name in needs)}
        wanted |= {PREDICTIONS} if PREDICTED.intersection(needs) else set()
        wanted |= {TWO} if spec.has_two else set()
        if wanted <= known:
            return True
    return False
