"""Which metrics can be had of the results of an archive? What is offered where a loss is chosen."""

from collections.abc import Collection

from delvecore.archive import Archive
from delvecore.archive.computed import has_predictions
from delvecore.archive.metrics.metric_columns import metric_name
from delvecore.archive.metrics.rows import PREDICTED, Task, kinds_of_tasks
from delvecore.losses.metric_specs import MetricSpec
from delvecore.metrics.metric_inputs import BENEFITS, matrix_text
from delvecore.metrics.registry import measures, with_setting
from delvecore.model import SEQUENTIAL

__all__ = ["classes_of", "measurable", "task_facts_of_metrics", "with_classes"]

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


MOST_CLASSES = 8
"""So many classes a cost-benefit matrix is offered for."""


def classes_of(archive: Archive, tasks: Collection[Task] | None = None) -> tuple[str, ...]:
    """Return the classes of the targets of these tasks, None for all, if they all have the same."""
    columns = (archive.attributes[name].to_pylist() for name in ("dataset", "attribute", "categories"))
    values = {(dataset, name): found for dataset, name, found in zip(*columns, strict=True)}
    columns = (archive.prototasks[name].to_pylist() for name in ("dataset", "prototask", "targets"))
    targets = {(dataset, name): found for dataset, name, found in zip(*columns, strict=True)}
    wanted = {task[:2] for task in (kinds_of_tasks(archive) if tasks is None else tasks)}
    found = {tuple(values.get((place[0], targets[place][0])) or ()) for place in wanted if targets.get(place)}
    return next(iter(found)) if len(found) == 1 else ()


def with_classes(offered: Collection[str], classes: Collection[str]) -> tuple[str, ...]:
    """Return the losses that are offered, and those of metrics that need a setting to be had: of the first of
    more than two classes as the positive one, and of a cost-benefit matrix of 1 for what is right."""
    if "kappa" not in offered or not classes:  # nothing is made of predicted classes
        return tuple(offered)
    more = []
    first, many = next(iter(classes)), len(classes)
    for one in measures().values():
        if one.spec.has_two and one.spec.is_ranked and many > 2:
            more.append(with_setting(one, "positive", first))
        if "matrix" in one.spec.options and many <= MOST_CLASSES:
            right = [[float(row == column) for column in range(many)] for row in range(many)]
            more.append(with_setting(one, "matrix", matrix_text(right)))
    return tuple(dict.fromkeys([*offered, *map(metric_name, more)]))


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
