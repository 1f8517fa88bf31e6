"""Training of networks, tests between them, and selection of one. Runs appear next to published results.

Source: L. Prechelt, PROBEN1, technical report 21/94, Universität Karlsruhe 1994, sections 2.8 and 3.3."""

import statistics
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, groupby
from typing import Any, NamedTuple

import numpy as np

from delvecore.answers.answer import Answer, Column, FigureData, Kind, Table, table_of
from delvecore.errors import Fault
from delvecore.losses.published import PUBLISHED_SIGN
from delvecore.model import TaskId
from delvecore.readers.proben1_report import DATASETS, found_networks
from delvecore.readers.training import PUBLISHED_AS, TrainingRecord
from delvecore.render.numbers import counted, integer, percent, rounded
from delvecore.render.spans import as_name, strong
from delvecore.report.verdict_words import NO_DIFFERENCE
from delvecore.stats.cochran_cox import cochran_cox, without_outliers

LEVEL = 0.1
"""Significance level of the tests in table 12."""
FEWEST_RUNS = 3
NEAR, NEARER = 1.1, 1.05
TITLES = {
    "training": "training %",
    "validation": "validation %",
    "test": "test %",
    "classification": "wrong %",
    "overfit": "GL %",
    "epochs": "epochs",
    "relevant": "relevant",
    "correlation": "ρ",
}
DEFINITIONS = (
    "Means (standard deviations) over runs. Training, validation: lowest squared error percentages, measured "
    "every 5 epochs. Test, wrong: squared error percentage and wrong classes of the test set, with the "
    "weights of the lowest validation error. ρ: correlation of validation and test error. GL: generalization "
    "loss when training ended. Best: the test error of the run with the lowest validation error."
)


class NetworkRun(NamedTuple):
    """Errors of one training run.

    Attributes
    ----------
    training, validation : float
        Lowest measured squared error percentages.
    test, classification : float
        Error percentages of the test set with the final weights, NaN if unknown.
    overfit : float
        GL at the end of training, in percent.
    epochs, relevant : int
        See `TrainingRecord`.
    """

    method: str
    task: TaskId
    instance: int
    network: str
    weights: int
    training: float
    validation: float
    test: float
    classification: float
    overfit: float
    epochs: int
    relevant: int


def training_answer(method: str, task: str, runs: Mapping[int, TrainingRecord]) -> Answer:
    """Duration of training, and the trained networks. A row per run."""
    rows = [
        (
            *(number, one.epochs, one.relevant, one.kept.training, one.kept.validation),
            *(one.curve[-1].loss, one.traversals),
        )
        for number, one in runs.items()
    ]
    keys = ("instance", "epochs", "relevant", "training", "validation", "overfit", "traversals")
    table, records = table_of(rows, [(key, key, "number") for key in keys]), list(runs.values())
    sentence = ""
    if records:
        epochs, relevant = (_ends([getattr(one, key) for one in records]) for key in ("epochs", "relevant"))
        crossed = statistics.median(one.traversals for one in records)
        sentence = (
            f"{strong(counted(len(table), 'run'))} trained {epochs} epochs, kept the weights of epoch "
            f"{relevant} and traversed {integer(crossed)} connections{' (median)' * (len(table) > 1)}. "
            f"Network: {as_name(records[0].network)}; "
            f"{records[0].outputs} outputs, {integer(records[0].weights)} weights."
        )
    alt = f"Errors of the training and the validation set of {method} on {task}, by epoch"
    figure = FigureData("training", subject=method, data=runs)
    return Answer("training", sentence, table, (), figure, alt=alt)


def _ends(values: Sequence[int]) -> str:
    low, high = min(values), max(values)
    return integer(low) if low == high else f"{integer(low)} to {integer(high)}"


Group = tuple[str, list[NetworkRun]]
Values = dict[str, tuple[float, float]]
"""Mean and standard deviation of each quantity in TITLES."""


def summary_answer(
    runs: Sequence[NetworkRun], published: Sequence[Mapping[str, Any]], *, compact: bool
) -> Answer:
    """Training of networks: one row per method and task, followed by published results of the task.

    `published` has rows of an archive's table. `compact` puts means and deviations into one cell, for
    readers.
    """
    published_by_path = _published(published)
    rows: list[tuple[str, str, int | None, Values, float]] = []
    for path, group in _by_task(runs):
        for method, own in _by_method(group):
            best = min(own, key=lambda run: run.validation)
            rows.append((path, method, len(own), _summary(own), best.test))
        for method, (count, values) in published_by_path.get(path, {}).items():
            rows.append((path, method + PUBLISHED_SIGN, count, values, float("nan")))
    fields = [
        Column("task", "task", "name", [row[0] for row in rows]),
        Column("method", "method", "name", [row[1] for row in rows]),
        Column("runs", "runs", "count", [row[2] for row in rows]),
    ]
    nothing = (float("nan"), float("nan"))
    for key, title in TITLES.items():
        pairs = [row[3].get(key, nothing) for row in rows]
        digits = 0 if key in ("epochs", "relevant") else 2
        if compact:
            fields.append(Column(key, title, "name", [_cell(*pair, digits=digits) for pair in pairs]))
            continue
        fields.append(Column(key, title, "number", [pair[0] for pair in pairs]))
        if key != "correlation":
            fields.append(Column(f"{key}_sd", f"{title} sd", "number", [pair[1] for pair in pairs]))
    fields.append(Column("best", "best", "number", [row[4] for row in rows], decimals=2))
    methods, tasks = {run.method for run in runs}, {run.task for run in runs}
    counts = ((runs, "run"), (methods, "method"), (tasks, "task"))
    sentence = "{} of {} on {}.".format(*(counted(len(members), noun) for members, noun in counts))
    notes = [
        DEFINITIONS,
        *([f"{PUBLISHED_SIGN}: published elsewhere, not tested."] if published_by_path else []),
    ]
    return Answer("training", sentence, Table(tuple(fields)), tuple(notes))


def _summary(runs: Sequence[NetworkRun]) -> Values:
    summary: Values = {}
    for key in TITLES:
        if key != "correlation":
            values = np.array([getattr(run, key) for run in runs], dtype=float)
            summary[key] = (
                float(values.mean()),
                float(values.std(ddof=1)) if len(values) > 1 else float("nan"),
            )
    pairs = np.array([(run.validation, run.test) for run in runs]).T
    if len(runs) > 1 and (np.ptp(pairs, axis=1) > 0).all():
        summary["correlation"] = float(np.corrcoef(pairs)[0, 1]), float("nan")
    return summary


def _published(rows: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, tuple[int | None, Values]]]:
    """Return {task: {method: (runs, {quantity: (mean, deviation)})}}."""
    names = {measure: key for key, measure in PUBLISHED_AS.items()}
    published_values: dict[str, dict[str, tuple[int | None, Values]]] = {}
    for row in rows:
        if row["measure"] in names:
            path = f"/{row['dataset']}/{row['prototask']}/{row['task']}"
            _, values = published_values.setdefault(path, {}).setdefault(row["method"], (row["runs"], {}))
            spread = float("nan") if row["deviation"] is None else row["deviation"]
            values[names[row["measure"]]] = row["mean"], spread
    return published_values


def _cell(mean: float, spread: float, *, digits: int) -> str:
    if np.isnan(mean):
        return ""
    return rounded(mean, digits) + ("" if np.isnan(spread) else f" ({rounded(spread, digits)})")


def _by_task(runs: Sequence[NetworkRun]) -> Iterator[Group]:
    for task, group in groupby(runs, key=lambda run: run.task):
        yield task.path, list(group)


def _by_method(runs: Sequence[NetworkRun]) -> Iterator[Group]:
    for method, group in groupby(runs, key=lambda run: run.method):
        yield method, list(group)


PAIR_FIELDS: tuple[tuple[str, str, Kind], ...] = (
    ("task", "task", "name"),
    ("first", "method", "name"),
    ("second", "other method", "name"),
    ("better", "better", "name"),
    ("p", "p", "p"),
    ("removed", "outliers", "name"),
    ("reliable", "", "name"),
)
SEARCH_FIELDS: tuple[tuple[str, str, Kind], ...] = (
    ("task", "task", "name"),
    ("best", "best", "name"),
    ("pivot", "pivot", "name"),
    ("method", "method", "name"),
    ("epochs", "epochs", "name"),
    ("tests", "test % of others", "name"),
    ("validation", "validation %", "number"),
    ("test", "test %", "number"),
    ("classification", "wrong %", "number"),
    ("within_5", "5 %", "count"),
    ("within_10", "10 %", "count"),
)


def difference_answer(runs: Sequence[NetworkRun]) -> Answer:
    """Do test errors differ? A t-test of their logarithms for each pair of methods on a task (see 3.3.4)."""
    pairs, differ = [], 0
    for path, group in _by_task(runs):
        logs = {}
        for method, own in _by_method(group):
            errors = np.array([run.test for run in own])
            if len(errors) >= FEWEST_RUNS and (errors > 0).all():
                logs[method] = without_outliers(np.log(errors))
        for first, second in combinations(logs, 2):
            (one, *about), (other, *about_other) = logs[first], logs[second]
            t, p = cochran_cox(one, other)
            removed, are_normal = zip(about, about_other, strict=True)
            better = NO_DIFFERENCE if p >= LEVEL else (first, second)[t > 0]
            reliable = "" if all(are_normal) else "not normal"
            pairs.append((path, first, second, better, p, ", ".join(map(str, removed)), reliable))
            differ += p < LEVEL
    sentence = (
        f"{differ} of {counted(len(pairs), 'pair')} of methods differ at the {percent(1 - LEVEL)} level."
    )
    notes = (
        "t-test of the logarithms of test errors over runs, with Cochran and Cox's approximation for unequal "
        "variances (PROBEN1, section 3.3.4). It holds for this partition of the data. Outliers: the fewest "
        "runs, at most a tenth, whose removal leaves a normal sample (Shapiro and Wilk, p of 0.05).",
        "p is not adjusted for the number of pairs. If a sample is marked as not normal, nothing was "
        "removed, and p is unreliable.",
    )
    return Answer("differences", sentence, table_of(pairs, PAIR_FIELDS), notes)


def better_half(runs: Sequence[NetworkRun]) -> list[NetworkRun]:
    """Return the half with the lowest validation errors of each network's runs on a task: section 2.8.

    Runs keep their order. The earlier run wins a tie. Raises Fault for an odd number of runs."""
    kept = []
    for path, group in _by_task(runs):
        for method, own in _by_method(group):
            if len(own) % 2:
                run_count = counted(len(own), "run")
                expected = f"an even number of runs of {method}, exactly half of them left out"
                raise Fault(path, expected, run_count, "run one more, or leave none out")
            chosen = sorted(own, key=lambda run: run.validation)[: len(own) // 2]
            kept += [run for run in own if run in chosen]
    return kept


HALF = (
    "Exactly half of the runs of each network on a task are left out: those with the largest validation "
    "errors (PROBEN1, section 2.8)."
)


def search_answer(runs: Sequence[NetworkRun]) -> Answer:
    """Which network has the lowest validation error, and which are near it?

    Tables 5 to 7: a row per task, followed by the numbers of the report.
    """
    rows, has_published = [], False
    for path, group in _by_task(runs):
        best = min(group, key=lambda run: run.validation)
        others = [run for run in group if run is not best]
        near = [run for run in others if run.validation <= NEAR * best.validation]
        nearer = [run for run in near if run.validation <= NEARER * best.validation]
        pivot = max([best, *nearer], key=lambda run: (run.weights, -run.validation))
        epochs = _range([run.epochs for run in (best, *near)], 0)
        tests = _range([run.test for run in near], 3) if near else ""
        row = (path, best.network, pivot.network, pivot.method, epochs, tests)
        rows.append((*row, best.validation, best.test, best.classification, len(nearer), len(near)))
        published = list(_published_search(group[0].task))
        rows += published
        has_published |= bool(published)
    tasks = counted(len({row[0] for row in rows}), "task")
    sentence = f"Best and pivot network among {counted(len(runs), 'run')} on {tasks}."
    sign = (f"{PUBLISHED_SIGN}: the PROBEN1 report, tables 5 to 7, based on 36 runs.",)
    notes = (
        "Best: the lowest validation error (PROBEN1, section 3.3.2). 5 %, 10 %: other runs whose validation "
        "error is at most that much larger. Epochs are of the best run and those within 10 %.",
        "Pivot: the network with the most weights among the best run and those within 5 %; the lowest "
        "validation error breaks ties.",
        *(sign if has_published else ()),
    )
    return Answer("search", sentence, table_of(rows, SEARCH_FIELDS), notes)


def _published_search(task: TaskId) -> Iterator[tuple[Any, ...]]:
    """Yield the row of the report on a task: partition a of a data file of PROBEN1."""
    row = found_networks().get(task.prototask)
    if row is None or not task.dataset.startswith(DATASETS) or not task.task.startswith("std."):
        return
    best, pivot = (
        f"{row[name].removesuffix('+0')} {row[outputs]}"
        for name, outputs in (("best", "outputs"), ("pivot", "pivot_outputs"))
    )
    numbers = (float(row[name] or "nan") for name in ("validation", "test", "classification"))
    counts = (int(row[name]) for name in ("within_5", "within_10"))
    where = f"table {row['table']}{PUBLISHED_SIGN}"
    yield (task.path, best, pivot, where, row["epochs"], row["tests"], *numbers, *counts)


def _range(values: Sequence[float], digits: int) -> str:
    low, high = rounded(min(values), digits), rounded(max(values), digits)
    return low if low == high else f"{low}-{high}"
