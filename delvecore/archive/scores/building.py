"""Scores as the tables of an archive: each number is the loss of one instance of a task, and has no test
cases of its own."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from delvecore.archive.scores.rows import (
    Known,
    Scores,
    cost_table,
    loss_table,
    losses_of,
    named_column,
    natural,
    numbers_of,
    sorted_scores,
)
from delvecore.archive.stored import Row, Tables, problem_row
from delvecore.errors import NOTICE, result_fault
from delvecore.losses.spec import is_logarithmic, metric_loss
from delvecore.model import SCORED, Scheme
from delvecore.readers.labels import place_of
from delvecore.readers.scores.records import Notice, ScoreDesign, ScoreFile
from delvecore.statistics.losses.results import result_table
from delvecore.tables import RESULTS, SCHEMAS, table_of

__all__ = ["NO_VALUE", "own_unit", "score_tables"]

NO_VALUE = "a score in each place"
"""What is expected where values are missing, of which every answer says what became of them."""
_SCHEMES = {
    "cross-validation": Scheme.CROSS_VALIDATION,
    "seeds": Scheme.ONE_SPLIT,
    "resamples": Scheme.RESAMPLED,
    "single": Scheme.DISJOINT,
}


def score_tables(files: Sequence[ScoreFile]) -> Tables:
    """Return the tables of an archive of these files, those of `SCHEMAS`. Where two files have a score of the
    same method, dataset, instance and metric, the first counts and a problem tells of the other. Losses have
    their names as dictionaries."""
    rows = pa.concat_tables([one.rows for one in files]).unify_dictionaries().combine_chunks()
    scores, known, costs, twice = _numbered(files, rows)
    labels, methods = (_order(rows[name]) for name in ("dataset", "method"))
    del rows  # as large as what follows
    found = {table: schema.empty_table() for table, schema in SCHEMAS.items()}
    found["costs"] = costs
    found["losses"] = loss_table(scores, known)
    tasks = _task_table(scores, known, _designs(files, known.labels))
    found["tasks"] = tasks.take(_places(labels, known.labels))
    found["datasets"] = _dataset_table(files, found["tasks"]["dataset"].to_pylist())
    found["methods"] = _method_table(scores, known).take(_places(methods, known.methods))
    found["results"] = _result_table(found["losses"], found["tasks"], scores)
    told = [_problem(file.source, notice) for file in files for notice in file.notices]
    told += [_told_twice(files, twice)] if twice else []
    found["problems"] = table_of(told, SCHEMAS["problems"])
    return found


def _numbered(files: Sequence[ScoreFile], rows: pa.Table) -> tuple[Scores, Known, pa.Table, int]:
    """Return the scores by the numbers of their names, what these stand for, the costs, and how many scores
    are there again."""
    sizes = {name: size for one in files for name, size in one.sizes.items()}
    metrics = {one.name: one for file in reversed(files) for one in file.metrics}
    datasets = named_column(rows["dataset"], order=lambda name: place_of(name, sizes.get(name, 0)))
    measured = named_column(rows["metric"], order=lambda name: metric_loss(metrics[name]))
    methods, instances = named_column(rows["method"]), named_column(rows["instance"], order=natural)
    columns = [column.codes for column in (datasets, measured, methods, instances)]
    known = Known(
        [place_of(name, sizes.get(name, 0)) for name in datasets.names],
        [metric_loss(metrics[name]) for name in measured.names],
        methods.names,
        datasets.names,
    )
    costs = cost_table(rows, columns, known)
    values = losses_of(rows, measured, metrics)
    scores, twice = sorted_scores(columns, values, numbers_of(rows["spread"]))
    return scores, known, costs, twice


def _task_table(scores: Scores, known: Known, designs: Sequence[ScoreDesign]) -> pa.Table:
    """Return a row a task. designs: of each of the places."""
    rows: list[Row] = []
    instances = _distinct(scores.place, scores.instance, len(known.places))
    empty: Row = dict.fromkeys(SCHEMAS["tasks"].names)
    for place, count, design in zip(known.places, instances, designs, strict=True):
        names = {"task": place.task, "test_set_selection": "hierarchical", "task_type": SCORED}
        scheme = _SCHEMES[design.kind] if count > 1 else Scheme.DISJOINT
        if scheme == Scheme.CROSS_VALIDATION and design.repeats > 1:
            scheme = Scheme.REPEATED
        share = design.share if scheme not in (Scheme.DISJOINT, Scheme.ONE_SPLIT) else 0.0
        facts = {"instances": count, "standard": False, "scheme": scheme, "share": share}
        rows.append(empty | place._asdict() | names | facts)
    return table_of(rows, SCHEMAS["tasks"])


def _distinct(groups: np.ndarray, codes: np.ndarray, count: int) -> list[int]:
    """Return how many different codes each of so many groups has."""
    width = int(codes.max(initial=0)) + 1
    there = np.zeros(count * width, dtype=bool)
    key = groups.astype(np.int64)
    key *= width
    key += codes
    there[key] = True
    found: list[int] = there.reshape(count, width).sum(axis=1).tolist()
    return found


def _designs(files: Sequence[ScoreFile], labels: Sequence[str]) -> list[ScoreDesign]:
    """Return the design of each dataset: what the first file with it says."""
    found: dict[str, ScoreDesign] = {}
    for file in files:
        for label in file.rows["dataset"].unique().to_pylist():
            found.setdefault(label, file.design)
    return [found[label] for label in labels]


def _order(column: pa.ChunkedArray) -> list[str]:
    """Return the names of a column in the order in which it has them first."""
    names: list[str] = column.unique().to_pylist()
    return names


def _places(wanted: Sequence[str], names: Sequence[str]) -> list[int]:
    places = {name: place for place, name in enumerate(names)}
    return [places[name] for name in wanted]


def _dataset_table(files: Sequence[ScoreFile], datasets: Sequence[str]) -> pa.Table:
    sources = ", ".join(dict.fromkeys(file.source for file in files))
    empty: Row = dict.fromkeys(SCHEMAS["datasets"].names)
    facts = {"task_types": [SCORED], "prototasks": [], "documents": [], "directory": sources}
    rows = [empty | facts | {"dataset": name} for name in dict.fromkeys(datasets)]
    return table_of(rows, SCHEMAS["datasets"])


def _method_table(scores: Scores, known: Known) -> pa.Table:
    tasks = _distinct(scores.method, scores.place, len(known.methods))
    rows: list[Row] = [
        {"method": name, "summary": None, "documents": [], "tasks": count, "directories": []}
        for name, count in zip(known.methods, tasks, strict=True)
    ]
    return table_of(rows, SCHEMAS["methods"])


def own_unit(loss: str) -> float:
    """Return what standardizes a loss that stays as it is."""
    return 0.0 if is_logarithmic(loss) else 1.0


def _result_table(losses: pa.Table, tasks: pa.Table, scores: Scores) -> pa.Table:
    """Return the results, whose losses are in units of themselves. The standard deviation of a method with
    one number on a task is the spread that stands with it."""
    names = ("dataset", "prototask", "task", "loss")
    keys = losses.select(names).group_by(list(names)).aggregate([])
    places = zip(*(keys[name].to_pylist() for name in names), strict=True)
    units = {place: own_unit(place[-1]) for place in places}
    found = result_table(losses, tasks, units)
    counts = found["instances"].to_numpy()
    first = np.cumsum(counts) - counts
    spreads = np.where(counts == 1, scores.spreads[first], np.nan)
    given = pa.array(np.where(np.isnan(spreads), numbers_of(found["sd_training"]), spreads), from_pandas=True)
    columns = {name: found[name] for name in RESULTS.names} | {"sd_training": given}
    columns["test_cases"] = pa.nulls(len(found), pa.int64())
    return pa.table(columns, schema=RESULTS)


def _problem(source: str, notice: Notice) -> Row:
    expected = NO_VALUE if notice.what == "value" else f"scores in each {notice.what}"
    fault = result_fault(source, notice.line, expected, notice.text, notice.remedy)
    return {**problem_row(fault), "kind": NOTICE}


def _told_twice(files: Sequence[ScoreFile], count: int) -> Row:
    sources = ", ".join(file.source for file in files)
    found = f"{count:,} again"
    expected = "each score of a method, dataset, instance and metric once"
    return problem_row(result_fault(sources, None, expected, found, "the first one counts"))
