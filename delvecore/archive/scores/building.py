"""Scores as the tables of an archive: each number is the loss of one instance of a task, and has no test
cases of its own."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from delvecore.archive.scores.rows import (
    Known,
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
from delvecore.score_tables.score_file import Omission, ScoreFile
from delvecore.stats.designs import RunDesign
from delvecore.stats.kinds import Floats
from delvecore.stats.losses.results import result_table
from delvecore.tables import RESULTS, SCHEMAS, table_of

__all__ = ["NO_VALUE", "own_unit", "score_tables"]

NO_VALUE = "a score in each place"
"""What is expected where values are missing, of which every answer says what became of them."""


class Numbered(NamedTuple):
    """All scores of some files in order. labels, methods: of datasets and methods, in the order in which the
    files have them first; losses: the table; instances, tasks: how many each task, and method, has; spreads:
    of the scores; twice: how many are there again. files: these, without their rows."""

    files: Sequence[ScoreFile]
    known: Known
    labels: Sequence[str]
    methods: Sequence[str]
    losses: pa.Table
    costs: pa.Table
    instances: Sequence[int]
    tasks: Sequence[int]
    spreads: Floats
    twice: int


def score_tables(read: Iterable[ScoreFile]) -> tuple[Tables, Sequence[ScoreFile]]:
    """Return the tables of an archive of these files, those of `SCHEMAS`, and the files with only their
    datasets as rows. Where two files have a score of the same method, dataset, instance and metric, the
    first counts and a problem tells of the other. Losses have their names as dictionaries."""
    numbered = _numbered(list(read))  # whose rows are forgotten there
    files, known = numbered.files, numbered.known
    found = {table: schema.empty_table() for table, schema in SCHEMAS.items()}
    found |= {"costs": numbered.costs, "losses": numbered.losses}
    tasks = _task_table(numbered, _designs(files, known.labels))
    found["tasks"] = tasks.take(_places(numbered.labels, known.labels))
    found["datasets"] = _dataset_table(files, found["tasks"]["dataset"].to_pylist())
    found["methods"] = _method_table(numbered).take(_places(numbered.methods, known.methods))
    found["results"] = _result_table(numbered, found["tasks"])
    told = [_problem(file.source, one) for file in files for one in file.reading.omissions]
    told += [_told_twice(files, numbered.twice)] if numbered.twice else []
    found["problems"] = table_of(told, SCHEMAS["problems"])
    return found, files


def _numbered(files: list[ScoreFile]) -> Numbered:
    """Return the scores by the numbers of their names. The rows of the files are forgotten."""
    sizes = {name: size for one in files for name, size in one.sizes.items()}
    metrics = {one.name: one for file in reversed(files) for one in file.metrics}
    rows = _together([one.rows for one in files])
    light = [replace(one, rows=_of_datasets(one.rows)) for one in files]
    files.clear()
    labels, method_names = (_order(rows[name]) for name in ("dataset", "method"))
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
    values, spreads = losses_of(rows, measured, metrics), numbers_of(rows["spread"])
    del rows  # as large as what follows
    scores, twice = sorted_scores(columns, values, spreads)
    return Numbered(
        light,
        known,
        labels,
        method_names,
        losses=loss_table(scores, known),
        costs=costs,
        instances=_distinct(scores.place, scores.instance, len(known.places)),
        tasks=_distinct(scores.method, scores.place, len(known.methods)),
        spreads=scores.spreads,
        twice=twice,
    )


def _together(tables: Sequence[pa.Table]) -> pa.Table:
    if len(tables) == 1:
        return tables[0]
    return pa.concat_tables(tables).unify_dictionaries().combine_chunks()


def _of_datasets(rows: pa.Table) -> pa.Table:
    """Return rows with each dataset once, in their order."""
    return pa.table({"dataset": rows["dataset"].unique()})


def _task_table(numbered: Numbered, designs: Sequence[RunDesign]) -> pa.Table:
    """Return a row a task. designs: of each of the places."""
    rows: list[Row] = []
    empty: Row = dict.fromkeys(SCHEMAS["tasks"].names)
    for place, count, design in zip(numbered.known.places, numbered.instances, designs, strict=True):
        names = {"task": place.task, "test_set_selection": "hierarchical", "task_type": SCORED}
        scheme, share = (design.kind, design.share) if count > 1 else (Scheme.DISJOINT, 0.0)
        facts = {"instances": count, "standard": False, "scheme": scheme, "share": share}
        rows.append(empty | place._asdict() | names | facts)
    return table_of(rows, SCHEMAS["tasks"])


def _distinct(groups: np.ndarray, codes: np.ndarray, count: int) -> list[int]:
    """Return how many different codes each of so many groups has."""
    width = int(codes.max(initial=0)) + 1
    there = np.zeros(count * width, dtype=bool)
    there[groups.astype(np.int64) * width + codes] = True
    found: list[int] = there.reshape(count, width).sum(axis=1).tolist()
    return found


def _designs(files: Sequence[ScoreFile], labels: Sequence[str]) -> list[RunDesign]:
    """Return the design of each dataset: what the first file with it says."""
    found: dict[str, RunDesign] = {}
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


def _method_table(numbered: Numbered) -> pa.Table:
    rows: list[Row] = [
        {"method": name, "summary": None, "documents": [], "tasks": count, "directories": []}
        for name, count in zip(numbered.known.methods, numbered.tasks, strict=True)
    ]
    return table_of(rows, SCHEMAS["methods"])


def own_unit(loss: str) -> float:
    """Return what standardizes a loss that stays as it is."""
    return 0.0 if is_logarithmic(loss) else 1.0


def _result_table(numbered: Numbered, tasks: pa.Table) -> pa.Table:
    """Return the results, whose losses are in units of themselves. The standard deviation of a method with
    one number on a task is the spread that stands with it."""
    places = [(place.dataset, place.prototask, place.task) for place in numbered.known.places]
    units = {(*place, loss): own_unit(loss) for place in places for loss in numbered.known.losses}
    found = result_table(numbered.losses, tasks, units)
    columns = {name: found[name] for name in RESULTS.names}
    if not np.isnan(numbered.spreads).all():
        counts = found["instances"].to_numpy()
        spreads = np.where(counts == 1, numbered.spreads[np.cumsum(counts) - counts], np.nan)
        given = np.where(np.isnan(spreads), numbers_of(found["sd_training"]), spreads)
        columns["sd_training"] = pa.array(given, from_pandas=True)
    columns["test_cases"] = pa.nulls(len(found), pa.int64())
    return pa.table(columns, schema=RESULTS)


def _problem(source: str, omission: Omission) -> Row:
    expected = NO_VALUE if omission.what == "run" else f"scores in each {omission.what}"
    fault = result_fault(source, omission.line, expected, f"left out: {omission.text}")
    return {**problem_row(fault), "kind": NOTICE}


def _told_twice(files: Sequence[ScoreFile], count: int) -> Row:
    sources = ", ".join(file.source for file in files)
    found = f"{count:,} again"
    expected = "each score of a method, dataset, instance and metric once"
    return problem_row(result_fault(sources, None, expected, found, "the first one counts"))
