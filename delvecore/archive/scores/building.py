"""Scores as the tables of an archive: each number is the result on one instance of a task, as in the file,
and has no test cases."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from delvecore.errors import NOTICE, ParseError, result_fault
from delvecore.losses.spec import is_logarithmic, parse_loss
from delvecore.losses.standard_losses import LOSS_SPECS
from delvecore.measures import Measure
from delvecore.model import SCORED, Scheme, Task, TaskId
from delvecore.number_format.columns import Names, name_codes
from delvecore.readers.labels import place_of
from delvecore.render.numbers import integer
from delvecore.score_tables.score_file import Omission, ScoreFile, of_one_kind
from delvecore.stats.array_types import Floats, Whole
from delvecore.stats.designs import RunDesign
from delvecore.stats.losses.results import result_table
from delvecore.tables import RESULTS, SCHEMAS, Row, Tables, problem_table, table_of, values_in


def narrow(levels: int) -> type[np.signedinteger]:
    """Return the smallest integer type for numbers below a bound, and for -1."""
    return next(kind for kind in (np.int8, np.int16, np.int32) if levels <= np.iinfo(kind).max)


_DIGITS = re.compile(r"\d+")


def _names_of(column: pa.ChunkedArray, *, order: Callable[[str], Any] = str) -> Names:
    """Return the names in a column, and their codes in the smallest integer type that fits."""
    names, codes = name_codes(column, order=order)
    return names, codes.astype(narrow(len(names)))


def natural(label: str) -> tuple[list[int], str]:
    """Return a key that sorts `fold 10` after `fold 9`."""
    return [int(number) for number in _DIGITS.findall(label)], label


def numbers_of(column: pa.ChunkedArray) -> Floats:
    """Return a column of numbers, NaN for null."""
    return np.array(column.to_numpy(), dtype=float)


OWN = " (scores)"
"""Suffix for a column or method of scores whose name is already that of a loss of DELVE or of a method."""


def measure_key(metric: Measure) -> str:
    """Return the key of a column of scores: its name, unless that is a loss of DELVE with another
    direction."""
    loss = parse_loss(metric.key)
    is_another = (
        loss is not None and loss.matrix is None and (not loss.is_standard or metric.higher_is_better)
    )
    return metric.key + OWN * is_another


def measures_of(files: Iterable[ScoreFile]) -> dict[str, Measure]:
    """Return the measures of files by key, except for losses of DELVE; the first file with a name counts."""
    measures: dict[str, Measure] = {}
    for metric in (metric for file in files for metric in file.metrics):
        key = measure_key(metric)
        if key not in LOSS_SPECS:
            measures.setdefault(key, replace(metric, key=key))
    return measures


def sorted_rows(columns: Sequence[Whole], values: Floats) -> tuple[Whole, int]:
    """Return the rows with a value in order, one per score, and the number of repeated scores."""
    rows = np.flatnonzero(~np.isnan(values))
    key = _key(columns)[rows]
    if not (key[1:] > key[:-1]).all():
        order = np.argsort(key, kind="stable")
        rows, key = rows[order], key[order]
    first = np.ones(len(rows), dtype=bool)
    np.not_equal(key[1:], key[:-1], out=first[1:])
    return rows[first], int((~first).sum())


def _key(columns: Sequence[Whole]) -> Whole:
    """Return one sortable number per row, by the columns in order of importance."""
    key = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        key *= int(column.max(initial=0)) + 1
        key += column
    return key


def _named(codes: Whole, names: Sequence[str]) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(names, pa.string()))


def _place_columns(codes: Whole, places: Sequence[Task]) -> dict[str, pa.Array]:
    columns: dict[str, pa.Array] = {}
    named = [(*place.id, place.prior) for place in places]
    for at, column in enumerate((*TaskId._fields, "prior")):
        words = [names[at] for names in named]
        numbers = {name: number for number, name in enumerate(dict.fromkeys(words))}
        of_place = np.array([numbers[word] for word in words], dtype=narrow(len(numbers)))
        columns[column] = _named(of_place[codes], list(numbers))
    sizes = [place.training_size for place in places]
    of_place = np.array(sizes, dtype=narrow(max(sizes, default=0) + 1))
    return columns | {"training_size": pa.array(of_place[codes])}


def loss_table(
    columns: Sequence[Whole],
    places: Sequence[Task],
    losses: Sequence[str],
    methods: Sequence[str],
    lists: pa.Array,
) -> pa.Table:
    """Return the losses, with names as dictionaries.

    `columns` has the numbers of places, losses, methods and instances; `places`, `losses` and `methods` are
    the names for these. `lists` has the losses of test cases, or one score each.
    """
    place, loss, method, instance = columns
    table = _place_columns(place, places)
    table |= {"method": _named(method, methods), "loss": _named(loss, losses)}
    table |= {"instance": pa.array(instance), "values": lists}
    return pa.table({name: table[name] for name in SCHEMAS["losses"].names})


def cost_table(
    rows: pa.Table, columns: Sequence[Whole], places: Sequence[Task], methods: Sequence[str]
) -> pa.Table:
    """Return the costs of each instance, from its first metric that has costs."""
    if rows["seconds"].null_count == len(rows):
        return SCHEMAS["costs"].empty_table()
    seconds, megabytes = numbers_of(rows["seconds"]), numbers_of(rows["megabytes"])
    place, _, method, instance = columns
    some = np.flatnonzero(~np.isnan(seconds))
    key = _key((method, place, instance))[some]
    some = some[np.unique(key, return_index=True)[1]]
    cost_columns = _place_columns(place[some], places) | {"method": _named(method[some], methods)}
    cost_columns["instance"] = pa.array(instance[some].astype(np.int64))
    cost_columns["seconds"] = pa.array(seconds[some])
    cost_columns["megabytes"] = pa.array(megabytes[some], from_pandas=True)
    cost_columns["testing_seconds"] = pa.nulls(len(cost_columns["seconds"]))
    return pa.table({name: cost_columns[name] for name in SCHEMAS["costs"].names}).cast(SCHEMAS["costs"])


NO_VALUE = "a score in each place"
"""What a notice about runs without a value expects."""


class CaseList(NamedTuple):
    """The test cases of a task in order.

    Attributes
    ----------
    groups : tuple of int
        The number of each case's group, empty if cases are independent.
    """

    names: tuple[str, ...]
    groups: tuple[int, ...] = ()

    def at(self, places: Iterable[int]) -> "CaseList":
        chosen = list(places)
        return CaseList(
            tuple(self.names[place] for place in chosen),
            tuple(self.groups[place] for place in chosen) if self.groups else (),
        )

    @property
    def facts(self) -> dict[str, Any]:
        """Facts about the task, as columns of the table of tasks."""
        return {"test_cases": len(self.names), "case_groups": list(self.groups) or None}


def score_tables(read: Iterable[ScoreFile]) -> tuple[Tables, Sequence[ScoreFile], Mapping[str, CaseList]]:
    """Return the tables of an archive of these files, those of `SCHEMAS`; the files with only their datasets
    as rows; and the test cases of tasks, by path. If two files have a score of the same method, dataset,
    instance, metric and case, the first counts and a problem reports the other. Names in the losses are
    dictionary-encoded."""
    files = list(read)
    sizes = {name: size for one in files for name, size in one.sizes.items()}
    metrics = {one.key: one for file in reversed(files) for one in file.metrics}
    measures = measures_of(files)
    of_one_kind(files)
    rows = _together([one.rows for one in files])
    # The rows of files are not needed from here on; they are as large as the following tables.
    files = [replace(one, rows=pa.table({"dataset": one.rows["dataset"].unique()})) for one in files]
    labels, names = values_in(rows, "dataset"), values_in(rows, "method")
    dataset_names, dataset = _names_of(rows["dataset"], order=lambda one: place_of(one, sizes.get(one, 0)))
    measured, loss = _names_of(rows["metric"], order=lambda name: measure_key(metrics[name]))
    method_names, method = _names_of(rows["method"])
    _, instance = _names_of(rows["instance"], order=natural)
    columns = [dataset, loss, method, instance]
    places = [place_of(name, sizes.get(name, 0)) for name in dataset_names]
    losses = [measure_key(metrics[name]) for name in measured]
    _check_places(files, places, dataset_names)
    tables = {table: schema.empty_table() for table, schema in SCHEMAS.items()}
    tables["costs"] = cost_table(rows, columns, places, method_names)
    values, spreads = numbers_of(rows["value"]), numbers_of(rows["spread"])
    cases: dict[str, CaseList] = {}
    if "case" in rows.column_names:
        columns, lists, cases, twice = _case_scores(rows, columns, values, places)
        spreads = np.full(len(lists), np.nan)
    else:
        kept, twice = sorted_rows(columns, values)
        columns, spreads = [column[kept] for column in columns], spreads[kept]
        each = pa.array(np.arange(len(kept) + 1, dtype=np.int32))
        lists = pa.ListArray.from_arrays(each, pa.array(values[kept]))
        del kept
    del rows, values, dataset, loss, method, instance
    tables["losses"] = loss_table(columns, places, losses, method_names, lists)
    place, _, method, instance = columns
    counts = _distinct(place, instance, len(places))
    tasks = _task_table(places, counts, _designs(files, dataset_names), cases)
    tables["tasks"] = tasks.take(_places(labels, dataset_names))
    tables["datasets"] = _dataset_table(files, values_in(tables["tasks"], "dataset"))
    done = _distinct(method, place, len(method_names))
    tables["methods"] = _method_table(method_names, done).take(_places(names, method_names))
    del columns, lists, place, method, instance
    units = {(*place.id, loss): own_unit(loss) for place in places for loss in losses}
    results = result_table(tables["losses"], tables["tasks"], units, measures)
    tables["results"] = _with_spreads(results, spreads, has_cases=bool(cases))
    problems = [_problem(file.source, one) for file in files for one in file.reading.omissions]
    problems += [_told_twice(files, twice)] if twice else []
    tables["problems"] = problem_table(problems)
    return tables, files, cases


def _check_places(files: Sequence[ScoreFile], places: Sequence[Task], labels: Sequence[str]) -> None:
    """Raise ParseError for two names of datasets that denote the same task, such as `a/b` with different
    characters that look like a slash."""
    first: dict[Task, str] = {}
    for place, label in zip(places, labels, strict=True):
        if place in first:
            expected, actual = "one name for each task", f"{first[place]!a} and {label!a}"
            raise ParseError(files[0].source, None, expected, actual, "rename one of them")
        first[place] = label


def _numbers(names: pa.Array) -> Whole:
    """Return the number of each name in order of appearance, -1 if there is none."""
    encoded = names if pa.types.is_dictionary(names.type) else names.dictionary_encode()
    numbers: Whole = encoded.indices.fill_null(-1).to_numpy()
    return numbers


def _case_scores(
    rows: pa.Table, columns: Sequence[Whole], values: Floats, places: Sequence[Task]
) -> tuple[list[Whole], pa.Array, dict[str, CaseList], int]:
    """Return the columns of scores, a list of losses for each score, the cases of each task, and the number
    of repeated losses. Lists have the order of the task's cases."""
    there = np.flatnonzero(~np.isnan(values))
    case_names, case = _names_of(rows["case"], order=natural)
    width = max(len(case_names), 1)
    key = columns[0][there].astype(np.int64) * width + case[there]
    used, first_row = np.unique(key, return_index=True)
    bounds = np.searchsorted(used, np.arange(len(places) + 1) * width)
    cell_key = _key(columns)[there]
    _, first_of, cell = np.unique(cell_key, return_index=True, return_inverse=True)
    of_scores = [column[there][first_of] for column in columns]
    offsets = np.concatenate([[0], np.cumsum(np.diff(bounds)[of_scores[0]])])
    at = offsets[cell] + np.searchsorted(used, key) - bounds[columns[0][there]]
    flat = np.full(offsets[-1], np.nan)
    flat[at[::-1]] = values[there][::-1]  # the first one counts
    twice = len(at) - int(np.count_nonzero(~np.isnan(flat)))
    groups = np.array([], dtype=np.int64)
    if rows["group"].null_count < len(rows):
        groups = _numbers(rows["group"].combine_chunks())[there][first_row]
    cases: dict[str, CaseList] = {}
    for number, (start, stop) in enumerate(pairwise(bounds.tolist())):
        names = [case_names[one] for one in (used[start:stop] % width).tolist()]
        own = _numbers(pa.array(groups[start:stop])).tolist() if len(groups) else []
        cases[places[number].path] = CaseList(tuple(names), tuple(own))
    lists = pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pa.array(flat))
    return of_scores, lists, cases, twice


def _together(tables: Sequence[pa.Table]) -> pa.Table:
    if len(tables) == 1:
        return tables[0]
    return pa.concat_tables(tables).unify_dictionaries().combine_chunks()


def _task_table(
    places: Sequence[Task],
    counts: Sequence[int],
    designs: Sequence[RunDesign],
    cases: Mapping[str, CaseList],
) -> pa.Table:
    """Return a row per task. `counts` are numbers of instances; `designs` has one design per place."""
    rows: list[Row] = []
    empty: Row = dict.fromkeys(SCHEMAS["tasks"].names)
    for place, count, design in zip(places, counts, designs, strict=True):
        names = {"task": place.name, "test_set_selection": "hierarchical", "task_type": SCORED}
        scheme, share = (design.kind, design.share) if count > 1 else (Scheme.DISJOINT, 0.0)
        facts = {"instances": count, "standard": False, "scheme": scheme, "share": share}
        if (known := cases.get(place.path)) and known.names:
            facts |= {"test_set_selection": "common", "scheme": Scheme.CASES, "share": 0.0, **known.facts}
        rows.append(empty | place._asdict() | names | facts)
    return table_of(rows, SCHEMAS["tasks"])


def _distinct(groups: np.ndarray, codes: np.ndarray, count: int) -> list[int]:
    """Return the number of distinct codes of each group."""
    width = int(codes.max(initial=0)) + 1
    there = np.zeros(count * width, dtype=bool)
    there[groups.astype(np.int64) * width + codes] = True
    counts: list[int] = there.reshape(count, width).sum(axis=1).tolist()
    return counts


def _designs(files: Sequence[ScoreFile], labels: Sequence[str]) -> list[RunDesign]:
    """Return the design of each dataset, from the first file with the dataset."""
    designs: dict[str, RunDesign] = {}
    for file in files:
        for label in values_in(file.rows, "dataset"):
            designs.setdefault(label, file.design)
    return [designs[label] for label in labels]


def _places(wanted: Sequence[str], names: Sequence[str]) -> list[int]:
    places = {name: place for place, name in enumerate(names)}
    return [places[name] for name in wanted]


def _dataset_table(files: Sequence[ScoreFile], datasets: Sequence[str]) -> pa.Table:
    sources = ", ".join(dict.fromkeys(file.source for file in files))
    empty: Row = dict.fromkeys(SCHEMAS["datasets"].names)
    facts = {"task_types": [SCORED], "prototasks": [], "documents": [], "directory": sources}
    rows = [empty | facts | {"dataset": name} for name in datasets]
    return table_of(rows, SCHEMAS["datasets"])


def _method_table(methods: Sequence[str], tasks: Sequence[int]) -> pa.Table:
    """Return a row per method. `tasks` has the number of tasks of each."""
    facts: Row = {"summary": None, "documents": [], "directories": []}
    rows = [{"method": name, "tasks": count, **facts} for name, count in zip(methods, tasks, strict=True)]
    return table_of(rows, SCHEMAS["methods"])


def own_unit(loss: str) -> float:
    """Return the constant of a loss that is not standardized."""
    return 0.0 if is_logarithmic(loss) else 1.0


def _with_spreads(results: pa.Table, spreads: Floats, *, has_cases: bool) -> pa.Table:
    """Return results in which a single number has its spread from the file."""
    columns = {name: results[name] for name in RESULTS.names}
    if not np.isnan(spreads).all():
        counts = results["instances"].to_numpy()
        own = np.where(counts == 1, spreads[np.cumsum(counts) - counts], np.nan)
        given = np.where(np.isnan(own), numbers_of(results["sd_training"]), own)
        columns["sd_training"] = pa.array(given, from_pandas=True)
    if not has_cases:
        columns["test_cases"] = pa.nulls(len(results), pa.int64())
    return pa.table(columns, schema=RESULTS)


def _problem(source: str, omission: Omission) -> ParseError:
    expected = NO_VALUE if omission.what == "run" else f"scores in each {omission.what}"
    return ParseError(source, omission.line, expected, f"left out: {omission.text}", kind=NOTICE)


def _told_twice(files: Sequence[ScoreFile], count: int) -> ParseError:
    sources = ", ".join(file.source for file in files)
    actual = f"{integer(count)} again"
    expected = "each score of a method, dataset, instance and metric once"
    return result_fault(sources, None, expected, actual, "the first one counts")
