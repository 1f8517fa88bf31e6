"""The values of a metric on the results of an archive: computed once for each state of a method's files and
of the dataset, and kept in the cache."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from delvecore.archive import Archive
from delvecore.archive.computed import PredictedLosses, has_predictions
from delvecore.archive.reading import FORM
from delvecore.archive.snapshot import Unit
from delvecore.cache import Cache
from delvecore.errors import DelveError
from delvecore.losses.metric_specs import CLASSES, METRIC_SPECS, NUMBERS
from delvecore.metrics import metric_inputs
from delvecore.metrics.metric import Judged, Measure, UndefinedError
from delvecore.number_format.list_columns import NumberLists

__all__ = ["MetricRow", "Place", "kinds_of_tasks", "metric_rows"]

Place = tuple[str, str, str, str]
"""Method, dataset, prototask and task."""
Task = tuple[str, str, str]
NAMES = ("method", "dataset", "prototask", "task")
WHOLE = -1
"""The instance of a row that says why a method has no value on any instance of a task."""
VALUES = pa.schema(
    {
        "unit": pa.string(),
        "state": pa.string(),
        "instance": pa.int64(),
        "value": pa.float64(),
        "reason": pa.string(),
    }
)
PREDICTED = frozenset(("table", "probabilities", "guesses"))
NONE_KEPT = "no predictions are kept"
NO_ORDER = "its cases are in no order"


class MetricRow(NamedTuple):
    """value: None where there is none, for a reason."""

    instance: int
    value: float | None
    reason: str | None


def kinds_of_tasks(archive: Archive) -> dict[Task, str]:
    """Return the kind of target, CLASSES or NUMBERS, of each task that has one kind: classes are of a single
    target."""
    columns = (archive.prototasks[name].to_pylist() for name in ("dataset", "prototask", "targets"))
    single = {(dataset, name) for dataset, name, targets in zip(*columns, strict=True) if len(targets) == 1}
    found = {}
    rows = (archive.tasks[name].to_pylist() for name in (*NAMES[1:], "task_type"))
    for *names, kind in zip(*rows, strict=True):
        dataset, prototask, task = names
        if kind == "regression":
            found[dataset, prototask, task] = NUMBERS
        elif kind == "classification" and (dataset, prototask) in single:
            found[dataset, prototask, task] = CLASSES
    return found


def metric_rows(
    archive: Archive, measure: Measure, places: Collection[Place]
) -> dict[Place, list[MetricRow]]:
    """Return the values of a metric at places of results, computed where the cache does not have them. Those
    of metrics that other packages bring are not kept: nobody can tell whether their functions changed."""
    units, states = archive._snapshot.results, _states(archive)
    cache = _cache(archive, measure) if measure.spec.name in METRIC_SPECS else None
    kept = _kept(cache)
    work = _Work(archive, measure, kinds_of_tasks(archive))
    found, is_new = {}, False
    for place in sorted(places, key=lambda place: (place[1:], place[0])):
        rows = kept.get((units[place].key, states[place])) if place in units else None
        is_new |= rows is None
        found[place] = work.rows(place, units.get(place)) if rows is None else rows
    if is_new and cache and archive._case_cache.writes:
        valid = {(units[place].key, state) for place, state in states.items()}
        known = {key: rows for key, rows in kept.items() if key in valid}
        told = {(units[place].key, states[place]): rows for place, rows in found.items() if place in units}
        _keep(cache, archive.state, {**known, **told})
    return found


def _states(archive: Archive) -> dict[Place, str]:
    """Return the state of what the results at each place depend on."""
    seen = archive._snapshot
    return {place: f"{unit.state} {seen.datasets[place[1]].state}" for place, unit in seen.results.items()}


def _cache(archive: Archive, measure: Measure) -> Cache | None:
    base = archive._case_cache.base
    return Cache(base, ["metric", measure.name, *archive.paths], FORM, ("values",)) if base else None


Kept = dict[tuple[str, str], list[MetricRow]]
"""Rows by the key and the state of a unit."""


def _kept(cache: Cache | None) -> Kept:
    tables = cache.load_any() if cache else None
    found: Kept = defaultdict(list)
    for row in tables["values"].to_pylist() if tables else ():
        found[row["unit"], row["state"]].append(MetricRow(row["instance"], row["value"], row["reason"]))
    return dict(found)


def _keep(cache: Cache, state: str, rows: Kept) -> None:
    told = [
        {"unit": unit, "state": unit_state, **row._asdict()}
        for (unit, unit_state), found in rows.items()
        for row in found
    ]
    try:
        cache.store(state, {"values": pa.Table.from_pylist(told, VALUES)}, lasting=False)
    except OSError:
        return  # told where the archive itself was to be kept


@dataclass
class _Work:
    """Computes a metric for many methods; what they share is worked out once. kinds: of tasks."""

    archive: Archive
    measure: Measure
    kinds: Mapping[Task, str]
    facts: dict[Task, metric_inputs.NumberFacts] = field(default_factory=dict)

    @cached_property
    def predicted(self) -> PredictedLosses:
        return PredictedLosses(self.archive.hierarchy, {})

    @cached_property
    def losses(self) -> dict[Place, dict[tuple[str, int], np.ndarray]]:
        """The losses of cases that the metric is made of, by place, letter and instance."""
        spec = self.measure.spec
        letters = {
            letter for kind in spec.kinds for letter in metric_inputs.letters_in(self.measure.needs(kind))
        }
        found: dict[Place, dict[tuple[str, int], np.ndarray]] = defaultdict(dict)
        for letter in sorted(letters):
            table = self.archive.losses_at(loss=letter)
            lists = NumberLists(table["values"])
            columns = [table[name].to_pylist() for name in (*NAMES, "instance")]
            for row, (*place, number) in enumerate(zip(*columns, strict=True)):
                method, dataset, prototask, task = place
                found[method, dataset, prototask, task][letter, number] = lists.span(row, row + 1)
        return found

    def rows(self, place: Place, unit: Unit | None) -> list[MetricRow]:
        """Return the values of a method on a task, or why it has none."""
        kind = self.kinds[place[1:]]
        needs = self.measure.needs(kind)
        if PREDICTED.intersection(needs) and (unit is None or not has_predictions(unit)):
            return [MetricRow(WHOLE, None, NONE_KEPT)]
        letters = metric_inputs.letters_in(needs)
        try:
            judged = list(self._judged(place, unit, kind))
        except (DelveError, UndefinedError) as error:
            return [MetricRow(WHOLE, None, str(error))]
        usable = [(number, one) for number, one in judged if all(name in one.losses for name in letters)]
        if not usable:
            return [MetricRow(WHOLE, None, f"there are no losses {', '.join(letters)}")]
        return [self._row(number, one) for number, one in usable]

    def _judged(self, place: Place, unit: Unit | None, kind: str) -> Iterator[tuple[int, Judged]]:
        needs, losses = self.measure.needs(kind), self.losses.get(place, {})
        if unit is None or not metric_inputs.reads_files(needs):
            return metric_inputs.of_losses(losses)
        task = self.predicted.task(unit)
        if kind == CLASSES:
            return metric_inputs.of_classes(task, needs, losses=losses, options=dict(self.measure.options))
        facts = None
        if metric_inputs.OF_DATASET.intersection(needs):
            facts = self.facts.setdefault(
                place[1:], self.facts.get(place[1:]) or metric_inputs.number_facts(task)
            )
        if "order" in needs and facts is not None and not facts.is_ordered:
            raise UndefinedError(NO_ORDER)
        return metric_inputs.of_numbers(task, needs, losses=losses, facts=facts)

    def _row(self, number: int, judged: Judged) -> MetricRow:
        try:
            return MetricRow(number, self.measure.value(judged), None)
        except UndefinedError as error:
            return MetricRow(number, None, str(error))
