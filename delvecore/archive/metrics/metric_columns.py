"""Metrics in an archive: each stands there as scores do, one number an instance under its name, and is used
wherever a loss is."""

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import pyarrow as pa

from delvecore.archive import Archive
from delvecore.archive.loss_rows import sorted_losses
from delvecore.archive.metrics.rows import NAMES, WHOLE, MetricRow, Place, kinds_of_tasks, metric_rows
from delvecore.archive.scores.building import own_unit
from delvecore.archive.scores.opening import ScoreGroup
from delvecore.archive.stored import Row, Tables, problem_row
from delvecore.errors import NOTICE, DelveError, result_fault
from delvecore.losses.metric_specs import MetricSpec
from delvecore.losses.metrics import Metric
from delvecore.losses.spec import metric_loss, metric_of
from delvecore.metrics.metric import Measure
from delvecore.metrics.registry import find_measure
from delvecore.stats.losses.results import result_table
from delvecore.tables import RESULTS, SCHEMAS, table_of

__all__ = ["MeasuredLoss", "measure_of", "measured", "metric_name", "places_judged"]


class MeasuredLoss(NamedTuple):
    """An archive with a metric, and the name of the loss that is kept of it there. notes: where it has no
    value, and why."""

    archive: Archive
    loss: str
    notes: tuple[str, ...] = ()


def metric_name(measure: Measure) -> str:
    """Return the name of the loss that is kept of a metric. Raises DelveError where neither higher nor lower
    values are better, so that nothing can be ranked by them."""
    spec: MetricSpec = measure.spec
    if spec.higher_is_better is None:
        raise DelveError(f"{measure.name}: expected that higher or lower is better, found neither")
    return metric_loss(Metric(measure.name, spec.higher_is_better, spec.best))


def measure_of(loss: str) -> Measure | None:
    """Return the metric that is meant by its name, or by the name of the loss that is kept of it; None where
    no metric that can be computed is."""
    metric = metric_of(loss)
    return find_measure(loss) or (find_measure(metric.name) if metric else None)


def measured(archive: Archive, loss: str, places: Iterable[Sequence[str]] = ()) -> MeasuredLoss:
    """Return an archive that has results under a loss, or the metric of this name, and what it is called
    there. places: of tasks for which a metric is computed, such as ("demo", "age"), none for all. An archive
    that has such results, and a loss of cases, stay as they are. Raises DelveError for options that a metric
    does not take."""
    known = archive.index.losses
    kept = [one for one in known if loss in (one, getattr(metric_of(one), "name", None))]
    measure = None if kept or not archive.paths else measure_of(loss)
    if measure is None:
        return MeasuredLoss(archive, kept[0] if kept else loss)
    name = metric_name(measure)
    if name in known:
        return MeasuredLoss(archive, name)
    wanted = [tuple(place) for place in places] or [()]
    rows = metric_rows(archive, measure, places_judged(archive, measure, wanted))
    reasons = _reasons(rows)
    if all(row.value is None for found in rows.values() for row in found):
        why = "; ".join(reasons[:3]) or f"it is for targets that are {' or '.join(measure.spec.kinds)}"
        raise DelveError(f"{measure.name}: expected a value on some task, found none: {why}")
    notes = tuple(f"{measure.name}: no value on {reason}" for reason in reasons)
    state = _hash([measure.name, *map("/".join, wanted)])
    tables = _tables(archive, name, rows, notes)
    group = ScoreGroup((), state, tables, readings=(), arrays=(), families={})
    return MeasuredLoss(archive.joined(group), name, notes)


def _hash(words: Sequence[str]) -> str:
    return hashlib.blake2b("\n".join(words).encode(errors="surrogateescape"), digest_size=16).hexdigest()


def places_judged(archive: Archive, measure: Measure, wanted: Collection[tuple[str, ...]]) -> set[Place]:
    """Return the places of results, at or below those wanted, for whose targets the metric is."""
    kinds, found = kinds_of_tasks(archive), set[Place]()
    columns = [archive.results[name].to_pylist() for name in NAMES]
    for method, dataset, prototask, task in {*zip(*columns, strict=True)}:
        place = (dataset, prototask, task)
        is_wanted = any(place[: len(names)] == names for names in wanted)
        if is_wanted and kinds.get(place) in measure.spec.kinds:
            found.add((method, *place))
    return found


def _reasons(rows: dict[Place, list[MetricRow]]) -> tuple[str, ...]:
    """Say on how many instances there is no value, and why, the most frequent reason first."""
    total = sum(row.instance != WHOLE for found in rows.values() for row in found)
    counts: Counter[tuple[str, bool]] = Counter()
    for found in rows.values():
        counts.update((row.reason, row.instance == WHOLE) for row in found if row.reason)
    said = []
    for (reason, is_whole), count in counts.most_common():
        of, what = (len(rows), "results of a method on a task") if is_whole else (total, "instances")
        said.append(f"{count:,} of {of:,} {what}: {reason}")
    return tuple(said)


def _tables(archive: Archive, loss: str, rows: dict[Place, list[MetricRow]], notes: Sequence[str]) -> Tables:
    """Return the values as tables of an archive that holds nothing else."""
    found = {name: schema.empty_table() for name, schema in SCHEMAS.items()}
    losses = _losses(archive, loss, rows)
    found["losses"] = losses
    if losses.num_rows:
        places = {(*place[1:], loss): own_unit(loss) for place in rows}
        found["results"] = result_table(losses, archive.tasks, places)
        # One number an instance is no number of test cases.
        column = found["results"].column_names.index("test_cases")
        nulls = pa.nulls(len(found["results"]), pa.int64())
        found["results"] = found["results"].set_column(column, RESULTS.field("test_cases"), nulls)
    faults = [result_fault("metrics", None, "a value on every instance", note) for note in notes]
    told = [{**problem_row(fault), "kind": NOTICE} for fault in faults]
    found["problems"] = table_of(told, SCHEMAS["problems"])
    return found


def _losses(archive: Archive, loss: str, rows: dict[Place, list[MetricRow]]) -> pa.Table:
    metric = metric_of(loss)
    facts = {
        (row["dataset"], row["prototask"], row["task"]): (row["prior"], row["training_size"])
        for row in archive.tasks.select([*NAMES[1:], "prior", "training_size"]).to_pylist()
    }
    told: list[Row] = []
    for place, found in rows.items():
        prior, size = facts[place[1:]]
        same = dict(zip(NAMES, place, strict=True)) | {"prior": prior, "training_size": size, "loss": loss}
        for row in found:
            if row.value is not None and metric is not None:
                value = metric.losses_of([row.value]).tolist()
                told.append({**same, "instance": row.instance, "values": value})
    table = table_of(told, SCHEMAS["losses"])
    return sorted_losses(table)
