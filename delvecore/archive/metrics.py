"""Metrics in an archive, which can be used wherever a loss can: one number per instance under the metric's
name. The cache stores each value with the state of the method's files and of the dataset."""

import contextlib
import functools
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from delvecore.archive.building import Notify, OpeningStep
from delvecore.archive.loss_rows import sorted_losses
from delvecore.archive.result_unit import PredictedLosses, has_predictions
from delvecore.archive.scores.building import own_unit
from delvecore.archive.scores.opening import ScoreGroup
from delvecore.cache import FORM, Cache
from delvecore.errors import NOTICE, DelveError, ParseError
from delvecore.measures import Measure, column_measure
from delvecore.metrics import metric_inputs
from delvecore.metrics.classification import place_of_positive
from delvecore.metrics.metric import (
    CLASSES,
    METRIC_SPECS,
    NUMBERS,
    ComputedMetric,
    Judged,
    MetricSpec,
    UndefinedError,
)
from delvecore.metrics.metric_inputs import BENEFITS, Predictions, matrix_text
from delvecore.metrics.registry import computed_metrics, find_metric, with_setting
from delvecore.model import SEQUENTIAL, TaskId, is_below
from delvecore.names import hash_of
from delvecore.number_format.columns import NumberLists
from delvecore.render.numbers import integer
from delvecore.stats.classification.contingency import ContingencyTable, contingency_table
from delvecore.stats.losses.results import result_table
from delvecore.tables import (
    RESULTS,
    SCHEMAS,
    Tables,
    distinct_rows,
    problem_table,
    rows_of,
)

if TYPE_CHECKING:
    from delvecore.archive import Archive


Place = tuple[str, str, str, str]
"""Columns of a result: method, dataset, prototask and task."""
NAMES = ("method", "dataset", "prototask", "task")
WHOLE = -1
"""Instance number of a row that states why a method has no value on any instance of a task."""
VALUES = pa.schema(
    {
        "unit": pa.string(),
        "state": pa.string(),
        "instance": pa.int64(),
        "value": pa.float64(),
        "reason": pa.string(),
    }
)
COUNTS = pa.schema(
    {
        "unit": pa.string(),
        "state": pa.string(),
        "instance": pa.int64(),
        "counts": pa.list_(pa.int64()),
    }
)
TABLE = ("table",)
"""Inputs of metrics that depend only on counts of actual and predicted classes."""
PREDICTED = frozenset(("table", "probabilities", "guesses"))
NONE_KEPT = "no predictions are kept"
NO_ORDER = "its cases have no order"


MetricRow = tuple[int, float | None, str | None]
"""An instance, and its value, or why it has none."""
CountsRow = tuple[int, list[int]]
"""An instance, and the counts of its cases by actual (row) and predicted class, one row after the other."""


def kinds_of_tasks(archive: "Archive") -> dict[TaskId, str]:
    """Return CLASSES (of a single target) or NUMBERS for each task that has one kind of target."""
    rows = rows_of(archive.prototasks, ("dataset", "prototask", "targets"))
    single = {(dataset, name) for dataset, name, targets in rows if len(targets) == 1}
    kinds: dict[TaskId, str] = {}
    for *names, kind in rows_of(archive.tasks, (*NAMES[1:], "task_type")):
        task = TaskId(*names)
        if kind == "regression":
            kinds[task] = NUMBERS
        elif kind == "classification" and (task.dataset, task.prototask) in single:
            kinds[task] = CLASSES
    return kinds


def metric_rows(
    archive: "Archive",
    metrics: Iterable[ComputedMetric],
    wanted: Collection[Sequence[str]] = (),
    *,
    method: str | None = None,
    notify: Notify = lambda step: None,
) -> dict[str, dict[Place, list[MetricRow]]]:
    """Return the values of metrics by name and place; values that are not cached are computed.

    The places are those of results at or below `wanted`, or all if it is empty. `method` restricts them to
    one method. `notify` is called with the progress.

    Values of metrics from other packages are not cached, because a change of their functions cannot be
    detected. Common inputs of several metrics are read once.
    """
    kinds, states = kinds_of_tasks(archive), _states(archive)
    asked = [*metrics]
    names = {one.name: ["metric", one.name] if one.spec.name in METRIC_SPECS else None for one in asked}
    kept = {key: _Kept(archive, name, VALUES, states) for key, name in names.items()}
    places = [tuple(place) for place in wanted] or [()]
    judged = _places_judged(archive, kinds, asked, places)
    work = _Work(archive, kinds, states)
    for number, place in enumerate(sorted(judged, key=lambda place: (place[1:], place[0]))):
        if method in (None, place[0]):
            notify(OpeningStep(number / len(judged), f"results on {place[1]}"))
            missing = [measure for measure in judged[place] if not kept[measure.name].take(place)]
            for measure, rows in zip(missing, work.rows(place, missing), strict=True):
                kept[measure.name].add(place, rows)
    work.store()
    return {name: one.store() for name, one in kept.items()}


def is_kept(archive: "Archive", loss: str) -> bool:
    """Is a metric available without computing it? Also true for a loss with results, or if nothing can be
    cached."""
    measure = None if loss in archive.index.losses else find_metric(loss)
    cache = None if measure is None else _cache_of_tables(archive, measure)
    return cache is None or cache.has(archive.state)


def keep_metrics(archive: "Archive", loss: str, *, notify: Notify = lambda step: None) -> tuple[str, ...]:
    """Put a metric into the cache, and return the names of all metrics that were added.

    If losses of cases do not suffice, all metrics without options that need no further data are added, too.
    Reading takes nearly all of the time.
    """
    measure = find_metric(loss)
    if measure is None:
        return ()
    reads = _reads(measure)
    alike = [
        one for one in computed_metrics().values() if one.spec.is_ranked and set() < _reads(one) <= reads
    ]
    new = (one for one in alike if not is_kept(archive, one.name))
    asked = {one.name: one for one in (measure, *new)}
    for name, rows in metric_rows(archive, asked.values(), notify=notify).items():
        _keep_tables(archive, asked[name], _tables(archive, ranked_measure(asked[name]), rows))
    return tuple(asked)


SOURCES = {"predictions": PREDICTED, "dataset": metric_inputs.OF_DATASET, "outputs": frozenset(("outputs",))}
"""Inputs of metrics besides losses of cases, by their source."""


def _reads(measure: ComputedMetric) -> set[tuple[str, str]]:
    """Return (kind of target, source) of the inputs; empty for values that are not cached."""
    if measure.spec.name not in METRIC_SPECS:
        return set()
    return {
        (kind, source)
        for kind in measure.spec.kinds
        for source, needed in SOURCES.items()
        if needed.intersection(measure.needs(kind))
    }


def _states(archive: "Archive") -> dict[Place, tuple[str, str]]:
    """Return the key and the state of the inputs of the results at each place."""
    seen = archive._snapshot
    return {
        place: (unit.key, f"{unit.state} {seen.datasets[place[1]].state}")
        for place, unit in seen.results.items()
    }


def _places_judged(
    archive: "Archive",
    kinds: Mapping[TaskId, str],
    metrics: Sequence[ComputedMetric],
    wanted: Collection[tuple[str, ...]],
) -> dict[Place, list[ComputedMetric]]:
    """Return the places of results, at or below the given ones, with the metrics for their targets."""
    suited_metrics: dict[Place, list[ComputedMetric]] = {}
    for method, *names in distinct_rows(archive.results, NAMES):
        task = TaskId(*names)
        suited = [measure for measure in metrics if kinds.get(task) in measure.spec.kinds]
        if suited and is_below(task, wanted):
            suited_metrics[method, *task] = suited
    return suited_metrics


class _Kept:
    """Rows of results in the cache under a name, and new rows; without a name, none are cached."""

    def __init__(
        self,
        archive: "Archive",
        name: Sequence[str] | None,
        schema: pa.Schema,
        states: Mapping[Place, tuple[str, str]],
    ) -> None:
        self.archive, self.schema, self.states = archive, schema, states
        self.rows: dict[tuple[str, str], list[Any]] = {}
        self.by_place: dict[Place, list[Any]] = {}
        self.is_new = False
        self.cache: Cache | None = None
        if (base := archive._case_cache.base) and name is not None:
            self.cache = Cache(base, [*name, *archive.paths], FORM, ("values",))
        if tables := self.cache.load_any() if self.cache else None:
            for unit, state, *row in rows_of(tables["values"], schema.names):
                self.rows.setdefault((unit, state), []).append(tuple(row))

    def has(self, place: Place) -> bool:
        """Are the rows of a result in the cache?"""
        return place in self.states and self.states[place] in self.rows

    def take(self, place: Place) -> bool:
        """Take the values of a result from the cache, if they are there."""
        if not self.has(place):
            return False
        self.by_place[place] = self.rows[self.states[place]]
        return True

    def add(self, place: Place, rows: list[Any]) -> None:
        self.is_new, self.by_place[place] = True, rows

    def store(self) -> dict[Place, list[Any]]:
        """Return the rows by place. If some are new, cache these rows and those of other results."""
        if self.cache is None or not self.is_new or not self.archive._case_cache.writes:
            return self.by_place
        valid = set(self.states.values())
        rows = {key: own_rows for key, own_rows in self.rows.items() if key in valid}
        rows |= {
            self.states[place]: own_rows for place, own_rows in self.by_place.items() if place in self.states
        }
        cells = [(*key, *row) for key, own_rows in rows.items() for row in own_rows]
        columns = [list(column) for column in zip(*cells, strict=True)] or [[] for _ in self.schema]
        table = pa.table(dict(zip(self.schema.names, columns, strict=True)), self.schema)
        with contextlib.suppress(OSError):  # reported when the archive itself is cached
            self.cache.store(self.archive.state, {"values": table}, lasting=False)
        return self.by_place


def _kept_counts(archive: "Archive", states: Mapping[Place, tuple[str, str]]) -> _Kept:
    return _Kept(archive, ["classes"], COUNTS, states)


class _Work:
    """Computes metrics. Common inputs of several results are computed once."""

    def __init__(
        self, archive: "Archive", kinds: Mapping[TaskId, str], states: Mapping[Place, tuple[str, str]]
    ) -> None:
        self.archive, self.kinds, self.states = archive, kinds, states
        self.predicted = PredictedLosses(archive.hierarchy, {})
        self.facts: dict[TaskId, list[Judged]] = {}
        self.losses_under = functools.cache(self._losses_under)

    @cached_property
    def classes(self) -> dict[tuple[str, ...], tuple[str, ...]]:
        return _target_classes(self.archive)

    @cached_property
    def counts(self) -> _Kept:
        return _kept_counts(self.archive, self.states)

    def store(self) -> None:
        """Keep the counts of classes, which further metrics are computed from."""
        if "counts" in vars(self):
            self.counts.store()

    def _losses_under(self, letter: str) -> dict[Place, dict[tuple[str, int], np.ndarray]]:
        """The losses of cases by result, and then by letter and instance."""
        losses: dict[Place, dict[tuple[str, int], np.ndarray]] = defaultdict(dict)
        table = self.archive.losses_at(loss=letter)
        lists = NumberLists(table["values"])
        for row, (*place, number) in enumerate(rows_of(table, (*NAMES, "instance"))):
            method, dataset, prototask, task = place
            losses[method, dataset, prototask, task][letter, number] = lists.span(row, row + 1)
        return losses

    @cached_property
    def times(self) -> dict[Place, dict[int, Judged]]:
        """The seconds of learning and predicting, by place and instance."""
        times: dict[Place, dict[int, Judged]] = defaultdict(dict)
        names = (*NAMES, "instance", "seconds", "testing_seconds")
        for *place, instance, seconds, testing in rows_of(self.archive.costs, names):
            method, dataset, prototask, task = place
            judged = Judged(seconds=seconds, testing_seconds=testing)
            times[method, dataset, prototask, task][instance] = judged
        return times

    def rows(self, place: Place, metrics: Iterable[ComputedMetric]) -> Iterator[list[MetricRow]]:
        """Yield the values of each metric, or the reason for a missing one. Predictions are read once."""
        unit, kind = self.archive._snapshot.results.get(place), self.kinds[TaskId(*place[1:])]
        judged: dict[tuple[object, ...], list[tuple[int, Judged]]] = {}
        predictions: Predictions | None = None
        for measure in metrics:
            needs = measure.needs(kind)
            letters = metric_inputs.letters_in(needs)
            key = (needs, measure.options if "matrix" in needs else ())
            try:
                if PREDICTED.intersection(needs) and (unit is None or not has_predictions(unit)):
                    raise UndefinedError(NONE_KEPT)
                if "table" in needs and "positive" in measure.spec.options:
                    place_of_positive(self.classes[place[1:3]], dict(measure.options))
                if "times" in needs:
                    judged[key] = [*self.times.get(place, {}).items()]
                elif key not in judged:
                    losses: dict[tuple[str, int], np.ndarray] = {}
                    for letter in letters:
                        losses |= self.losses_under(letter).get(place, {})
                    if unit is None or not metric_inputs.reads_files(needs):
                        judged[key] = list(metric_inputs.of_losses(losses))
                    elif needs == TABLE and measure.spec.name in METRIC_SPECS:
                        if not self.counts.take(place):
                            predictions = predictions or Predictions(self.predicted.task(unit))
                            self.counts.add(place, _counted(predictions, self.classes[place[1:3]]))
                        judged[key] = list(self._of_counts(place))
                    else:
                        predictions = predictions or Predictions(self.predicted.task(unit))
                        judged[key] = list(self._judged(measure, place, losses, predictions))
            except (DelveError, UndefinedError) as error:
                yield [(WHOLE, None, str(error))]
                continue
            usable = [
                (number, one) for number, one in judged[key] if all(name in one.losses for name in letters)
            ]
            if usable:
                rows: list[MetricRow] = []
                for number, one in usable:
                    try:
                        rows.append((number, measure.value(one), None))
                    except UndefinedError as error:
                        rows.append((number, None, str(error)))
                yield rows
            else:
                why = f"there are no losses {', '.join(letters)}" if letters else "no times are kept"
                yield [(WHOLE, None, why)]

    def _of_counts(self, place: Place) -> Iterator[tuple[int, Judged]]:
        """Yield (instance, the cases by actual and predicted class)."""
        classes = self.classes[place[1:3]]
        for instance, counts in self.counts.by_place[place]:
            rows = np.reshape(counts, (len(classes),) * 2).tolist()
            table = ContingencyTable(classes, tuple(map(tuple, rows)))
            yield instance, Judged(classes=classes, counted=table)

    def _judged(
        self,
        measure: ComputedMetric,
        place: Place,
        losses: dict[tuple[str, int], np.ndarray],
        predictions: Predictions,
    ) -> Iterator[tuple[int, Judged]]:
        """Yield (instance, inputs of a metric)."""
        known = TaskId(*place[1:])
        needs = measure.needs(self.kinds[known])
        if self.kinds[known] == CLASSES:
            options = dict(measure.options)
            return metric_inputs.of_classes(predictions, needs, losses=losses, options=options)
        of_dataset = bool(metric_inputs.OF_DATASET.intersection(needs))
        if of_dataset and known not in self.facts:
            self.facts[known] = metric_inputs.number_facts(predictions.task)
        if "order" in needs and not predictions.task.prototask.is_sequential:
            raise UndefinedError(NO_ORDER)
        facts = self.facts[known] if of_dataset else None
        return metric_inputs.of_numbers(predictions, needs, losses=losses, facts=facts)


def _counted(predictions: Predictions, classes: Sequence[str]) -> list[CountsRow]:
    tables = (
        (one.instance, contingency_table(one.actual, one.guessed, classes=classes))
        for one in predictions.classes
    )
    return [(instance, list(chain.from_iterable(table.counts))) for instance, table in tables]


class MeasuredLoss(NamedTuple):
    """An archive with a metric, and the name of its loss there.

    Attributes
    ----------
    notes : tuple of str
        Results without a value, each with the reason.
    """

    archive: "Archive"
    loss: str
    notes: tuple[str, ...] = ()


def ranked_measure(measure: ComputedMetric) -> Measure:
    """Return the measure of the results of a metric. Raises DelveError if neither higher nor lower values are
    better."""
    spec: MetricSpec = measure.spec
    if spec.higher_is_better is None:
        raise DelveError(f"{measure.name}: expected higher or lower values to be better, found neither")
    return column_measure(measure.name, spec.higher_is_better, spec.best)


def measured(
    archive: "Archive",
    loss: str,
    places: Iterable[Sequence[str]] = (),
    *,
    first: Callable[[], None] | None = None,
) -> MeasuredLoss:
    """Return an archive with results under a loss, or the metric of this name, and the key of the measure.

    `places` are those of tasks for which a metric is computed, such as ("demo", "age"), empty for all.
    `first` is called if the metric is not cached and predictions have to be read. It may start another
    process that caches it. An archive with such results, or with a loss of cases, is returned unchanged.
    Raises DelveError for options that a metric does not take.
    """
    key = key_named(archive, loss)
    measure = None if key or not archive.paths else find_metric(loss)
    if measure is None:
        return MeasuredLoss(archive, key or loss)
    ranked = ranked_measure(measure)
    if ranked.key in archive.index.losses:
        return MeasuredLoss(archive, ranked.key)
    wanted = [tuple(place) for place in places] or [()]
    tables = None if wanted != [()] else _kept_tables(archive, measure, first)
    if tables is None:
        tables = _tables(archive, ranked, metric_rows(archive, [measure], wanted)[measure.name])
        if wanted == [()]:
            _keep_tables(archive, measure, tables)
    reasons = [reason for (reason,) in rows_of(tables["reasons"], ["reason"])]
    if not tables["losses"].num_rows:
        why = "; ".join(reasons[:3]) or f"it is for targets that are {' or '.join(measure.spec.kinds)}"
        raise DelveError(f"{measure.name}: expected a value on some task, found none: {why}")
    notes = tuple(f"{measure.name}: no value on {reason}" for reason in reasons)
    state = hash_of([measure.name, *map("/".join, wanted)])
    notices = [ParseError("metrics", None, "a value on every instance", note, kind=NOTICE) for note in notes]
    of_metric = {name: schema.empty_table() for name, schema in SCHEMAS.items()}
    of_metric |= {name: tables[name] for name in ("losses", "results")} | {"problems": problem_table(notices)}
    group = ScoreGroup((), state, of_metric, (), (), {}, measures={ranked.key: ranked})
    return MeasuredLoss(archive.joined(group), ranked.key, notes)


def key_named(archive: "Archive", name: str) -> str | None:
    """Return the key of the results with this key or name; None if the archive has no such results."""
    return next((key for key, one in archive.measures.items() if name in (key, one.title)), None)


REASONS = pa.schema({"reason": pa.string()})
OF_METRIC = ("losses", "results", "reasons")


def _cache_of_tables(archive: "Archive", measure: ComputedMetric) -> Cache | None:
    """Return the location of the cached tables of a metric. None if they cannot be cached; this includes
    archives with files of scores, which visitors add for one session only."""
    cases = archive._case_cache
    if not cases.base or not cases.writes or archive._scores or measure.spec.name not in METRIC_SPECS:
        return None
    return Cache(cases.base, ["measured", measure.name, *archive.paths], f"{FORM}-values", OF_METRIC)


def _kept_tables(
    archive: "Archive", measure: ComputedMetric, first: Callable[[], None] | None
) -> Tables | None:
    """Return the cached tables of a metric. `first` is called if there are none and predictions are read."""
    cache = _cache_of_tables(archive, measure)
    tables = None if cache is None else cache.load(archive.state)
    if tables is None and cache is not None and first is not None and not _are_counted(archive, measure):
        first()
        tables = cache.load(archive.state)
    return tables


def _are_counted(archive: "Archive", measure: ComputedMetric) -> bool:
    """Is a metric computed from cached counts of classes?"""
    if measure.spec.needs != {CLASSES: TABLE}:
        return False
    kept, kinds = _kept_counts(archive, _states(archive)), kinds_of_tasks(archive)
    units = archive._snapshot.results.items()
    return all(
        kept.has(place) or kinds.get(TaskId(*place[1:])) != CLASSES or not has_predictions(unit)
        for place, unit in units
    )


def _keep_tables(archive: "Archive", measure: ComputedMetric, tables: Tables) -> None:
    if cache := _cache_of_tables(archive, measure):
        with contextlib.suppress(OSError):  # reported when the archive itself is cached
            cache.store(archive.state, tables, lasting=False)


def _reasons(rows: dict[Place, list[MetricRow]]) -> tuple[str, ...]:
    """Return the reasons for missing values with their numbers of instances, most frequent first."""
    total = sum(instance != WHOLE for own_rows in rows.values() for instance, *_ in own_rows)
    counts: Counter[tuple[str, bool]] = Counter()
    for own_rows in rows.values():
        counts.update((reason, instance == WHOLE) for instance, _, reason in own_rows if reason)
    reasons = []
    for (reason, is_whole), count in counts.most_common():
        of, what = (len(rows), "results of a method on a task") if is_whole else (total, "instances")
        reasons.append(f"{integer(count)} of {integer(of)} {what}: {reason}")
    return tuple(reasons)


def _tables(archive: "Archive", measure: Measure, rows: dict[Place, list[MetricRow]]) -> Tables:
    """Return the values and results of a metric, and the reasons for missing values."""
    losses, results = _values(archive, measure.key, rows), RESULTS.empty_table()
    if losses.num_rows:
        places = {(*place[1:], measure.key): own_unit(measure.key) for place in rows}
        results = result_table(losses, archive.tasks, places, {measure.key: measure})
        # Each instance has only one number, so the number of test cases is unknown.
        column = results.column_names.index("test_cases")
        nulls = pa.nulls(len(results), pa.int64())
        results = results.set_column(column, RESULTS.field("test_cases"), nulls)
    reasons = pa.table({"reason": list(_reasons(rows))}, REASONS)
    return {"losses": losses, "results": results, "reasons": reasons}


def _values(archive: "Archive", key: str, rows: dict[Place, list[MetricRow]]) -> pa.Table:
    facts = {
        row[:3]: row[3:]
        for row in rows_of(archive.tasks, (*NAMES[1:], "prior", "training_size", "instances"))
    }
    columns: dict[str, list[Any]] = {name: [] for name in SCHEMAS["losses"].names}
    means: list[float] = []
    for place, own_rows in rows.items():
        prior, training_size, instances = facts[place[1:]]
        values: dict[int, list[float]] = defaultdict(list)  # by training set; runs are averaged
        for instance, value, _ in own_rows:
            if value is not None:
                values[instance % (instances or len(own_rows) + 1)].append(value)
        same = {**dict(zip(NAMES, place, strict=True)), "loss": key}
        same |= {"prior": prior, "training_size": training_size}
        for name, fact in same.items():
            columns[name] += [fact] * len(values)
        columns["instance"] += sorted(values)
        kept = (values[instance] for instance in sorted(values))
        means += [one[0] if len(one) == 1 else float(np.mean(one)) for one in kept]
    columns["values"] = [[value] for value in means]
    return sorted_losses(pa.table(columns, SCHEMAS["losses"]))


TWO, PREDICTIONS = "two classes", "predictions"
Facts = dict[TaskId, frozenset[str]]
"""Facts about each task with results: its kind of targets, and the inputs available for metrics."""


def task_facts_of_metrics(archive: "Archive") -> Facts:
    """Return the inputs available for metrics on each task with results."""
    if not archive.paths:
        return {}
    units, datasets = archive._snapshot.results, archive._snapshot.datasets
    kept = {place[1:] for place, unit in units.items() if has_predictions(unit)}
    done = {place[1:] for place in units}
    timed = distinct_rows(archive.costs, NAMES[1:])
    orders = {row[:2]: row[2] for row in rows_of(archive.prototasks, ("dataset", "prototask", "order"))}
    classes = _target_classes(archive)
    facts_by_task: Facts = {}
    for task, kind in kinds_of_tasks(archive).items():
        facts = {kind}
        facts |= {"order"} if orders[task[:2]].lower() == SEQUENTIAL else set()
        facts |= {PREDICTIONS} if task in kept else set()
        facts |= {TWO} if len(classes.get(task[:2], ())) == 2 else set()
        facts |= {"times"} if task in timed else set()
        facts |= {"matrix"} if f"{task.prototask}/{BENEFITS}" in datasets[task.dataset].files else set()
        if task in done:
            facts_by_task[task] = frozenset(facts)
    return facts_by_task


def _target_classes(archive: "Archive") -> dict[tuple[str, ...], tuple[str, ...]]:
    """Return the classes of the first target of each prototask that has one, by dataset and prototask; empty
    for a target with infinitely many values."""
    attributes = rows_of(archive.attributes, ("dataset", "attribute", "categories"))
    values = {(dataset, name): categories or () for dataset, name, categories in attributes}
    rows = rows_of(archive.prototasks, ("dataset", "prototask", "targets"))
    return {
        (dataset, name): tuple(values.get((dataset, targets[0]), ()))
        for dataset, name, targets in rows
        if targets
    }


MOST_CLASSES = 8
"""Largest number of classes for a cost-benefit matrix."""


def classes_of(archive: "Archive", tasks: Collection[TaskId] | None = None) -> tuple[str, ...]:
    """Return the classes of the targets of these tasks, None for all, if they all have the same."""
    classes = _target_classes(archive)
    wanted = {task[:2] for task in (kinds_of_tasks(archive) if tasks is None else tasks)}
    kinds = {classes[place] for place in wanted if place in classes}
    return next(iter(kinds)) if len(kinds) == 1 else ()


def with_classes(offered: Collection[str], classes: Collection[str]) -> tuple[str, ...]:
    """Return the available losses, and those of metrics that need a setting: the first class is positive if
    there are more than two, and a cost-benefit matrix has 1 for correct predictions and 0 otherwise."""
    if "kappa" not in offered or not classes:  # no metric uses predicted classes
        return tuple(offered)
    more = []
    first, many = next(iter(classes)), len(classes)
    for one in computed_metrics().values():
        if one.spec.has_two and one.spec.is_ranked and many > 2:
            more.append(with_setting(one, "positive", first))
        if "matrix" in one.spec.options and many <= MOST_CLASSES:
            right = [[float(row == column) for column in range(many)] for row in range(many)]
            more.append(with_setting(one, "matrix", matrix_text(right)))
    return tuple(dict.fromkeys([*offered, *(one.name for one in more)]))


def measurable(facts: Facts, tasks: Collection[TaskId] | None = None) -> tuple[str, ...]:
    """Return the losses of the metrics available on some of these tasks, None for all."""
    there = {known for task, known in facts.items() if tasks is None or task in tasks}
    metrics = [one for one in computed_metrics().values() if one.spec.is_ranked]
    return tuple(one.name for one in metrics if any(_suits(one.spec, known) for known in there))


def _suits(spec: MetricSpec, known: frozenset[str]) -> bool:
    """Is a metric available on a task with these properties?"""
    for kind, needs in spec.needs.items():
        wanted = {kind, *(name for name in ("order", "matrix", "times") if name in needs)}
        wanted |= {PREDICTIONS} if PREDICTED.intersection(needs) else set()
        wanted |= {TWO} if spec.has_two else set()
        if wanted <= known:
            return True
    return False
